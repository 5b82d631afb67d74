package orrery.query.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import orrery.document.BsonValue;
import orrery.document.SqlNames;
import orrery.document.Value;
import orrery.model.Encoding;
import orrery.model.KeyComponent;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.model.TaggedText;
import orrery.query.evaluate.Bindings;
import orrery.query.evaluate.Evaluator;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.Query;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Source;

/**
 * Finds the partition keys that a filter leaves possible, so that a query visits only their ranges.
 *
 * <p>What is known about the key is a set of alternatives, each fixing some of its paths. No
 * alternative means that no item can match; one that fixes nothing means that any may.
 */
public final class KeyFilter {
    /** Beyond this, looking at every range is the cheaper way. */
    private static final int MAX_ALTERNATIVES = 2000;

    private static final Set<Map<Integer, KeyComponent>> ANY = Set.of(Map.of());
    private static final Set<Map<Integer, KeyComponent>> NONE = Set.of();

    private final PartitionKeyDefinition definition;
    private final Encoding encoding;
    private final Evaluator evaluator;
    private final Map<String, List<String>> aliases = new HashMap<>();

    private KeyFilter(PartitionKeyDefinition definition, Encoding encoding, Evaluator evaluator) {
        this.definition = definition;
        this.encoding = encoding;
        this.evaluator = evaluator;
    }

    /**
     * The keys, or prefixes of hierarchical ones, in which all matching items lie. Empty if they
     * may lie anywhere; an empty list if there are none.
     *
     * @param encoding of the items, which says what their keys are made of
     */
    public static Optional<List<PartitionKey>> keys(
            Query query,
            Evaluator evaluator,
            PartitionKeyDefinition definition,
            Encoding encoding) {
        if (query.from().isEmpty()) {
            return Optional.of(List.of());
        }
        if (definition.paths().isEmpty() || query.where().isEmpty()) {
            return Optional.empty();
        }
        KeyFilter filter = new KeyFilter(SqlNames.shown(definition, encoding), encoding, evaluator);
        filter.bind(query.from());
        return filter.toKeys(filter.alternatives(query.where().get()));
    }

    /** Notes which alias stands for which path of the item. */
    private void bind(List<Source> from) {
        for (Source source : from) {
            if (source
                    instanceof
                    Source.Bound(Optional<String> alias, Source.Collection.Single(Scalar value))) {
                alias.ifPresent(
                        name -> path(value).ifPresent(segments -> aliases.put(name, segments)));
            }
        }
    }

    private Optional<List<PartitionKey>> toKeys(Set<Map<Integer, KeyComponent>> alternatives) {
        int paths = definition.paths().size();
        Set<PartitionKey> keys = new LinkedHashSet<>();
        for (Map<Integer, KeyComponent> fixed : alternatives) {
            List<KeyComponent> components = new ArrayList<>();
            for (int i = 0; i < paths; i++) {
                KeyComponent component = fixed.get(i);
                if (component == null) {
                    break;
                }
                components.add(component);
            }
            boolean isEnough =
                    definition.isHierarchical()
                            ? !components.isEmpty()
                            : components.size() == paths;
            if (!isEnough) {
                return Optional.empty();
            }
            keys.add(new PartitionKey(components));
        }
        return Optional.of(List.copyOf(keys));
    }

    private Set<Map<Integer, KeyComponent>> alternatives(Scalar filter) {
        if (filter.isConstant()) {
            return isTrue(filter) ? ANY : NONE;
        }
        return switch (filter) {
            case Scalar.And(List<Scalar> operands) -> {
                Set<Map<Integer, KeyComponent>> all = ANY;
                for (Scalar operand : operands) {
                    all = both(all, alternatives(operand));
                }
                yield all;
            }
            case Scalar.Or(List<Scalar> operands) -> {
                Set<Map<Integer, KeyComponent>> any = new LinkedHashSet<>();
                for (Scalar operand : operands) {
                    any.addAll(alternatives(operand));
                }
                yield bounded(any);
            }
            case Scalar.Infix(Scalar.InfixOperator operator, Scalar left, Scalar right)
                    when operator == Scalar.InfixOperator.EQUAL ->
                    equal(left, right);
            case Scalar.In(Scalar value, List<Scalar> candidates) -> in(value, candidates);
            case Scalar.Prefix(Scalar.PrefixOperator operator, Scalar operand)
                    when operator == Scalar.PrefixOperator.NOT ->
                    not(operand);
            case Scalar.Like(Scalar value, Scalar pattern, Optional<Character> escape) ->
                    like(value, pattern, escape);
            case Scalar.Call(BuiltIn function, List<Scalar> arguments) -> call(function, arguments);
            default -> fix(filter, List.of(Value.of(true)));
        };
    }

