package orrery.query.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.document.ValueTag;
import orrery.model.Bytes;
import orrery.model.TermRules;

/**
 * A set of index values, kept as sorted ranges that neither overlap nor touch. The absence of a
 * value, undefined, is a value here.
 */
public final class ValueRanges {
    private static final Bytes START = Bytes.wrap(new byte[] {ValueTag.UNDEFINED});
    private static final Bytes END = Bytes.wrap(new byte[] {ValueTag.MAX_KEY});

    public static final ValueRanges NONE = new ValueRanges(List.of());
    public static final ValueRanges ALL = between(START, END);

    /** Every value of every language: BSON has two that lie around all of JSON's. */
    public static final ValueRanges EVERY = types(ValueTag.MIN_KEY, ValueTag.MAX_KEY);

    public static final ValueRanges UNDEFINED = types(ValueTag.UNDEFINED, ValueTag.UNDEFINED);
    public static final ValueRanges DEFINED = ALL.minus(UNDEFINED);
    public static final ValueRanges BOOLEANS = types(ValueTag.FALSE, ValueTag.TRUE);
    public static final ValueRanges NUMBERS = types(ValueTag.NUMBER, ValueTag.NUMBER);
    public static final ValueRanges TEXTS = types(ValueTag.STRING, ValueTag.STRING);

    private final List<ValueRange> ranges;

    private ValueRanges(List<ValueRange> ranges) {
        this.ranges = ranges;
    }

    /** All values whose types lie between two tags, both inclusive. */
    public static ValueRanges types(int first, int last) {
        return between(
                Bytes.wrap(new byte[] {(byte) first}), Bytes.wrap(new byte[] {(byte) (last + 1)}));
    }

    /** Empty if the bounds leave nothing between them. */
    public static ValueRanges between(Bytes from, Bytes to) {
        return from.compareTo(to) < 0 ? new ValueRanges(List.of(new ValueRange(from, to))) : NONE;
    }

    /** The one encoding of this value; a string that is too long shares it with others. */
    static ValueRanges point(Value value, TermRules rules) {
        Bytes encoded = IndexValue.encode(value, rules);
        return between(encoded, after(encoded));
    }

    /** Strings that begin like this. */
    static ValueRanges prefix(String prefix, TermRules rules) {
        Bytes encoded = IndexValue.encodePrefix(prefix, rules);
        return between(encoded, after(encoded));
    }

    /** The first bytes behind all that begin with these. A value never ends in {@code FF}. */
    public static Bytes after(Bytes encoded) {
        byte[] end = encoded.unsafeArray().clone();
        for (int i = end.length - 1; i >= 0; i--) {
            if (end[i] != (byte) 0xFF) {
                end[i]++;
                return Bytes.copyOf(end, 0, i + 1);
            }
        }
        throw new IllegalArgumentException("nothing sorts behind these bytes");
    }

    public static ValueRanges union(List<ValueRanges> parts) {
        List<ValueRange> sorted =
                parts.stream()
                        .flatMap(part -> part.ranges.stream())
                        .sorted(Comparator.comparing(ValueRange::from))
                        .toList();
        List<ValueRange> joined = new ArrayList<>();
        for (ValueRange range : sorted) {
            ValueRange last = joined.isEmpty() ? null : joined.getLast();
            if (last == null || range.from().compareTo(last.to()) > 0) {
                joined.add(range);
            } else if (range.to().compareTo(last.to()) > 0) {
                joined.set(joined.size() - 1, new ValueRange(last.from(), range.to()));
            }
        }
        return new ValueRanges(List.copyOf(joined));
    }

    ValueRanges union(ValueRanges other) {
        return union(List.of(this, other));
    }

    public ValueRanges intersect(ValueRanges other) {
        List<ValueRange> common = new ArrayList<>();
        int left = 0;
        int right = 0;
        while (left < ranges.size() && right < other.ranges.size()) {
            ValueRange a = ranges.get(left);
            ValueRange b = other.ranges.get(right);
            Bytes from = a.from().compareTo(b.from()) >= 0 ? a.from() : b.from();
            Bytes to = a.to().compareTo(b.to()) <= 0 ? a.to() : b.to();
            if (from.compareTo(to) < 0) {
                common.add(new ValueRange(from, to));
            }
            if (a.to().compareTo(b.to()) <= 0) {
                left++;
            } else {
                right++;
            }
        }
        return new ValueRanges(List.copyOf(common));
    }

    public ValueRanges minus(ValueRanges other) {
        List<ValueRange> gaps = new ArrayList<>();
        Bytes at = START;
        for (ValueRange range : other.ranges) {
            if (at.compareTo(range.from()) < 0) {
                gaps.add(new ValueRange(at, range.from()));
            }
            at = range.to();
        }
        if (at.compareTo(END) < 0) {
            gaps.add(new ValueRange(at, END));
        }
        return intersect(new ValueRanges(gaps));
    }

    public List<ValueRange> ranges() {
        return ranges;
    }

    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    /** Returns true if there is one range, and it holds one encoding. */
    public boolean isPoint() {
        return ranges.size() == 1
                && ranges.getFirst().to().equals(after(ranges.getFirst().from()))
                && isWholeValue(ranges.getFirst().from());
    }

    private static boolean isWholeValue(Bytes bytes) {
        return switch (bytes.at(0)) {
            case ValueTag.NUMBER -> bytes.length() > 8;
            case ValueTag.STRING ->
                    bytes.length() > 2
                            && bytes.at(bytes.length() - 2) == 0
                            && bytes.at(bytes.length() - 1) != -1;
            case ValueTag.ARRAY, ValueTag.OBJECT -> bytes.length() == 2;
            default -> true;
        };
    }

    public boolean includesUndefined() {
        return contains(START);
    }

    public boolean contains(Bytes value) {
        return contains(value.unsafeArray(), 0, value.length());
    }

    /** Returns true if the value that these bytes encode is in the set. */
    public boolean contains(byte[] bytes, int from, int to) {
        int low = 0;
        int high = ranges.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            ValueRange range = ranges.get(middle);
            if (compare(range.from(), bytes, from, to) > 0) {
                high = middle - 1;
            } else if (compare(range.to(), bytes, from, to) <= 0) {
                low = middle + 1;
            } else {
                return true;
            }
        }
        return false;
    }

    private static int compare(Bytes bound, byte[] bytes, int from, int to) {
        byte[] array = bound.unsafeArray();
        return Arrays.compareUnsigned(array, 0, array.length, bytes, from, to);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ValueRanges that && ranges.equals(that.ranges);
    }

    @Override
    public int hashCode() {
        return ranges.hashCode();
    }

    @Override
    public String toString() {
        return Stream.of(ranges).map(Object::toString).toList().toString();
    }
}
