package orrery.query.mongo.find;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.IndexPath;
import orrery.document.SystemProperties;
import orrery.document.ValueTag;
import orrery.model.TermRules;
import orrery.query.index.IndexFilter;
import orrery.query.index.ValueRanges;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.match.Condition;
import orrery.query.mongo.match.ValueTest;

/**
 * Finds the bounds of a filter in the index: each item that matches has an entry within. A path of
 * the filter stands for several of the index, because a step into the elements of an array may lie
 * before each of its parts and behind the last. Absent values have no entry but at paths without a
 * dot.
 */
final class FilterBounds {
    /** Paths of the index that a path of a filter may stand for; with more, items are looked at. */
    private static final int MAX_PATHS = 16;

    private static final IndexPath ID = IndexPath.of(Projection.ID);
    private static final IndexFilter ANYTHING = new IndexFilter.Everything();

    private final TermRules rules;
    private final ValueBounds values;

    private FilterBounds(TermRules rules, MongoOrder order) {
        this.rules = rules;
        this.values = new ValueBounds(rules, order);
    }

    static IndexFilter of(Condition filter, TermRules rules, MongoOrder order) {
        return new FilterBounds(rules, order).bounds(filter, List.of(IndexPath.ROOT), true);
    }

    /**
     * Returns the values at a path that matches have, if no item has an array at the path or on the
     * way to it.
     */
    static ValueRanges ofScalars(
            Condition filter, FieldPath path, TermRules rules, MongoOrder order) {
        Map<FieldPath, ValueRanges> scalars = new HashMap<>();
        new FilterBounds(rules, order).addScalars(filter, scalars);
        return scalars.getOrDefault(path, ValueRanges.EVERY);
    }

    /**
     * @param bases where the documents that the condition is about lie
     * @param isRoot whether these are items; otherwise elements of arrays, which may be arrays
     */
    private IndexFilter bounds(Condition condition, List<IndexPath> bases, boolean isRoot) {
        return switch (condition) {
            case Condition.And(List<Condition> all) -> all(all, bases, isRoot);
            case Condition.Or(List<Condition> any) -> any(any, bases, isRoot);
            case Condition.Not(Condition.OnPath(FieldPath path, ValueTest.Exists _))
                    when isRoot && path.parts().size() == 1 && isStored(path) ->
                    on(IndexPath.of(path.first()), ValueRanges.UNDEFINED);
            case Condition.Not _, Condition.OfExpression _, Condition.OfSchema _ -> ANYTHING;
            case Condition.Constant(boolean value) -> value ? ANYTHING : new IndexFilter.Nothing();
            case Condition.OnPath(FieldPath path, ValueTest test) ->
                    onPath(path, test, bases, isRoot, ValueRanges.EVERY);
        };
    }

    /** The service's own properties are indexed under names that clients may use for theirs. */
    private static boolean isStored(FieldPath path) {
        return !SystemProperties.isSystemProperty(path.first());
    }

    private IndexFilter all(List<Condition> all, List<IndexPath> bases, boolean isRoot) {
        List<IndexFilter> parts = new ArrayList<>();
        Map<FieldPath, ValueRanges> scalars = new HashMap<>();
        all.forEach(each -> addScalars(each, scalars));
        for (Condition each : all) {
            IndexFilter part =
                    each instanceof Condition.OnPath(FieldPath path, ValueTest test)
                            ? onPath(
                                    path,
                                    test,
                                    bases,
                                    isRoot,
                                    scalars.getOrDefault(path, ValueRanges.EVERY))
                            : bounds(each, bases, isRoot);
            switch (part) {
                case IndexFilter.Nothing nothing -> {
                    return nothing;
                }
                case IndexFilter.Everything _ -> {}
                case IndexFilter.AllOf(List<IndexFilter> inner) -> parts.addAll(inner);
                default -> parts.add(part);
            }
        }
        return switch (parts.size()) {
            case 0 -> ANYTHING;
            case 1 -> parts.getFirst();
            default -> new IndexFilter.AllOf(parts);
        };
    }

    private IndexFilter any(List<Condition> any, List<IndexPath> bases, boolean isRoot) {
        List<IndexFilter> parts = new ArrayList<>();
        for (Condition each : any) {
            IndexFilter part = bounds(each, bases, isRoot);
            switch (part) {
                case IndexFilter.Everything everything -> {
                    return everything;
                }
                case IndexFilter.Nothing _ -> {}
                case IndexFilter.AnyOf(List<IndexFilter> inner) -> parts.addAll(inner);
                default -> parts.add(part);
            }
        }
        return anyOf(parts);
    }

    private static IndexFilter anyOf(List<IndexFilter> parts) {
        return switch (parts.size()) {
            case 0 -> new IndexFilter.Nothing();
            case 1 -> parts.getFirst();
            default -> new IndexFilter.AnyOf(parts);
        };
    }

    /**
     * @param scalars what all conditions together leave of a value that no array is on the way to
     */
    private IndexFilter onPath(
            FieldPath path,
            ValueTest test,
            List<IndexPath> bases,
            boolean isRoot,
            ValueRanges scalars) {
        if (isRoot && !isStored(path)) {
            return ANYTHING;
        }
        List<IndexPath> paths = paths(path, bases, isRoot);
        if (paths.size() > MAX_PATHS) {
            return ANYTHING;
        }
        return switch (test) {
            case ValueTest.AnyDocument(Condition inner) ->
                    bounds(inner, paths.stream().map(IndexPath::element).toList(), false);
            case ValueTest.AnyElement(ValueTest inner) ->
                    values.ofPresent(inner)
                            .map(
                                    ranges ->
                                            onAny(
                                                    paths.stream().map(IndexPath::element).toList(),
                                                    ranges))
                            .orElseGet(() -> onAny(paths, ValueBounds.type(ValueTag.ARRAY)));
            default -> {
                List<IndexPath> plain = bases.stream().map(base -> plain(base, path)).toList();
                yield onValues(path, test, paths, isRoot, plain, scalars);
            }
        };
    }

