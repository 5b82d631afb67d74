package orrery.frontend.table;

import com.fasterxml.jackson.core.JsonToken;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import orrery.document.edm.EdmType;
import orrery.document.edm.EdmValue;
import orrery.model.Bytes;

/** Values of properties in the JSON of requests, with the type that an annotation gives them. */
final class EntityValues {
    private static final int GUID_LENGTH = 36;

    private EntityValues() {}

    /**
     * A value as it stands in JSON.
     *
     * @param text the string, the digits or the word
     */
    record Raw(JsonToken token, String text) {}

    /**
     * Gives a value its type: that of its annotation, or the one that JSON means by it. A number
     * without a fraction is an Int32 if it fits, and else a Double, as in the libraries of OData.
     *
     * @param annotation the text behind {@code @odata.type}, null where there is none
     */
    static EdmValue typed(String name, Raw raw, @Nullable String annotation) {
        if (annotation == null) {
            return untyped(raw).orElseThrow(() -> mismatch(name, "JSON value"));
        }
        EdmType type =
                EdmType.ofText(annotation)
                        .orElseThrow(
                                () ->
                                        TableException.of(
                                                TableErrorCode.INVALID_VALUE_TYPE,
                                                "'"
                                                        + name
                                                        + "' has the type '"
                                                        + annotation
                                                        + "', which does not exist."));
        return typed(raw, type).orElseThrow(() -> mismatch(name, annotation));
    }

    private static TableException mismatch(String name, String type) {
        return TableException.of(
                TableErrorCode.INVALID_INPUT,
                "The value of '" + name + "' is not a possible " + type + ".");
    }

    private static Optional<EdmValue> untyped(Raw raw) {
        return switch (raw.token()) {
            case VALUE_STRING -> Optional.of(new EdmValue.Text(raw.text()));
            case VALUE_TRUE -> Optional.of(new EdmValue.Bool(true));
            case VALUE_FALSE -> Optional.of(new EdmValue.Bool(false));
            case VALUE_NUMBER_INT -> {
                Optional<EdmValue> small = int32(raw.text());
                yield small.isPresent() ? small : real(raw.text());
            }
            case VALUE_NUMBER_FLOAT -> real(raw.text());
            default -> Optional.empty();
        };
    }

    private static Optional<EdmValue> typed(Raw raw, EdmType type) {
        boolean isText = raw.token() == JsonToken.VALUE_STRING;
        boolean isInteger = raw.token() == JsonToken.VALUE_NUMBER_INT;
        return switch (type) {
            case STRING -> isText ? Optional.of(new EdmValue.Text(raw.text())) : Optional.empty();
            case INT32 -> isText || isInteger ? int32(raw.text()) : Optional.empty();
            case INT64 -> isText || isInteger ? int64(raw.text()) : Optional.empty();
            case DOUBLE -> isText ? realText(raw.text()) : number(raw);
            case BOOLEAN -> bool(raw);
            case DATETIME ->
                    isText
                            ? TableTime.parse(raw.text()).map(EdmValue.class::cast)
                            : Optional.empty();
            case GUID -> isText ? guid(raw.text()).map(EdmValue.class::cast) : Optional.empty();
            case BINARY -> isText ? binary(raw.text()) : Optional.empty();
        };
    }

    private static Optional<EdmValue> number(Raw raw) {
        return raw.token() == JsonToken.VALUE_NUMBER_INT
                        || raw.token() == JsonToken.VALUE_NUMBER_FLOAT
                ? real(raw.text())
                : Optional.empty();
    }

    /** Clients write booleans as strings too, where they say the type. */
    private static Optional<EdmValue> bool(Raw raw) {
        return switch (raw.text().toLowerCase(Locale.ROOT)) {
            case "true" -> Optional.of(new EdmValue.Bool(true));
            case "false" -> Optional.of(new EdmValue.Bool(false));
            default -> Optional.empty();
        };
    }

    private static Optional<EdmValue> int32(String digits) {
        OptionalLong number = integer(digits);
        return number.isPresent() && number.getAsLong() == (int) number.getAsLong()
                ? Optional.of(new EdmValue.Int32((int) number.getAsLong()))
                : Optional.empty();
    }

    private static Optional<EdmValue> int64(String digits) {
        OptionalLong number = integer(digits);
        return number.isPresent()
                ? Optional.of(new EdmValue.Int64(number.getAsLong()))
                : Optional.empty();
    }

    private static OptionalLong integer(String digits) {
        try {
            return !digits.isEmpty() && hasOnly("-", digits)
                    ? OptionalLong.of(Long.parseLong(digits))
                    : OptionalLong.empty();
        } catch (NumberFormatException outOfRange) {
            return OptionalLong.empty();
        }
    }

    /** Returns true if a text has only digits and these signs. */
    private static boolean hasOnly(String signs, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && signs.indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Digits of JSON; beyond the range of a double they are none. A zero loses its sign here, as it
     * does where it is stored, so that an insert answers with what is there.
     */
    private static Optional<EdmValue> real(String digits) {
        double value = Double.parseDouble(digits) + 0.0;
        return Double.isFinite(value) ? Optional.of(new EdmValue.Real(value)) : Optional.empty();
    }

    private static Optional<EdmValue> realText(String text) {
        return switch (text) {
            case "NaN" -> Optional.of(new EdmValue.Real(Double.NaN));
            case "Infinity", "INF" -> Optional.of(new EdmValue.Real(Double.POSITIVE_INFINITY));
            case "-Infinity", "-INF" -> Optional.of(new EdmValue.Real(Double.NEGATIVE_INFINITY));
            default -> isDecimal(text) ? real(text) : Optional.empty();
        };
    }

    /** Java reads more than digits as a number, such as a type behind them. */
    private static boolean isDecimal(String text) {
        if (!hasOnly("+-.eE", text)) {
            return false;
        }
        try {
            Double.parseDouble(text);
            return true;
        } catch (NumberFormatException notANumber) {
            return false;
        }
    }

    static Optional<EdmValue.Guid> guid(String text) {
        if (text.length() != GUID_LENGTH) {
            return Optional.empty();
        }
        try {
            UUID guid = UUID.fromString(text);
            // Java takes dashes at other places too.
            return guid.toString().equalsIgnoreCase(text)
                    ? Optional.of(new EdmValue.Guid(guid))
                    : Optional.empty();
        } catch (IllegalArgumentException notAGuid) {
            return Optional.empty();
        }
    }

    private static Optional<EdmValue> binary(String base64) {
        try {
            return Optional.of(new EdmValue.Binary(Bytes.wrap(Base64.getDecoder().decode(base64))));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }
}
