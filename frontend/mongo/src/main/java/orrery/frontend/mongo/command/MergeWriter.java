package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import orrery.document.BsonCodec;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.Items;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.resource.Container;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.aggregate.MergeSpec;
import orrery.query.mongo.aggregate.MergeSpec.WhenMatched;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.expression.ExpressionContext;
import orrery.query.mongo.expression.Variables;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.update.MongoUpdate;
import orrery.query.mongo.update.UpdateSpec;
import orrery.query.write.Images;

/** {@code $merge}: writes the documents of a pipeline into a collection, one after the other. */
final class MergeWriter {
    private static final String ID = "_id";
    private static final String NEW = "new";

    /** Others may insert and delete what is merged, so that it is there and gone by turns. */
    private static final int TRIES = 10;

    /** Puts the fields of a document over those of the one that is there. */
    private static final Value MERGED =
            new Value.Array(
                    List.of(
                            new Value.Obj(
                                    Map.of(
                                            "$replaceWith",
                                            new Value.Obj(
                                                    Map.of(
                                                            "$mergeObjects",
                                                            new Value.Array(
                                                                    List.of(
                                                                            Value.of("$$ROOT"),
                                                                            Value.of(
                                                                                    "$$new")))))))));

    private final Items items;
    private final WriteTargets targets;
    private final PipelineReads reads;
    private final ObjectIds ids;
    private final CommandRequest request;
    private final Namespace namespace;
    private final ContainerRef.Resolved container;
    private final MergeSpec spec;
    private final ExpressionContext context;
    private final List<String> on;
    private final Map<String, Expression> let;

    MergeWriter(
            Items items,
            WriteTargets targets,
            PipelineReads reads,
            ObjectIds ids,
            CommandRequest request,
            Namespace namespace,
            ContainerRef.Resolved container,
            MergeSpec spec,
            ExpressionContext context) {
        this.items = items;
        this.targets = targets;
        this.reads = reads;
        this.ids = ids;
        this.request = request;
        this.namespace = namespace;
        this.container = container;
        this.spec = spec;
        this.context = context;
        this.on = on(spec, container.container());
        this.let = let(spec, context);
        if (spec.whenMatched() instanceof WhenMatched.Update(List<Value> stages)) {
            Map<String, Value> names = new LinkedHashMap<>();
            let.keySet().forEach(name -> names.put(name, Value.Null.NULL));
            MongoUpdate.evaluation(update(FindOptions.NONE, new Value.Array(stages), names));
        }
    }

    private static Map<String, Expression> let(MergeSpec spec, ExpressionContext context) {
        Map<String, Expression> let = new LinkedHashMap<>();
        let.put(NEW, Expression.compile(Value.of("$$ROOT"), context));
        spec.let()
                .ifPresent(
                        given ->
                                given.properties()
                                        .forEach(
                                                (name, value) ->
                                                        let.put(
                                                                name,
                                                                variable(name, value, context))));
        return let;
    }

    private static Expression variable(String name, Value value, ExpressionContext context) {
        if (name.equals(NEW) && !value.equals(Value.of("$$ROOT"))) {
            throw MongoCode.failure(
                    51273,
                    "'let' may not define a value for the reserved 'new' variable other than"
                            + " '$$ROOT'");
        }
        return Expression.compile(value, context);
    }

    /** The fields by which a document is found, of which a unique index must exist. */
    private static List<String> on(MergeSpec spec, Container container) {
        List<String> standard = new ArrayList<>(List.of(ID));
        Catalogue.shardKey(container)
                .map(Catalogue::dotted)
                .filter(path -> !path.equals(ID))
                .ifPresent(standard::add);
        if (spec.on().isEmpty()) {
            return standard;
        }
        Set<String> wanted = new HashSet<>(spec.on());
        boolean isUnique =
                wanted.equals(new HashSet<>(standard))
                        || container.definition().indexes().stream()
                                .filter(index -> index.unique() && index.filter().isEmpty())
                                .anyMatch(
                                        index ->
                                                wanted.equals(
                                                        new HashSet<>(
                                                                index.key().stream()
                                                                        .map(field -> field.path())
                                                                        .toList())));
        if (!isUnique) {
            throw MongoCode.failure(
                    51183, "Cannot find index to verify that join fields will be unique");
        }
        return spec.on();
    }

    /** Writes a document. One without an {@code _id} gets one. */
    void write(Value.Obj given) {
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put(ID, given.properties().getOrDefault(ID, Value.Undefined.UNDEFINED));
        fields.putAll(given.properties());
        if (!fields.containsKey(ID) || fields.get(ID) instanceof Value.Undefined) {
            fields.put(ID, ids.next());
        }
        Value.Obj document = new Value.Obj(fields);
        Value.Obj filter = filter(document);
        switch (spec.whenMatched()) {
            case WhenMatched.Replace() -> change(filter, document, document);
            case WhenMatched.Merge() -> change(filter, document, MERGED);
            case WhenMatched.Update(List<Value> stages) ->
                    change(filter, document, new Value.Array(stages));
            case WhenMatched.KeepExisting() -> insert(document);
            case WhenMatched.Fail() -> {
                if (!insert(document)) {
                    throw taken(document);
                }
            }
        }
    }

