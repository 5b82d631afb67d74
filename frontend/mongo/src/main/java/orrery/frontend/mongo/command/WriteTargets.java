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
import orrery.gateway.api.FoundStatement;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.Items;
import orrery.gateway.api.ManyAnswer;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RowKey;
import orrery.model.Statement;
import orrery.model.resource.Container;
import orrery.query.index.IndexUse;
import orrery.query.mongo.Collation;
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
     * @param name by which a session knows the write
     * @return empty if there is none and none was created
     */
    Optional<ItemAnswer> update(
            CommandRequest request,
            ContainerRef.Resolved container,
            Search search,
            Evaluation evaluation,
            boolean upsert,
            Images images,
            Optional<Statement> name) {
        return written(
                request,
                container,
                search,
                upsert,
                name,
                (target, key, known) ->
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
                                                Precondition.NONE),
                                        known)
                                : items.writeFirst(
                                        request.context(),
                                        container,
                                        new FirstWrite(
                                                key,
                                                search.statement(clock),
                                                new FirstWrite.Change.Evaluate(
                                                        evaluation, upsert, images),
                                                known)));
    }

    /**
     * Deletes the document that is found.
     *
     * @param shows whether the answer holds the document
     * @param name by which a session knows the write
     * @return empty if there is none
     */
    Optional<ItemAnswer> delete(
            CommandRequest request,
            ContainerRef.Resolved container,
            Search search,
            boolean shows,
            Optional<Statement> name) {
        return written(
                request,
                container,
                search,
                false,
                name,
                (target, key, known) ->
                        target.id().isPresent() && Target.isOfId(search.filter())
                                ? items.writeItem(
                                        request.context(),
                                        container,
                                        deletion(target.id().get(), key, shows),
                                        known)
                                : items.writeFirst(
                                        request.context(),
                                        container,
                                        new FirstWrite(
                                                key,
                                                search.statement(clock),
                                                shows
                                                        ? new FirstWrite.Change.Take()
                                                        : new FirstWrite.Change.Delete(),
                                                known)));
    }

    private static ItemWrite deletion(RowKey id, PartitionKey key, boolean shows) {
        ItemRef item = new ItemRef.Named(id);
        return shows
                ? new ItemWrite.Take(item, key, Precondition.NONE)
                : new ItemWrite.Delete(item, key, Precondition.NONE);
    }

    /** A write to a place that is known by now. */
    private interface Work {
        ItemAnswer run(Target target, PartitionKey key, Optional<Statement> known);
    }

    private Optional<ItemAnswer> written(
            CommandRequest request,
            ContainerRef.Resolved container,
            Search search,
            boolean upsert,
            Optional<Statement> name,
            Work work) {
        Target named = target(container, search, upsert);
        if (named.key().isPresent()) {
            Optional<ItemAnswer> answer =
                    made(request, () -> work.run(named, named.key().get(), name));
            noteSearch(container, named, answer);
            return answer;
        }
        Optional<Target> owner = owner(request, container, search);
        Optional<Statement> sought = name.map(Statement::sought);
        // Asked afterwards: a search that saw what the statement made finds the statement too.
        if (sought.isPresent()) {
            FoundStatement found = items.findStatement(request.context(), container, sought.get());
            request.charge(found.charge());
            if (found.answer().isPresent()) {
                return found.answer();
            }
        }
        return owner.flatMap(
                target ->
                        made(request, () -> work.run(target, target.key().orElseThrow(), sought)));
    }

    /** Takes note of how the documents of a write to many were found. */
    void searched(ContainerRef.Resolved container, ManyAnswer answer) {
        batches.searched(container, answer.used());
    }

    /**
     * A document that is named by its id is looked up, and found or not; others are searched for.
     */
    private void noteSearch(
            ContainerRef.Resolved container, Target target, Optional<ItemAnswer> answer) {
        IndexUse used = answer.map(ItemAnswer::used).orElse(IndexUse.NONE);
        if (used.isOfNone() && target.id().isPresent()) {
            batches.lookedUp(container);
        } else {
            batches.searched(container, used);
        }
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

        Target target(Container container) {
            return Target.of(filter, Collation.order(collation), container);
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
        Target target = search.target(container.container());
        if (target.key().isEmpty() && (upsert || target.id().isEmpty())) {
            throw MongoCode.SHARD_KEY_NOT_FOUND.failure(
                    "query in command must target a single shard key");
        }
        return target;
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
