package orrery.query;

import orrery.model.Bytes;

/** A query language that partitions can run. */
public interface Dialect {
    /** Returns the name by which messages call it. */
    String name();

    /** Returns the version of the payloads that it reads and writes. */
    int version();

    /**
     * Reads a payload of this version.
     *
     * @throws orrery.model.codec.MalformedRecordException for bytes that no statement has written
     */
    Statement read(Bytes payload);
}
