package orrery.document;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A value of an item or of an expression, whatever encoding it came from. The kinds here are those
 * that JSON has too, and the absent one; {@link BsonValue} has the rest.
 *
 * <p>Code that treats kinds differently switches over them without a default: the compiler then
 * finds it when a kind is added.
 */
public sealed interface Value
        permits BsonValue,
                Value.Undefined,
                Value.Null,
                Value.Bool,
                Value.Real,
                Value.Int,
                Value.Text,
                Value.Array,
                Value.Obj {
    /** Absent: a property that is not there, or an operation that has no result. */
    enum Undefined implements Value {
        UNDEFINED
    }

    enum Null implements Value {
        NULL
    }

    record Bool(boolean value) implements Value {
        private static final Bool TRUE = new Bool(true);
        private static final Bool FALSE = new Bool(false);
    }

    /** A number that is not an exact 64-bit integer, or was computed as a double. */
    record Real(double value) implements Value {}

    /** An integer that fits 64 bits; kept exact through reads, projections and integer sums. */
    record Int(long value) implements Value {}

    record Text(String value) implements Value {}

    record Array(List<Value> elements) implements Value {
        public Array {
            elements = List.copyOf(elements);
        }
    }

    /** Shows the visitor this value and then all that are inside of it. */
    default void visit(Consumer<Value> visitor) {
        visitor.accept(this);
        switch (this) {
            case Array(List<Value> elements) -> elements.forEach(each -> each.visit(visitor));
            case Obj(Map<String, Value> properties) ->
                    properties.values().forEach(each -> each.visit(visitor));
            case BsonValue.ScopedCode(String _, Obj scope) -> scope.visit(visitor);
            case Undefined _, Null _, Bool _, Real _, Int _, Text _, BsonValue _ -> {}
        }
    }

    /** Properties in the order in which they were written. */
    record Obj(Map<String, Value> properties) implements Value {
        public Obj {
            properties = Members.of(properties);
        }

        /** An object of two members with different names. */
        public static Obj of(String first, Value value, String second, Value other) {
            Members.Builder members = new Members.Builder();
            members.put(first, value);
            members.put(second, other);
            return new Obj(members.build());
        }

        /**
         * Returns this object with another value of one property, which stays in its place or
         * stands at the end.
         *
         * @param value undefined for the object without the property
         */
        public Obj with(String name, Value value) {
            return new Obj(Members.of(properties).with(name, value));
        }
    }

    static Value of(boolean value) {
        return value ? Bool.TRUE : Bool.FALSE;
    }

    static Value of(long value) {
        return new Int(value);
    }

    static Value of(String value) {
        return new Text(value);
    }

    /** Integral doubles within 64 bits become integers: 1.0 and 1 are one value. */
    static Value of(double value) {
        if (value == Math.rint(value) && value >= -0x1p63 && value < 0x1p63) {
            return new Int((long) value);
        }
        return new Real(value);
    }

    default boolean isDefined() {
        return !(this instanceof Undefined);
    }

    /** Returns true for the numbers of JSON: SQL sees a decimal as an object. */
    default boolean isNumber() {
        return this instanceof Int || this instanceof Real;
    }

    /** The exact number; only for {@link Int} and finite {@link Real}. */
    default BigDecimal toDecimal() {
        return switch (this) {
            case Int(long value) -> BigDecimal.valueOf(value);
            case Real(double value) -> new BigDecimal(value);
            case Undefined _, Null _, Bool _, Text _, Array _, Obj _, BsonValue _ ->
                    throw new IllegalStateException("not a number");
        };
    }
}
