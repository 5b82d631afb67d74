package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.BsonCodec;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.frontend.mongo.stream.ClusterTime;
import orrery.frontend.mongo.stream.StreamOptions;
import orrery.frontend.mongo.stream.StreamOptions.BeforeChange;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.Items;
import orrery.gateway.api.StreamEvent;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemVersion;
import orrery.model.OrreryException;
import orrery.model.PropertyPath;
import orrery.model.SessionTransaction;
import orrery.model.resource.Container;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.update.UpdateDelta;

/** Makes the documents that clients know of the events of a stream. */
final class EventDocuments {
    private static final String ID = "_id";

    private final Items items;
    private final CommandRequest request;
    private final StreamOptions options;

    EventDocuments(Items items, CommandRequest request, StreamOptions options) {
        this.items = items;
        this.request = request;
        this.options = options;
    }

    /** A resume token is a document to clients. */
    static Value.Obj token(String token) {
        return new Doc().put("_data", token).build();
    }

    Value.Obj of(StreamEvent event) {
        Doc document = new Doc().put(ID, token(event.token()));
        switch (event) {
            case StreamEvent.Changed changed -> change(changed, document);
            case StreamEvent.Dropped(String database, String container, var _, var _) ->
                    head(event, "drop", document).put("ns", namespace(database, container));
            case StreamEvent.Renamed(String database, String from, String to, var _, var _) ->
                    head(event, "rename", document)
                            .put("ns", namespace(database, from))
                            .put("to", namespace(database, to));
            case StreamEvent.DatabaseDropped(String database, var _, var _) ->
                    head(event, "dropDatabase", document).put("ns", new Doc().put("db", database));
            case StreamEvent.Ended _ -> head(event, "invalidate", document);
        }
        return document.build();
    }

    private static Doc head(StreamEvent event, String operation, Doc document) {
        return document.put("operationType", operation)
                .put("clusterTime", ClusterTime.timestamp(ClusterTime.last(event.timeMillis())))
                .putDate("wallTime", event.timeMillis());
    }

    private static Doc namespace(String database, String collection) {
        return new Doc().put("db", database).put("coll", collection);
    }

    private void change(StreamEvent.Changed event, Doc document) {
        ItemVersion version = event.version();
        boolean isUpdate = version.mark().isUpdate();
        String operation =
                switch (version.operation()) {
                    case CREATE -> "insert";
                    case REPLACE -> isUpdate ? "update" : "replace";
                    case DELETE -> "delete";
                };
        head(event, operation, document);
        version.mark()
                .transaction()
                .ifPresent(transaction -> putTransaction(transaction, document));
        Value.Obj shown = body(version.item());
        switch (version.operation()) {
            case CREATE -> document.put("fullDocument", shown);
            case REPLACE -> {
                if (isUpdate) {
                    putAfterUpdate(event, shown, document);
                } else {
                    document.put("fullDocument", shown);
                }
            }
            case DELETE -> {}
        }
        document.put("ns", namespace(event.database(), event.container().name()))
                .put("documentKey", key(event.container(), shown));
        if (version.operation() == ItemVersion.Operation.REPLACE && isUpdate) {
            // Only a release that did not keep the version before has written such a change.
            version.previous()
                    .ifPresent(
                            before ->
                                    document.put(
                                            "updateDescription",
                                            description(UpdateDelta.of(body(before), shown))));
        }
        putBefore(version, document);
    }

    private static void putTransaction(SessionTransaction transaction, Doc document) {
        document.put("lsid", new Doc().put("id", new BsonValue.Binary(4, transaction.session())))
                .putInt64("txnNumber", transaction.number());
    }

    private void putAfterUpdate(StreamEvent.Changed event, Value.Obj after, Doc document) {
        switch (options.fullDocument()) {
            case DEFAULT -> {}
            case WHEN_AVAILABLE, REQUIRED -> document.put("fullDocument", after);
            case UPDATE_LOOKUP ->
                    document.put(
                            "fullDocument",
                            lookedUp(event).<Value>map(x -> x).orElse(Value.Null.NULL));
        }
    }

    /** The document as it is now; empty if it is gone, or its collection is. */
    private Optional<Value.Obj> lookedUp(StreamEvent.Changed event) {
        try {
            ItemAnswer answer =
                    items.readItem(
                            request.context(),
                            ContainerRef.Addressed.byName(
                                    event.database(), event.container().name()),
                            event.version().key().partitionKey(),
                            new ItemRef.Named(event.version().key().rowKey()));
            request.charge(answer.charge());
            return answer.item().map(EventDocuments::body);
        } catch (OrreryException missing) {
            if (missing.code() == ErrorCode.NOT_FOUND
                    || missing.code() == ErrorCode.OWNER_NOT_FOUND) {
                return Optional.empty();
            }
            throw missing;
        }
    }

    private void putBefore(ItemVersion version, Doc document) {
        if (options.before() == BeforeChange.OFF
                || version.operation() == ItemVersion.Operation.CREATE) {
            return;
        }
        Optional<Item> before =
                version.operation() == ItemVersion.Operation.DELETE
                        ? Optional.of(version.item())
                        : version.previous();
        if (before.isEmpty() && options.before() == BeforeChange.REQUIRED) {
            throw MongoCode.NO_MATCHING_DOCUMENT.failure(
                    "The document before a change is not there: it was written before the server"
                            + " kept such documents.");
        }
        document.put(
                "fullDocumentBeforeChange",
                before.<Value>map(EventDocuments::body).orElse(Value.Null.NULL));
    }

    private static Value.Obj body(Item item) {
        return BsonCodec.read(item.body());
    }

    /** The shard key, and then the id. */
    private static Value.Obj key(Container container, Value.Obj document) {
        Doc key = new Doc();
        Optional<PropertyPath> path = Catalogue.shardKey(container);
        path.ifPresent(
                to -> {
                    Value value = find(document, to);
                    if (value.isDefined()) {
                        key.put(Catalogue.dotted(to), value);
                    }
                });
        return key.put(ID, document.properties().getOrDefault(ID, Value.Null.NULL)).build();
    }

    private static Value find(Value.Obj document, PropertyPath path) {
        Value value = document;
        for (String name : path.segments()) {
            value =
                    value instanceof Value.Obj(Map<String, Value> fields)
                            ? fields.getOrDefault(name, Value.Undefined.UNDEFINED)
                            : Value.Undefined.UNDEFINED;
        }
        return value;
    }

    private static Doc description(UpdateDelta delta) {
        List<Value> truncated = new ArrayList<>();
        delta.truncated()
                .forEach(
                        (field, size) ->
                                truncated.add(
                                        new Doc()
                                                .put("field", field)
                                                .put("newSize", size)
                                                .build()));
        return new Doc()
                .put("updatedFields", new Value.Obj(delta.updated()))
                .putTexts("removedFields", delta.removed())
                .put("truncatedArrays", truncated);
    }
}
