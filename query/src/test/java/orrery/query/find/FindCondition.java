package orrery.query.find;

import java.util.List;
import java.util.Optional;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.document.ValueTag;
import orrery.model.Bytes;
import orrery.model.TermRules;
import orrery.query.index.IndexFilter;
import orrery.query.index.ValueRanges;

/**
 * A condition on the value at a path.
 *
 * @param value a scalar; for EXISTS true or false
 */
public record FindCondition(String path, Test test, Value value) {
    /** Comparisons hold between values of one type only. */
    public enum Test {
        EQUAL,
        LESS,
        GREATER,
        EXISTS
    }

    private Bytes whole() {
        return IndexValue.encodeWhole(value);
    }

    boolean matches(Value item) {
        Value found = new FindPath(path).of(item);
        if (test == Test.EXISTS) {
            return Value.of(found.isDefined()).equals(value);
        }
        Bytes encoded = IndexValue.encodeWhole(found);
        return encoded.at(0) == whole().at(0)
                && switch (test) {
                    case EQUAL -> encoded.equals(whole());
                    case LESS -> encoded.compareTo(whole()) < 0;
                    case GREATER -> encoded.compareTo(whole()) > 0;
                    case EXISTS -> throw new IllegalStateException("it compares nothing");
                };
    }

    /** The index has the beginnings of long strings only, so the bounds are a superset. */
    IndexFilter bounds(TermRules rules) {
        return new IndexFilter.OnPath(
                new FindPath(path).indexed(), ranges(rules), Optional.empty(), rules);
    }

    private ValueRanges ranges(TermRules rules) {
        Bytes encoded = IndexValue.encode(value, rules);
        int tag = encoded.at(0);
        Bytes first = Bytes.wrap(new byte[] {(byte) tag});
        return switch (test) {
            case EQUAL -> ValueRanges.between(encoded, ValueRanges.after(encoded));
            case LESS -> ValueRanges.between(first, ValueRanges.after(encoded));
            case GREATER -> ValueRanges.between(encoded, ValueRanges.after(first));
            case EXISTS -> exists();
        };
    }

    private ValueRanges exists() {
        ValueRanges undefined = ValueRanges.types(ValueTag.UNDEFINED, ValueTag.UNDEFINED);
        return value.equals(Value.of(false))
                ? undefined
                : ValueRanges.union(
                        List.of(
                                ValueRanges.types(ValueTag.MIN_KEY, ValueTag.MIN_KEY),
                                ValueRanges.types(ValueTag.UNDEFINED + 1, ValueTag.MAX_KEY)));
    }
}
