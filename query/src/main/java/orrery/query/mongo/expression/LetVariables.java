package orrery.query.mongo.expression;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;

/** The variables of a command: expressions that are evaluated once, before a document is read. */
public final class LetVariables {
    private static final Value NO_DOCUMENT = new Value.Obj(Map.of());

    private LetVariables() {}

    /**
     * Returns the values of variables. One may be made of those before it.
     *
     * @param order compares values
     * @throws orrery.model.OrreryException for a name that is none, and for an expression that
     *     reads a document
     */
    public static Value.Obj evaluated(Value.Obj variables, MongoOrder order, Instant now) {
        Map<String, Value> values = new LinkedHashMap<>();
        variables
                .properties()
                .forEach(
                        (name, expression) -> {
                            Value value = evaluated(expression, values, order, now);
                            if (value.isDefined()) {
                                values.put(ExpressionReader.variableName(name), value);
                            }
                        });
        return new Value.Obj(values);
    }

    private static Value evaluated(
            Value expression, Map<String, Value> before, MongoOrder order, Instant now) {
        if (readsDocument(expression)) {
            throw MongoCode.failure(
                    4890500,
                    "Command let Expression tried to access a field, but this is not allowed"
                            + " because Command let expressions run before the query examines any"
                            + " documents.");
        }
        ExpressionContext context =
                new ExpressionContext(
                        order, new Value.Obj(new LinkedHashMap<>(before)), now, now.toEpochMilli());
        return Expression.compile(expression, context).evaluate(context.variables(NO_DOCUMENT));
    }

    private static boolean readsDocument(Value expression) {
        return switch (expression) {
            case Value.Text(String text) when text.startsWith("$$") ->
                    text.startsWith("$$ROOT") || text.startsWith("$$CURRENT");
            case Value.Text(String text) -> text.startsWith("$");
            case Value.Array(List<Value> elements) ->
                    elements.stream().anyMatch(LetVariables::readsDocument);
            case Value.Obj(Map<String, Value> fields) ->
                    !fields.containsKey("$literal")
                            && fields.values().stream().anyMatch(LetVariables::readsDocument);
            default -> false;
        };
    }
}
