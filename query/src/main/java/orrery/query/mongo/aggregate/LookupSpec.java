package orrery.query.mongo.aggregate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.query.mongo.BsonType;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.expression.ExpressionContext;
import orrery.query.mongo.expression.ExpressionReader;
import orrery.query.mongo.expression.ValueText;

/**
 * What {@code $lookup} says.
 *
 * @param from the other collection; absent where the pipeline begins with documents of its own
 * @param fields whose values are to be equal, if any
 * @param let variables for the pipeline, made of a document
 * @param pipeline over the other collection; empty for its documents as they are
 * @param as where they go
 */
public record LookupSpec(
        Optional<String> from,
        Optional<Fields> fields,
        Map<String, Expression> let,
        List<Value> pipeline,
        FieldPath as,
        ExpressionContext context) {
    /** The fields of a document and of those of the other collection. */
    public record Fields(FieldPath local, FieldPath foreign) {}

    static LookupSpec of(Value operand, PipelineReader reader) {
        if (!(operand instanceof Value.Obj(Map<String, Value> parts))) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "the $lookup stage specification must be an object, but found "
                            + BsonType.of(operand).alias());
        }
        Map<String, String> texts = new LinkedHashMap<>();
        Map<String, Expression> let = new LinkedHashMap<>();
        Optional<List<Value>> pipeline = Optional.empty();
        for (Map.Entry<String, Value> part : parts.entrySet()) {
            switch (part.getKey()) {
                case "from", "localField", "foreignField", "as" ->
                        texts.put(part.getKey(), text(part));
                case "let" -> let.putAll(variables(part, reader.context()));
                case "pipeline" -> pipeline = Optional.of(stages(part.getValue()));
                default ->
                        throw MongoCode.FAILED_TO_PARSE.failure(
                                "unknown argument to $lookup: " + part.getKey());
            }
        }
        if (!texts.containsKey("as")) {
            throw MongoCode.FAILED_TO_PARSE.failure("must specify 'as' field for a $lookup");
        }
        String local = texts.get("localField");
        String foreign = texts.get("foreignField");
        if ((local == null) != (foreign == null)) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "$lookup requires both or neither of 'localField' and 'foreignField' to be"
                            + " specified");
        }
        if (pipeline.isEmpty() && (local == null || !let.isEmpty())) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    let.isEmpty()
                            ? "$lookup requires either 'pipeline' or both 'localField' and"
                                    + " 'foreignField' to be specified"
                            : "$lookup with a 'let' argument must also specify 'pipeline'");
        }
        List<Value> stages = pipeline.orElse(List.of());
        Map<String, Value> names = new LinkedHashMap<>();
        let.keySet().forEach(name -> names.put(name, Value.Null.NULL));
        Pipeline inner = reader.nested("$lookup", names).read(stages);
        boolean hasOwn =
                !inner.stages().isEmpty() && inner.stages().getFirst() instanceof Stage.Documents;
        if (!hasOwn && !texts.containsKey("from")) {
            throw MongoCode.FAILED_TO_PARSE.failure("must specify 'pipeline' when 'from' is empty");
        }
        return new LookupSpec(
                Optional.ofNullable(texts.get("from")),
                local == null || foreign == null
                        ? Optional.empty()
                        : Optional.of(new Fields(path(local), path(foreign))),
                let,
                stages,
                path(texts.getOrDefault("as", "")),
                reader.context());
    }

    private static String text(Map.Entry<String, Value> part) {
        if (part.getValue() instanceof Value.Text(String text)) {
            return text;
        }
        throw MongoCode.FAILED_TO_PARSE.failure(
                "$lookup argument '%s' must be a string, found %s: %s"
                        .formatted(
                                ValueText.field(part.getKey(), part.getValue()),
                                part.getKey(),
                                BsonType.of(part.getValue()).alias()));
    }

    private static Map<String, Expression> variables(
            Map.Entry<String, Value> part, ExpressionContext context) {
        if (!(part.getValue() instanceof Value.Obj(Map<String, Value> given))) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "$lookup argument '%s' must be an object, is type %s"
                            .formatted(
                                    ValueText.field("let", part.getValue()),
                                    BsonType.of(part.getValue()).alias()));
        }
        Map<String, Expression> let = new LinkedHashMap<>();
        given.forEach(
                (name, value) ->
                        let.put(
                                ExpressionReader.variableName(name),
                                Expression.compile(value, context)));
        return let;
    }

    static List<Value> stages(Value value) {
        if (value instanceof Value.Array(List<Value> stages)) {
            return stages;
        }
        throw MongoCode.TYPE_MISMATCH.failure("'pipeline' option must be specified as an array");
    }

    static FieldPath path(String dotted) {
        if (dotted.startsWith("$")) {
            throw MongoCode.failure(
                    16410,
                    "FieldPath field names may not start with '$'. Consider using $getField or"
                            + " $setField.");
        }
        FieldPath path = FieldPath.of(dotted);
        if (path.parts().contains("")) {
            throw dotted.isEmpty()
                    ? MongoCode.failure(40352, "FieldPath cannot be constructed with empty string")
                    : MongoCode.failure(15998, "FieldPath field names may not be empty strings.");
        }
        return path;
    }
}
