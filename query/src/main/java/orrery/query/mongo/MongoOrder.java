package orrery.query.mongo;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.evaluate.ValueOrder;

/**
 * The order of all values in MongoDB, and its equality: values are equal if neither comes before
 * the other. Numbers of all widths compare by their exact values, NaN is the least of them. An
 * absent value and the value undefined are one, below null; where a language takes absent for null,
 * it says so before it compares.
 */
public final class MongoOrder implements Comparator<Value> {
    /** Compares texts by their bytes in UTF-8. */
    public static final MongoOrder SIMPLE =
            new MongoOrder(
                    new TextOrder() {
                        @Override
                        public int compare(String left, String right) {
                            return compareBytes(left, right);
                        }

                        @Override
                        public String key(String text) {
                            return text;
                        }
                    });

    private final TextOrder texts;

    /**
     * @param texts the order of strings, which a collation may change
     */
    public MongoOrder(TextOrder texts) {
        this.texts = texts;
    }

    /** An order of strings. */
    public interface TextOrder {
        int compare(String left, String right);

        /** Returns a string whose units of UTF-16 sort as the text does in this order. */
        String key(String text);
    }

    /** Returns true if strings compare by their bytes, as in an index. */
    public boolean isSimple() {
        return this == SIMPLE;
    }

    /**
     * Returns true if the equals of a value have the bytes of its strings, so that an index or the
     * key of an item can find them.
     */
    public boolean isByBytes(Value value) {
        if (isSimple()) {
            return true;
        }
        boolean[] hasText = {false};
        value.visit(
                part ->
                        hasText[0] |=
                                part instanceof Value.Text
                                        || part instanceof BsonValue.Symbol
                                        || part instanceof BsonValue.ScopedCode);
        return !hasText[0];
    }

    /**
     * Returns a value that has keys in place of strings: two such values are equal, or one sorts
     * before the other by units of UTF-16, as the values do in this order.
     */
    public Value key(Value value) {
        return isSimple() ? value : collated(value);
    }

    private Value collated(Value value) {
        return switch (value) {
            case Value.Text(String text) -> Value.of(texts.key(text));
            case BsonValue.Symbol(String name) -> Value.of(texts.key(name));
            case Value.Obj(Map<String, Value> properties) -> collated(properties);
            case Value.Array(List<Value> elements) -> {
                List<Value> keys = new ArrayList<>();
                elements.forEach(element -> keys.add(collated(element)));
                yield new Value.Array(keys);
            }
            case BsonValue.ScopedCode(String code, Value.Obj(Map<String, Value> scope)) ->
                    new BsonValue.ScopedCode(code, collated(scope));
            default -> value;
        };
    }

    private Value.Obj collated(Map<String, Value> properties) {
        Map<String, Value> keys = new LinkedHashMap<>();
        properties.forEach((name, property) -> keys.put(name, collated(property)));
        return new Value.Obj(keys);
    }

    /**
     * Returns the place of a value's type among all types. Values of one place are comparable for
     * operators such as {@code $gt}.
     */
    public static int typePlace(Value value) {
        return switch (value) {
            case BsonValue.MinKey _ -> -1;
            case Value.Undefined _, BsonValue.Undef _ -> 0;
            case Value.Null _ -> 5;
            case Value.Int _, Value.Real _, BsonValue.Int64 _, BsonValue.Decimal _ -> 10;
            case Value.Text _, BsonValue.Symbol _ -> 15;
            case Value.Obj _ -> 20;
            case Value.Array _ -> 25;
            case BsonValue.Binary _ -> 30;
            case BsonValue.ObjectId _ -> 35;
            case Value.Bool _ -> 40;
            case BsonValue.DateTime _ -> 45;
            case BsonValue.Timestamp _ -> 47;
            case BsonValue.Regex _ -> 50;
            case BsonValue.Pointer _ -> 55;
            case BsonValue.Code _ -> 60;
            case BsonValue.ScopedCode _ -> 65;
            case BsonValue.MaxKey _ -> 127;
        };
    }

    public boolean equal(Value left, Value right) {
        return compare(left, right) == 0;
    }

    @Override
    public int compare(Value left, Value right) {
        int byType = Integer.compare(typePlace(left), typePlace(right));
        return byType != 0 ? byType : compareAlike(left, right);
    }

