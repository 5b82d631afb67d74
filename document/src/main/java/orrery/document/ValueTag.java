package orrery.document;

/**
 * The first byte of every index value. Values of different types sort by it, so the numbers are the
 * type order of the query language with BSON's types around it; they are stored and never change.
 * {@link TypeOrder} says in which sequence another language walks them.
 */
public final class ValueTag {
    /** Sorts before everything (BSON). */
    public static final int MIN_KEY = 0x04;

    /** Absent. */
    public static final int UNDEFINED = 0x08;

    /** The value undefined of BSON, which is there. */
    public static final int UNDEF = 0x0A;

    public static final int NULL = 0x0C;
    public static final int FALSE = 0x10;
    public static final int TRUE = 0x14;
    public static final int NUMBER = 0x18;
    public static final int STRING = 0x1C;
    public static final int ARRAY = 0x20;
    public static final int OBJECT = 0x24;

    // BSON's types that JSON lacks. Its decimals are numbers here and its symbols strings.
    public static final int BINARY = 0x28;
    public static final int OBJECT_ID = 0x2C;
    public static final int DATE_TIME = 0x30;
    public static final int TIMESTAMP = 0x34;
    public static final int REGEX = 0x38;
    public static final int POINTER = 0x3A;
    public static final int CODE = 0x3C;
    public static final int SCOPED_CODE = 0x3E;

    /** Sorts after everything (BSON). */
    public static final int MAX_KEY = 0x7C;

    private ValueTag() {}
}
