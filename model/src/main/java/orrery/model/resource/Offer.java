package orrery.model.resource;

import orrery.model.Etag;
import orrery.model.ResourceId;
import orrery.model.Throughput;
import orrery.model.ThroughputBuckets;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The throughput reserved for a container, or for a database whose containers share it.
 *
 * @param container number of the container, or 0 when the offer belongs to the database
 * @param highestEver the largest ceiling this offer has had; the minimum follows it
 * @param buckets of a container; a database has none
 */
public record Offer(
        int number,
        int database,
        int container,
        Throughput throughput,
        int highestEver,
        Etag etag,
        long timestampMillis,
        ThroughputBuckets buckets) {
    /** An offer without buckets. */
    public Offer(
            int number,
            int database,
            int container,
            Throughput throughput,
            int highestEver,
            Etag etag,
            long timestampMillis) {
        this(
                number,
                database,
                container,
                throughput,
                highestEver,
                etag,
                timestampMillis,
                ThroughputBuckets.NONE);
    }

    public ResourceId rid() {
        return ResourceId.ofOffer(number);
    }

    /** Returns the resource to which the throughput belongs. */
    public ResourceId resource() {
        return container == 0
                ? ResourceId.ofDatabase(database)
                : ResourceId.ofContainer(database, container);
    }

    public void write(BinaryWriter out) {
        out.u32(number).u32(database).u32(container);
        throughput.write(out);
        out.u32(highestEver);
        etag.write(out);
        out.u64(timestampMillis);
        buckets.write(out);
    }

    public static Offer read(BinaryReader in) {
        return new Offer(
                in.u32(),
                in.u32(),
                in.u32(),
                Throughput.read(in),
                in.u32(),
                Etag.read(in),
                in.u64(),
                ThroughputBuckets.read(in));
    }
}
