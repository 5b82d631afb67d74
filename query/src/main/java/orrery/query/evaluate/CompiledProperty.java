package orrery.query.evaluate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import orrery.document.BsonValue;
import orrery.document.JsonForm;
import orrery.document.SystemProperties;
import orrery.document.Value;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.OrreryException;

/**
 * One computed property.
 *
 * @param alias what its query calls the item
 * @param names the top-level properties that it reads; empty if it may be any
 */
record CompiledProperty(
        ComputedProperty definition,
        String alias,
        Expression expression,
        Optional<Set<String>> names) {
    /**
     * Some milliseconds, enough to look at every character of the largest item twice. Writes wait
     * for it, so it is far less than a query may take for a row.
     */
    private static final long MAX_WORK = 5_000_000;

    private static final Value UNDEFINED = Value.Undefined.UNDEFINED;

    /** Returns true if the value may depend on this top-level property of an item. */
    boolean reads(String name) {
        return names.isEmpty() || names.get().contains(name);
    }

    /**
     * Its value for an item, such as could be stored in one; undefined where there is none, and
     * where it cannot be computed. Depends on nothing but the item, and never fails.
     *
     * @param item with the properties that it {@link #reads} at least
     */
    Value of(Value.Obj item) {
        return evaluate(row(item));
    }

    /** Like {@link #of} for the item of a row; the work counts as that of the row. */
    Value of(Value.Obj item, Bindings asking) {
        Bindings row = row(item);
        Value value = evaluate(row);
        asking.countWork(row.work());
        return value;
    }

    private Bindings row(Value.Obj item) {
        Value.Obj seen = names.isPresent() ? item : withoutSystem(item);
        return Bindings.within(seen, MAX_WORK).with(alias, seen);
    }

    private Value evaluate(Bindings row) {
        try {
            return storable(expression.evaluate(row));
        } catch (OrreryException impossible) {
            // Too large, or too much work: for whoever asks, and whenever, it has no value.
            return UNDEFINED;
        }
    }

    /** When an item is indexed most of what the service adds to it is not known yet. */
    private static Value.Obj withoutSystem(Value.Obj item) {
        Map<String, Value> properties = new LinkedHashMap<>(item.properties());
        properties.keySet().removeIf(name -> !isVisible(name));
        return new Value.Obj(properties);
    }

    /** Returns true if the definition of a computed property may read a property of this name. */
    static boolean isVisible(String name) {
        return name.equals("_ts") || !SystemProperties.isSystemProperty(name);
    }

    /**
     * Returns the value that would be read back after storing: JSON has no undefined and no
     * infinity.
     */
    private static Value storable(Value value) {
        return switch (value) {
            case Value.Real(double number) when !Double.isFinite(number) -> UNDEFINED;
            case Value.Array(List<Value> elements) -> {
                List<Value> stored = new ArrayList<>(elements.size());
                for (Value element : elements) {
                    Value each = storable(element);
                    stored.add(each.isDefined() ? each : Value.Null.NULL);
                }
                yield new Value.Array(stored);
            }
            case Value.Obj(Map<String, Value> properties) -> {
                Map<String, Value> stored = new LinkedHashMap<>();
                properties.forEach(
                        (name, property) -> {
                            Value each = storable(property);
                            if (each.isDefined()) {
                                stored.put(name, each);
                            }
                        });
                yield new Value.Obj(stored);
            }
            case BsonValue bson -> JsonForm.of(bson);
            case Value.Undefined _,
                    Value.Null _,
                    Value.Bool _,
                    Value.Int _,
                    Value.Real _,
                    Value.Text _ ->
                    value;
        };
    }
}
