package orrery.query.write;

import orrery.model.Bytes;
import orrery.model.codec.MalformedRecordException;

/** A language in which writes say what to make of an item. Thread-safe. */
public abstract class WriteDialect {
    private final int number;
    private final int newestVersion;

    /**
     * @param number in messages, 1 to 255. It is never given to another dialect.
     * @param newestVersion the highest version of the payload that {@link #read} knows; it knows
     *     those before too
     */
    protected WriteDialect(int number, int newestVersion) {
        this.number = number;
        this.newestVersion = newestVersion;
    }

    final int number() {
        return number;
    }

    final int newestVersion() {
        return newestVersion;
    }

    /** Makes the write that a payload of the newest version describes. */
    protected final Evaluation of(Bytes payload) {
        return new Evaluation(number, newestVersion, payload);
    }

    /**
     * Reads a payload of a known version. Throws BAD_REQUEST if the write means nothing here, and
     * {@link MalformedRecordException} if the bytes are not in the layout of the version.
     */
    public abstract ItemUpdate read(int version, Bytes payload, EvaluationPlace place);
}
