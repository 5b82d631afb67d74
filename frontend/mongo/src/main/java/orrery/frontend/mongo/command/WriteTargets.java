package orrery.frontend.mongo.command;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import orrery.document.BodyFormat;
import orrery.document.BsonCodec;
import orrery.document.BsonKeys;
import orrery.document.Value;
import orrery.frontend.mongo.cursor.Cursor;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.FirstWrite;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.Items;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RowKey;
import orrery.model.resource.Container;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.find.FindStatement;
import orrery.query.write.Evaluation;
import orrery.query.write.Images;

/**
 * Writes one document that a filter finds. With the shard key it is one call to one partition. A
 * filter for an {@code _id} without the shard key is looked for everywhere first; any other is
 * refused, as a write to one of many documents in many partitions has no order.
 */
final class WriteTargets {
    private final Items items;
    private final Batches batches;
    private final InstantSource clock;

    WriteTargets(Items items, Batches batches, InstantSource clock) {
        this.items = items;
        this.batches = batches;
        this.clock = clock;
    }

    /**
     * Changes the document that is found, or creates one.
     *
     * @return empty if there is none and none was created
     */
    Optional<ItemAnswer> update(
            CommandRequest request,
            ContainerRef.Resolved container,
            Search search,
            Evaluation evaluation,
            boolean upsert,
            Images images) {
        Target target = located(request, container, search, upsert);
        if (target.key().isEmpty()) {
            return Optional.empty();
        }
        PartitionKey key = target.key().get();
        return made(
                request,
                () ->
                        target.id().isPresent()
                                ? items.writeItem(
                                        request.context(),
                                        container,
                                        new ItemWrite.Evaluate(
                                                new ItemRef.Named(target.id().get()),
                                                key,
                                                evaluation,
                                                upsert,
                                                images,
                                                Precondition.NONE))
                                : items.writeFirst(
                                        request.context(),
                                        container,
                                        new FirstWrite(
                                                key,
                                                search.statement(clock),
                                                new FirstWrite.Change.Evaluate(
                                                        evaluation, upsert, images))));
    }

    /** Deletes the document that is found. Returns empty if there is none. */
    Optional<ItemAnswer> delete(
            CommandRequest request, ContainerRef.Resolved container, Search search) {
        Target target = located(request, container, search, false);
        if (target.key().isEmpty()) {
            return Optional.empty();
        }
        PartitionKey key = target.key().get();
        boolean isById = target.id().isPresent() && Target.isOfId(search.filter());
        return made(
                request,
                () ->
                        isById
                                ? items.writeItem(
                                        request.context(),
                                        container,
                                        new ItemWrite.Take(
                                                new ItemRef.Named(target.id().orElseThrow()),
                                                key,
                                                Precondition.NONE))
                                : items.writeFirst(
                                        request.context(),
                                        container,
                                        new FirstWrite(
                                                key,
                                                search.statement(clock),
                                                new FirstWrite.Change.Take())));
    }

    /** Nothing to be found, and what does not match when its turn comes, are no failures. */
    private static Optional<ItemAnswer> made(
            CommandRequest request, java.util.function.Supplier<ItemAnswer> write) {
        try {
            ItemAnswer answer = write.get();
            request.charge(answer.charge());
            return Optional.of(answer);
        } catch (OrreryException missing) {
            boolean isNone =
                    missing.code() == ErrorCode.NOT_FOUND
                            || missing.code() == ErrorCode.PRECONDITION_FAILED;
            if (!isNone || missing.languageCode().isPresent()) {
                throw missing;
            }
            request.charge(missing.charge());
            return Optional.empty();
        }
    }

    /** A filter, and the order that says which of several documents is the first. */
    record Search(
            Value.Obj filter, Value.Obj sort, Value.Obj let, Value.Obj collation, Value.Obj hint) {
        /** The same for an index that the client names. */
        Search hinted(Value.Obj wanted) {
            return new Search(filter, sort, let, collation, wanted);
        }

        FindStatement statement(InstantSource clock) {
            return new FindStatement(
                    FindOptions.of(filter)
                            .withSort(sort)
                            .withLet(let)
                            .withCollation(collation)
                            .withHint(hint)
                            .at(clock.instant()));
        }
    }

    /** The place that a filter names. It is refused if it names neither a key nor an id. */
    static Target target(ContainerRef.Resolved container, Search search, boolean upsert) {
        Target target = Target.of(search.filter(), container.container());
        if (target.key().isEmpty() && (upsert || target.id().isEmpty())) {
            throw MongoCode.SHARD_KEY_NOT_FOUND.failure(
                    "query in command must target a single shard key");
        }
        return target;
    }

    /** The place of the write; without a key if no document was found. */
    private Target located(
            CommandRequest request,
            ContainerRef.Resolved container,
            Search search,
            boolean upsert) {
        Target target = target(container, search, upsert);
        if (target.key().isPresent()) {
            return target;
        }
        return owner(request, container, search).orElse(new Target(Optional.empty(), target.id()));
    }

    private Optional<Target> owner(
            CommandRequest request, ContainerRef.Resolved container, Search search) {
        Cursor cursor =
                new Cursor(
                        "",
                        search.statement(clock),
                        new FeedScope.Everything(),
                        Optional.empty(),
                        Optional.empty());
        List<Bytes> found = batches.read(request, container, cursor, 1).rows();
        return found.stream().findFirst().map(row -> of(row, container.container()));
    }

    /** The place of a document that was read whole. */
    static Target of(Bytes document, Container container) {
        PartitionKey key =
                BodyFormat.of(Encoding.BSON)
                        .partitionKey(document, container.definition().partitionKey());
        RowKey id =
                BsonKeys.rowKey(
                        BsonCodec.read(document).properties().getOrDefault("_id", Value.Null.NULL));
        return new Target(Optional.of(key), Optional.of(id));
    }
}
