package orrery.frontend.mongo.command;

import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.frontend.mongo.stream.ClusterTime;
import orrery.model.Bytes;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.expression.ValueText;

/**
 * The time that drivers pass on between connections, so that a read comes after the writes that its
 * session has seen. One node answers all requests and shows all it has acknowledged, so any time
 * that it has handed out has been reached.
 *
 * <p>A write has the time at which its command began, and other commands that of their answer: so a
 * change stream that starts at the time of a write shows it, and one that starts at another time
 * shows all that is written later.
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
        long reached = Math.max(ClusterTime.last(clock.millis()), last.get());
        if (after.isPresent()
                && Long.compareUnsigned(required(concern.get(), "afterClusterTime"), reached) > 0) {
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

    /** Events of changes may be ahead of the clock; whoever has seen one may ask for its time. */
    void reach(long millis) {
        last.accumulateAndGet(ClusterTime.last(millis), Math::max);
    }

    /** Returns the first time of this millisecond: no write that begins now is stamped earlier. */
    long now() {
        return ClusterTime.first(clock.millis());
    }

    /**
     * The fields that stand at the end of an answer.
     *
     * @param operationTime when the command was carried out, or earlier; none is later than the
     *     time of the answer
     */
    Value.Obj fields(OptionalLong operationTime) {
        long now = ClusterTime.first(clock.millis());
        long time =
                last.accumulateAndGet(
                        now, (before, next) -> Math.max(ClusterTime.next(before), next));
        return Value.Obj.of(
                "$clusterTime",
                Value.Obj.of("clusterTime", ClusterTime.timestamp(time), "signature", NO_SIGNATURE),
                "operationTime",
                ClusterTime.timestamp(operationTime.orElse(time)));
    }
}
