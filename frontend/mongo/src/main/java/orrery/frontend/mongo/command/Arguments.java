package orrery.frontend.mongo.command;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;

/**
 * The fields of a command, or of a document in it, with the types that they must have. A field of
 * another type is refused with the code that the server has for it.
 *
 * @param owner names the command in refusals, such as {@code find} or {@code update.updates}
 */
public record Arguments(String owner, Value.Obj fields) {
    /** Fields that every command may have; what they mean is decided in one place for all. */
    private static final Set<String> COMMON =
            Set.of(
                    "lsid",
                    "txnNumber",
                    "autocommit",
                    "startTransaction",
                    "stmtId",
                    "stmtIds",
                    "readConcern",
                    "writeConcern",
                    "maxTimeMS",
                    "comment",
                    "apiVersion",
                    "apiStrict",
                    "apiDeprecationErrors",
                    "rawData");

    /** Options without an effect here, which nobody reads: they still have to be truths. */
    private static final Set<String> UNREAD_FLAGS =
            Set.of(
                    "allowDiskUse",
                    "allowPartialResults",
                    "authorizedCollections",
                    "authorizedDatabases",
                    "noCursorTimeout",
                    "oplogReplay",
                    "rawData");

    /** Returns true for the fields that every command may have. */
    static boolean isCommon(String name) {
        return COMMON.contains(name);
    }

    /**
     * Refuses fields that this command does not have, and wrong types of those that nobody reads.
     *
     * @param spelling the name of the command, which is a field as well
     */
    public void allow(String spelling, Set<String> known) {
        for (String name : fields.properties().keySet()) {
            if (!name.equals(spelling)
                    && !known.contains(name)
                    && !COMMON.contains(name)
                    && !name.startsWith("$")) {
                throw unknown(name);
            }
            if (UNREAD_FLAGS.contains(name)) {
                flag(name, false);
            }
        }
    }

    /** Refuses fields of a document inside of a command. */
    void allowOnly(Set<String> known) {
        allowOnly(known, Set.of());
    }

    /** Refuses all fields but those of two sets. */
    void allowOnly(Set<String> known, Set<String> others) {
        for (String name : fields.properties().keySet()) {
            if (!known.contains(name) && !others.contains(name)) {
                throw unknown(name);
            }
        }
    }

    private OrreryException unknown(String name) {
        return MongoCode.failure(
                40415, "BSON field '" + owner + "." + name + "' is an unknown field.");
    }

    /** Null counts as absent, as servers have it. */
    Optional<Value> find(String name) {
        return Optional.ofNullable(fields.properties().get(name))
                .filter(value -> value != Value.Null.NULL);
    }

    Optional<String> text(String name) {
        return find(name)
                .map(
                        value ->
                                switch (value) {
                                    case Value.Text(String text) -> text;
                                    default -> throw mismatch(name, value, "string");
                                });
    }

    String requiredText(String name) {
        return text(name).orElseThrow(() -> missing(name));
    }

    Optional<Value.Obj> document(String name) {
        return find(name)
                .map(
                        value ->
                                switch (value) {
                                    case Value.Obj document -> document;
                                    default -> throw mismatch(name, value, "object");
                                });
    }

    Optional<Arguments> inner(String name) {
        return document(name).map(document -> new Arguments(owner + "." + name, document));
    }

    Optional<List<Value>> array(String name) {
        return find(name)
                .map(
                        value ->
                                switch (value) {
                                    case Value.Array(List<Value> elements) -> elements;
                                    default -> throw mismatch(name, value, "array");
                                });
    }

    /** Numbers count as truths too: old shells send 1 for true. */
    boolean flag(String name, boolean absent) {
        Optional<Value> value = find(name);
        if (value.isEmpty()) {
            return absent;
        }
        return switch (value.get()) {
            case Value.Bool(boolean truth) -> truth;
            case Value number when number(number).isPresent() -> number(number).get().signum() != 0;
            default ->
                    throw mismatch(
                            name, value.get(), List.of("bool", "long", "int", "decimal", "double"));
        };
    }

    /** A whole number of any width. */
    OptionalLong whole(String name) {
        Optional<Value> value = find(name);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        Optional<BigDecimal> number = number(value.get());
        if (number.isEmpty()) {
            throw mismatch(name, value.get(), List.of("long", "int", "decimal", "double"));
        }
        try {
            return OptionalLong.of(number.get().longValueExact());
        } catch (ArithmeticException notWhole) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "Expected an integer for field '" + name + "' of " + owner);
        }
    }

    /** A whole number that is not negative. */
    OptionalLong count(String name) {
        OptionalLong number = whole(name);
        if (number.isPresent() && number.getAsLong() < 0) {
            throw MongoCode.failure(
                    51024,
                    "BSON field '"
                            + name
                            + "' value must be >= 0, actual value '"
                            + number.getAsLong()
                            + "'");
        }
        return number;
    }

    OptionalInt size(String name) {
        OptionalLong number = count(name);
        return number.isPresent()
                ? OptionalInt.of((int) Math.min(Integer.MAX_VALUE, number.getAsLong()))
                : OptionalInt.empty();
    }

    /** Empty for what is no finite number. */
    static Optional<BigDecimal> number(Value value) {
        return switch (value) {
            case Value.Int _ -> Optional.of(value.toDecimal());
            case Value.Real(double number) when Double.isFinite(number) ->
                    Optional.of(value.toDecimal());
            case BsonValue.Int64(long number) -> Optional.of(BigDecimal.valueOf(number));
            case BsonValue.Decimal decimal when decimal.isFinite() ->
                    Optional.of(decimal.toBigDecimal());
            default -> Optional.empty();
        };
    }

    OrreryException missing(String name) {
        return MongoCode.failure(
                40414, "BSON field '" + owner + "." + name + "' is missing but a required field");
    }

    OrreryException mismatch(String name, Value value, String expected) {
        return mismatchOf(name, value, "expected type '" + expected + "'");
    }

    private OrreryException mismatch(String name, Value value, List<String> expected) {
        return mismatchOf(name, value, "expected types '" + expected + "'");
    }

    private OrreryException mismatchOf(String name, Value value, String expectation) {
        return MongoCode.TYPE_MISMATCH.failure(
                "BSON field '"
                        + owner
                        + "."
                        + name
                        + "' is the wrong type '"
                        + TypeNames.of(value)
                        + "', "
                        + expectation);
    }

    Map<String, Value> properties() {
        return fields.properties();
    }
}
