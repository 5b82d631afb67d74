package orrery.query.evaluate;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import orrery.document.BsonValue;
import orrery.document.JsonForm;
import orrery.document.Value;

/**
 * The one order of all values: undefined, null, false, true, numbers, texts, arrays, objects. Two
 * values are equal here exactly if the operator {@code =} says so, but for NaN, which is equal to
 * itself and comes before all other numbers.
 *
 * <p>Texts go by UTF-16 unit, as in the clients. The clients order arrays and objects by a hash of
 * their own; here they go by their contents, arrays element by element, objects property by
 * property in the order of the names.
 */
public final class ValueOrder implements Comparator<Value> {
    public static final ValueOrder INSTANCE = new ValueOrder();

    private ValueOrder() {}

    @Override
    public int compare(Value left, Value right) {
        if (right instanceof BsonValue bson) {
            return compare(left, JsonForm.of(bson));
        }
        int byType = Integer.compare(rank(left), rank(right));
        if (byType != 0) {
            return byType;
        }
        return switch (left) {
            case Value.Undefined _, Value.Null _ -> 0;
            case Value.Bool(boolean value) -> Boolean.compare(value, ((Value.Bool) right).value());
            case Value.Int _, Value.Real _ -> compareNumbers(left, right);
            case Value.Text(String value) -> value.compareTo(((Value.Text) right).value());
            case Value.Array(List<Value> elements) ->
                    compareArrays(elements, ((Value.Array) right).elements());
            case Value.Obj(Map<String, Value> properties) ->
                    compareObjects(properties, ((Value.Obj) right).properties());
            case BsonValue bson -> compare(JsonForm.of(bson), right);
        };
    }

    /** Compares two defined values like the operator {@code =}; undefined equals itself. */
    public static boolean equal(Value left, Value right) {
        if (right instanceof BsonValue bson) {
            return equal(left, JsonForm.of(bson));
        }
        return switch (left) {
            case Value.Real(double value) when Double.isNaN(value) -> false;
            case Value.Array(List<Value> elements) ->
                    right instanceof Value.Array(List<Value> others)
                            && equalArrays(elements, others);
            case Value.Obj(Map<String, Value> properties) ->
                    right instanceof Value.Obj(Map<String, Value> others)
                            && equalObjects(properties, others);
            case BsonValue bson -> equal(JsonForm.of(bson), right);
            case Value.Undefined _,
                    Value.Null _,
                    Value.Bool _,
                    Value.Int _,
                    Value.Real _,
                    Value.Text _ ->
                    INSTANCE.compare(left, right) == 0;
        };
    }

    private static int rank(Value value) {
        return switch (value) {
            case Value.Undefined _ -> 0;
            case Value.Null _ -> 1;
            case Value.Bool _ -> 2;
            case Value.Int _, Value.Real _ -> 3;
            case Value.Text _ -> 4;
            case Value.Array _ -> 5;
            case Value.Obj _ -> 6;
            case BsonValue bson -> rank(JsonForm.of(bson));
        };
    }

    /** Exact, also where a 64-bit integer meets a double that cannot hold it. */
    public static int compareNumbers(Value left, Value right) {
        if (left instanceof Value.Int(long a)) {
            return right instanceof Value.Int(long b)
                    ? Long.compare(a, b)
                    : compare(a, ((Value.Real) right).value());
        }
        double a = ((Value.Real) left).value();
        if (right instanceof Value.Int(long b)) {
            return -compare(b, a);
        }
        double b = ((Value.Real) right).value();
        if (Double.isNaN(a) || Double.isNaN(b)) {
            return Boolean.compare(Double.isNaN(b), Double.isNaN(a));
        }
        return a == b ? 0 : Double.compare(a, b);
    }

    private static int compare(long a, double b) {
        if (Double.isNaN(b) || b < -0x1p63) {
            return 1;
        }
        if (b >= 0x1p63) {
            return -1;
        }
        long whole = (long) b;
        int byWhole = Long.compare(a, whole);
        return byWhole != 0 ? byWhole : Double.compare(0.0, b - whole + 0.0);
    }

    private int compareArrays(List<Value> left, List<Value> right) {
        int shared = Math.min(left.size(), right.size());
        for (int i = 0; i < shared; i++) {
            int byElement = compare(left.get(i), right.get(i));
            if (byElement != 0) {
                return byElement;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    private int compareObjects(Map<String, Value> left, Map<String, Value> right) {
        Iterator<Map.Entry<String, Value>> others = new TreeMap<>(right).entrySet().iterator();
        for (Map.Entry<String, Value> property : new TreeMap<>(left).entrySet()) {
            if (!others.hasNext()) {
                return 1;
            }
            Map.Entry<String, Value> other = others.next();
            int byName = property.getKey().compareTo(other.getKey());
            int order = byName != 0 ? byName : compare(property.getValue(), other.getValue());
            if (order != 0) {
                return order;
            }
        }
        return others.hasNext() ? -1 : 0;
    }

    private static boolean equalArrays(List<Value> left, List<Value> right) {
        if (left.size() != right.size()) {
            return false;
        }
        for (int i = 0; i < left.size(); i++) {
            if (!equal(left.get(i), right.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean equalObjects(Map<String, Value> left, Map<String, Value> right) {
        if (left.size() != right.size()) {
            return false;
        }
        for (Map.Entry<String, Value> property : left.entrySet()) {
            Value other = right.get(property.getKey());
            if (other == null || !equal(property.getValue(), other)) {
                return false;
            }
        }
        return true;
    }
}
