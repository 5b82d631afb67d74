package orrery.query.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.document.CompositeIndex;
import orrery.document.IndexPath;
import orrery.document.IndexPathCodec;
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
 * @param isIndexed false for paths into arrays, whose positions no index knows, and while the
 *     entries of a computed property are renewed
 * @param undefinedApart whether items without a value have no entry and must be looked for
 * @param isComposite whether it is one over several paths
 * @param conditions of the filter on the one path, which its entries can be held to
 */
record Sorting(
        Bytes prefix,
        ValueRanges ranges,
        boolean isBackward,
        SortKey key,
        boolean isIndexed,
        boolean undefinedApart,
        boolean isComposite,
        List<IndexFilter.OnPath> conditions) {
    Sorting {
        conditions = List.copyOf(conditions);
    }

    /** Fails in the service's words if no index serves the order. */
    static Sorting of(SortOrder order, IndexFilter filter, IndexAvailability index) {
        List<SortOrder.Column> wanted = order.columns();
        List<IndexFilter> parts =
                filter instanceof IndexFilter.AllOf(List<IndexFilter> all) ? all : List.of(filter);
        return wanted.size() == 1
                ? single(wanted.getFirst(), parts, index)
                : composite(wanted, parts, index);
    }

    private static Sorting single(
            SortOrder.Column wanted, List<IndexFilter> parts, IndexAvailability index) {
        IndexPath path = wanted.path();
        boolean hasElements = path.steps().contains(IndexPath.Step.Element.ELEMENT);
        boolean isRenewed = index.isRenewed(path);
        if (!isRenewed && !index.isIndexed(path)) {
            throw QueryError.engine(
                    "The index path corresponding to the specified order-by item is excluded.");
        }
        ValueRanges ranges = ValueRanges.ALL;
        List<IndexFilter.OnPath> conditions = new ArrayList<>();
        for (IndexFilter part : parts) {
            if (part instanceof IndexFilter.OnPath onPath && onPath.path().equals(path)) {
                ranges = ranges.intersect(onPath.ranges());
                conditions.add(onPath);
            }
        }
        SortKey key = new SortKey(List.of(new SortKey.Part(path, false)), false);
        boolean undefinedApart = ranges.includesUndefined() && !index.indexesUndefined(path);
        return new Sorting(
                IndexPathCodec.encode(path),
                ranges,
                wanted.isDescending(),
                key,
                !hasElements && !isRenewed,
                undefinedApart,
                false,
                hasElements ? List.of() : conditions);
    }

    private static Sorting composite(
            List<SortOrder.Column> wanted, List<IndexFilter> parts, IndexAvailability index) {
        Optional<Sorting> served = composite(wanted, parts, index.composites(), true);
        return served.or(() -> composite(wanted, parts, index.renewedComposites(), false))
                .orElseThrow(
                        () ->
                                QueryError.engine(
                                        "The order by query does not have a corresponding composite"
                                                + " index that it can be served from."));
    }

    private static Optional<Sorting> composite(
            List<SortOrder.Column> wanted,
            List<IndexFilter> parts,
            List<CompositeIndex> composites,
            boolean isIndexed) {
        for (CompositeIndex composite : composites) {
            Optional<Boolean> backward = direction(composite, wanted);
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
                return Optional.of(
                        new Sorting(
                                composite.termPrefix(),
                                CompositeRanges.leading(composite, parts)
                                        .map(CompositeRanges::ranges)
                                        .orElse(everything),
                                backward.get(),
                                new SortKey(key, true),
                                isIndexed,
                                false,
                                true,
                                List.of()));
            }
        }
        return Optional.empty();
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
