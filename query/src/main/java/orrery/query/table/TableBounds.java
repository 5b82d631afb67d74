package orrery.query.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.IndexPath;
import orrery.document.edm.EdmValue;
import orrery.document.edm.StoredNames;
import orrery.model.TermRules;
import orrery.query.index.IndexFilter;
import orrery.query.index.ValueRanges;

/**
 * From a filter to what the index can say about it: a superset of what matches. Values of several
 * types share an index, and what the index holds of a value does not tell its type, so each match
 * is looked at.
 */
final class TableBounds {
    private final EdmRanges ranges;
    private final TermRules rules;

    private TableBounds(TermRules rules) {
        this.ranges = new EdmRanges(rules);
        this.rules = rules;
    }

    static IndexFilter of(TableFilter filter, TermRules rules) {
        TableBounds bounds = new TableBounds(rules);
        return bounds.find(filter, true).map(bounds::toFilter).orElse(new IndexFilter.Nothing());
    }

    /**
     * Conditions that all matches meet.
     *
     * @param values at single paths
     */
    private record Bound(Map<IndexPath, ValueRanges> values, List<IndexFilter> others) {
        static final Bound NONE = new Bound(Map.of(), List.of());

        Bound {
            others = List.copyOf(others);
        }

        boolean isNone() {
            return values.isEmpty() && others.isEmpty();
        }
    }

    private IndexFilter toFilter(Bound bound) {
        List<IndexFilter> parts = new ArrayList<>();
        bound.values.forEach(
                (path, values) ->
                        parts.add(new IndexFilter.OnPath(path, values, Optional.empty(), rules)));
        parts.addAll(bound.others);
        return switch (parts.size()) {
            case 0 -> new IndexFilter.Everything();
            case 1 -> parts.getFirst();
            default -> new IndexFilter.AllOf(parts);
        };
    }

    /**
     * Empty where nothing matches.
     *
     * @param isTrue whether a match is where the filter is true, or where it is false
     */
    private Optional<Bound> find(TableFilter filter, boolean isTrue) {
        return switch (filter) {
            case TableFilter.Constant(boolean value) ->
                    value == isTrue ? Optional.of(Bound.NONE) : Optional.empty();
            case TableFilter.Not(TableFilter inner) -> find(inner, !isTrue);
            case TableFilter.And(List<TableFilter> all) ->
                    isTrue ? all(all, true) : any(all, false);
            case TableFilter.Or(List<TableFilter> any) -> isTrue ? any(any, true) : all(any, false);
            case TableFilter.Comparison comparison -> find(comparison, isTrue);
            case TableFilter.Flag(String property) ->
                    find(
                            new TableFilter.Comparison(
                                    property, TableFilter.Operator.EQ, new EdmValue.Bool(true)),
                            isTrue);
        };
    }

    private Optional<Bound> find(TableFilter.Comparison comparison, boolean isTrue) {
        TableFilter.Operator operator =
                isTrue ? comparison.operator() : comparison.operator().negated();
        return switch (comparison.property()) {
            case StoredNames.PARTITION_KEY ->
                    ofKey(TableBoundQuery.PARTITION_KEY, operator, comparison.constant(), isTrue);
            case StoredNames.ROW_KEY ->
                    ofKey(TableBoundQuery.ROW_KEY, operator, comparison.constant(), isTrue);
            case StoredNames.TIMESTAMP -> ofTime(operator, comparison.constant(), isTrue);
            default ->
                    // If the comparison is false, the property may be missing or of any type.
                    isTrue
                            ? at(
                                    IndexPath.of(
                                            StoredNames.stored(comparison.property()),
                                            EdmValue.CONTENT),
                                    ranges.of(operator, comparison.constant()))
                            : Optional.of(Bound.NONE);
        };
    }

    /** Every entity has its keys, and they are texts. */
    private Optional<Bound> ofKey(
            IndexPath path, TableFilter.Operator operator, EdmValue constant, boolean isTrue) {
        if (!(constant instanceof EdmValue.Text)) {
            return isTrue ? Optional.empty() : Optional.of(Bound.NONE);
        }
        return operator == TableFilter.Operator.NE
                ? Optional.of(Bound.NONE)
                : at(path, ranges.of(operator, constant));
    }

    private Optional<Bound> ofTime(
            TableFilter.Operator operator, EdmValue constant, boolean isTrue) {
        if (!(constant instanceof EdmValue.Moment moment)) {
            return isTrue ? Optional.empty() : Optional.of(Bound.NONE);
        }
        return operator == TableFilter.Operator.NE
                ? Optional.of(Bound.NONE)
                : at(
                        IndexPath.of(TableBoundQuery.WRITE_TIME),
                        ranges.ofWriteTime(operator, moment));
    }

    private static Optional<Bound> at(IndexPath path, ValueRanges values) {
        return values.isEmpty()
                ? Optional.empty()
                : Optional.of(new Bound(Map.of(path, values), List.of()));
    }

    private Optional<Bound> all(List<TableFilter> filters, boolean isTrue) {
        Map<IndexPath, ValueRanges> values = new LinkedHashMap<>();
        List<IndexFilter> others = new ArrayList<>();
        for (TableFilter each : filters) {
            Optional<Bound> bound = find(each, isTrue);
            if (bound.isEmpty()) {
                return bound;
            }
            bound.get()
                    .values
                    .forEach((path, more) -> values.merge(path, more, ValueRanges::intersect));
            others.addAll(bound.get().others);
        }
        return values.values().stream().anyMatch(ValueRanges::isEmpty)
                ? Optional.empty()
                : Optional.of(new Bound(values, others));
    }

    /**
     * What all alternatives have in common stands by itself too: a range of keys then bounds the
     * walk along the order.
     */
    private Optional<Bound> any(List<TableFilter> filters, boolean isTrue) {
        List<Bound> alternatives =
                filters.stream().flatMap(each -> find(each, isTrue).stream()).toList();
        if (alternatives.size() < 2) {
            return alternatives.stream().findFirst();
        }
        Map<IndexPath, ValueRanges> common = new LinkedHashMap<>();
        for (IndexPath path : alternatives.getFirst().values.keySet()) {
            if (alternatives.stream().allMatch(each -> each.values.containsKey(path))) {
                common.put(
                        path,
                        ValueRanges.union(
                                alternatives.stream().map(each -> each.values.get(path)).toList()));
            }
        }
        boolean isAllSaid =
                common.size() == 1
                        && alternatives.stream()
                                .allMatch(each -> each.values.size() == 1 && each.others.isEmpty());
        boolean isUnbounded = alternatives.stream().anyMatch(Bound::isNone);
        return Optional.of(
                new Bound(
                        common,
                        isAllSaid || isUnbounded
                                ? List.of()
                                : List.of(
                                        new IndexFilter.AnyOf(
                                                alternatives.stream()
                                                        .map(this::toFilter)
                                                        .toList()))));
    }
}
