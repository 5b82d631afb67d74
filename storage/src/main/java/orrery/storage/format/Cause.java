package orrery.storage.format;

/** The reason for a change of an item. Stored by ordinal: new ones go behind the last. */
public enum Cause {
    /** A client wrote or deleted it. */
    USER,
    /** Its time was over. */
    TTL,
    /** A client gave it another id. */
    RENAME,
    /** Its partition came from another set. */
    MOVE,
    /** A conflict between regions was decided. */
    CONFLICT
}
