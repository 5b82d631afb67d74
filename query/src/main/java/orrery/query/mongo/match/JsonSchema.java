package orrery.query.mongo.match;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import orrery.document.Value;
import orrery.query.mongo.MongoOrder;

/** A schema that values are held against: all its rules must hold. Safe to share. */
public record JsonSchema(List<Rule> rules) {
    public JsonSchema {
        rules = List.copyOf(rules);
    }

    boolean accepts(Value value, Scope scope) {
        for (Rule rule : rules) {
            scope.effort().add(1);
            if (!rule.holds(value, scope)) {
                return false;
            }
        }
        return true;
    }

    /** The demand of a keyword. A rule for values of one type holds for all others. */
    sealed interface Rule {
        boolean holds(Value value, Scope scope);
    }

    /** The value passes a test of its own, such as that of its type. */
    record Passes(ValueTest test) implements Rule {
        @Override
        public boolean holds(Value value, Scope scope) {
            return test.passes(value, scope);
        }
    }

    record OneOfValues(List<Value> values) implements Rule {
        OneOfValues {
            values = List.copyOf(values);
        }

        @Override
        public boolean holds(Value value, Scope scope) {
            scope.effort().add(values.size());
            return values.stream().anyMatch(each -> scope.order().equal(each, value));
        }
    }

    /** Bounds of numbers. */
    record Bound(ValueTest.Relation relation, Value limit) implements Rule {
        @Override
        public boolean holds(Value value, Scope scope) {
            return !MongoOrder.isNumber(value)
                    || new ValueTest.Compare(relation, limit).passes(value, scope);
        }
    }

    /** Bounds of the number of characters, properties or elements. */
    record Count(Counted counted, long least, long most) implements Rule {
        @Override
        public boolean holds(Value value, Scope scope) {
            long count = counted.of(value);
            return count < 0 || (count >= least && count <= most);
        }
    }

    enum Counted {
        CHARACTERS,
        PROPERTIES,
        ELEMENTS;

        /** Returns -1 for a value that has no such thing. */
        private long of(Value value) {
            return switch (this) {
                case CHARACTERS ->
                        value instanceof Value.Text(String text)
                                ? text.codePointCount(0, text.length())
                                : -1;
                case PROPERTIES ->
                        value instanceof Value.Obj(Map<String, Value> fields) ? fields.size() : -1;
                case ELEMENTS ->
                        value instanceof Value.Array(List<Value> elements) ? elements.size() : -1;
            };
        }
    }

    record Pattern(ValueTest.Regex pattern) implements Rule {
        @Override
        public boolean holds(Value value, Scope scope) {
            return !(value instanceof Value.Text) || pattern.passes(value, scope);
        }
    }

    record Required(Set<String> names) implements Rule {
        Required {
            names = Set.copyOf(names);
        }

        @Override
        public boolean holds(Value value, Scope scope) {
            return !(value instanceof Value.Obj(Map<String, Value> fields))
                    || fields.keySet().containsAll(names);
        }
    }

    /**
     * The properties of a document.
     *
     * @param named schemas of some, by their names
     * @param patterns schemas of those whose names match
     * @param others the schema of all that neither has
     */
    record Properties(Map<String, JsonSchema> named, List<Matching> patterns, JsonSchema others)
            implements Rule {
        /** Those whose names match. */
        record Matching(ValueTest.Regex names, JsonSchema schema) {}

        Properties {
            named = Map.copyOf(named);
            patterns = List.copyOf(patterns);
        }

        @Override
        public boolean holds(Value value, Scope scope) {
            return !(value instanceof Value.Obj(Map<String, Value> fields))
                    || fields.entrySet().stream()
                            .allMatch(field -> holds(field.getKey(), field.getValue(), scope));
        }

        private boolean holds(String name, Value value, Scope scope) {
            JsonSchema own = named.get(name);
            boolean isKnown = own != null;
            if (own != null && !own.accepts(value, scope)) {
                return false;
            }
            for (Matching each : patterns) {
                if (each.names().passes(Value.of(name), scope)) {
                    isKnown = true;
                    if (!each.schema().accepts(value, scope)) {
                        return false;
                    }
                }
            }
            return isKnown || others.accepts(value, scope);
        }
    }

    /**
     * The elements of an array.
     *
     * @param first schemas of the first elements
     * @param others the schema of those behind
     */
    record Items(List<JsonSchema> first, JsonSchema others) implements Rule {
        Items {
            first = List.copyOf(first);
        }

        @Override
        public boolean holds(Value value, Scope scope) {
            if (!(value instanceof Value.Array(List<Value> elements))) {
                return true;
            }
            for (int i = 0; i < elements.size(); i++) {
                JsonSchema schema = i < first.size() ? first.get(i) : others;
                if (!schema.accepts(elements.get(i), scope)) {
                    return false;
                }
            }
            return true;
        }
    }

    record Unique() implements Rule {
        @Override
        public boolean holds(Value value, Scope scope) {
            if (!(value instanceof Value.Array(List<Value> elements))) {
                return true;
            }
            scope.effort().add(elements.size());
            List<Value> sorted = new ArrayList<>(elements);
            sorted.sort(scope.order());
            for (int i = 1; i < sorted.size(); i++) {
                if (scope.order().equal(sorted.get(i - 1), sorted.get(i))) {
                    return false;
                }
            }
            return true;
        }
    }

    /** So many of the schemas accept the value. */
    record Accepted(List<JsonSchema> schemas, long least, long most) implements Rule {
        Accepted {
            schemas = List.copyOf(schemas);
        }

        @Override
        public boolean holds(Value value, Scope scope) {
            long count = schemas.stream().filter(each -> each.accepts(value, scope)).count();
            return count >= least && count <= most;
        }
    }

    /** Accepts everything. */
    static final JsonSchema ANYTHING = new JsonSchema(List.of());

    /** Accepts nothing. */
    static final JsonSchema NOTHING = new JsonSchema(List.of(new Accepted(List.of(), 1, 1)));
}
