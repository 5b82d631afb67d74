package orrery.query.mongo.update;

import java.util.List;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.Numbers;
import orrery.query.mongo.expression.TypeNames;
import orrery.query.mongo.expression.ValueText;

/** Makes a new value of the one at a path. */
sealed interface FieldOperator permits FieldOperator.Plain, ArrayOperator {
    /**
     * @param present undefined if nothing is there
     * @return undefined if nothing shall be there
     */
    Value apply(Value present, Field field);

    /**
     * The field that is changed, for decisions and messages.
     *
     * @param name the last part of its path
     * @param id the {@code _id} of the document
     * @param isInsert whether the document is new
     */
    record Field(String path, String name, Value id, boolean isInsert) {
        String document() {
            return "{" + ValueText.field("_id", id) + "}";
        }
    }

    /** The operators that do not look into arrays. */
    sealed interface Plain extends FieldOperator {}

    record Set(Value value) implements Plain {
        @Override
        public Value apply(Value present, Field field) {
            return value;
        }
    }

    record SetOnInsert(Value value) implements Plain {
        @Override
        public Value apply(Value present, Field field) {
            return field.isInsert() ? value : present;
        }
    }

    record Unset() implements Plain {
        @Override
        public Value apply(Value present, Field field) {
            return Value.Undefined.UNDEFINED;
        }
    }

    /**
     * @param sign 1 for the greater of both, -1 for the smaller
     */
    record Extreme(Value value, int sign, MongoOrder order) implements Plain {
        @Override
        public Value apply(Value present, Field field) {
            return present.isDefined() && sign * order.compare(value, present) <= 0
                    ? present
                    : value;
        }
    }

    /** Adds or multiplies. */
    record Arithmetic(String name, Value operand) implements Plain {
        static final String INC = "$inc";

        @Override
        public Value apply(Value present, Field field) {
            boolean isSum = name.equals(INC);
            if (!present.isDefined()) {
                return isSum
                        ? operand
                        : Numbers.multiply(Value.of(0), operand, Numbers.Overflow.NONE);
            }
            if (!Numbers.isNumber(present)) {
                throw MongoCode.TYPE_MISMATCH.failure(
                        "Cannot apply %s to a value of non-numeric type. %s has the field '%s' of non-numeric type %s"
                                .formatted(
                                        name,
                                        field.document(),
                                        field.name(),
                                        TypeNames.of(present)));
            }
            Value result =
                    isSum
                            ? Numbers.add(present, operand, Numbers.Overflow.NONE)
                            : Numbers.multiply(present, operand, Numbers.Overflow.NONE);
            if (!result.isDefined()) {
                throw MongoCode.BAD_VALUE.failure(
                        "Failed to apply %s operations to current value ((%s)%s) for document %s"
                                .formatted(
                                        name,
                                        Numbers.width(present) == Numbers.Width.INT
                                                ? "NumberInt"
                                                : "NumberLong",
                                        ValueText.of(present),
                                        field.document()));
            }
            return result;
        }
    }

    /** Combines bits with each of its operands in turn. */
    record Bits(List<Step> steps) implements Plain {
        record Step(Rule rule, Value operand) {}

        enum Rule {
            AND,
            OR,
            XOR
        }

        public Bits {
            steps = List.copyOf(steps);
        }

        @Override
        public Value apply(Value present, Field field) {
            if (present.isDefined() && !Numbers.isInteger(present)) {
                throw MongoCode.BAD_VALUE.failure(
                        "Cannot apply $bit to a value of non-integral type.%s has the field %s of non-integer type %s"
                                .formatted(field.document(), field.name(), TypeNames.of(present)));
            }
            Value value = present.isDefined() ? present : Value.of(0);
            for (Step step : steps) {
                value = combined(value, step);
            }
            return value;
        }

        private static Value combined(Value left, Step step) {
            long a = Numbers.toLong(left);
            long b = Numbers.toLong(step.operand());
            long bits =
                    switch (step.rule()) {
                        case AND -> a & b;
                        case OR -> a | b;
                        case XOR -> a ^ b;
                    };
            boolean isNarrow =
                    Numbers.width(left) == Numbers.Width.INT
                            && Numbers.width(step.operand()) == Numbers.Width.INT;
            return isNarrow ? Value.of(bits) : Numbers.int64(bits);
        }
    }

    /** The time as a date or a timestamp. */
    static FieldOperator currentDate(Value operand, UpdateContext context) {
        if (operand instanceof Value.Bool) {
            return new Set(new BsonValue.DateTime(context.now().toEpochMilli()));
        }
        if (!(operand instanceof Value.Obj(var options))) {
            throw MongoCode.BAD_VALUE.failure(
                    TypeNames.of(operand)
                            + " is not valid type for $currentDate. Please use a boolean ('true')"
                            + " or a $type expression ({$type: 'timestamp/date'}).");
        }
        for (String option : options.keySet()) {
            if (!option.equals("$type")) {
                throw MongoCode.BAD_VALUE.failure("Unrecognized $currentDate option: " + option);
            }
        }
        return switch (options.get("$type")) {
            case Value.Text(String type) when type.equals("date") ->
                    new Set(new BsonValue.DateTime(context.now().toEpochMilli()));
            case Value.Text(String type) when type.equals("timestamp") ->
                    new Set(context.timestamp());
            case null, default ->
                    throw MongoCode.BAD_VALUE.failure(
                            "The '$type' string field is required to be 'date' or 'timestamp':"
                                    + " {$currentDate: {field : {$type: 'date'}}}");
        };
    }
}
