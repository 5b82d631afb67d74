package orrery.frontend.table;

import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import orrery.document.edm.EdmValue;
import orrery.model.Bytes;

/** Generated values and entities. */
final class EntityArbitraries {
    /** The first and the last moment that the API can write. */
    private static final long FIRST_TICKS = 504_911_232_000_000_000L;

    private static final long LAST_TICKS = 3_155_378_975_999_999_999L;

    private EntityArbitraries() {}

    static Arbitrary<EdmValue> values() {
        return Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(10).map(EdmValue.Text::new),
                Arbitraries.integers().map(EdmValue.Int32::new),
                Arbitraries.longs().map(EdmValue.Int64::new),
                Arbitraries.doubles().edgeCases(cases -> cases.add(-0.0)).map(EdmValue.Real::new),
                Arbitraries.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY)
                        .map(EdmValue.Real::new),
                Arbitraries.of(true, false).map(EdmValue.Bool::new),
                Combinators.combine(Arbitraries.longs(), Arbitraries.longs())
                        .as((high, low) -> new EdmValue.Guid(new UUID(high, low))),
                Arbitraries.bytes()
                        .array(byte[].class)
                        .ofMaxSize(20)
                        .map(bytes -> new EdmValue.Binary(Bytes.wrap(bytes))),
                Arbitraries.longs().between(FIRST_TICKS, LAST_TICKS).map(EdmValue.Moment::new));
    }

    static Arbitrary<Entity> entities() {
        Arbitrary<String> keys =
                Arbitraries.strings().withChars("aZ09 '%&+=()é\u00A0\u4E2D.,;:@\"").ofMaxLength(10);
        Arbitrary<String> names =
                Arbitraries.oneOf(
                        Arbitraries.of(
                                "id",
                                "ttl",
                                "_ts",
                                "_etag",
                                "_rid",
                                "_self",
                                "_attachments",
                                "TableName",
                                "partitionKey"),
                        Arbitraries.strings().withChars("aB_é中").ofMinLength(1).ofMaxLength(6));
        Arbitrary<Map<String, EdmValue>> properties =
                Arbitraries.maps(names, values()).ofMaxSize(8);
        return Combinators.combine(keys, keys, properties).as(Entity::new);
    }

    /** The constant as a filter has it. */
    static String literal(EdmValue value) {
        return switch (value) {
            case EdmValue.Text(String text) -> "'" + text.replace("'", "''") + "'";
            case EdmValue.Int32(int number) -> Integer.toString(number);
            case EdmValue.Int64(long number) -> number + "L";
            case EdmValue.Real(double number) -> Double.toString(number);
            case EdmValue.Bool(boolean bool) -> Boolean.toString(bool);
            case EdmValue.Guid(UUID guid) -> "guid'" + guid + "'";
            case EdmValue.Binary(Bytes bytes) ->
                    "X'" + HexFormat.of().formatHex(bytes.unsafeArray()) + "'";
            case EdmValue.Moment moment -> "datetime'" + TableTime.format(moment) + "'";
        };
    }
}
