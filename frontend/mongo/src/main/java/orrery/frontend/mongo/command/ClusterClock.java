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

    /**
     * The clock of an earlier life of this node, or of another node, is this much ahead of ours at
     * most. A client that claims more is not believed, so that none can turn the time forward for
     * all.
     */
    private static final int MOST_SECONDS_AHEAD = 60;

    private final InstantSource clock;
    private final AtomicLong last = new AtomicLong();

    ClusterClock(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Takes over the time that a client has heard from the cluster. After a restart this node may
     * be in the second in which it handed that time out, or its clock was set back.
     */
    void hear(Arguments command) {
        Optional<Arguments> gossip = command.inner("$clusterTime");
        if (gossip.isEmpty()) {
            return;
        }
        long heard = required(gossip.get(), "clusterTime");
        if (heard >>> 32 <= clock.millis() / 1000 + MOST_SECONDS_AHEAD) {
            last.accumulateAndGet(heard, Math::max);
        }
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
        if (after.isPresent()
                && Long.compareUnsigned(
                                required(concern.get(), "afterClusterTime"),
                                Math.max(now(), last.get()))
                        > 0) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "readConcern afterClusterTime value must not be greater than the current"
                            + " clusterTime. Requested clusterTime: "
                            + ValueText.of(after.get()));
        }
    }

    /** Seconds above, the increment below: unsigned, such numbers go as their times do. */
    private static long required(Arguments owner, String name) {
        Value value = owner.find(name).orElseThrow(() -> owner.missing(name));
        if (value instanceof BsonValue.Timestamp(int seconds, int increment)) {
            return (long) seconds << 32 | Integer.toUnsignedLong(increment);
        }
        throw owner.mismatch(name, value, "timestamp");
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
