package orrery.query.mongo.update;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import orrery.document.BodyFormat;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.TypeNames;
import orrery.query.mongo.expression.ValueText;
import orrery.query.mongo.match.Match;
import orrery.query.mongo.match.Matcher;
import orrery.query.write.Evaluation;
import orrery.query.write.EvaluationPlace;
import orrery.query.write.ItemUpdate;
import orrery.query.write.WriteDialect;

/**
 * The updates of MongoDB as a write dialect. The query is part of the write: an item that no longer
 * matches it when the leader evaluates the update is answered with {@code PRECONDITION_FAILED}, and
 * the front-end takes that for no match. With an upsert by {@code _id} it means that another item
 * has the place, which is a duplicate key. An update that changes nothing is answered as unchanged
 * and writes nothing.
 */
public final class MongoUpdate extends WriteDialect {
    public static final MongoUpdate INSTANCE = new MongoUpdate();

    static final String ID = "_id";

    /** No server of MongoDB has larger ones; the account may allow less. */
    private static final int MAX_DOCUMENT_BYTES = 16 << 20;

    private static final int UPDATE_TOO_LARGE = 17419;
    private static final int UPSERT_TOO_LARGE = 17420;

    private MongoUpdate() {
        super(4, 1);
    }

    /** Makes the write. Throws what is wrong with an update whatever it is applied to. */
    public static Evaluation evaluation(UpdateSpec spec) {
        new Ready(spec, List.of(), true);
        return INSTANCE.of(spec.encode());
    }

    /**
     * The document that the update makes if there is none, by which a front-end knows where it
     * goes.
     *
     * @throws OrreryException if the update cannot create, or cannot be applied to what the query
     *     says
     */
    public static Value.Obj newDocument(UpdateSpec spec) {
        return new Ready(spec, List.of(), true).onAbsence();
    }

    @Override
    public ItemUpdate read(int version, Bytes payload, EvaluationPlace place) {
        PartitionKeyDefinition key = place.definition().partitionKey();
        Ready ready =
                new Ready(
                        UpdateSpec.decode(payload),
                        key.paths().stream()
                                .map(PropertyPath::segments)
                                .map(UpdatePath::new)
                                .toList(),
                        !key.systemKey());
        BodyFormat format = place.format();
        return new ItemUpdate() {
            @Override
            public Optional<Bytes> bodyAfter(Optional<Item> present) {
                if (present.isEmpty()) {
                    return Optional.of(written(format, ready.onAbsence(), true));
                }
                Bytes body = present.get().body();
                return ready.of(format.value(body))
                        .map(
                                next ->
                                        next.document()
                                                .map(made -> written(format, made, false))
                                                .orElse(body));
            }

            @Override
            public boolean leavesEqualBodies() {
                return true;
            }

            @Override
            public boolean isReplacement() {
                return ready.spec.isReplacement();
            }
        };
    }

    private static Bytes written(BodyFormat format, Value.Obj document, boolean isNew) {
        Bytes body = encoded(format, document);
        if (body.length() > MAX_DOCUMENT_BYTES) {
            throw isNew
                    ? MongoCode.failure(
                            UPSERT_TOO_LARGE,
                            "Document to upsert is larger than " + MAX_DOCUMENT_BYTES)
                    : MongoCode.failure(
                            UPDATE_TOO_LARGE,
                            "Resulting document after update is larger than " + MAX_DOCUMENT_BYTES);
        }
        return body;
    }

    private static Bytes encoded(BodyFormat format, Value.Obj document) {
        try {
            return format.write(document);
        } catch (OrreryException cannotBeKept) {
            throw cannotBeKept.languageCode().isPresent()
                    ? cannotBeKept
                    : cannotBeKept.withLanguageCode(MongoCode.BAD_VALUE.number());
        }
    }

    /**
     * A document that matches.
     *
     * @param document empty if it stays as it is
     */
    private record Next(Optional<Value.Obj> document) {}

    /** An update made ready. */
    private static final class Ready {
        private final UpdateSpec spec;
        private final Matcher matcher;
        private final DocumentUpdate update;
        private final List<UpdatePath> shardKey;
        private final boolean isSharded;

