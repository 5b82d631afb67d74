package orrery.query.syntax;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/** The two forms in which the service refuses a query; clients see them word for word. */
public final class QueryError {
    private QueryError() {}

    /**
     * The compiler's form, with a place in the text.
     *
     * @param start zero-based, in UTF-16 units
     * @param end exclusive
     */
    static OrreryException at(int start, int end, String code, String message) {
        return at(start, end, Value.of(code), message);
    }

    /**
     * @param code a text as a rule; the service has a few that are numbers
     */
    static OrreryException at(int start, int end, Value code, String message) {
        Map<String, Value> location = new LinkedHashMap<>();
        location.put("start", Value.of(start));
        location.put("end", Value.of(end));
        Map<String, Value> error = new LinkedHashMap<>();
        error.put("severity", Value.of("Error"));
        error.put("location", new Value.Obj(location));
        error.put("code", code);
        error.put("message", Value.of(message));
        return refusal("errors", new Value.Obj(error));
    }

    /** The compiler's form for the value of a parameter, which has no place in the text. */
    public static OrreryException ofParameter(String code, String message) {
        Map<String, Value> error = new LinkedHashMap<>();
        error.put("severity", Value.of("Error"));
        error.put("code", Value.of(code));
        error.put("message", Value.of(message));
        return refusal("errors", new Value.Obj(error));
    }

    /** The form for a result that holds a number JSON cannot write. */
    public static OrreryException nonFinite() {
        Map<String, Value> error = new LinkedHashMap<>();
        error.put("severity", Value.of("Error"));
        error.put("code", Value.of(4001));
        error.put("message", Value.of("The query result contains a number that is not finite."));
        return refusal(ErrorCode.NON_FINITE_RESULT, "errors", new Value.Obj(error));
    }

    /** The form for an ORDER BY of something that is not a path; its code is a number. */
    public static OrreryException unmappedOrder() {
        Map<String, Value> error = new LinkedHashMap<>();
        error.put("severity", Value.of("Error"));
        error.put("code", Value.of(2206));
        error.put(
                "message",
                Value.of(
                        "Unsupported ORDER BY clause. ORDER BY item expression could not be mapped"
                                + " to a document path."));
        return refusal("errors", new Value.Obj(error));
    }

    /** The engine's form, for what no place in the text is to blame for. */
    public static OrreryException engine(String message) {
        return refusal("Errors", Value.of(message));
    }

    private static OrreryException refusal(String name, Value error) {
        return refusal(ErrorCode.BAD_REQUEST, name, error);
    }

    private static OrreryException refusal(ErrorCode code, String name, Value error) {
        Value body = new Value.Obj(Map.of(name, new Value.Array(List.of(error))));
        return new OrreryException(code, JsonText.write(body));
    }
}
