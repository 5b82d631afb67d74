package orrery.query.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.document.CompositeIndex;
import orrery.document.IndexPath;
import orrery.document.TypeOrder;
import orrery.document.ValueTag;
import orrery.model.Bytes;

/**
 * The part of a composite index that conditions on its paths leave: values for the leading paths
 * and ranges for the last.
 *
 * @param ranges of the values behind the prefix of the index
 * @param conditions those that the ranges stand for
 */
public record CompositeRanges(ValueRanges ranges, List<IndexFilter.OnPath> conditions) {
    /** Values that a composite holds unchanged; arrays and objects are undefined there. */
    private static final ValueRanges HELD = ValueRanges.types(ValueTag.NULL, ValueTag.STRING);

    public CompositeRanges {
        conditions = List.copyOf(conditions);
    }

    /** If every path is filtered, all but the last by one value. */
    public static Optional<CompositeRanges> find(
            CompositeIndex composite, List<IndexFilter> parts) {
        Optional<CompositeRanges> leading = leading(composite, parts);
        return leading.filter(found -> found.conditions().size() == composite.members().size());
    }

    /**
     * Returns the ranges of the leading paths that are filtered; empty if the first path is not.
     * What follows a path with more than one value cannot narrow the index further.
     */
    public static Optional<CompositeRanges> leading(
            CompositeIndex composite, List<IndexFilter> parts) {
        if (composite.order() != TypeOrder.SQL) {
            // Ranges are in the order of the index of a path, which its types do not have here.
            return Optional.empty();
        }
        Bytes values = Bytes.EMPTY;
        List<IndexFilter.OnPath> conditions = new ArrayList<>();
        for (CompositeIndex.Member member : composite.members()) {
            Optional<IndexFilter.OnPath> condition = on(member.path(), parts);
            if (condition.isEmpty()) {
                break;
            }
            conditions.add(condition.get());
            ValueRanges ranges = condition.get().ranges();
            if (!ranges.isPoint() || conditions.size() == composite.members().size()) {
                return Optional.of(new CompositeRanges(behind(values, ranges, member), conditions));
            }
            Bytes point = ranges.ranges().getFirst().from();
            values = joined(values, member.descending() ? flipped(point) : point);
        }
        return conditions.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new CompositeRanges(
                                ValueRanges.between(values, ValueRanges.after(values)),
                                conditions));
    }

    private static Optional<IndexFilter.OnPath> on(IndexPath path, List<IndexFilter> parts) {
        for (IndexFilter part : parts) {
            if (part instanceof IndexFilter.OnPath onPath
                    && onPath.path().equals(path)
                    && onPath.ranges().minus(HELD).isEmpty()) {
                return Optional.of(onPath);
            }
        }
        return Optional.empty();
    }

    private static ValueRanges behind(
            Bytes values, ValueRanges ranges, CompositeIndex.Member member) {
        List<ValueRanges> all = new ArrayList<>();
        for (ValueRange range : ranges.ranges()) {
            Bytes from = range.from();
            Bytes to = range.to();
            if (member.descending()) {
                // Terms that begin with the flipped bound of one end lie after it. So the ends
                // change places, and each includes what the other excludes.
                from = ValueRanges.after(flipped(range.to()));
                to = ValueRanges.after(flipped(range.from()));
            }
            all.add(ValueRanges.between(joined(values, from), joined(values, to)));
        }
        return ValueRanges.union(all);
    }

    private static Bytes flipped(Bytes value) {
        byte[] bytes = value.unsafeArray().clone();
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) ~bytes[i];
        }
        return Bytes.wrap(bytes);
    }

    private static Bytes joined(Bytes first, Bytes second) {
        byte[] bytes =
                java.util.Arrays.copyOf(first.unsafeArray(), first.length() + second.length());
        System.arraycopy(second.unsafeArray(), 0, bytes, first.length(), second.length());
        return Bytes.wrap(bytes);
    }
}