        /**
         * @param isSharded false for a collection in one piece, whose documents must lack the key
         */
        Ready(UpdateSpec spec, List<UpdatePath> shardKey, boolean isSharded) {
            this.spec = spec;
            this.shardKey = shardKey;
            this.isSharded = isSharded;
            UpdateContext context = UpdateContext.of(spec);
            this.matcher = Matcher.compile(spec.query(), context.matching());
            this.update = spec.read(context);
        }

        /** Empty if the document does not match. */
        Optional<Next> of(Value.Obj document) {
            Match match = matcher.match(document);
            if (!match.isMatch()) {
                return Optional.empty();
            }
            Optional<Value.Obj> next = update.apply(document, match.arrayIndex(), false);
            next.ifPresent(
                    made -> {
                        requireSame(new UpdatePath(List.of(ID)), document, made);
                        shardKey.forEach(path -> requireSame(path, document, made));
                    });
            return Optional.of(new Next(next));
        }

        Value.Obj onAbsence() {
            Value newId =
                    spec.newId()
                            .orElseThrow(
                                    () ->
                                            MongoCode.BAD_VALUE.failure(
                                                    "an update that creates a document needs an _id"
                                                            + " for it"));
            Value.Obj seed = QueryEqualities.document(spec.query());
            Value.Obj made = update.apply(seed, OptionalInt.empty(), true).orElse(seed);
            requireKept(new UpdatePath(List.of(ID)), seed, made);
            shardKey.forEach(path -> requireKept(path, seed, made));
            Map<String, Value> fields = new LinkedHashMap<>();
            fields.put(ID, made.properties().getOrDefault(ID, newId));
            made.properties().forEach(fields::putIfAbsent);
            requireId(fields.get(ID));
            Value.Obj document = new Value.Obj(fields);
            shardKey.forEach(path -> requireKeyed(path, document));
            return document;
        }

        /** What the query says of a field that cannot change must hold for what is made of it. */
        private void requireKept(UpdatePath field, Value.Obj seed, Value.Obj made) {
            if (Draft.find(seed, field.parts()).isDefined()) {
                requireSame(field, seed, made);
            }
        }

        private void requireSame(UpdatePath field, Value.Obj before, Value.Obj after) {
            Value old = Draft.find(before, field.parts());
            Value next = Draft.find(after, field.parts());
            if (MongoOrder.SIMPLE.equal(old, next)) {
                return;
            }
            String name = field.dotted();
            throw MongoCode.IMMUTABLE_FIELD.failure(
                    update.names(field)
                            ? "Performing an update on the path '%s' would modify the immutable field '%s'"
                                    .formatted(name, name)
                            : "After applying the update, the (immutable) field '%s' was found to have been %s"
                                    .formatted(
                                            name,
                                            next.isDefined()
                                                    ? "altered to " + ValueText.field(name, next)
                                                    : "removed"));
        }

        private static void requireId(Value id) {
            switch (id) {
                case Value.Array _, BsonValue.Regex _, BsonValue.Undef _ ->
                        throw MongoCode.INVALID_ID_FIELD.failure(
                                "The '_id' value cannot be of type " + TypeNames.of(id));
                case Value.Obj(Map<String, Value> fields) -> {
                    for (String name : fields.keySet()) {
                        if (name.startsWith("$")) {
                            throw MongoCode.DOLLAR_PREFIXED_FIELD_NAME.failure(
                                    "_id fields may not contain '$'-prefixed fields: " + name);
                        }
                    }
                }
                default -> {}
            }
        }

        private void requireKeyed(UpdatePath path, Value.Obj document) {
            Value value = Draft.find(document, path.parts());
            if (!isSharded) {
                if (value.isDefined()) {
                    throw MongoCode.BAD_VALUE.failure(
                            "a document of a collection that is not sharded cannot have the field "
                                    + path.dotted());
                }
                return;
            }
            if (!value.isDefined() || value instanceof Value.Array) {
                throw MongoCode.SHARD_KEY_NOT_FOUND.failure(
                        "The document does not contain shard key at '" + path.dotted() + "'");
            }
        }
    }
}
