package orrery.partition.simulated;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.BodyFormat;
import orrery.document.JsonPointer;
import orrery.document.JsonText;
import orrery.document.Patch;
import orrery.document.PatchOperation;
import orrery.document.Value;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.write.Evaluation;
import orrery.query.write.EvaluationPlace;
import orrery.query.write.ItemUpdate;
import orrery.query.write.WriteDialect;

/**
 * A few update operators over documents in BSON: {@code $set}, {@code $inc}, and {@code
 * $setOnInsert} for what a document has that is created. The payload is their JSON form.
 */
final class BsonUpdateDialect extends WriteDialect {
    static final BsonUpdateDialect INSTANCE = new BsonUpdateDialect();

    private BsonUpdateDialect() {
        super(200, 1);
    }

    static Evaluation evaluation(String operators) {
        return INSTANCE.of(Bytes.ofUtf8(operators));
    }

    @Override
    public ItemUpdate read(int version, Bytes payload, EvaluationPlace place) {
        Map<String, Value> operators = properties(JsonText.parse(payload));
        List<PatchOperation> operations = new ArrayList<>();
        Value onInsert = new Value.Obj(Map.of());
        for (Map.Entry<String, Value> operator : operators.entrySet()) {
            switch (operator.getKey()) {
                case "$set" ->
                        properties(operator.getValue())
                                .forEach(
                                        (name, value) ->
                                                operations.add(
                                                        new PatchOperation.Set(path(name), value)));
                case "$inc" ->
                        properties(operator.getValue())
                                .forEach(
                                        (name, value) ->
                                                operations.add(
                                                        new PatchOperation.Increment(
                                                                path(name), value)));
                case "$setOnInsert" -> onInsert = operator.getValue();
                default -> throw bad("There is no operator " + operator.getKey() + ".");
            }
        }
        Patch patch = new Patch(operations);
        BodyFormat format = place.format();
        Bytes created = JsonText.writeBytes(new Value.Obj(properties(onInsert)));
        return present ->
                Optional.of(
                        format.patch(
                                present.map(item -> item.body())
                                        .orElseGet(() -> format.accept(Body.json(created))),
                                patch,
                                place.definition().partitionKey()));
    }

    private static JsonPointer path(String name) {
        return new JsonPointer(List.of(name.split("\\.", -1)));
    }

    private static Map<String, Value> properties(Value value) {
        if (value instanceof Value.Obj(Map<String, Value> properties)) {
            return new LinkedHashMap<>(properties);
        }
        throw bad("An operator takes a document.");
    }

    private static OrreryException bad(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }
}
