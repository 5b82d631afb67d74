package orrery.document;

import java.util.Base64;
import java.util.HexFormat;
import orrery.model.KeyComponent;

/**
 * Names values of BSON where keys are text: an {@code _id} as the id in SQL, and a component of a
 * partition key.
 */
final class BsonRowKey {
    private static final int MAX_PLAIN = 255;
    private static final String TEXT_MARK = "s:";
    private static final String OTHER_MARK = "k:";

    private BsonRowKey() {}

    /**
     * An ObjectId is its 24 digits, and a string is itself. A string that could be taken for
     * another form gets a mark. All else, and a string that no address can hold, is a mark and its
     * canonical bytes. Values that MongoDB compares as equal have one name.
     */
    static String text(Value value) {
        return switch (value) {
            case BsonValue.ObjectId id -> HexFormat.of().formatHex(id.value().unsafeArray());
            case Value.Text(String text) when isAddress(text) ->
                    isAmbiguous(text) ? TEXT_MARK + text : text;
            case Value.Text _,
                    Value.Undefined _,
                    Value.Null _,
                    Value.Bool _,
                    Value.Int _,
                    Value.Real _,
                    Value.Array _,
                    Value.Obj _,
                    BsonValue _ ->
                    OTHER_MARK
                            + Base64.getUrlEncoder()
                                    .withoutPadding()
                                    .encodeToString(UniqueValues.canonical(value));
        };
    }

    private static boolean isAddress(String text) {
        return !text.isEmpty()
                && text.length() <= MAX_PLAIN
                && text.chars()
                        .noneMatch(
                                unit -> unit == '/' || unit == '\\' || unit == '?' || unit == '#');
    }

    private static boolean isAmbiguous(String text) {
        return text.startsWith(TEXT_MARK)
                || text.startsWith(OTHER_MARK)
                || (text.length() == 2 * BsonValue.ObjectId.LENGTH
                        && text.chars().allMatch(HexFormat::isHexDigit));
    }

    /**
     * All widths of a number are one component, as they compare equal. Kinds that keys do not have
     * become the text of their JSON form, so that every client can name them.
     */
    static KeyComponent component(Value value) {
        return switch (value) {
            case Value.Undefined _, Value.Array _ -> KeyComponent.UNDEFINED;
            case Value.Null _, BsonValue.Undef _ -> KeyComponent.NULL;
            case Value.Bool(boolean truth) -> truth ? KeyComponent.TRUE : KeyComponent.FALSE;
            case Value.Int(long number) -> new KeyComponent.Numeric((double) number);
            case BsonValue.Int64(long number) -> new KeyComponent.Numeric((double) number);
            case Value.Real(double number) -> number(number, value);
            case BsonValue.Decimal decimal ->
                    number(
                            decimal.isFinite() ? decimal.toBigDecimal().doubleValue() : Double.NaN,
                            value);
            case Value.Text(String text) -> new KeyComponent.Text(text);
            case BsonValue.Symbol(String name) -> new KeyComponent.Text(name);
            case Value.Obj _, BsonValue _ -> tagged(value);
        };
    }

    private static KeyComponent number(double number, Value value) {
        return Double.isFinite(number)
                ? new KeyComponent.Numeric(number + 0.0) // no negative zero
                : tagged(value);
    }

    private static KeyComponent tagged(Value value) {
        return new KeyComponent.Text(JsonText.write(JsonForm.of(value)));
    }
}
