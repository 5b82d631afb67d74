package orrery.query.index;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.BsonValue;
import orrery.document.GeoJson;
import orrery.document.IndexPath;
import orrery.document.Value;
import orrery.document.ValueTag;
import orrery.document.spatial.Shape;
import orrery.model.TermRules;
import orrery.query.dialect.Effort;
import orrery.query.evaluate.Bindings;
import orrery.query.evaluate.Expression;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.Query;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Source;

/** From the FROM and WHERE of a query to what the index can say about it. */
public final class FilterAnalysis {
    private static final IndexFilter EVERYTHING = new IndexFilter.Everything();
    private static final IndexFilter NOTHING = new IndexFilter.Nothing();

    /** Stands for the value of a path while a test is evaluated. No query can name it. */
    private static final String VALUE = " value";

    private final PathNames paths;
    private final Constants constants;

    private FilterAnalysis(PathNames paths, Constants constants) {
        this.paths = paths;
        this.constants = constants;
    }

    public static IndexFilter of(Query query, Constants constants) {
        return inside(query, PathNames.of(List.of(), constants), constants);
    }

    /**
     * Returns true if an item matches exactly if it has entries as {@link #of} says: its one row is
     * the item, and all that is asked of it is asked of single values, which entries tell apart.
     */
    public static boolean isExact(Query query, Constants constants) {
        if (query.from().size() != 1
                || !(query.from().getFirst()
                        instanceof Source.Bound(_, Source.Collection.Single(Scalar.Item _)))) {
            return false;
        }
        FilterAnalysis analysis =
                new FilterAnalysis(PathNames.of(query.from(), constants), constants);
        return query.where().isEmpty() || analysis.isExact(query.where().get());
    }

    private boolean isExact(Scalar where) {
        if (constants.find(where).isPresent()) {
            return true;
        }
        if (where instanceof Scalar.And(List<Scalar> operands)) {
            return operands.stream().allMatch(this::isExact);
        }
        if (membership(where).isPresent()) {
            return false;
        }
        // Each of several elements has an entry, but the filter may mean only one of them.
        return paths.single(where)
                .filter(this::isOneValue)
                .filter(path -> new PathTruth(path, constants).of(where).isExact())
                .isPresent();
    }

    private boolean isOneValue(Scalar path) {
        return paths.find(path)
                .filter(found -> !found.steps().isEmpty())
                .filter(found -> !found.steps().contains(IndexPath.Step.Element.ELEMENT))
                .isPresent();
    }

    /** Each source sees the aliases of those before it, and may hide them from those behind. */
    private static IndexFilter inside(Query query, PathNames outer, Constants constants) {
        List<IndexFilter> parts = new ArrayList<>();
        PathNames names = outer;
        for (Source source : query.from()) {
            needed(source, names, constants.rules()).ifPresent(parts::add);
            names = names.inside(List.of(source));
        }
        FilterAnalysis analysis = new FilterAnalysis(names, constants);
        query.where().ifPresent(where -> parts.addFirst(analysis.filter(where)));
        return allOf(parts);
    }

    /** A source that yields nothing drops the item: what must be there for it to yield. */
    private static Optional<IndexFilter> needed(Source source, PathNames paths, TermRules rules) {
        return switch (source) {
            case Source.Iterated(_, Source.Collection.Single(Scalar array)) ->
                    paths.find(array)
                            .map(
                                    path ->
                                            onPath(
                                                    path,
                                                    ValueRanges.point(
                                                            new Value.Array(
                                                                    List.of(Value.Null.NULL)),
                                                            rules),
                                                    rules));
            case Source.Bound(_, Source.Collection.Single(Scalar value)) ->
                    paths.find(value)
                            .filter(path -> !path.steps().isEmpty())
                            .map(path -> onPath(path, ValueRanges.DEFINED, rules));
            case Source.Iterated _, Source.Bound _ -> Optional.empty();
        };
    }

