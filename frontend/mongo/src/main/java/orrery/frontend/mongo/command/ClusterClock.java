package orrery.frontend.mongo.command;

import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.expression.ValueText;

/**
 * The time that drivers pass on between connections, so that a read comes after the writes that its
 * session has seen. One node answers all requests and shows all it has acknowledged, so any time
 * that it has handed out has been reached.
 */
final class ClusterClock {
    private static final Value.Obj NO_SIGNATURE =
            new Doc()
                    .put("hash", new BsonValue.Binary(0, Bytes.wrap(new byte[20])))
                    .putInt64("keyId", 0)
                    .build();

    private final InstantSource clock;
    private final AtomicLong last = new AtomicLong();

    ClusterClock(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Refuses to read after a time that has not come. All other times have been reached: whatever
     * was answered before one was handed out is seen by every read that begins later.
     */
    void requireReached(Arguments command) {
        Optional<Arguments> concern = command.inner("readConcern");
        if (concern.isEmpty()) {
            return;
        }
        if (concern.get().find("atClusterTime").isPresent()) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "readConcern atClusterTime is not supported: reads show what is there now");
        }
        Optional<Value> after = concern.get().find("afterClusterTime");
        if (after.isEmpty()) {
            return;
        }
        if (!(after.get() instanceof BsonValue.Timestamp(int seconds, int increment))) {
            throw concern.get().mismatch("afterClusterTime", after.get(), "timestamp");
        }
        long time = (long) seconds << 32 | Integer.toUnsignedLong(increment);
        if (Long.compareUnsigned(time, Math.max(now(), last.get())) > 0) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "readConcern afterClusterTime value must not be greater than the current"
                            + " clusterTime. Requested clusterTime: "
                            + ValueText.of(after.get()));
        }
    }

    /** The time of the clock, as a timestamp of its second. */
    private long now() {
        return (clock.millis() / 1000) << 32 | 1;
    }

    /** The fields that stand at the end of an answer. */
    Value.Obj fields() {
        long now = now();
        long time = last.accumulateAndGet(now, (before, next) -> Math.max(before + 1, next));
        BsonValue.Timestamp timestamp = new BsonValue.Timestamp((int) (time >>> 32), (int) time);
        return Value.Obj.of(
                "$clusterTime",
                Value.Obj.of("clusterTime", timestamp, "signature", NO_SIGNATURE),
                "operationTime",
                timestamp);
    }
}