    /**
     * Combines two sets of keys. Either alone bounds both, so a product that grows too large falls
     * back to one of them.
     */
    private static Set<Map<Integer, KeyComponent>> both(
            Set<Map<Integer, KeyComponent>> left, Set<Map<Integer, KeyComponent>> right) {
        if ((long) left.size() * right.size() > MAX_ALTERNATIVES) {
            return left.size() <= right.size() ? left : right;
        }
        Set<Map<Integer, KeyComponent>> joined = new LinkedHashSet<>();
        for (Map<Integer, KeyComponent> a : left) {
            for (Map<Integer, KeyComponent> b : right) {
                joined(a, b).ifPresent(joined::add);
            }
        }
        return joined;
    }

    /** Empty if they contradict each other. */
    private static Optional<Map<Integer, KeyComponent>> joined(
            Map<Integer, KeyComponent> a, Map<Integer, KeyComponent> b) {
        Map<Integer, KeyComponent> joined = new TreeMap<>(a);
        for (Map.Entry<Integer, KeyComponent> entry : b.entrySet()) {
            KeyComponent before = joined.put(entry.getKey(), entry.getValue());
            if (before != null && !before.equals(entry.getValue())) {
                return Optional.empty();
            }
        }
        return Optional.of(joined);
    }

    private static Set<Map<Integer, KeyComponent>> bounded(
            Set<Map<Integer, KeyComponent>> alternatives) {
        return alternatives.contains(Map.<Integer, KeyComponent>of())
                        || alternatives.size() > MAX_ALTERNATIVES
                ? ANY
                : alternatives;
    }

    private Set<Map<Integer, KeyComponent>> equal(Scalar left, Scalar right) {
        if (right.isConstant()) {
            return equalTo(left, value(right));
        }
        return left.isConstant() ? equalTo(right, value(left)) : ANY;
    }

    private Set<Map<Integer, KeyComponent>> equalTo(Scalar tested, Value value) {
        if (tested instanceof Scalar.Call(BuiltIn function, List<Scalar> arguments)) {
            return switch (function) {
                case ABS -> absolute(arguments.getFirst(), value);
                // SDKs compare these functions with true or false to read items without a key.
                case IS_DEFINED, IS_NULL, IS_BOOL ->
                        value instanceof Value.Bool(boolean wanted)
                                ? (wanted ? call(function, arguments) : not(tested))
                                : NONE;
                default -> ANY;
            };
        }
        return fix(tested, List.of(value));
    }

    private Set<Map<Integer, KeyComponent>> absolute(Scalar argument, Value value) {
        return switch (value) {
            case Value.Int(long number) ->
                    fix(argument, List.of(Value.of(number), Value.of(-(double) number)));
            case Value.Real(double number) ->
                    fix(argument, List.of(Value.of(number), Value.of(-number)));
            default -> NONE;
        };
    }

    private Set<Map<Integer, KeyComponent>> in(Scalar value, List<Scalar> candidates) {
        if (value.isConstant()) {
            return ANY;
        }
        List<Value> values = new ArrayList<>();
        for (Scalar candidate : candidates) {
            if (!candidate.isConstant()) {
                return ANY;
            }
            values.add(value(candidate));
        }
        return fix(value, values);
    }

    private Set<Map<Integer, KeyComponent>> not(Scalar operand) {
        return operand instanceof Scalar.Call(BuiltIn function, List<Scalar> arguments)
                ? (function == BuiltIn.IS_DEFINED
                        ? fixed(arguments.getFirst(), List.of(KeyComponent.UNDEFINED))
                        : ANY)
                : fix(operand, List.of(Value.of(false)));
    }

    private Set<Map<Integer, KeyComponent>> like(
            Scalar value, Scalar pattern, Optional<Character> escape) {
        return pattern.isConstant() && value(pattern) instanceof Value.Text(String text)
                ? literal(text, escape).map(plain -> fix(value, List.of(plain))).orElse(ANY)
                : ANY;
    }