    private Value.Obj filter(Value.Obj document) {
        Map<String, Value> filter = new LinkedHashMap<>();
        for (String path : on) {
            Value value = value(document, path);
            if (MongoOrder.isNullish(value)) {
                throw MongoCode.failure(
                        51132,
                        "$merge write error: 'on' field '"
                                + path
                                + "' cannot be missing, null, undefined or an array");
            }
            if (value instanceof Value.Array) {
                throw MongoCode.failure(
                        51185, "$merge write error: 'on' field '" + path + "' cannot be an array");
            }
            filter.put(path, new Value.Obj(Map.of("$eq", value)));
        }
        return new Value.Obj(filter);
    }

    private static Value value(Value document, String path) {
        Value value = document;
        for (String part : FieldPath.of(path).parts()) {
            value =
                    value instanceof Value.Obj(Map<String, Value> fields)
                            ? fields.getOrDefault(part, Value.Undefined.UNDEFINED)
                            : value instanceof Value.Array ? value : Value.Undefined.UNDEFINED;
        }
        return value;
    }

    /** Changes the document that is there, and does what is wanted if there is none. */
    private void change(Value.Obj filter, Value.Obj document, Value update) {
        for (int i = 0; i < TRIES; i++) {
            if (updated(filter, document, update)) {
                return;
            }
            switch (spec.whenNotMatched()) {
                case DISCARD -> {
                    return;
                }
                case FAIL ->
                        throw MongoCode.failure(
                                13113,
                                "$merge could not find a matching document in the target"
                                        + " collection for at least one document in the source"
                                        + " collection");
                case INSERT -> {
                    if (insert(document)) {
                        return;
                    }
                }
            }
        }
        throw taken(document);
    }

    private boolean updated(Value.Obj filter, Value.Obj document, Value update) {
        Variables variables = context.variables(document);
        Map<String, Value> values = new LinkedHashMap<>();
        let.forEach((name, expression) -> values.put(name, expression.evaluate(variables)));
        values.values().removeIf(value -> !value.isDefined());
        return reads.patiently(
                        () ->
                                targets.update(
                                        request,
                                        container,
                                        search(filter),
                                        MongoUpdate.evaluation(update(filter, update, values)),
                                        false,
                                        Images.NONE,
                                        Optional.empty()))
                .isPresent();
    }

    private static WriteTargets.Search search(Value.Obj filter) {
        return new WriteTargets.Search(
                filter, FindOptions.NONE, FindOptions.NONE, FindOptions.NONE, FindOptions.NONE);
    }

    private UpdateSpec update(Value.Obj filter, Value update, Map<String, Value> values) {
        return new UpdateSpec(
                filter,
                update,
                List.of(),
                new Value.Obj(values),
                Optional.empty(),
                Optional.empty(),
                context.now(),
                new BsonValue.Timestamp((int) context.now().getEpochSecond(), 1));
    }

    /** Returns false if the document is there already. */
    private boolean insert(Value.Obj document) {
        NewDocument made = NewDocument.of(document, container.container(), ids);
        try {
            ItemAnswer answer =
                    reads.patiently(
                            () ->
                                    items.writeItem(
                                            request.context(),
                                            container,
                                            new ItemWrite.Create(
                                                    made.body(), Optional.of(made.key())),
                                            Optional.empty()));
            request.charge(answer.charge());
            return true;
        } catch (OrreryException refused) {
            if (!isOfOn(refused)) {
                throw new WriteErrors.Refused(
                        WriteErrors.failure(
                                namespace,
                                () -> Optional.of(container.container()),
                                refused,
                                made.id()));
            }
            request.charge(refused.charge());
            return false;
        }
    }

    /** Returns true if a document has the same values of the fields by which it is found. */
    private boolean isOfOn(OrreryException refused) {
        if (refused.code() == ErrorCode.CONFLICT) {
            return on.contains(ID);
        }
        return refused.code() == ErrorCode.UNIQUE_KEY_VIOLATION
                && refused.takenKey()
                        .map(taken -> BsonCodec.read(taken.key()).properties().keySet())
                        .filter(names -> names.equals(new HashSet<>(on)))
                        .isPresent();
    }

    private RuntimeException taken(Value.Obj document) {
        return new WriteErrors.Refused(
                WriteErrors.failure(
                        namespace,
                        Optional::empty,
                        new OrreryException(ErrorCode.CONFLICT, "The document is there."),
                        value(document, ID)));
    }
}
