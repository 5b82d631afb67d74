package orrery.query.evaluate;

import java.util.List;
import java.util.Map;
import orrery.document.BsonValue;
import orrery.document.JsonForm;
import orrery.document.Value;

/** A value as the key of a hash table: equal exactly if {@link ValueOrder} says so. */
record ValueKey(Value value) {
    @Override
    public boolean equals(Object other) {
        return other instanceof ValueKey(Value wanted)
                && ValueOrder.INSTANCE.compare(value, wanted) == 0;
    }

    @Override
    public int hashCode() {
        return hash(value);
    }

    private static int hash(Value value) {
        return switch (value) {
            // Equal numbers may come as an integer and as a double; zero has two signs.
            case Value.Int(long number) -> Double.hashCode((double) number);
            case Value.Real(double number) -> Double.hashCode(number + 0.0);
            case Value.Array(List<Value> elements) -> {
                int hash = 1;
                for (Value element : elements) {
                    hash = 31 * hash + hash(element);
                }
                yield hash;
            }
            case Value.Obj(Map<String, Value> properties) -> {
                int hash = 7;
                for (Map.Entry<String, Value> property : properties.entrySet()) {
                    // A sum, because the order of properties does not count.
                    hash += property.getKey().hashCode() ^ 31 * hash(property.getValue());
                }
                yield hash;
            }
            case Value.Text(String text) -> text.hashCode();
            case Value.Undefined _, Value.Null _, Value.Bool _ -> value.hashCode();
            case BsonValue bson -> hash(JsonForm.of(bson));
        };
    }
}
