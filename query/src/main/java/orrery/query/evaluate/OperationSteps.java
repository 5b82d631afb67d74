package orrery.query.evaluate;

import java.util.List;
import java.util.Map;
import orrery.document.BsonValue;
import orrery.document.JsonForm;
import orrery.document.Value;
import orrery.query.syntax.BuiltIn;

/**
 * About how many steps an operation takes, by the size of its operands. A query of half a megabyte
 * may look at a text of two megabytes ten thousand times for a single row, and only the sum of all
 * steps can stop it.
 */
final class OperationSteps {
    /** An operation on operands smaller than this is not worth counting. */
    static final long SMALL = 256;

    /** The least work of a call of a user's function; its time has its own limit. */
    static final long USER_FUNCTION = 50_000;

    /** The work of visiting a value of a tree, in characters of a text. */
    private static final long VISIT = 20;

    private OperationSteps() {}

    static long of(BuiltIn function, Value[] arguments) {
        long sum = 0;
        for (Value argument : arguments) {
            sum += size(argument);
        }
        return switch (function) {
            // Each of the others is looked for in the first.
            case CONTAINS_ALL_CI,
                    CONTAINS_ALL_CS,
                    CONTAINS_ANY_CI,
                    CONTAINS_ANY_CS,
                    ARRAY_CONTAINS,
                    ARRAY_CONTAINS_ALL,
                    ARRAY_CONTAINS_ANY -> {
                long wanted = 0;
                for (int i = 1; i < arguments.length; i++) {
                    wanted += arguments[i] instanceof Value.Text ? 1 : deepSize(arguments[i]);
                }
                yield size(arguments[0]) * wanted;
            }
            case SETDIFFERENCE, SETEQUAL, SETINTERSECT, SETUNION, TOSTRING -> {
                long deep = 0;
                for (Value argument : arguments) {
                    deep += deepSize(argument);
                }
                yield deep * VISIT;
            }
            default -> sum;
        };
    }

    /** Returns the work of a comparison by value: only arrays and objects take more than a step. */
    static long ofComparing(Value left, Value right) {
        boolean isDeep =
                (left instanceof Value.Array && right instanceof Value.Array)
                        || (left instanceof Value.Obj && right instanceof Value.Obj);
        return isDeep ? VISIT * Math.min(deepSize(left), deepSize(right)) : 1;
    }

    static long size(Value value) {
        return switch (value) {
            case Value.Text(String text) -> text.length();
            case Value.Array(List<Value> elements) -> elements.size();
            case Value.Obj(Map<String, Value> properties) -> properties.size();
            case Value.Undefined _, Value.Null _, Value.Bool _, Value.Int _, Value.Real _ -> 1;
            case BsonValue bson -> size(JsonForm.of(bson));
        };
    }

    private static long deepSize(Value value) {
        long sum = 1;
        switch (value) {
            case Value.Text(String text) -> sum += text.length();
            case Value.Array(List<Value> elements) -> {
                for (Value element : elements) {
                    sum += deepSize(element);
                }
            }
            case Value.Obj(Map<String, Value> properties) -> {
                for (Value property : properties.values()) {
                    sum += deepSize(property);
                }
            }
            case Value.Undefined _, Value.Null _, Value.Bool _, Value.Int _, Value.Real _ -> {}
            case BsonValue bson -> sum = deepSize(JsonForm.of(bson));
        }
        return sum;
    }
}
