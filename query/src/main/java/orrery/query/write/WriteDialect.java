package orrery.query.write;

import orrery.model.Bytes;
import orrery.model.codec.MalformedRecordException;

/** A language in which writes say what to make of an item. Thread-safe. */
public interface WriteDialect {
    /** The number in messages, 1 to 255. It is never given to another dialect. */
    int number();

    /** The highest version of the payload that {@link #read} knows; it knows those before too. */
    int newestVersion();

    /**
     * Reads a payload of a known version. Throws BAD_REQUEST if the write means nothing here, and
     * {@link MalformedRecordException} if the bytes are not in the layout of the version.
     */
    ItemUpdate read(int version, Bytes payload, EvaluationPlace place);
}
