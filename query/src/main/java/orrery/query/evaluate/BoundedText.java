package orrery.query.evaluate;

import java.util.List;
import java.util.Map;
import orrery.document.BsonValue;
import orrery.document.JsonForm;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.model.SizeLimits;
import orrery.query.syntax.QueryError;

/**
 * Builds the text results of functions, and stops before one of them fills the memory: an
 * expression may name a large property thousands of times.
 */
final class BoundedText {
    /** In UTF-16 units: twice the largest item. */
    static final int MAX_LENGTH = SizeLimits.DEFAULT.maxPageBytes();

    /** An item of 2 MB holds at most a million elements. */
    static final int MAX_ELEMENTS = 2 * 1024 * 1024;

    private final StringBuilder text = new StringBuilder();

    BoundedText append(CharSequence more) {
        if (text.length() + (long) more.length() > MAX_LENGTH) {
            throw tooLarge();
        }
        text.append(more);
        return this;
    }

    Value toValue() {
        return Value.of(text.toString());
    }

    static OrreryException tooLarge() {
        return QueryError.engine("The result of an expression is too large.");
    }

    /** Fails if the JSON text of a value would be too long to build. */
    static void checkJson(Value value) {
        addJson(value, 0);
    }

    static long addJson(Value value, long length) {
        long sum = length + 2;
        switch (value) {
            case Value.Text(String text) -> sum += text.length();
            case Value.Array(List<Value> elements) -> {
                for (Value element : elements) {
                    sum = addJson(element, sum);
                }
            }
            case Value.Obj(Map<String, Value> properties) -> {
                for (Map.Entry<String, Value> property : properties.entrySet()) {
                    sum = addJson(property.getValue(), sum + property.getKey().length());
                }
            }
            case Value.Undefined _, Value.Null _, Value.Bool _, Value.Int _, Value.Real _ -> {}
            case BsonValue bson -> sum = addJson(JsonForm.of(bson), length);
        }
        if (sum > MAX_LENGTH) {
            throw tooLarge();
        }
        return sum;
    }
}
