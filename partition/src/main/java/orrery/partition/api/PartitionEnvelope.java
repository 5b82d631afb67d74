package orrery.partition.api;

import java.time.Duration;
import java.util.UUID;
import orrery.model.Bytes;
import orrery.model.SizeLimits;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.model.metering.RequestTerms;

/**
 * A request with all that a replica set has to know about it.
 *
 * @param level the feature level of the sender, which reads answers of this level and of those
 *     before it
 * @param replicaSet the set named by the partition map
 * @param setEpoch the members of the set as the sender knows them; 0 is a set whose members never
 *     changed
 * @param readMode the replicas that may answer
 * @param millisLeft until nobody waits for the answer any more
 * @param activityId the client's request, by which its traces are found; {@link #NO_ACTIVITY} where
 *     the node asks for itself
 * @param isUnchecked whether what is written need not meet the validator of the container
 */
public record PartitionEnvelope(
        int level,
        int replicaSet,
        long setEpoch,
        ReadMode readMode,
        long millisLeft,
        UUID activityId,
        RequestTerms terms,
        boolean isUnchecked,
        PartitionRequest request) {
    /** The feature level of this build: the highest that it applies, and the one that it sends. */
    public static final int LEVEL = 5;

    public static final UUID NO_ACTIVITY = new UUID(0, 0);

    static final int VERSION = 1;

    /** Has a byte of flags behind the terms; an envelope without any is of the first version. */
    private static final int WITH_FLAGS = 2;

    private static final int UNCHECKED = 1;

    public PartitionEnvelope {
        if (level < 1 || millisLeft < 0) {
            throw new IllegalArgumentException("an envelope has a level and a time left");
        }
    }

    /** Makes the envelope of a client's request, which the leader answers. */
    public PartitionEnvelope(
            int replicaSet,
            PartitionRequest request,
            RequestTerms terms,
            UUID activityId,
            Duration timeout) {
        this(
                LEVEL,
                replicaSet,
                0,
                ReadMode.LEADER,
                millis(timeout),
                activityId,
                terms,
                false,
                request);
    }

    /** Makes the envelope of a request that the node sends for itself. */
    public static PartitionEnvelope ofNode(
            int replicaSet, PartitionRequest request, Duration timeout) {
        return new PartitionEnvelope(
                replicaSet, request, RequestTerms.STANDARD, NO_ACTIVITY, timeout);
    }

    /** Addresses it to the members of that epoch. */
    public PartitionEnvelope withSetEpoch(long epoch) {
        return epoch == setEpoch
                ? this
                : new PartitionEnvelope(
                        level,
                        replicaSet,
                        epoch,
                        readMode,
                        millisLeft,
                        activityId,
                        terms,
                        isUnchecked,
                        request);
    }

    /** Says whether what is written need not meet the validator of the container. */
    public PartitionEnvelope withUnchecked(boolean next) {
        return next == isUnchecked
                ? this
                : new PartitionEnvelope(
                        level,
                        replicaSet,
                        setEpoch,
                        readMode,
                        millisLeft,
                        activityId,
                        terms,
                        next,
                        request);
    }

    /** Rounds up, so that a request whose time is not over has time left. */
    private static long millis(Duration timeout) {
        return timeout.plusNanos(999_999).toMillis();
    }

    public Duration timeout() {
        return Duration.ofMillis(millisLeft);
    }

    /** Throws if the request is too large to be sent. */
    public Bytes encode() {
        BinaryWriter out =
                new BinaryWriter(256)
                        .u8(isUnchecked ? WITH_FLAGS : VERSION)
                        .u32(level)
                        .u32(replicaSet)
                        .u64(setEpoch)
                        .enumeration(readMode)
                        .u64(millisLeft)
                        .u64(activityId.getMostSignificantBits())
                        .u64(activityId.getLeastSignificantBits());
        terms.write(out);
        if (isUnchecked) {
            out.u8(UNCHECKED);
        }
        RequestKind.write(out, request);
        return SizeLimits.checkMessage(out.toBytes());
    }

    public static PartitionEnvelope decode(Bytes bytes) {
        BinaryReader in = new BinaryReader(bytes);
        int version = in.u8();
        if (version != VERSION && version != WITH_FLAGS) {
            throw new MalformedRecordException("unknown version of a partition envelope");
        }
        PartitionEnvelope envelope = in.checked(fields -> read(fields, version == WITH_FLAGS));
        in.expectEnd();
        return envelope;
    }

    private static boolean isUnchecked(int flags) {
        if (flags != UNCHECKED) {
            throw new MalformedRecordException("unknown flags of a partition envelope");
        }
        return true;
    }

    private static PartitionEnvelope read(BinaryReader in, boolean hasFlags) {
        return new PartitionEnvelope(
                in.u32(),
                in.u32(),
                in.u64(),
                in.enumeration(ReadMode.class),
                in.u64(),
                new UUID(in.u64(), in.u64()),
                RequestTerms.read(in),
                hasFlags && isUnchecked(in.u8()),
                RequestKind.read(in));
    }
}
