package orrery.query.index;

/**
 * The values of a path for which an expression over that path alone is true, and those for which it
 * is false. For the values in neither set it is neither, as expressions over undefined mostly are.
 *
 * @param isExact false where a set may also hold values that do not belong there
 */
record Truth(ValueRanges whenTrue, ValueRanges whenFalse, boolean isExact) {
    static final Truth ALWAYS = new Truth(ValueRanges.ALL, ValueRanges.NONE, true);
    static final Truth NEVER = new Truth(ValueRanges.NONE, ValueRanges.ALL, true);
    static final Truth UNDEFINED = new Truth(ValueRanges.NONE, ValueRanges.NONE, true);
    static final Truth UNKNOWN = new Truth(ValueRanges.ALL, ValueRanges.ALL, false);

    Truth negated() {
        return new Truth(/* whenTrue= */ whenFalse, /* whenFalse= */ whenTrue, isExact);
    }

    Truth and(Truth other) {
        return new Truth(
                whenTrue.intersect(other.whenTrue),
                whenFalse.union(other.whenFalse),
                isExact && other.isExact);
    }

    Truth or(Truth other) {
        return new Truth(
                whenTrue.union(other.whenTrue),
                whenFalse.intersect(other.whenFalse),
                isExact && other.isExact);
    }
}
