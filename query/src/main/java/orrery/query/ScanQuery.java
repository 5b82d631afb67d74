package orrery.query;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.model.KeyComponent;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryParser;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Selection;

/**
 * A query that reads all items of a container or of one logical partition, as SDKs send it for
 * "read all items". It needs no index and no plan: the items of the partition are its results.
 */
public final class ScanQuery {
    // Above this, several 64-bit integers share a double and so a logical partition.
    private static final double EXACT = 0x1p53;

    private final Optional<PartitionKey> partitionKey;
    private final boolean isFiltered;
    private final ItemFilter filter;

    private ScanQuery(Optional<PartitionKey> partitionKey, boolean isFiltered, ItemFilter filter) {
        this.partitionKey = partitionKey;
        this.isFiltered = isFiltered;
        this.filter = filter;
    }

    /**
     * Empty for every other query. Throws BAD_REQUEST for text that is no query at all.
     *
     * @param parameters by name, with the {@code @}
     */
    public static Optional<ScanQuery> recognise(
            String text, Map<String, Value> parameters, PartitionKeyDefinition definition) {
        Query query = QueryParser.query(text);
        Optional<String> alias = ItemFilter.findAlias(query.from());
        if (alias.isEmpty() || !isWholeItem(query.selection(), alias.get()) || hasMore(query)) {
            return Optional.empty();
        }
        Optional<PartitionKey> key = Optional.empty();
        if (query.where().isPresent()) {
            key = partitionKey(query.where().get(), alias.get(), parameters, definition);
            if (key.isEmpty()) {
                return Optional.empty();
            }
        }
        boolean isFiltered =
                key.isPresent() && !key.get().components().stream().allMatch(ScanQuery::isExact);
        ItemFilter filter = ItemFilter.of(query.from(), query.where(), parameters);
        return Optional.of(new ScanQuery(key, isFiltered, filter));
    }

    private static boolean isWholeItem(Selection selection, String alias) {
        return switch (selection) {
            case Selection.Everything _ -> true;
            case Selection.Bare(Scalar value) -> value.equals(new Scalar.Reference(alias));
            case Selection.Items _ -> false;
        };
    }

    private static boolean hasMore(Query query) {
        return query.distinct()
                || query.top().isPresent()
                || !query.groupBy().isEmpty()
                || query.orderBy().isPresent()
                || query.window().isPresent();
    }

    /** The key or prefix, if the filter gives each of its paths a value and says nothing else. */
    private static Optional<PartitionKey> partitionKey(
            Scalar where,
            String alias,
            Map<String, Value> parameters,
            PartitionKeyDefinition definition) {
        List<Scalar> terms =
                where instanceof Scalar.And(List<Scalar> operands) ? operands : List.of(where);
        // Of a hierarchical key the leading paths are enough: they name all keys under them.
        boolean isPossible =
                definition.isHierarchical()
                        ? terms.size() <= definition.paths().size()
                        : terms.size() == definition.paths().size();
        if (!isPossible) {
            return Optional.empty();
        }
        Map<Scalar, KeyComponent> fixed = new HashMap<>();
        for (Scalar term : terms) {
            if (!fix(term, parameters, fixed)) {
                return Optional.empty();
            }
        }
        List<KeyComponent> components = new ArrayList<>();
        for (PropertyPath path : definition.paths().subList(0, terms.size())) {
            Scalar property = new Scalar.Reference(alias);
            for (String segment : path.segments()) {
                property = new Scalar.Property(property, segment);
            }
            KeyComponent component = fixed.get(property);
            if (component == null) {
                return Optional.empty();
            }
            components.add(component);
        }
        return Optional.of(new PartitionKey(components));
    }

    /** Notes which property a term of the filter fixes; false if it does anything else. */
    private static boolean fix(
            Scalar term, Map<String, Value> parameters, Map<Scalar, KeyComponent> fixed) {
        return switch (term) {
            // NOT IS_DEFINED(c.pk)
            case Scalar.Prefix(
                            Scalar.PrefixOperator operator,
                            Scalar.Call(BuiltIn function, List<Scalar> arguments))
                    when operator == Scalar.PrefixOperator.NOT && function == BuiltIn.IS_DEFINED ->
                    fixed.put(arguments.getFirst(), KeyComponent.UNDEFINED) == null;
            case Scalar.Infix(Scalar.InfixOperator operator, Scalar left, Scalar right)
                    when operator == Scalar.InfixOperator.EQUAL ->
                    fixEqual(left, right, parameters, fixed)
                            || fixEqual(right, left, parameters, fixed);
            default -> false;
        };
    }

    private static boolean fixEqual(
            Scalar property,
            Scalar constant,
            Map<String, Value> parameters,
            Map<Scalar, KeyComponent> fixed) {
        Value value =
                switch (constant) {
                    case Scalar.Constant(Value literal) -> literal;
                    case Scalar.Parameter(String name) ->
                            parameters.getOrDefault(name, Value.Undefined.UNDEFINED);
                    default -> Value.Undefined.UNDEFINED;
                };
        if (property instanceof Scalar.Call(BuiltIn function, List<Scalar> arguments)) {
            // IS_DEFINED(c.pk) = false
            return function == BuiltIn.IS_DEFINED
                    && value.equals(Value.of(false))
                    && fixed.put(arguments.getFirst(), KeyComponent.UNDEFINED) == null;
        }
        Optional<KeyComponent> component = component(value);
        return component.isPresent() && fixed.put(property, component.get()) == null;
    }

    private static Optional<KeyComponent> component(Value value) {
        return switch (value) {
            case Value.Null _ -> Optional.of(KeyComponent.NULL);
            case Value.Bool(boolean is) -> Optional.of(is ? KeyComponent.TRUE : KeyComponent.FALSE);
            case Value.Int(long number) -> Optional.of(new KeyComponent.Numeric(number));
            case Value.Real(double number) ->
                    Double.isFinite(number)
                            ? Optional.of(new KeyComponent.Numeric(number))
                            : Optional.empty();
            case Value.Text(String text) -> Optional.of(new KeyComponent.Text(text));
            // An equality with one of these is no statement about the partition key.
            case Value.Undefined _, Value.Array _, Value.Obj _ -> Optional.empty();
        };
    }

    /** Whether all items with this component of the key also pass the filter that fixed it. */
    private static boolean isExact(KeyComponent component) {
        return switch (component) {
            case KeyComponent.Null _, KeyComponent.Bool _, KeyComponent.Text _ -> true;
            case KeyComponent.Numeric(double value) -> Math.abs(value) < EXACT;
            // Items whose key property is an object or an array lie here as well.
            case KeyComponent.Undefined _ -> false;
        };
    }

    /** The one logical partition that holds every result; empty for the whole container. */
    public Optional<PartitionKey> partitionKey() {
        return partitionKey;
    }

    /** Whether items of the partition may still be no results; ask {@link #matches} then. */
    public boolean isFiltered() {
        return isFiltered;
    }

    public boolean matches(Value.Obj item) {
        return filter.apply(item).isPresent();
    }
}
