package orrery.query.mongo.aggregate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.query.mongo.BsonType;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.DocumentStage;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.expression.ExpressionContext;
import orrery.query.mongo.expression.ExpressionReader;
import orrery.query.mongo.expression.Redaction;
import orrery.query.mongo.expression.ValueText;
import orrery.query.mongo.find.SortSpec;
import orrery.query.mongo.match.Matcher;

/**
 * Reads pipelines. Stages that are made of others, such as {@code $count}, become those. It fails
 * with MongoDB's numbers for what is no pipeline, and refuses by name what is not supported.
 */
public final class PipelineReader {
    private static final int MAX_STAGES = 1000;
    private static final Value ONE = Value.of(1);

    /** Stages of MongoDB that are not there yet. */
    private static final Set<String> REFUSED =
            Set.of(
                    "$changeStream",
                    "$changeStreamSplitLargeEvent",
                    "$densify",
                    "$fill",
                    "$geoNear",
                    "$listSampledQueries",
                    "$listSessions",
                    "$planCacheStats",
                    "$setWindowFields",
                    "$shardedDataDistribution");

    /** Stages of Atlas, which a server without its search refuses in a way of its own. */
    private static final Set<String> SEARCH =
            Set.of("$listSearchIndexes", "$search", "$searchMeta", "$vectorSearch");

    /** Stages that have documents of their own, and come first. */
    private static final Set<String> SOURCES =
            Set.of("$collStats", "$indexStats", "$currentOp", "$listLocalSessions");

    private final ExpressionContext context;

    /** The stage whose pipeline is read; empty for that of the command. */
    private final String within;

    public PipelineReader(ExpressionContext context) {
        this(context, "");
    }

    private PipelineReader(ExpressionContext context, String within) {
        this.context = context;
        this.within = within;
    }

    ExpressionContext context() {
        return context;
    }

    /** Reads pipelines inside of a stage, which may see more variables. */
    PipelineReader nested(String stage, Map<String, Value> variables) {
        return new PipelineReader(context.with(variables), stage);
    }

    public Pipeline read(List<Value> stages) {
        if (stages.size() > MAX_STAGES) {
            throw MongoCode.failure(
                    7749501, "Pipeline length must be no longer than " + MAX_STAGES + " stages.");
        }
        List<Stage> read = new ArrayList<>();
        for (int i = 0; i < stages.size(); i++) {
            Map.Entry<String, Value> only = only(stages.get(i));
            requirePlace(only.getKey(), i, stages.size());
            read.addAll(read(only.getKey(), only.getValue()));
        }
        return new Pipeline(read);
    }

    private static Map.Entry<String, Value> only(Value stage) {
        if (!(stage instanceof Value.Obj(Map<String, Value> fields))) {
            throw MongoCode.TYPE_MISMATCH.failure(
                    "Each element of the 'pipeline' array must be an object");
        }
        if (fields.size() != 1) {
            throw MongoCode.failure(
                    40323, "A pipeline stage specification object must contain exactly one field.");
        }
        return fields.entrySet().iterator().next();
    }

    private void requirePlace(String name, int at, int count) {
        boolean isStream = name.equals("$changeStream");
        boolean isFirstOnly = isStream || SOURCES.contains(name) || name.equals("$documents");
        boolean isLastOnly = name.equals("$out") || name.equals("$merge");
        if (within.equals("$facet")
                && (isFirstOnly
                        || isLastOnly
                        || name.equals("$facet")
                        || name.equals("$geoNear"))) {
            throw MongoCode.failure(
                    40600, name + " is not allowed to be used within a $facet stage");
        }
        if (SOURCES.contains(name) && !within.isEmpty()) {
            throw MongoCode.NOT_IMPLEMENTED.failure(
                    name + " is not supported within a " + within + "'s sub-pipeline");
        }
        if (isFirstOnly && at > 0) {
            throw MongoCode.failure(
                    40602, name + " is only valid as the first stage in a pipeline");
        }
        if ((isLastOnly || isStream) && !within.isEmpty()) {
            throw within.equals("$unionWith")
                    ? MongoCode.failure(
                            31441, name + " is not allowed within a $unionWith's sub-pipeline")
                    : MongoCode.failure(
                            51047, name + " is not allowed within a " + within + "'s sub-pipeline");
        }
        if (isLastOnly && at < count - 1) {
            throw MongoCode.failure(40601, name + " can only be the final stage in the pipeline");
        }
    }

