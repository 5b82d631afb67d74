package orrery.query.table;

import java.util.List;
import java.util.concurrent.TimeUnit;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.document.edm.EdmValue;
import orrery.model.Bytes;
import orrery.model.TermRules;
import orrery.query.index.ValueRanges;

/**
 * The ranges of index values in which a comparison holds. Values of other types may lie there too;
 * none that matches lies outside.
 *
 * @param rules by which the index was made
 */
record EdmRanges(TermRules rules) {
    /**
     * The time in an etag is that of its write, or one tick later than the etag before if that is
     * later. It would take as many writes as this has ticks, with a clock that stands still, to be
     * ahead so far.
     */
    private static final long MAX_AHEAD_SECONDS = 60;

    private static final double NEGATIVE_ZERO = -0.0;

    /** In front of the digits of a negative Int64. */
    private static final String MINUS = "-";

    ValueRanges of(TableFilter.Operator operator, EdmValue constant) {
        return switch (constant) {
            case EdmValue.Int64(long wanted) -> ofInt64(operator, wanted);
            case EdmValue.Int32(int wanted) -> ofNumber(operator, wanted);
            case EdmValue.Real(double wanted) -> ofNumber(operator, wanted);
            case EdmValue.Bool _ -> ofContent(operator, constant.content(), ValueRanges.BOOLEANS);
            case EdmValue.Text _, EdmValue.Guid _, EdmValue.Binary _, EdmValue.Moment _ ->
                    ofContent(operator, constant.content(), ValueRanges.TEXTS);
        };
    }

    /** Returns the seconds of the time of writes in which an entity has such a timestamp. */
    ValueRanges ofWriteTime(TableFilter.Operator operator, EdmValue.Moment moment) {
        long seconds = TimeUnit.MILLISECONDS.toSeconds(moment.toFileTime().millis());
        Value first = Value.of(seconds - MAX_AHEAD_SECONDS);
        // Seconds before 1970 were rounded up.
        Value last = Value.of(seconds + 1);
        ValueRanges from = ofContent(TableFilter.Operator.GE, first, ValueRanges.NUMBERS);
        ValueRanges to = ofContent(TableFilter.Operator.LE, last, ValueRanges.NUMBERS);
        return switch (operator) {
            case GT, GE -> from;
            case LT, LE -> to;
            case EQ -> from.intersect(to);
            case NE -> ValueRanges.NUMBERS;
        };
    }

    /** Doubles that are no numbers of JSON are stored as texts, and so is a zero with a sign. */
    private ValueRanges ofNumber(TableFilter.Operator operator, double wanted) {
        ValueRanges all =
                ValueRanges.union(
                        List.of(
                                ValueRanges.NUMBERS,
                                ofReal(Double.NaN),
                                ofReal(NEGATIVE_ZERO),
                                ofReal(Double.POSITIVE_INFINITY),
                                ofReal(Double.NEGATIVE_INFINITY)));
        if (!Double.isFinite(wanted)) {
            return operator == TableFilter.Operator.EQ ? ofReal(wanted) : all;
        }
        ValueRanges numbers = ofContent(operator, Value.of(wanted), ValueRanges.NUMBERS);
        if (operator.accepts(wanted > 0 ? -1 : wanted < 0 ? 1 : 0)) {
            numbers = ValueRanges.union(List.of(numbers, ofReal(NEGATIVE_ZERO)));
        }
        return switch (operator) {
            case EQ -> numbers;
            case NE -> all;
            case GT, GE -> ValueRanges.union(List.of(numbers, ofReal(Double.POSITIVE_INFINITY)));
            case LT, LE -> ValueRanges.union(List.of(numbers, ofReal(Double.NEGATIVE_INFINITY)));
        };
    }

    private ValueRanges ofReal(double special) {
        return ofContent(
                TableFilter.Operator.EQ, new EdmValue.Real(special).content(), ValueRanges.TEXTS);
    }

    /** Negative numbers sort by their distance from zero, and before the others. */
    private ValueRanges ofInt64(TableFilter.Operator operator, long wanted) {
        Value content = new EdmValue.Int64(wanted).content();
        ValueRanges negative = beginsWith(MINUS);
        ValueRanges others = ValueRanges.TEXTS.minus(negative);
        ValueRanges among =
                wanted < 0
                        ? ofContent(operator.flipped(), content, negative)
                        : ofContent(operator, content, others);
        return switch (operator) {
            case EQ -> among;
            case NE -> ValueRanges.TEXTS;
            case GT, GE -> wanted < 0 ? ValueRanges.union(List.of(among, others)) : among;
            case LT, LE -> wanted < 0 ? among : ValueRanges.union(List.of(among, negative));
        };
    }

    private ValueRanges beginsWith(String text) {
        Bytes first = IndexValue.encodePrefix(text, rules);
        return ValueRanges.between(first, ValueRanges.after(first));
    }

    /**
     * @param all the values that are comparable with the constant
     */
    private ValueRanges ofContent(TableFilter.Operator operator, Value constant, ValueRanges all) {
        Bytes at = IndexValue.encode(constant, rules);
        Bytes behind = ValueRanges.after(at);
        // A long text shares its bytes in the index with others before and behind it.
        boolean isWhole = at.equals(IndexValue.encodeWhole(constant));
        Bytes first = all.ranges().getFirst().from();
        Bytes end = all.ranges().getLast().to();
        ValueRanges wanted =
                switch (operator) {
                    case EQ -> ValueRanges.between(at, behind);
                    case NE -> all;
                    case GT -> ValueRanges.between(isWhole ? behind : at, end);
                    case GE -> ValueRanges.between(at, end);
                    case LT -> ValueRanges.between(first, isWhole ? at : behind);
                    case LE -> ValueRanges.between(first, behind);
                };
        return wanted.intersect(all);
    }
}
