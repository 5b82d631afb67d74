package orrery.query;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * The body of a request with a SQL query: a text.
 *
 * @param parameters by name, with the {@code @}; one without a value is undefined
 * @param resumeFilter where a client that merges sorted results wants to begin; JSON
 */
public record QueryRequest(
        String query, Map<String, Value> parameters, Optional<Bytes> resumeFilter) {
    private static final Pattern PARAMETER = Pattern.compile("@[\\p{L}_][\\p{L}\\p{N}_]*");

    public QueryRequest {
        parameters = Map.copyOf(parameters);
    }

    public QueryRequest(String query, Map<String, Value> parameters) {
        this(query, parameters, Optional.empty());
    }

    /** Members it does not know are ignored; throws BAD_REQUEST for those it cannot use. */
    public static QueryRequest parse(Bytes body) {
        if (!(JsonText.parse(body) instanceof Value.Obj(Map<String, Value> members)
                && members.get("query") instanceof Value.Text(String query))) {
            throw invalid("The body of a query must be an object with a text named 'query'.");
        }
        Optional<Bytes> resumeFilter =
                Optional.ofNullable(members.get("resumeFilter"))
                        .filter(filter -> filter != Value.Null.NULL)
                        .map(JsonText::writeBytes);
        return switch (members.getOrDefault("parameters", Value.Null.NULL)) {
            case Value.Null _ -> new QueryRequest(query, Map.of(), resumeFilter);
            case Value.Array(List<Value> parameters) ->
                    new QueryRequest(query, parameters(parameters), resumeFilter);
            default -> throw invalid("The parameters of a query must be an array.");
        };
    }

    private static Map<String, Value> parameters(List<Value> list) {
        Map<String, Value> parameters = new HashMap<>();
        for (Value each : list) {
            if (!(each instanceof Value.Obj(Map<String, Value> members)
                    && members.get("name") instanceof Value.Text(String name)
                    && PARAMETER.matcher(name).matches())) {
                throw invalid(
                        "Parameter names should be in the format of symbol '@' followed by a valid"
                                + " identifier");
            }
            Value value = members.getOrDefault("value", Value.Undefined.UNDEFINED);
            if (parameters.put(name, value) != null) {
                throw invalid("Specified duplicate parameter name");
            }
        }
        return parameters;
    }

    private static OrreryException invalid(String message) {
        return new OrreryException(ErrorCode.BAD_REQUEST, message);
    }
}