    IndexFilter filter(Scalar where) {
        Optional<Value> constant = constants.find(where);
        if (constant.isPresent()) {
            return constant.get().equals(Value.of(true)) ? EVERYTHING : NOTHING;
        }
        if (where instanceof Scalar.And(List<Scalar> operands)) {
            return and(operands);
        }
        Optional<IndexFilter> membership = membership(where);
        if (membership.isPresent()) {
            return membership.get();
        }
        Optional<SpatialCondition> spatial = SpatialCondition.find(where, paths, constants);
        if (spatial.isPresent()) {
            return near(spatial.get(), where);
        }
        Optional<Scalar> single = isApart(where) ? Optional.empty() : paths.single(where);
        if (single.isPresent()) {
            return onPath(where, single.get());
        }
        return switch (where) {
            case Scalar.Or(List<Scalar> operands) ->
                    anyOf(operands.stream().map(this::filter).toList());
            case Scalar.Subquery(Scalar.SubqueryKind kind, Query query)
                    when kind == Scalar.SubqueryKind.EXISTS ->
                    exists(query);
            default -> EVERYTHING;
        };
    }

    /** No function says anything of what is no valid geometry. */
    private IndexFilter near(SpatialCondition condition, Scalar where) {
        Optional<Shape> shape =
                GeoJson.parse(condition.other())
                        .map(figure -> Shape.of(figure, constants.evaluator().space()))
                        .filter(made -> made.fault().isEmpty());
        if (shape.isPresent()
                && onPath(where, condition.path()) instanceof IndexFilter.OnPath otherwise) {
            return new IndexFilter.Near(
                    otherwise.path(), shape.get(), condition.distance(), otherwise);
        }
        return NOTHING;
    }

    /** Conditions on one path in several places are conditions on one value. */
    private IndexFilter and(List<Scalar> operands) {
        Map<Scalar, List<Scalar>> byPath = new LinkedHashMap<>();
        List<IndexFilter> parts = new ArrayList<>();
        for (Scalar operand : operands) {
            Optional<Scalar> single = isApart(operand) ? Optional.empty() : paths.single(operand);
            if (single.isPresent()) {
                byPath.computeIfAbsent(single.get(), _ -> new ArrayList<>()).add(operand);
            } else {
                parts.add(filter(operand));
            }
        }
        List<IndexFilter> all = new ArrayList<>();
        byPath.forEach(
                (path, filters) ->
                        all.add(
                                onPath(
                                        filters.size() == 1
                                                ? filters.getFirst()
                                                : new Scalar.And(filters),
                                        path)));
        all.addAll(parts);
        return allOf(all);
    }

    private IndexFilter onPath(Scalar filter, Scalar path) {
        Truth truth = new PathTruth(path, constants).of(filter);
        Optional<IndexFilter.EntryTest> test = Optional.empty();
        ValueRanges ranges = truth.whenTrue();
        if (!truth.isExact()) {
            IndexFilter.EntryTest predicate = test(filter, path);
            if (ranges.includesUndefined()
                    && !predicate.test(Value.Undefined.UNDEFINED, new Effort())) {
                ranges = ranges.intersect(ValueRanges.DEFINED);
            }
            test = Optional.of(predicate);
        }
        if (ranges.isEmpty()) {
            return NOTHING;
        }
        return new IndexFilter.OnPath(
                paths.find(path).orElseThrow(), ranges, test, constants.rules());
    }

    private IndexFilter.EntryTest test(Scalar filter, Scalar path) {
        Scalar overValue = new Substitution(path, new Scalar.Reference(VALUE)).apply(filter);
        Expression expression = constants.evaluator().compile(overValue);
        // Each value is a row of its own, with its own count of work.
        return (value, effort) ->
                expression.accepts(
                        Bindings.of(Value.Undefined.UNDEFINED, effort).with(VALUE, value));
    }

    private static IndexFilter onPath(IndexPath path, ValueRanges ranges, TermRules rules) {
        return new IndexFilter.OnPath(path, ranges, Optional.empty(), rules);
    }

    private IndexFilter exists(Query query) {
        // Without groups an aggregate yields a row whatever there is; then nothing is needed.
        return query.isGrouped() ? EVERYTHING : inside(query, paths, constants);
    }

    /** Returns true if other entries say more than that of the value at the path itself. */
    private boolean isApart(Scalar scalar) {
        return isMembership(scalar)
                || SpatialCondition.find(scalar, paths, constants).isPresent()
                || (scalar instanceof Scalar.Or(List<Scalar> operands)
                        && operands.stream().anyMatch(this::isApart));
    }

