package orrery.query.mongo.update;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.BsonCodec;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.query.mongo.MongoCode;

/**
 * An update as a client sent it. Everything that the evaluation depends on besides the item is in
 * here, so that evaluating it again comes to the same.
 *
 * @param query the filter; an item that does not match it is left alone
 * @param update a document of operators, a replacement, or an array that is a pipeline
 * @param arrayFilters conditions on elements, for paths with {@code $[name]}
 * @param let variables for expressions, by name without dollars; those of a pipeline's own
 *     constants are among them
 * @param collation the document that describes it; absent for the simple one
 * @param newId the {@code _id} of a document that is made because there was none, unless query or
 *     update have one. Absent if the update may not create.
 * @param now the time for {@code $currentDate} and {@code $$NOW}
 * @param timestamp the same as a timestamp of its own
 */
public record UpdateSpec(
        Value.Obj query,
        Value update,
        List<Value.Obj> arrayFilters,
        Value.Obj let,
        Optional<Value.Obj> collation,
        Optional<Value> newId,
        Instant now,
        BsonValue.Timestamp timestamp) {
    private static final int DOCUMENT = 1;
    private static final int PIPELINE = 2;

    public UpdateSpec {
        arrayFilters = List.copyOf(arrayFilters);
    }

    /** An update without filters of elements, variables and collation. */
    public static UpdateSpec of(Value.Obj query, Value update, Optional<Value> newId, Instant now) {
        return new UpdateSpec(
                query,
                update,
                List.of(),
                new Value.Obj(Map.of()),
                Optional.empty(),
                newId,
                now,
                new BsonValue.Timestamp((int) now.getEpochSecond(), 1));
    }

    /** Returns true for an update that replaces the document. */
    public boolean isReplacement() {
        return update instanceof Value.Obj(Map<String, Value> fields)
                && (fields.isEmpty() || !fields.keySet().iterator().next().startsWith("$"));
    }

    /** Makes the change ready; throws for what cannot be one. */
    DocumentUpdate read(UpdateContext context) {
        return switch (update) {
            case Value.Array(List<Value> stages) -> {
                requireNoFilters("arrayFilters may not be specified for pipeline-syle updates");
                yield PipelineUpdate.of(stages, context);
            }
            case Value.Obj document when isReplacement() -> {
                requireNoFilters("arrayFilters may not be specified for replacement-style updates");
                yield ReplacementUpdate.of(document, context);
            }
            case Value.Obj document -> OperatorReader.read(document, arrayFilters, context);
            default -> throw noUpdate();
        };
    }

    private void requireNoFilters(String complaint) {
        if (!arrayFilters.isEmpty()) {
            throw MongoCode.FAILED_TO_PARSE.failure(complaint);
        }
    }

    /** The payload of the dialect, version 1. */
    Bytes encode() {
        BinaryWriter out = new BinaryWriter().bytes(BsonCodec.write(query));
        switch (update) {
            case Value.Array(List<Value> stages) ->
                    out.u8(PIPELINE)
                            .list(stages, (w, stage) -> w.bytes(BsonCodec.write(stage(stage))));
            case Value.Obj document -> out.u8(DOCUMENT).bytes(BsonCodec.write(document));
            default -> throw noUpdate();
        }
        return out.list(arrayFilters, (w, filter) -> w.bytes(BsonCodec.write(filter)))
                .bytes(BsonCodec.write(let))
                .optional(collation, (w, document) -> w.bytes(BsonCodec.write(document)))
                .optional(newId, (w, id) -> w.bytes(BsonCodec.write(inDocument(id))))
                .u64(now.toEpochMilli())
                .u32(timestamp.seconds())
                .u32(timestamp.increment())
                .toBytes();
    }

    static UpdateSpec decode(Bytes payload) {
        BinaryReader in = new BinaryReader(payload);
        UpdateSpec spec =
                new UpdateSpec(
                        BsonCodec.read(in.bytes()),
                        readUpdate(in),
                        in.list(r -> BsonCodec.read(r.bytes())),
                        BsonCodec.read(in.bytes()),
                        in.optional(r -> BsonCodec.read(r.bytes())),
                        in.optional(r -> id(BsonCodec.read(r.bytes()))),
                        Instant.ofEpochMilli(in.u64()),
                        new BsonValue.Timestamp(in.u32(), in.u32()));
        in.expectEnd();
        return spec;
    }

    private static Value readUpdate(BinaryReader in) {
        return switch (in.u8()) {
            case DOCUMENT -> BsonCodec.read(in.bytes());
            case PIPELINE -> new Value.Array(in.list(r -> BsonCodec.read(r.bytes())));
            default -> throw new MalformedRecordException("an update has an unknown form");
        };
    }

    /** A stage of a pipeline; throws if it is none. */
    static Value.Obj stage(Value value) {
        if (value instanceof Value.Obj stage) {
            return stage;
        }
        throw MongoCode.TYPE_MISMATCH.failure(
                "Each element of the 'pipeline' array must be an object");
    }

    private static OrreryException noUpdate() {
        return MongoCode.FAILED_TO_PARSE.failure(
                "Update argument must be either an object or an array");
    }

    private static Value.Obj inDocument(Value id) {
        return new Value.Obj(Map.of(MongoUpdate.ID, id));
    }

    private static Value id(Value.Obj document) {
        Value id = document.properties().get(MongoUpdate.ID);
        if (id == null) {
            throw new MalformedRecordException("an update lacks the id that it announces");
        }
        return id;
    }
}
