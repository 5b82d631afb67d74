package orrery.query.mongo.aggregate;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.document.Value;
import orrery.query.mongo.BsonType;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.expression.ExpressionContext;
import orrery.query.mongo.expression.ValueText;
import orrery.query.mongo.match.Matcher;

/**
 * The words of a {@code $graphLookup}.
 *
 * @param from the collection that is searched
 * @param startWith the values that the search of a document begins with
 * @param connectFrom the field whose values lead on
 * @param connectTo the field that has to be equal to one of them
 * @param as where the documents that are found go
 * @param maxDepth how often the search goes on; unbounded if absent
 * @param depthField where each document says after how many steps it was found
 * @param restriction of what is searched
 */
public record GraphSpec(
        String from,
        Expression startWith,
        FieldPath connectFrom,
        FieldPath connectTo,
        FieldPath as,
        OptionalLong maxDepth,
        Optional<FieldPath> depthField,
        Optional<Value.Obj> restriction,
        ExpressionContext context) {
    static GraphSpec of(Value operand, ExpressionContext context) {
        if (!(operand instanceof Value.Obj(Map<String, Value> parts))) {
            throw MongoCode.failure(
                    40327,
                    "the $graphLookup stage specification must be an object, but found "
                            + BsonType.of(operand).alias());
        }
        Map<String, String> texts = new LinkedHashMap<>();
        OptionalLong maxDepth = OptionalLong.empty();
        for (Map.Entry<String, Value> part : parts.entrySet()) {
            switch (part.getKey()) {
                case "from", "as", "connectFromField", "connectToField", "depthField" ->
                        texts.put(part.getKey(), text(part));
                case "maxDepth" -> maxDepth = depth(part.getValue());
                case "startWith", "restrictSearchWithMatch" -> {}
                default ->
                        throw MongoCode.failure(
                                40104, "Unknown argument to $graphLookup: " + part.getKey());
            }
        }
        Value startWith = parts.get("startWith");
        String from = texts.get("from");
        String connectFrom = texts.get("connectFromField");
        String connectTo = texts.get("connectToField");
        String as = texts.get("as");
        if (startWith == null
                || from == null
                || connectFrom == null
                || connectTo == null
                || as == null) {
            throw MongoCode.failure(
                    40105,
                    "$graphLookup requires 'from', 'as', 'startWith', 'connectFromField', and"
                            + " 'connectToField' to be specified.");
        }
        return new GraphSpec(
                from,
                Expression.compile(startWith, context),
                LookupSpec.path(connectFrom),
                LookupSpec.path(connectTo),
                LookupSpec.path(as),
                maxDepth,
                Optional.ofNullable(texts.get("depthField")).map(LookupSpec::path),
                Optional.ofNullable(parts.get("restrictSearchWithMatch"))
                        .map(filter -> restriction(filter, context)),
                context);
    }

    private static String text(Map.Entry<String, Value> part) {
        if (part.getValue() instanceof Value.Text(String text)) {
            return text;
        }
        throw MongoCode.failure(
                40103,
                "expected string as argument for "
                        + part.getKey()
                        + ", found: "
                        + ValueText.of(part.getValue()));
    }

    private static OptionalLong depth(Value value) {
        if (!MongoOrder.isNumber(value)) {
            throw MongoCode.failure(
                    40100,
                    "maxDepth requires numeric argument, found: " + BsonType.of(value).alias());
        }
        OptionalLong depth = MongoNumbers.whole(value);
        if (depth.isEmpty()) {
            throw MongoCode.failure(
                    40102,
                    "maxDepth could not be represented as a long long: " + ValueText.of(value));
        }
        if (depth.getAsLong() < 0) {
            throw MongoCode.failure(
                    40101,
                    "maxDepth requires a nonnegative argument, found: " + ValueText.of(value));
        }
        return depth;
    }

    private static Value.Obj restriction(Value filter, ExpressionContext context) {
        if (!(filter instanceof Value.Obj restriction)) {
            throw MongoCode.failure(
                    40185,
                    "restrictSearchWithMatch requires an object, found: "
                            + BsonType.of(filter).alias());
        }
        Matcher.compile(restriction, context.matching());
        return restriction;
    }
}