    private boolean isMembership(Scalar scalar) {
        return scalar instanceof Scalar.Call(BuiltIn function, List<Scalar> arguments)
                && (function == BuiltIn.ARRAY_CONTAINS
                        || function == BuiltIn.ARRAY_CONTAINS_ALL
                        || function == BuiltIn.ARRAY_CONTAINS_ANY)
                && paths.find(arguments.getFirst()).isPresent();
    }

    /** {@code ARRAY_CONTAINS(c.tags, "x")} and its like: elements have entries of their own. */
    private Optional<IndexFilter> membership(Scalar scalar) {
        if (scalar instanceof Scalar.Infix(Scalar.InfixOperator operator, Scalar left, Scalar right)
                && operator == Scalar.InfixOperator.EQUAL
                && constants.find(right).filter(Value.of(true)::equals).isPresent()) {
            return membership(left);
        }
        if (!isMembership(scalar)
                || !(scalar instanceof Scalar.Call(BuiltIn function, List<Scalar> arguments))) {
            return Optional.empty();
        }
        IndexPath element = paths.find(arguments.getFirst()).orElseThrow().element();
        if (function == BuiltIn.ARRAY_CONTAINS) {
            return Optional.of(element(element, arguments.get(1)));
        }
        List<IndexFilter> parts =
                arguments.stream().skip(1).map(wanted -> element(element, wanted)).toList();
        return Optional.of(function == BuiltIn.ARRAY_CONTAINS_ALL ? allOf(parts) : anyOf(parts));
    }

    private IndexFilter element(IndexPath element, Scalar wanted) {
        Optional<Value> constant = constants.find(wanted);
        if (constant.isEmpty()) {
            return EVERYTHING;
        }
        TermRules rules = constants.rules();
        return switch (constant.get()) {
            case Value.Undefined _ -> NOTHING;
            case Value.Array _ ->
                    onPath(element, ValueRanges.types(ValueTag.ARRAY, ValueTag.ARRAY), rules);
            case Value.Obj(Map<String, Value> properties) -> {
                // Also right for a partial match: the element has these properties at least.
                List<IndexFilter> parts = new ArrayList<>();
                ValueRanges objects = ValueRanges.types(ValueTag.OBJECT, ValueTag.OBJECT);
                parts.add(onPath(element, objects, rules));
                properties.forEach(
                        (name, value) -> {
                            if (value.isDefined()
                                    && !(value instanceof Value.Array)
                                    && !(value instanceof Value.Obj)
                                    && !(value instanceof BsonValue)) {
                                parts.add(
                                        onPath(
                                                element.property(name),
                                                ValueRanges.point(value, rules),
                                                rules));
                            }
                        });
                yield allOf(parts);
            }
            // Not in the index that SQL looks into.
            case BsonValue _ -> EVERYTHING;
            case Value.Null _, Value.Bool _, Value.Int _, Value.Real _, Value.Text _ ->
                    onPath(element, ValueRanges.point(constant.get(), rules), rules);
        };
    }

    private static IndexFilter allOf(List<IndexFilter> parts) {
        List<IndexFilter> kept = new ArrayList<>();
        for (IndexFilter part : parts) {
            switch (part) {
                case IndexFilter.Nothing _ -> {
                    return NOTHING;
                }
                case IndexFilter.Everything _ -> {}
                case IndexFilter.AllOf(List<IndexFilter> inner) -> kept.addAll(inner);
                case IndexFilter.OnPath _, IndexFilter.Near _, IndexFilter.AnyOf _ ->
                        kept.add(part);
            }
        }
        return kept.isEmpty()
                ? EVERYTHING
                : kept.size() == 1 ? kept.getFirst() : new IndexFilter.AllOf(kept);
    }

    private static IndexFilter anyOf(List<IndexFilter> parts) {
        List<IndexFilter> kept = new ArrayList<>();
        for (IndexFilter part : parts) {
            switch (part) {
                case IndexFilter.Everything _ -> {
                    return EVERYTHING;
                }
                case IndexFilter.Nothing _ -> {}
                case IndexFilter.AnyOf(List<IndexFilter> inner) -> kept.addAll(inner);
                case IndexFilter.OnPath _, IndexFilter.Near _, IndexFilter.AllOf _ ->
                        kept.add(part);
            }
        }
        return kept.isEmpty()
                ? NOTHING
                : kept.size() == 1 ? kept.getFirst() : new IndexFilter.AnyOf(kept);
    }
}