    /** Returns the text that a pattern without a live wildcard matches. */
    private static Optional<Value> literal(String pattern, Optional<Character> escape) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (escape.isPresent() && c == escape.get() && i + 1 < pattern.length()) {
                plain.append(pattern.charAt(++i));
            } else if (c == '%' || c == '_' || c == '[') {
                return Optional.empty();
            } else {
                plain.append(c);
            }
        }
        return Optional.of(Value.of(plain.toString()));
    }

    private Set<Map<Integer, KeyComponent>> call(BuiltIn function, List<Scalar> arguments) {
        Scalar first = arguments.isEmpty() ? new Scalar.Item() : arguments.getFirst();
        return switch (function) {
            case IS_NULL -> fix(first, List.of(Value.Null.NULL));
            case IS_BOOL -> fix(first, List.of(Value.of(false), Value.of(true)));
            case ARRAY_CONTAINS ->
                    arguments.size() == 2
                                    && first.isConstant()
                                    && value(first) instanceof Value.Array(List<Value> elements)
                            ? fix(arguments.get(1), elements)
                            : ANY;
            default -> ANY;
        };
    }

    /** A path of the key has one of the values, if that is what the expression names. */
    private Set<Map<Integer, KeyComponent>> fix(Scalar tested, List<Value> values) {
        if (values.stream().anyMatch(this::mayBeTagged)) {
            return ANY;
        }
        List<KeyComponent> components = new ArrayList<>();
        for (Value value : values) {
            switch (value) {
                // Nothing equals undefined.
                case Value.Undefined _ -> {}
                case Value.Null _ -> components.add(KeyComponent.NULL);
                case Value.Bool(boolean flag) -> components.add(new KeyComponent.Bool(flag));
                case Value.Int(long number) -> add(components, (double) number);
                case Value.Real(double number) -> add(components, number);
                case Value.Text(String text) -> components.add(new KeyComponent.Text(text));
                // Such items have no key.
                case Value.Array _, Value.Obj _, BsonValue _ ->
                        components.add(KeyComponent.UNDEFINED);
            }
        }
        return fixed(tested, components);
    }

    /**
     * Returns true for a value whose key is not told from the value alone: SQL sees many kinds of
     * BSON as objects, and takes objects for equal whose keys differ by the order of properties.
     */
    private boolean mayBeTagged(Value value) {
        return encoding == Encoding.BSON
                && switch (value) {
                    case Value.Text(String text) -> TaggedText.isTagged(text);
                    case Value.Obj _, BsonValue _ -> true;
                    case Value.Undefined _,
                            Value.Null _,
                            Value.Bool _,
                            Value.Int _,
                            Value.Real _,
                            Value.Array _ ->
                            false;
                };
    }

    /** The two zeros are one value and two keys. */
    private static void add(List<KeyComponent> components, double number) {
        if (number == 0) {
            components.add(new KeyComponent.Numeric(0.0));
            components.add(new KeyComponent.Numeric(-0.0));
        } else if (Double.isFinite(number)) {
            components.add(new KeyComponent.Numeric(number));
        }
    }

    private Set<Map<Integer, KeyComponent>> fixed(Scalar tested, List<KeyComponent> components) {
        Optional<List<String>> segments = path(tested);
        int index = segments.isEmpty() ? -1 : indexOf(segments.get());
        if (index < 0) {
            return ANY;
        }
        Set<Map<Integer, KeyComponent>> alternatives = new LinkedHashSet<>();
        for (KeyComponent component : components) {
            alternatives.add(Map.of(index, component));
        }
        return bounded(alternatives);
    }

    private int indexOf(List<String> segments) {
        List<PropertyPath> paths = definition.paths();
        for (int i = 0; i < paths.size(); i++) {
            if (paths.get(i).segments().equals(segments)) {
                return i;
            }
        }
        return -1;
    }

    private Optional<List<String>> path(Scalar scalar) {
        return switch (scalar) {
            case Scalar.Item _ -> Optional.of(List.of());
            case Scalar.Reference(String alias) -> Optional.ofNullable(aliases.get(alias));
            case Scalar.Property(Scalar base, String name) ->
                    path(base)
                            .map(
                                    segments -> {
                                        List<String> longer = new ArrayList<>(segments);
                                        longer.add(name);
                                        return longer;
                                    });
            // c[@name]
            case Scalar.Index(Scalar base, Scalar index)
                    when index.isConstant() && value(index) instanceof Value.Text(String name) ->
                    path(new Scalar.Property(base, name));
            default -> Optional.empty();
        };
    }

    private Value value(Scalar known) {
        return evaluator.evaluate(known, Bindings.empty());
    }

    private boolean isTrue(Scalar known) {
        return value(known) instanceof Value.Bool(boolean is) && is;
    }
}
