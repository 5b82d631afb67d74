package orrery.cluster.catalog;

import orrery.model.RequestId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A request that was carried out and its outcome.
 *
 * @param position of its entry in the log
 * @param timeMillis of the log then: the record counts for a minute from there
 */
record RequestRecord(RequestId id, long position, long timeMillis, CatalogOutcome outcome) {
    static final int VERSION = 1;

    /** The number of the record, which wraps around long after all records before are gone. */
    int number() {
        return number(position);
    }

    static int number(long position) {
        return (int) position;
    }

    void write(BinaryWriter out) {
        id.write(out);
        out.u64(position).u64(timeMillis);
        CatalogOutcome.write(out, outcome);
    }

    static RequestRecord read(BinaryReader in) {
        return new RequestRecord(RequestId.read(in), in.u64(), in.u64(), CatalogOutcome.read(in));
    }
}
