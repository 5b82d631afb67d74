package orrery.model.metering;

import orrery.model.Etag;
import orrery.model.Precondition;
import orrery.model.ThroughputBuckets;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The terms of a request for its metering.
 *
 * @param mayUseMinute false when it asks not to be paid from the budget of the minute
 * @param replicas how many replicas' work it stands for, 1 to 255: reads at the stronger levels ask
 *     two
 * @param known holds for the version the client has: a read that finds that one costs less
 * @param bucket that it belongs to, 1 to {@value ThroughputBuckets#MOST}; 0 when it names none
 */
public record RequestTerms(
        Priority priority, boolean mayUseMinute, int replicas, Precondition known, int bucket) {
    /** The terms of a request that names none. */
    public static final RequestTerms STANDARD = new RequestTerms(Priority.HIGH, true, 1);

    public enum Priority {
        HIGH,
        LOW
    }

    public RequestTerms {
        if (replicas < 1 || replicas > 255) {
            throw new IllegalArgumentException(
                    "a request stands for the work of 1 to 255 replicas");
        }
        if (bucket < 0 || bucket > ThroughputBuckets.MOST) {
            throw new IllegalArgumentException("not a bucket: " + bucket);
        }
    }

    /**
     * Makes the terms of a client that has no version of the item it asks for, and names no bucket.
     */
    public RequestTerms(Priority priority, boolean mayUseMinute, int replicas) {
        this(priority, mayUseMinute, replicas, new Precondition.Impossible(), 0);
    }

    public boolean isLow() {
        return priority == Priority.LOW;
    }

    public RequestTerms withReplicas(int count) {
        return count == replicas
                ? this
                : new RequestTerms(priority, mayUseMinute, count, known, bucket);
    }

    /** Returns the terms of a read within the request, whose client may have the item. */
    public RequestTerms ofRead(Precondition held) {
        return new RequestTerms(priority, mayUseMinute, 1, held, bucket);
    }

    public boolean isKnown(Etag etag) {
        return Precondition.holds(known, etag);
    }

    public void write(BinaryWriter out) {
        out.enumeration(priority).bool(mayUseMinute).u8(replicas).u8(bucket);
        Precondition.write(out, known);
    }

    public static RequestTerms read(BinaryReader in) {
        return in.checked(RequestTerms::readFields);
    }

    private static RequestTerms readFields(BinaryReader in) {
        Priority priority = in.enumeration(Priority.class);
        boolean mayUseMinute = in.bool();
        int replicas = in.u8();
        int bucket = in.u8();
        return new RequestTerms(priority, mayUseMinute, replicas, Precondition.read(in), bucket);
    }
}
