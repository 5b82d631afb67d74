package orrery.query.mongo;

import com.ibm.icu.text.Collator;
import com.ibm.icu.util.ULocale;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.OrreryException;

/**
 * The order of strings in a language, as a client asks for it with {@code collation}. English is
 * the order that ICU has for all languages that have none of their own.
 */
public final class Collation {
    private static final Value SIMPLE = Value.of("simple");
    private static final Set<Value> ENGLISH = Set.of(Value.of("en"), Value.of("en_US"));

    /** Options with the values that leave an order as it is. */
    private static final Map<String, Value> DEFAULTS =
            Map.of(
                    "caseLevel", Value.of(false),
                    "caseFirst", Value.of("off"),
                    "numericOrdering", Value.of(false),
                    "alternate", Value.of("non-ignorable"),
                    "maxVariable", Value.of("punct"),
                    "normalization", Value.of(false),
                    "backwards", Value.of(false));

    private static final int DEFAULT_STRENGTH = 3;

    /** The library is loaded by the first collation. */
    private static final class English {
        /** The orders by letters, then by accents too, then by case too. */
        static final List<MongoOrder> BY_STRENGTH =
                List.of(
                        order(Collator.PRIMARY),
                        order(Collator.SECONDARY),
                        order(Collator.TERTIARY));

        private static MongoOrder order(int strength) {
            Collator collator = Collator.getInstance(ULocale.ENGLISH);
            collator.setStrength(strength);
            Collator shared = collator.freeze(); // threads may share it then
            return new MongoOrder(
                    new MongoOrder.TextOrder() {
                        @Override
                        public int compare(String left, String right) {
                            return shared.compare(left, right);
                        }

                        /** The bytes of a key are unsigned, and end with a zero. */
                        @Override
                        public String key(String text) {
                            byte[] bytes = shared.getCollationKey(text).toByteArray();
                            return new String(
                                    bytes, 0, bytes.length - 1, StandardCharsets.ISO_8859_1);
                        }
                    });
        }
    }

    private Collation() {}

    /**
     * Returns the order that a collation asks for. An empty document asks for none.
     *
     * @throws orrery.model.OrreryException with MongoDB's code for what is none, or is not
     *     supported
     */
    public static MongoOrder order(Value.Obj collation) {
        Map<String, Value> options = collation.properties();
        if (options.isEmpty()) {
            return MongoOrder.SIMPLE;
        }
        options.forEach(Collation::check);
        Value locale = options.get("locale");
        if (locale == null) {
            throw MongoCode.failure(
                    40414, "BSON field 'collation.locale' is missing but a required field");
        }
        if (locale.equals(SIMPLE)) {
            if (options.size() > 1) {
                throw MongoCode.BAD_VALUE.failure(
                        "a collation with the locale 'simple' has no other options");
            }
            return MongoOrder.SIMPLE;
        }
        return English.BY_STRENGTH.get(
                strength(options.getOrDefault("strength", Value.of(DEFAULT_STRENGTH))) - 1);
    }

    private static void check(String name, Value value) {
        switch (name) {
            case "locale" -> {
                if (!(value instanceof Value.Text)) {
                    throw mismatch(name, "string");
                }
                if (!value.equals(SIMPLE) && !ENGLISH.contains(value)) {
                    throw unsupported(name, value);
                }
            }
            case "strength" -> {
                if (!MongoOrder.isNumber(value)) {
                    throw mismatch(name, "number");
                }
            }
            case "version" -> throw unsupported(name, value);
            default -> {
                Value expected = DEFAULTS.get(name);
                if (expected == null) {
                    throw MongoCode.failure(
                            40415, "BSON field 'collation." + name + "' is an unknown field.");
                }
                if (expected.getClass() != value.getClass()) {
                    throw mismatch(name, expected instanceof Value.Bool ? "bool" : "string");
                }
                if (!expected.equals(value)) {
                    throw unsupported(name, value);
                }
            }
        }
    }

    private static int strength(Value value) {
        OptionalLong strength = MongoNumbers.whole(value);
        if (strength.isEmpty() || strength.getAsLong() < 1 || strength.getAsLong() > 5) {
            throw MongoCode.BAD_VALUE.failure(
                    "Enumeration value '"
                            + JsonText.write(value)
                            + "' for field 'collation.strength' is not a valid value.");
        }
        if (strength.getAsLong() > DEFAULT_STRENGTH) {
            throw unsupported("strength", value);
        }
        return (int) strength.getAsLong();
    }

    private static OrreryException mismatch(String name, String expected) {
        return MongoCode.TYPE_MISMATCH.failure(
                "BSON field 'collation."
                        + name
                        + "' is the wrong type, expected type '"
                        + expected
                        + "'");
    }

    private static OrreryException unsupported(String name, Value value) {
        return MongoCode.BAD_VALUE.failure(
                "the collation option {%s: %s} is not supported"
                        .formatted(name, JsonText.write(value)));
    }
}