    private static IndexPath plain(IndexPath base, FieldPath path) {
        IndexPath plain = base;
        for (String part : path.parts()) {
            plain = plain.property(part);
        }
        return plain;
    }

    /**
     * An item has one value at a plain path. If that is no array, all conditions on the path have
     * to hold for it, and so it lies within the bounds of all. The elements of an array may meet
     * one condition each.
     *
     * @param plain the paths on which no array lies
     */
    private IndexFilter onValues(
            FieldPath path,
            ValueTest test,
            List<IndexPath> paths,
            boolean isRoot,
            List<IndexPath> plain,
            ValueRanges scalars) {
        Optional<ValueRanges> ranges = values.ofPresent(test);
        if (ranges.isEmpty()) {
            return ANYTHING;
        }
        boolean passesAbsent = ValueBounds.passesAbsent(test);
        if (passesAbsent && !(isRoot && path.parts().size() == 1)) {
            return ANYTHING;
        }
        List<IndexFilter> parts = new ArrayList<>();
        ValueRanges own =
                passesAbsent
                        ? ValueRanges.union(List.of(ranges.get(), ValueRanges.UNDEFINED))
                        : ranges.get();
        ValueRanges shared =
                ValueRanges.union(
                        List.of(
                                own.intersect(scalars),
                                own.intersect(ValueBounds.type(ValueTag.ARRAY))));
        for (IndexPath each : paths) {
            parts.add(on(each, plain.contains(each) ? shared : own));
            if (test.isOfElements() && !(test instanceof ValueTest.Exists) && !isId(path)) {
                parts.add(on(each.element(), ranges.get()));
            }
        }
        parts.removeIf(IndexFilter.Nothing.class::isInstance);
        return parts.size() > 2 * MAX_PATHS ? ANYTHING : anyOf(parts);
    }

    private IndexFilter onAny(List<IndexPath> paths, ValueRanges ranges) {
        return anyOf(paths.stream().map(path -> on(path, ranges)).toList());
    }

    private IndexFilter on(IndexPath path, ValueRanges ranges) {
        return ranges.isEmpty()
                ? new IndexFilter.Nothing()
                : new IndexFilter.OnPath(path, ranges, Optional.empty(), rules);
    }

    /** Returns the paths of the index that a path may stand for, without a step into the leaf. */
    private static List<IndexPath> paths(FieldPath path, List<IndexPath> bases, boolean isRoot) {
        List<IndexPath> paths = bases;
        boolean isFirst = true;
        for (String part : path.parts()) {
            List<IndexPath> longer = new ArrayList<>();
            boolean isIndex = FieldPath.arrayIndex(part) != FieldPath.NO_INDEX;
            for (IndexPath each : paths) {
                longer.add(each.property(part));
                boolean mayBeArray = !isFirst || !isRoot;
                // An id is no array.
                boolean isBelowId = each.equals(ID);
                if (mayBeArray && isIndex && !isBelowId) {
                    longer.add(each.element());
                }
                if (!isFirst && !isBelowId) {
                    longer.add(each.element().property(part));
                }
            }
            paths = longer.stream().distinct().toList();
            isFirst = false;
            if (paths.size() > MAX_PATHS) {
                return paths;
            }
        }
        return paths;
    }

    private static boolean isId(FieldPath path) {
        return path.equals(FindStatement.ID);
    }

    /**
     * Returns the entries of items whose place in an order is not the one that the index of the
     * path itself has, because an array is on the way. Where the index has only some of them, it
     * says so by not having their paths.
     */
    static List<IndexFilter.OnPath> throughArrays(FieldPath path, TermRules rules) {
        IndexPath plain = IndexPath.of(path.parts().toArray(String[]::new));
        List<IndexPath> all = paths(path, List.of(IndexPath.ROOT), true);
        List<IndexFilter.OnPath> entries = new ArrayList<>();
        if (all.size() > MAX_PATHS) {
            IndexPath prefix = IndexPath.ROOT;
            for (String part : path.parts().subList(0, path.parts().size() - 1)) {
                prefix = prefix.property(part);
                entries.add(
                        new IndexFilter.OnPath(
                                prefix, ValueBounds.type(ValueTag.ARRAY), Optional.empty(), rules));
            }
            return entries;
        }
        for (IndexPath each : all) {
            if (!each.equals(plain)) {
                entries.add(
                        new IndexFilter.OnPath(each, ValueBounds.PRESENT, Optional.empty(), rules));
            }
        }
        return entries;
    }

    /** Adds what a condition leaves of the values at its paths, each narrowed by all of its own. */
    private void addScalars(Condition condition, Map<FieldPath, ValueRanges> scalars) {
        switch (condition) {
            case Condition.And(List<Condition> all) ->
                    all.forEach(each -> addScalars(each, scalars));
            case Condition.OnPath(FieldPath path, ValueTest test) when isStored(path) ->
                    values.ofPresent(test)
                            .map(
                                    ranges ->
                                            ValueBounds.passesAbsent(test)
                                                    ? ValueRanges.union(
                                                            List.of(ranges, ValueRanges.UNDEFINED))
                                                    : ranges)
                            .ifPresent(
                                    ranges -> scalars.merge(path, ranges, ValueRanges::intersect));
            default -> {}
        }
    }
}