    /** Compares values whose types have one place. */
    private int compareAlike(Value left, Value right) {
        return switch (left) {
            case Value.Undefined _,
                    Value.Null _,
                    BsonValue.Undef _,
                    BsonValue.MinKey _,
                    BsonValue.MaxKey _ ->
                    0;
            case Value.Int _, Value.Real _, BsonValue.Int64 _, BsonValue.Decimal _ ->
                    compareNumbers(left, right);
            case Value.Text _, BsonValue.Symbol _ -> texts.compare(text(left), text(right));
            case Value.Obj(Map<String, Value> properties) ->
                    compareObjects(properties, ((Value.Obj) right).properties());
            case Value.Array(List<Value> elements) ->
                    compareArrays(elements, ((Value.Array) right).elements());
            case BsonValue.Binary binary -> compareBinaries(binary, (BsonValue.Binary) right);
            case BsonValue.ObjectId(Bytes id) ->
                    compareBytes(id, ((BsonValue.ObjectId) right).value());
            case Value.Bool(boolean truth) -> Boolean.compare(truth, ((Value.Bool) right).value());
            case BsonValue.DateTime(long millis) ->
                    Long.compare(millis, ((BsonValue.DateTime) right).millis());
            case BsonValue.Timestamp timestamp ->
                    Long.compareUnsigned(bits(timestamp), bits((BsonValue.Timestamp) right));
            case BsonValue.Regex(String pattern, String options) -> {
                BsonValue.Regex other = (BsonValue.Regex) right;
                int byPattern = compareBytes(pattern, other.pattern());
                yield byPattern != 0 ? byPattern : compareBytes(options, other.options());
            }
            case BsonValue.Pointer(String namespace, BsonValue.ObjectId(Bytes id)) -> {
                BsonValue.Pointer other = (BsonValue.Pointer) right;
                int byNamespace = compareBytes(namespace, other.namespace());
                yield byNamespace != 0 ? byNamespace : compareBytes(id, other.id().value());
            }
            case BsonValue.Code(String code) -> compareBytes(code, ((BsonValue.Code) right).code());
            case BsonValue.ScopedCode(String code, Value.Obj scope) -> {
                BsonValue.ScopedCode other = (BsonValue.ScopedCode) right;
                int byCode = compareBytes(code, other.code());
                yield byCode != 0
                        ? byCode
                        : compareObjects(scope.properties(), other.scope().properties());
            }
        };
    }

    private static String text(Value value) {
        return value instanceof BsonValue.Symbol(String name) ? name : ((Value.Text) value).value();
    }

    private static long bits(BsonValue.Timestamp timestamp) {
        return (long) timestamp.seconds() << 32 | Integer.toUnsignedLong(timestamp.increment());
    }

    /** Compares one property after the other: by type, then by name, then by value. */
    private int compareObjects(Map<String, Value> left, Map<String, Value> right) {
        Iterator<Map.Entry<String, Value>> others = right.entrySet().iterator();
        for (Map.Entry<String, Value> mine : left.entrySet()) {
            if (!others.hasNext()) {
                return 1;
            }
            Map.Entry<String, Value> other = others.next();
            int order = Integer.compare(typePlace(mine.getValue()), typePlace(other.getValue()));
            if (order == 0) {
                order = compareBytes(mine.getKey(), other.getKey());
            }
            if (order == 0) {
                order = compareAlike(mine.getValue(), other.getValue());
            }
            if (order != 0) {
                return order;
            }
        }
        return others.hasNext() ? -1 : 0;
    }

    private int compareArrays(List<Value> left, List<Value> right) {
        int shared = Math.min(left.size(), right.size());
        for (int i = 0; i < shared; i++) {
            int order = compare(left.get(i), right.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.size(), right.size());
    }

    private static int compareBinaries(BsonValue.Binary left, BsonValue.Binary right) {
        int byLength = Integer.compare(left.data().length(), right.data().length());
        if (byLength != 0) {
            return byLength;
        }
        int bySubtype = Integer.compare(left.subtype(), right.subtype());
        return bySubtype != 0 ? bySubtype : compareBytes(left.data(), right.data());
    }

    private static int compareBytes(Bytes left, Bytes right) {
        return Arrays.compareUnsigned(left.unsafeArray(), right.unsafeArray());
    }

    /** UTF-8 sorts by code points. UTF-16 does too, but for the units of pairs. */
    private static int compareBytes(String left, String right) {
        int shared = Math.min(left.length(), right.length());
        for (int i = 0; i < shared; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                return Character.isSurrogate(a) == Character.isSurrogate(b)
                        ? Character.compare(a, b)
                        : Boolean.compare(Character.isSurrogate(a), Character.isSurrogate(b));
            }
        }
        return Integer.compare(left.length(), right.length());
    }

    /** Compares two numbers of any width by their exact values. */
    public static int compareNumbers(Value left, Value right) {
        if (left instanceof BsonValue.Decimal || right instanceof BsonValue.Decimal) {
            return compareDecimals(left, right);
        }
        return ValueOrder.compareNumbers(narrow(left), narrow(right));
    }

    private static Value narrow(Value number) {
        return number instanceof BsonValue.Int64(long value) ? Value.of(value) : number;
    }

    /** NaN is below all others, infinities are at the ends. */
    private static int compareDecimals(Value left, Value right) {
        int byEnd = Integer.compare(end(left), end(right));
        return byEnd != 0 || end(left) != 0 ? byEnd : exact(left).compareTo(exact(right));
    }

    private static int end(Value number) {
        return switch (number) {
            case Value.Real(double value) when Double.isNaN(value) -> -2;
            case Value.Real(double value) when Double.isInfinite(value) -> value < 0 ? -1 : 1;
            case BsonValue.Decimal decimal when decimal.isNaN() -> -2;
            case BsonValue.Decimal decimal when !decimal.isFinite() ->
                    decimal.isNegative() ? -1 : 1;
            default -> 0;
        };
    }

    private static BigDecimal exact(Value number) {
        return number instanceof BsonValue.Decimal decimal
                ? decimal.toBigDecimal()
                : narrow(number).toDecimal();
    }

    public static boolean isNumber(Value value) {
        return typePlace(value) == 10;
    }

    public static boolean isNaN(Value value) {
        return switch (value) {
            case Value.Real(double number) -> Double.isNaN(number);
            case BsonValue.Decimal decimal -> decimal.isNaN();
            default -> false;
        };
    }

    /** Null, undefined and absent values are what {@code null} in a filter matches. */
    public static boolean isNullish(Value value) {
        return value instanceof Value.Null
                || value instanceof Value.Undefined
                || value instanceof BsonValue.Undef;
    }
}