    private List<Stage> read(String name, Value operand) {
        Value.Obj source = new Value.Obj(Map.of(name, operand));
        Optional<DocumentStage> made = DocumentStage.find(name, operand, context);
        if (made.isPresent()) {
            return List.of(new Stage.Made(source, made.get()));
        }
        return switch (name) {
            case "$match" -> List.of(match(operand));
            case "$redact" -> List.of(new Stage.Redact(source, Redaction.of(operand, context)));
            case "$unwind" -> List.of(new Stage.Unwind(source, UnwindSpec.of(operand)));
            case "$sort" -> List.of(sort(operand));
            case "$skip" -> List.of(new Stage.Skip(number(name, operand, 5107200)));
            case "$limit" -> List.of(limit(operand));
            case "$group" -> List.of(group(operand));
            case "$count" -> count(operand);
            case "$sortByCount" -> sortByCount(operand);
            case "$bucket" -> List.of(group(Buckets.group(operand, context)), byId());
            case "$bucketAuto" ->
                    List.of(new Stage.BucketAuto(BucketAutoSpec.of(operand, context)));
            case "$sample" -> List.of(sample(operand));
            case "$facet" -> List.of(facet(operand));
            case "$lookup" -> List.of(new Stage.Lookup(LookupSpec.of(operand, this)));
            case "$graphLookup" -> List.of(new Stage.GraphLookup(GraphSpec.of(operand, context)));
            case "$unionWith" -> List.of(unionWith(operand));
            case "$documents" -> List.of(new Stage.Documents(Expression.compile(operand, context)));
            case "$merge" -> List.of(new Stage.Merge(MergeSpec.of(operand)));
            case "$out" -> List.of(out(operand));
            default -> List.of(source(name, operand));
        };
    }

    private static Stage source(String name, Value operand) {
        if (SOURCES.contains(name)) {
            if (operand instanceof Value.Obj options) {
                return new Stage.Source(name, options);
            }
            throw MongoCode.FAILED_TO_PARSE.failure(
                    name
                            + " options must be specified in an object, but found: "
                            + BsonType.of(operand).alias());
        }
        if (REFUSED.contains(name)) {
            throw MongoCode.NOT_IMPLEMENTED.failure(
                    "the pipeline stage " + name + " is not supported");
        }
        if (SEARCH.contains(name)) {
            throw searchNotEnabled("the pipeline stage " + name);
        }
        throw MongoCode.failure(40324, "Unrecognized pipeline stage name: '" + name + "'");
    }

    /** Refuses what is there only with the search of Atlas. */
    public static OrreryException searchNotEnabled(String what) {
        return MongoCode.SEARCH_NOT_ENABLED.failure(
                what + " needs the search of MongoDB Atlas, which this server does not have");
    }

    private Stage match(Value operand) {
        if (!(operand instanceof Value.Obj filter)) {
            throw MongoCode.failure(15959, "the match filter must be an expression in an object");
        }
        return new Stage.Match(filter, Matcher.compile(filter, context.matching()));
    }

    private Stage sort(Value operand) {
        if (!(operand instanceof Value.Obj by)) {
            throw MongoCode.failure(15973, "the $sort key specification must be an object");
        }
        if (by.properties().isEmpty()) {
            throw MongoCode.failure(15976, "$sort stage must have at least one sort key");
        }
        return new Stage.Sort(by, SortSpec.of(by, context.order()));
    }

    private Stage byId() {
        return sort(new Value.Obj(Map.of("_id", ONE)));
    }

    private static long number(String name, Value operand, int code) {
        String complaint =
                !MongoOrder.isNumber(operand)
                        ? "Expected a number in: "
                        : MongoNumbers.whole(operand).isEmpty()
                                ? "Expected an integer: "
                                : MongoNumbers.whole(operand).getAsLong() < 0
                                        ? "Expected a non-negative number in: "
                                        : "";
        if (!complaint.isEmpty()) {
            throw MongoCode.failure(
                    code,
                    "invalid argument to "
                            + name
                            + " stage: "
                            + complaint
                            + ValueText.field(name, operand));
        }
        return MongoNumbers.whole(operand).orElseThrow();
    }

    private static Stage limit(Value operand) {
        long limit = number("$limit", operand, 5107201);
        if (limit == 0) {
            throw MongoCode.failure(15958, "the limit must be positive");
        }
        return new Stage.Limit(limit);
    }

    private Stage group(Value operand) {
        GroupSpec spec = GroupSpec.of(operand, context);
        return new Stage.Group((Value.Obj) operand, spec);
    }

    private List<Stage> count(Value operand) {
        if (!(operand instanceof Value.Text(String field))) {
            throw MongoCode.failure(40156, "the count field must be a non-empty string");
        }
        if (field.isEmpty()) {
            throw MongoCode.failure(40157, "the count field must be a non-empty string");
        }
        if (field.startsWith("$")) {
            throw MongoCode.failure(40158, "the count field cannot be a $-prefixed path");
        }
        if (field.indexOf('\0') >= 0) {
            throw MongoCode.failure(40159, "the count field cannot contain a null byte");
        }
        if (field.contains(".")) {
            throw MongoCode.failure(40160, "the count field cannot contain '.'");
        }
        if (field.equals("_id")) {
            throw MongoCode.failure(9039800, "the count field cannot be '_id'");
        }
        List<Stage> stages = new ArrayList<>();
        stages.add(group(counting(Value.Null.NULL, field)));
        stages.addAll(read("$project", new Value.Obj(Map.of("_id", Value.of(0)))));
        return stages;
    }

    private static Value.Obj counting(Value id, String field) {
        Map<String, Value> group = new LinkedHashMap<>();
        group.put("_id", id);
        group.put(field, new Value.Obj(Map.of("$sum", ONE)));
        return new Value.Obj(group);
    }

