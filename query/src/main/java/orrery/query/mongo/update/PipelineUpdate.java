package orrery.query.mongo.update;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.expression.DocumentStage;
import orrery.query.mongo.expression.ExpressionContext;

/** An update by stages of the aggregation pipeline, each of which makes one document of another. */
record PipelineUpdate(List<DocumentStage> stages) implements DocumentUpdate {
    /** Stages that exist and make no document of one document. */
    private static final Set<String> OTHERS =
            Set.of(
                    "$match",
                    "$group",
                    "$sort",
                    "$limit",
                    "$skip",
                    "$unwind",
                    "$count",
                    "$sortByCount",
                    "$lookup",
                    "$facet",
                    "$bucket",
                    "$bucketAuto",
                    "$sample",
                    "$out",
                    "$merge",
                    "$redact",
                    "$collStats",
                    "$indexStats",
                    "$changeStream",
                    "$geoNear",
                    "$unionWith",
                    "$documents",
                    "$currentOp",
                    "$graphLookup",
                    "$setWindowFields",
                    "$densify",
                    "$fill");

    PipelineUpdate {
        stages = List.copyOf(stages);
    }

    static PipelineUpdate of(List<Value> pipeline, UpdateContext context) {
        ExpressionContext expressions = ExpressionContext.of(context.matching());
        List<DocumentStage> stages = new ArrayList<>();
        for (Value each : pipeline) {
            Map<String, Value> stage = UpdateSpec.stage(each).properties();
            if (stage.size() != 1) {
                throw MongoCode.failure(
                        40323,
                        "A pipeline stage specification object must contain exactly one field.");
            }
            Map.Entry<String, Value> only = stage.entrySet().iterator().next();
            stages.add(
                    DocumentStage.find(only.getKey(), only.getValue(), expressions)
                            .orElseThrow(() -> refused(only.getKey())));
        }
        return new PipelineUpdate(stages);
    }

    private static RuntimeException refused(String name) {
        return OTHERS.contains(name)
                ? MongoCode.INVALID_OPTIONS.failure(
                        name + " is not allowed to be used within an update")
                : MongoCode.failure(40324, "Unrecognized pipeline stage name: '" + name + "'");
    }

    /** A document that lost its {@code _id} on the way gets it back, in front. */
    @Override
    public Optional<Value.Obj> apply(Value.Obj document, OptionalInt found, boolean isInsert) {
        Value.Obj next = document;
        for (DocumentStage stage : stages) {
            next = stage.apply(next);
        }
        Value id = document.properties().get(MongoUpdate.ID);
        if (id != null && !next.properties().containsKey(MongoUpdate.ID)) {
            Map<String, Value> fields = new LinkedHashMap<>();
            fields.put(MongoUpdate.ID, id);
            fields.putAll(next.properties());
            next = new Value.Obj(fields);
        }
        return Identity.isSame(document, next) ? Optional.empty() : Optional.of(next);
    }

    @Override
    public boolean names(UpdatePath field) {
        return false;
    }
}
