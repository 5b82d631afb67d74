package orrery.query.mongo.aggregate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.document.HeapSize;
import orrery.document.Value;
import orrery.query.mongo.BsonType;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.expression.ValueText;
import orrery.query.mongo.expression.Variables;

/**
 * Accumulators that have one value of all. Which documents come first is known only where they are
 * sorted; then a group is made of all of them in one place.
 */
abstract class Chosen implements Accumulator {
    private final Expression input;
    private Value value = Value.Undefined.UNDEFINED;

    /** Whether there was any document, also one without the value. */
    private boolean isAny;

    private Chosen(Expression input) {
        this.input = input;
    }

    /** Returns the value to keep of the one that is there and the next. */
    abstract Value chosen(boolean isFirst, Value present, Value next);

    @Override
    public long add(Variables document) {
        return take(input.evaluate(document));
    }

    private long take(Value next) {
        Value kept = chosen(!isAny, value, next);
        isAny = true;
        if (kept == value) {
            return 0;
        }
        long grown = HeapSize.of(kept) - HeapSize.of(value);
        value = kept;
        return grown;
    }

    /** No element if there was no document, and an empty array for a value that is absent. */
    @Override
    public Value state() {
        if (!isAny) {
            return Value.Null.NULL;
        }
        return new Value.Array(value.isDefined() ? List.of(value) : List.of());
    }

    @Override
    public long merge(Value state) {
        return switch (state) {
            case Value.Null _ -> 0;
            case Value.Array(List<Value> elements) ->
                    take(elements.isEmpty() ? Value.Undefined.UNDEFINED : elements.getFirst());
            default -> throw new IllegalArgumentException("not a chosen value");
        };
    }

    @Override
    public Value result() {
        return value;
    }

    /** {@code $first}. */
    static final class First extends Chosen {
        First(Expression input) {
            super(input);
        }

        @Override
        Value chosen(boolean isFirst, Value present, Value next) {
            return isFirst ? next : present;
        }
    }

    /** {@code $last}. */
    static final class Last extends Chosen {
        Last(Expression input) {
            super(input);
        }

        @Override
        Value chosen(boolean isFirst, Value present, Value next) {
            return next;
        }
    }

    /** {@code $min} and {@code $max}, which see neither null nor what is absent. */
    static final class Extreme extends Chosen {
        private final MongoOrder order;
        private final int sign;

        Extreme(Expression input, MongoOrder order, int sign) {
            super(input);
            this.order = order;
            this.sign = sign;
        }

        @Override
        Value chosen(boolean isFirst, Value present, Value next) {
            if (MongoOrder.isNullish(next)) {
                return present;
            }
            return !present.isDefined() || sign * order.compare(next, present) > 0 ? next : present;
        }
    }

    /** {@code $mergeObjects}. */
    static final class Merged extends Chosen {
        Merged(Expression input) {
            super(input);
        }

        @Override
        Value chosen(boolean isFirst, Value present, Value next) {
            Map<String, Value> fields = new LinkedHashMap<>();
            if (present instanceof Value.Obj(Map<String, Value> before)) {
                fields.putAll(before);
            }
            if (next instanceof Value.Obj(Map<String, Value> more)) {
                fields.putAll(more);
            } else if (!MongoOrder.isNullish(next)) {
                throw MongoCode.failure(
                        40400,
                        "$mergeObjects requires object inputs, but input "
                                + ValueText.of(next)
                                + " is of type "
                                + BsonType.of(next).alias());
            }
            return new Value.Obj(fields);
        }

        @Override
        public Value result() {
            Value merged = super.result();
            return merged.isDefined() ? merged : new Value.Obj(Map.of());
        }
    }
}