    private List<Stage> sortByCount(Value operand) {
        if (operand instanceof Value.Obj && !ExpressionReader.isOperator(operand)) {
            throw MongoCode.failure(
                    40147,
                    "the sortByCount field must be defined as a $-prefixed path or an expression"
                            + " inside an object");
        }
        if (operand instanceof Value.Text(String text) && !text.startsWith("$")) {
            throw MongoCode.failure(
                    40148,
                    "the sortByCount field must be defined as a $-prefixed path or an expression"
                            + " inside an object");
        }
        if (!(operand instanceof Value.Obj) && !(operand instanceof Value.Text)) {
            throw MongoCode.failure(
                    40149, "the sortByCount field must be specified as a string or as an object");
        }
        return List.of(
                group(counting(operand, "count")),
                sort(new Value.Obj(Map.of("count", Value.of(-1)))));
    }

    private static Stage sample(Value operand) {
        if (!(operand instanceof Value.Obj(Map<String, Value> parts))) {
            throw MongoCode.failure(28745, "the $sample stage specification must be an object");
        }
        for (String name : parts.keySet()) {
            if (!name.equals("size")) {
                throw MongoCode.failure(28748, "unrecognized option to $sample: " + name);
            }
        }
        Value size = parts.get("size");
        if (size == null) {
            throw MongoCode.failure(28749, "$sample stage must specify a size");
        }
        if (!MongoOrder.isNumber(size)) {
            throw MongoCode.failure(28746, "size argument to $sample must be a number");
        }
        OptionalLong number = MongoNumbers.truncated(size);
        if (number.isEmpty() || number.getAsLong() <= 0) {
            throw MongoCode.failure(28747, "size argument to $sample must be a positive integer");
        }
        return new Stage.Sample(number.getAsLong());
    }

    private Stage facet(Value operand) {
        if (!(operand instanceof Value.Obj(Map<String, Value> parts)) || parts.isEmpty()) {
            throw MongoCode.failure(
                    40169,
                    "the $facet specification must be a non-empty object, but found: "
                            + ValueText.field("$facet", operand));
        }
        Map<String, Pipeline> pipelines = new LinkedHashMap<>();
        parts.forEach(
                (name, value) -> {
                    if (!(value instanceof Value.Array(List<Value> stages))) {
                        throw MongoCode.failure(
                                40170,
                                "arguments to $facet must be arrays, "
                                        + name
                                        + " is type "
                                        + BsonType.of(value).alias());
                    }
                    if (name.contains(".") || name.startsWith("$") || name.isEmpty()) {
                        throw MongoCode.failure(
                                16410, "a field of $facet cannot be named '" + name + "'");
                    }
                    pipelines.put(name, nested("$facet", Map.of()).read(stages));
                });
        return new Stage.Facet(pipelines);
    }

    private Stage unionWith(Value operand) {
        if (operand instanceof Value.Text(String collection)) {
            return new Stage.UnionWith(collection, List.of());
        }
        if (!(operand instanceof Value.Obj(Map<String, Value> parts))) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "the $unionWith stage specification must be an object or string, but found "
                            + BsonType.of(operand).alias());
        }
        for (String name : parts.keySet()) {
            if (!name.equals("coll") && !name.equals("pipeline")) {
                throw MongoCode.failure(
                        40415, "BSON field '$unionWith." + name + "' is an unknown field.");
            }
        }
        Value pipeline = parts.get("pipeline");
        List<Value> stages = pipeline == null ? List.of() : LookupSpec.stages(pipeline);
        Pipeline read = nested("$unionWith", Map.of()).read(stages);
        boolean hasOwn =
                !read.stages().isEmpty() && read.stages().getFirst() instanceof Stage.Documents;
        return switch (parts.get("coll")) {
            case Value.Text(String collection) -> new Stage.UnionWith(collection, stages);
            case null -> {
                if (!hasOwn) {
                    throw MongoCode.FAILED_TO_PARSE.failure(
                            "$unionWith stage without explicit collection must have a pipeline"
                                    + " with $documents as first stage");
                }
                yield new Stage.UnionWith("", stages);
            }
            case Value other ->
                    throw MongoCode.TYPE_MISMATCH.failure(
                            "BSON field '$unionWith.coll' is the wrong type '"
                                    + BsonType.of(other).alias()
                                    + "', expected type 'string'");
        };
    }

    private static Stage out(Value operand) {
        return switch (operand) {
            case Value.Text(String collection) -> new Stage.Out(Optional.empty(), collection);
            case Value.Obj(Map<String, Value> parts)
                    when parts.size() == 2
                            && parts.get("db") instanceof Value.Text(String database)
                            && parts.get("coll") instanceof Value.Text(String collection) ->
                    new Stage.Out(Optional.of(database), collection);
            case Value.Obj _ ->
                    throw MongoCode.failure(
                            16994,
                            "If an object is passed to $out it must have exactly 2 fields: 'db'"
                                    + " and 'coll'");
            default ->
                    throw MongoCode.failure(
                            16990,
                            "$out only supports a string or object argument, but found "
                                    + BsonType.of(operand).alias());
        };
    }
}
