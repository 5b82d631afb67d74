package orrery.frontend.gremlin.traversal.graph;

import java.math.BigInteger;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.document.Value;

/** The values of properties: texts, numbers and booleans. */
public final class GraphValues {
    private GraphValues() {}

    /**
     * Returns the value as a traversal sees it. JSON does not tell the types of numbers apart: a
     * whole one is an Integer if it fits, else a Long, and any other a Double. Empty for what no
     * property can have.
     */
    static Optional<Object> shown(Value stored) {
        return switch (stored) {
            case Value.Text(String text) -> Optional.of(text);
            case Value.Bool(boolean truth) -> Optional.of(truth);
            case Value.Int(long number) ->
                    (int) number == number ? Optional.of((int) number) : Optional.of(number);
            case Value.Real(double number) -> Optional.of(number);
            default -> Optional.empty();
        };
    }

    /** Returns the form in which a value is kept; empty for what no property can have. */
    public static Optional<Value> find(Object value) {
        return switch (value) {
            case String text -> Optional.of(Value.of(text));
            case Boolean truth -> Optional.of(Value.of(truth));
            case Byte number -> Optional.of(Value.of(number.longValue()));
            case Short number -> Optional.of(Value.of(number.longValue()));
            case Integer number -> Optional.of(Value.of(number.longValue()));
            case Long number -> Optional.of(Value.of(number));
            case BigInteger number when number.bitLength() < Long.SIZE ->
                    Optional.of(Value.of(number.longValue()));
            case Double number when Double.isFinite(number) -> Optional.of(Value.of(number));
            // The digits that a client wrote, and not those of the nearest double.
            case Float number when Float.isFinite(number) ->
                    Optional.of(Value.of(Double.parseDouble(number.toString())));
            default -> Optional.empty();
        };
    }

    /**
     * Returns the form in which a value is kept.
     *
     * @throws IllegalArgumentException for what no property can have, as TinkerPop's graphs do
     */
    static Value stored(String key, Object value) {
        return find(value)
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "The value of property '"
                                                + key
                                                + "' is of type "
                                                + value.getClass().getSimpleName()
                                                + ". A property has a text, a number or a boolean;"
                                                + " a list of values is written with"
                                                + " property(list, key, value)."));
    }

    /** Shows a value as clients write it in a traversal. */
    static String show(Value value) {
        return value instanceof Value.Text(String text) ? "'" + text + "'" : JsonText.write(value);
    }
}
