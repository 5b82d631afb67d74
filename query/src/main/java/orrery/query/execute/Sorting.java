package orrery.query.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.document.CompositeIndex;
import orrery.document.IndexPath;
import orrery.document.IndexPathCodec;
import orrery.document.TypeOrder;
import orrery.document.ValueTag;
import orrery.model.Bytes;
import orrery.query.dialect.SortOrder;
import orrery.query.index.CompositeRanges;
import orrery.query.index.IndexAvailability;
import orrery.query.index.IndexFilter;
import orrery.query.index.ValueRanges;
import orrery.query.syntax.QueryError;

/**
 * The index that has the order of a query.
 *
 * @param prefix what its terms begin with
 * @param ranges which of its values the filter leaves
 * @param isBackward whether it is read from its end
 * @param key the sort key, encoded as that index does
 * @param isIndexed false for paths into arrays, whose positions no index knows, while the entries
 *     of a computed property are renewed, and for paths that are not indexed
 * @param undefinedApart whether items without a value have no entry and must be looked for
 * @param isComposite whether it is one over several paths
 * @param conditions of the filter on the one path, which its entries can be held to
 * @param leading conditions of the filter on the first of several paths, which the ranges stand for
 */
record Sorting(
        Bytes prefix,
        ValueRanges ranges,
        boolean isBackward,
        SortKey key,
        boolean isIndexed,
        boolean undefinedApart,
        boolean isComposite,
        List<IndexFilter.OnPath> conditions,
        List<IndexFilter.OnPath> leading) {
    Sorting {
        conditions = List.copyOf(conditions);
        leading = List.copyOf(leading);
    }

    /** Returns true if the walk along the index meets only entries for which a condition holds. */
    boolean isBoundedBy(IndexFilter.OnPath condition) {
        return isComposite
                ? leading.contains(condition)
                : key.parts().getFirst().path().equals(condition.path());
    }

    /** Returns true if the walk meets the entries of one value of the first path only. */
    boolean isWithinOneValue() {
        return !leading.isEmpty() && leading.getFirst().ranges().isPoint();
    }

    /** Fails in the service's words if no index serves the order. */
    static Sorting of(SortOrder order, IndexFilter filter, IndexAvailability index) {
        List<SortOrder.Column> wanted = order.columns();
        List<IndexFilter> parts =
                filter instanceof IndexFilter.AllOf(List<IndexFilter> all) ? all : List.of(filter);
        return wanted.size() == 1 ? single(order, parts, index) : composite(order, parts, index);
    }

    private static Sorting single(
            SortOrder order, List<IndexFilter> parts, IndexAvailability index) {
        SortOrder.Column wanted = order.columns().getFirst();
        TypeOrder types = order.types();
        IndexPath path = wanted.path();
        boolean hasElements = path.steps().contains(IndexPath.Step.Element.ELEMENT);
        boolean isRenewed = index.isRenewed(path);
        boolean isExcluded = !isRenewed && !index.isIndexed(path);
        if (isExcluded && order.needsIndex()) {
            throw QueryError.engine(
                    "The index path corresponding to the specified order-by item is excluded.");
        }
        ValueRanges ranges =
                order.byElements()
                        .map(SortOrder.ByElements::within)
                        .orElse(types == TypeOrder.SQL ? ValueRanges.ALL : ValueRanges.EVERY);
        List<IndexFilter.OnPath> conditions = new ArrayList<>();
        for (IndexFilter part : parts) {
            if (part instanceof IndexFilter.OnPath onPath && onPath.path().equals(path)) {
                ranges = ranges.intersect(onPath.ranges());
                conditions.add(onPath);
            }
        }
        SortKey key =
                new SortKey(
                        List.of(new SortKey.Part(path, false)),
                        false,
                        types,
                        index.rules(),
                        order.byElements().isPresent());
        boolean undefinedApart = ranges.includesUndefined() && !index.indexesUndefined(path);
        return new Sorting(
                IndexPathCodec.encode(path),
                ranges,
                wanted.isDescending(),
                key,
                !hasElements && !isRenewed && !isExcluded,
                undefinedApart,
                false,
                hasElements ? List.of() : conditions,
                List.of());
    }

    private static Sorting composite(
            SortOrder order, List<IndexFilter> parts, IndexAvailability index) {
        Optional<Sorting> served = composite(order, parts, index, true);
        return served.or(() -> composite(order, parts, index, false))
                .or(
                        () ->
                                order.needsIndex()
                                        ? Optional.empty()
                                        : Optional.of(unindexed(order, index)))
                .orElseThrow(
                        () ->
                                QueryError.engine(
                                        "The order by query does not have a corresponding composite"
                                                + " index that it can be served from."));
    }

    private static Optional<Sorting> composite(
            SortOrder order, List<IndexFilter> parts, IndexAvailability index, boolean isIndexed) {
        List<SortOrder.Column> wanted = order.columns();
        for (CompositeIndex composite :
                isIndexed ? index.composites() : index.renewedComposites()) {
            Optional<Boolean> backward =
                    composite.order() == order.types()
                            ? direction(composite, wanted)
                            : Optional.empty();
            if (backward.isPresent()) {
                List<SortKey.Part> key = new ArrayList<>();
                for (int i = 0; i < wanted.size(); i++) {
                    key.add(
                            new SortKey.Part(
                                    wanted.get(i).path(), composite.members().get(i).descending()));
                }
                ValueRanges everything =
                        ValueRanges.between(
                                Bytes.wrap(new byte[1]), Bytes.wrap(new byte[] {(byte) 0xFF}));
                Optional<CompositeRanges> leading = CompositeRanges.leading(composite, parts);
                return Optional.of(
                        new Sorting(
                                composite.termPrefix(),
                                leading.map(CompositeRanges::ranges).orElse(everything),
                                backward.get(),
                                sortKey(key, order, index),
                                isIndexed,
                                false,
                                true,
                                List.of(),
                                leading.map(CompositeRanges::conditions).orElse(List.of())));
            }
        }
        return Optional.empty();
    }

    /** Sorts as a composite index over the same paths would. */
    private static Sorting unindexed(SortOrder order, IndexAvailability index) {
        List<SortKey.Part> key = new ArrayList<>();
        for (SortOrder.Column column : order.columns()) {
            key.add(new SortKey.Part(column.path(), column.isDescending()));
        }
        return new Sorting(
                Bytes.EMPTY,
                ValueRanges.NONE,
                false,
                sortKey(key, order, index),
                false,
                false,
                true,
                List.of(),
                List.of());
    }

    private static SortKey sortKey(
            List<SortKey.Part> parts, SortOrder order, IndexAvailability index) {
        return new SortKey(
                parts, true, order.types(), index.rules(), order.byElements().isPresent());
    }

    /** Returns true if the composite must be read backward; empty if it has another order. */
    private static Optional<Boolean> direction(
            CompositeIndex composite, List<SortOrder.Column> wanted) {
        if (composite.members().size() != wanted.size()) {
            return Optional.empty();
        }
        boolean isBackward =
                composite.members().getFirst().descending() != wanted.getFirst().isDescending();
        for (int i = 0; i < wanted.size(); i++) {
            CompositeIndex.Member member = composite.members().get(i);
            if (!member.path().equals(wanted.get(i).path())
                    || (member.descending() != wanted.get(i).isDescending()) != isBackward) {
                return Optional.empty();
            }
        }
        return Optional.of(isBackward);
    }

    /**
     * A stretch of the order that is one stretch of an index.
     *
     * @param rank of its types in the order of types
     * @param isUndefined whether it is that of the items without a value, which have no entry
     * @param ranges of the entries
     */
    record Stage(int rank, boolean isUndefined, ValueRanges ranges) {}

    /** Returns the stages in which the index is walked, first to last. */
    List<Stage> stages() {
        if (isComposite) {
            return List.of(new Stage(0, false, ranges));
        }
        List<Stage> stages = new ArrayList<>();
        List<TypeOrder.TagRange> types = key.types().ranges();
        for (int rank = 0; rank < types.size(); rank++) {
            TypeOrder.TagRange tags = types.get(rank);
            boolean isApart = undefinedApart && tags.contains(ValueTag.UNDEFINED);
            if (isApart) {
                stages.add(new Stage(rank, true, ValueRanges.NONE));
            }
            // Those without a value come first among their types.
            ValueRanges within =
                    ValueRanges.types(isApart ? ValueTag.UNDEFINED + 1 : tags.first(), tags.last());
            stages.add(new Stage(rank, false, ranges.intersect(within)));
        }
        return isBackward ? stages.reversed() : stages;
    }

    /** Returns the stage in which a place lies. */
    int stageOf(Position place, List<Stage> stages) {
        if (isComposite) {
            return 0;
        }
        int tag = key.firstTag(place.key());
        boolean isUndefined = undefinedApart && tag == ValueTag.UNDEFINED;
        List<TypeOrder.TagRange> types = key.types().ranges();
        for (int i = 0; i < stages.size(); i++) {
            Stage stage = stages.get(i);
            if (stage.isUndefined() == isUndefined && types.get(stage.rank()).contains(tag)) {
                return i;
            }
        }
        throw Progress.invalid();
    }

    /** Negative if the first place comes before the second in the order of the query. */
    int compare(Bytes key, long docid, Bytes otherKey, long otherDocid) {
        int byKey = key.compareTo(otherKey);
        int order = byKey != 0 ? byKey : Long.compareUnsigned(docid, otherDocid);
        return isBackward ? -order : order;
    }

    /** Returns true if a page that begins at a position has yet to come to this place. */
    boolean isAhead(Bytes key, long docid, Position from) {
        int order = compare(key, docid, from.key(), from.docid());
        return from.isBehind() ? order > 0 : order >= 0;
    }
}
