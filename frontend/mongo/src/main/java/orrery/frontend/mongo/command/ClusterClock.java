package orrery.frontend.mongo.command;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import orrery.document.BsonCodec;
import orrery.document.BsonValue;
import orrery.model.Bytes;

/**
 * The time that drivers pass on between connections, so that a read comes after the writes that its
 * session has seen. One node answers all requests and shows all it has acknowledged, so any time
 * that it has handed out has been reached.
 */
final class ClusterClock {
    private static final Bytes NO_SIGNATURE = Bytes.wrap(new byte[20]);

    private final InstantSource clock;
    private final AtomicLong last = new AtomicLong();

    ClusterClock(InstantSource clock) {
        this.clock = clock;
    }

    /** The fields that stand at the end of an answer. */
    Bytes fields() {
        long now = (clock.millis() / 1000) << 32 | 1;
        long time = last.accumulateAndGet(now, (before, next) -> Math.max(before + 1, next));
        BsonValue.Timestamp timestamp = new BsonValue.Timestamp((int) (time >>> 32), (int) time);
        return BsonCodec.write(
                new Doc()
                        .put(
                                "$clusterTime",
                                new Doc()
                                        .put("clusterTime", timestamp)
                                        .put(
                                                "signature",
                                                new Doc()
                                                        .put(
                                                                "hash",
                                                                new BsonValue.Binary(
                                                                        0, NO_SIGNATURE))
                                                        .putInt64("keyId", 0)))
                        .put("operationTime", timestamp)
                        .build());
    }
}
