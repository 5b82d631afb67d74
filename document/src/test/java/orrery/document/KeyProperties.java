package orrery.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.KeyComponent;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.RowKey;
import orrery.model.TaggedText;

/** Keys of BSON values: one for those that MongoDB compares as equal, and different ones else. */
final class KeyProperties {
    /** Two values that are often equal, or nearly so. */
    record Pair(Value left, Value right) {}

    @Provide
    Arbitrary<Pair> pairs() {
        return Arbitraries.randomValue(
                random -> {
                    Value left = value(random);
                    return new Pair(
                            left, random.nextBoolean() ? other(random, left) : value(random));
                });
    }

    private static Value value(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> Value.of("\0" + BsonSamples.value(random, 0));
            case 1 -> new BsonValue.Symbol(tagged(BsonSamples.value(random, 1)));
            case 2 -> Value.of((long) random.nextInt(3));
            default -> BsonSamples.value(random, 2);
        };
    }

    private static String tagged(Value value) {
        return "\0" + CanonicalValue.of(value).toHex().toLowerCase(Locale.ROOT);
    }

    /** The same value in another kind, or one that only looks like it. */
    private static Value other(Random random, Value value) {
        return switch (value) {
            case Value.Int(long number) ->
                    random.nextBoolean()
                            ? BsonValue.Decimal.nearest(BigDecimal.valueOf(number))
                            : new Value.Real((double) number);
            case Value.Real(double number) ->
                    Double.isFinite(number)
                            ? BsonValue.Decimal.nearest(new BigDecimal(number))
                            : new Value.Real(number);
            case Value.Text(String text) -> new BsonValue.Symbol(text);
            case Value.Array(List<Value> elements) ->
                    new Value.Array(elements.stream().map(each -> other(random, each)).toList());
            case Value.Undefined _, Value.Null _, Value.Bool _, Value.Obj _, BsonValue _ ->
                    random.nextBoolean() ? Value.of(tagged(value)) : value;
        };
    }

    /** Equal for values that MongoDB compares as equal, by means that have nothing of the codec. */
    private static Object meaning(Value value) {
        return switch (value) {
            case Value.Int(long number) -> exact(BigDecimal.valueOf(number));
            case BsonValue.Int64(long number) -> exact(BigDecimal.valueOf(number));
            case Value.Real(double number) ->
                    Double.isFinite(number) ? exact(new BigDecimal(number)) : "number " + number;
            case BsonValue.Decimal decimal ->
                    decimal.isFinite() ? exact(decimal.toBigDecimal()) : "number " + decimal;
            case Value.Text(String text) -> "text " + text;
            case BsonValue.Symbol(String name) -> "text " + name;
            case Value.Array(List<Value> elements) ->
                    List.of("array", elements.stream().map(KeyProperties::meaning).toList());
            case Value.Obj(Map<String, Value> properties) -> meaning(properties);
            case BsonValue.ScopedCode(String code, Value.Obj(Map<String, Value> scope)) ->
                    List.of(code, meaning(scope));
            case Value.Undefined _, Value.Null _, Value.Bool _, BsonValue _ -> value;
        };
    }

    private static Object exact(BigDecimal number) {
        return number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    }

    private static Object meaning(Map<String, Value> properties) {
        List<Object> all = new ArrayList<>();
        properties.forEach((name, value) -> all.add(List.of(name, meaning(value))));
        return List.of("object", all);
    }

    @Property(tries = 5000)
    void equalValuesAndNoOthersShareTheirBytes(@ForAll("pairs") Pair pair) {
        assertThat(CanonicalValue.of(pair.left()).equals(CanonicalValue.of(pair.right())))
                .as("%s and %s", pair.left(), pair.right())
                .isEqualTo(meaning(pair.left()).equals(meaning(pair.right())));
    }

    /** Numbers have the key of the nearest double, as SDKs hash them. */
    private static Object place(Value value) {
        return switch (value) {
            case Value.Undefined _, Value.Array _ -> "no value";
            case Value.Null _, BsonValue.Undef _ -> "null";
            case Value.Int _, BsonValue.Int64 _, Value.Real _, BsonValue.Decimal _ ->
                    meaning(value) instanceof BigDecimal number
                                    && Double.isFinite(number.doubleValue())
                            ? (Object) (number.doubleValue() + 0.0)
                            : meaning(value);
            case Value.Bool _, Value.Text _, Value.Obj _, BsonValue _ -> meaning(value);
        };
    }

    @Property(tries = 5000)
    void differentValuesAreDifferentComponents(@ForAll("pairs") Pair pair) {
        assertThat(BsonKeys.component(pair.left()).equals(BsonKeys.component(pair.right())))
                .as("%s and %s", pair.left(), pair.right())
                .isEqualTo(place(pair.left()).equals(place(pair.right())));
    }

    @Provide
    Arbitrary<Value> values() {
        return pairs().map(Pair::left);
    }

    /** SDKs write a component as a JSON string or scalar into a header. */
    @Property(tries = 2000)
    void componentsComeBackFromAHeader(@ForAll("values") Value value) {
        KeyComponent component = BsonKeys.component(value);
        String header =
                switch (component) {
                    case KeyComponent.Undefined _ -> "{}";
                    case KeyComponent.Null _ -> "null";
                    case KeyComponent.Bool(boolean truth) -> Boolean.toString(truth);
                    case KeyComponent.Numeric(double number) -> JsonText.write(Value.of(number));
                    case KeyComponent.Text(String text) -> JsonText.write(Value.of(text));
                };
        PartitionKey key = KeyHeader.parse("[" + header + "]");

        assertThat(key).isEqualTo(PartitionKey.of(component));
        TaggedText.check(key);
        if (component instanceof KeyComponent.Text(String text) && TaggedText.isTagged(text)) {
            assertThat(TaggedText.canonical(text)).contains(CanonicalValue.of(value));
        }
    }

    @Property(tries = 2000)
    void everyRowKeyHasOneNameInSql(@ForAll("pairs") Pair pair) {
        Bytes left = CanonicalValue.of(pair.left());
        Bytes right = CanonicalValue.of(pair.right());
        if (left.length() > RowKey.MAX_BYTES || right.length() > RowKey.MAX_BYTES) {
            return;
        }
        String name = SqlId.of(Encoding.BSON, new RowKey(left));
        if (isId(pair.left())) {
            assertThat(SqlId.parse(Encoding.BSON, name)).isEqualTo(new RowKey(left));
        } else {
            assertThat(Samples.refusal(() -> SqlId.parse(Encoding.BSON, name))).contains("'k:'");
        }
        assertThat(name.equals(SqlId.of(Encoding.BSON, new RowKey(right))))
                .isEqualTo(left.equals(right));
    }

    private static boolean isId(Value value) {
        return !(value instanceof Value.Array
                || value instanceof BsonValue.Undef
                || value instanceof BsonValue.Regex);
    }

    /** Whatever bytes a client sends, a key is made only of those that some {@code _id} has. */
    @Property(tries = 5000)
    void damagedNamesLeadToCanonicalKeysOrAreRefused(
            @ForAll("values") Value value, @ForAll Random random) {
        byte[] bytes = CanonicalValue.of(value).unsafeArray().clone();
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        String name = "k:" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        RowKey key;
        try {
            key = SqlId.parse(Encoding.BSON, name);
        } catch (OrreryException refused) {
            assertThat(refused.code()).isEqualTo(ErrorCode.BAD_REQUEST);
            return;
        }
        assertThat(key.bytes()).isEqualTo(Bytes.wrap(bytes));
        assertThat(BsonKeys.rowKey(BsonKeys.id(key))).isEqualTo(key);
    }

    /** Pages of a logical partition come in this order. */
    @Property(tries = 2000)
    void numbersSortByTheirValue(@ForAll("numbers") Value left, @ForAll("numbers") Value right) {
        assertThat(Integer.signum(BsonKeys.rowKey(left).compareTo(BsonKeys.rowKey(right))))
                .isEqualTo(((BigDecimal) meaning(left)).compareTo((BigDecimal) meaning(right)));
    }

    @Provide
    Arbitrary<Value> numbers() {
        return Arbitraries.randomValue(random -> BsonSamples.value(random, 0))
                .filter(value -> meaning(value) instanceof BigDecimal);
    }
}
