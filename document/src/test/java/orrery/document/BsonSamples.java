package orrery.document;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import orrery.model.Bytes;
import orrery.model.OrreryException;

/** Generated values and documents of every kind that BSON has. */
final class BsonSamples {
    /** None holds a NUL, which BSON refuses in names. */
    private static final List<String> NAMES = List.of("a", "b", "c", "é x", "😀", "_ts2", "");

    private BsonSamples() {}

    static Arbitrary<Value> values(int depth) {
        return Arbitraries.randomValue(random -> value(random, depth));
    }

    /** Names that mean something to SQL, or look as if they did. */
    private static final List<String> RESERVED =
            List.of(
                    "id",
                    "_rid",
                    "_self",
                    "_etag",
                    "_ts",
                    "_attachments",
                    "$id",
                    "$$id",
                    "$_ts",
                    "$$_attachments",
                    "$",
                    "$$",
                    "$idx",
                    "_lsn");

    /** Documents with fields that SQL has to show under other names, and any {@code _id}. */
    static Arbitrary<Value.Obj> reservedDocuments() {
        return Arbitraries.randomValue(
                random -> {
                    Map<String, Value> properties = new LinkedHashMap<>();
                    for (int i = random.nextInt(4); i > 0; i--) {
                        properties.put(Samples.pick(random, RESERVED), value(random, 1));
                    }
                    properties.put("_id", id(random));
                    for (int i = random.nextInt(4); i > 0; i--) {
                        properties.put(Samples.pick(random, RESERVED), value(random, 1));
                    }
                    properties.putAll(document(random, 2).properties());
                    return new Value.Obj(properties);
                });
    }

    /** A value that may be an {@code _id} and fits into a row key. */
    static Value id(Random random) {
        while (true) {
            Value value = value(random, 2);
            try {
                BsonKeys.rowKey(value);
                return value;
            } catch (OrreryException notOne) {
                // The next one may be.
            }
        }
    }

    /** Documents with an id, of all kinds. */
    static Arbitrary<Value.Obj> documents() {
        return Arbitraries.randomValue(
                random -> {
                    Map<String, Value> properties = new LinkedHashMap<>();
                    properties.put("_id", Value.of("1"));
                    properties.putAll(document(random, 3).properties());
                    return new Value.Obj(properties);
                });
    }

    /** Documents of the kinds that JSON has too; no number is wider than it has to be. */
    static Arbitrary<Value.Obj> plainDocuments() {
        return documents().map(document -> (Value.Obj) plain(document));
    }

    private static Value plain(Value value) {
        return switch (value) {
            case Value.Array(List<Value> elements) ->
                    new Value.Array(elements.stream().map(BsonSamples::plain).toList());
            case Value.Obj(Map<String, Value> properties) -> {
                Map<String, Value> changed = new LinkedHashMap<>();
                properties.forEach((name, each) -> changed.put(name, plain(each)));
                yield new Value.Obj(changed);
            }
            case Value.Real(double number) ->
                    Double.isFinite(number) ? Value.of(number) : Value.of(true);
            case BsonValue.Int64(long number) -> Value.of(number);
            case BsonValue _ -> Value.Null.NULL;
            case Value.Undefined _, Value.Null _, Value.Bool _, Value.Int _, Value.Text _ -> value;
        };
    }

    static Value value(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 20 : 24)) {
            case 0 -> Value.Null.NULL;
            case 1 -> Value.of(random.nextBoolean());
            case 2 -> Value.of((long) random.nextInt());
            case 3 -> BsonCodec.int64(random.nextBoolean() ? random.nextLong() : random.nextInt(9));
            case 4 -> new Value.Real(real(random));
            case 5, 6 -> Value.of(text(random));
            case 7 -> BsonValue.MinKey.MIN_KEY;
            case 8 -> BsonValue.MaxKey.MAX_KEY;
            case 9 -> BsonValue.Undef.UNDEF;
            case 10 -> decimal(random);
            case 11 ->
                    new BsonValue.Binary(
                            Samples.pick(random, SUBTYPES), bytes(random, size(random)));
            case 12 -> objectId(random);
            case 13 ->
                    new BsonValue.DateTime(
                            random.nextBoolean()
                                    ? random.nextLong()
                                    : random.nextLong(253_402_300_800_000L));
            case 14 -> new BsonValue.Timestamp(random.nextInt(), random.nextInt());
            case 15 -> new BsonValue.Regex(pattern(random), Samples.pick(random, OPTIONS));
            case 16 -> new BsonValue.Code(text(random));
            case 17 -> new BsonValue.Symbol(text(random));
            case 18 -> new BsonValue.Pointer(text(random), objectId(random));
            case 19 ->
                    new BsonValue.ScopedCode(
                            text(random), document(random, Math.max(0, depth - 1)));
            case 20, 21 -> {
                List<Value> elements = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    elements.add(value(random, depth - 1));
                }
                yield new Value.Array(elements);
            }
            default -> document(random, depth - 1);
        };
    }

    /** The library takes 2 apart, in which a second length stands, and prints letters large. */
    private static final List<Integer> SUBTYPES = List.of(0, 1, 3, 4, 5, 0x80, 0x99);

    private static final List<String> OPTIONS = List.of("", "i", "im", "msx");

    private static Value.Obj document(Random random, int depth) {
        Map<String, Value> properties = new LinkedHashMap<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            properties.put(Samples.pick(random, NAMES), value(random, depth));
        }
        return new Value.Obj(properties);
    }

    private static double real(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextInt(9);
            case 1 ->
                    Samples.pick(
                            random,
                            List.of(
                                    Double.NaN,
                                    Double.POSITIVE_INFINITY,
                                    Double.NEGATIVE_INFINITY,
                                    -0.0));
            case 2 -> random.nextDouble(-10, 10);
            default -> {
                double any = Double.longBitsToDouble(random.nextLong());
                yield Double.isNaN(any) ? 0.5 : any;
            }
        };
    }

    static BsonValue.Decimal decimal(Random random) {
        return switch (random.nextInt(5)) {
            case 0 ->
                    BsonValue.Decimal.parse(
                                    Samples.pick(
                                            random,
                                            List.of("NaN", "Infinity", "-Infinity", "-0", "0E+9")))
                            .orElseThrow();
            case 1 -> BsonValue.Decimal.nearest(BigDecimal.valueOf(random.nextInt(9)));
            case 2 -> BsonValue.Decimal.nearest(new BigDecimal(random.nextDouble(-2, 2)));
            default ->
                    BsonValue.Decimal.nearest(
                            new BigDecimal(
                                    new BigInteger(random.nextInt(1, 112), random),
                                    random.nextInt(-6100, 6100)));
        };
    }

    private static int size(Random random) {
        return random.nextInt(4) == 0 ? random.nextInt(250, 300) : random.nextInt(6);
    }

    private static Bytes bytes(Random random, int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    private static BsonValue.ObjectId objectId(Random random) {
        return new BsonValue.ObjectId(bytes(random, BsonValue.ObjectId.LENGTH));
    }

    private static String pattern(Random random) {
        return text(random).replace("\0", "");
    }

    /** Without halves of surrogate pairs, which BSON refuses. */
    private static String text(Random random) {
        String text = Samples.text(random);
        StringBuilder whole = new StringBuilder();
        text.codePoints()
                .filter(point -> point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE)
                .forEach(whole::appendCodePoint);
        return whole.toString();
    }
}
