package orrery.gateway;

import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import orrery.document.BodyFormat;
import orrery.document.ItemBody;
import orrery.gateway.api.FirstWrite;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.KeyAnswer;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.EffectiveKeys;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.ItemRules;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.model.RequestContext;
import orrery.model.RequestId;
import orrery.model.ResourceId;
import orrery.model.RowKey;
import orrery.model.Statement;
import orrery.model.memory.MemoryAccount;
import orrery.model.resource.Container;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.query.index.IndexUse;
import orrery.query.write.Evaluation;
import orrery.query.write.Images;
import orrery.query.write.ReplaceDialect;

/** Requests for one item: from its key to the partition that owns it. */
final class ItemRouter {
    private static final PropertyPath ID_PATH = PropertyPath.parse("/id");

    private final Resolver resolver;
    private final PartitionCalls partitions;
    // Request ids must differ, also from those of other gateways and earlier lives of this one, but
    // need not be secret: a random half, and a count that leaves room for repeated evaluations.
    private final long gatewayId;
    private final AtomicLong requests = new AtomicLong();

    ItemRouter(Resolver resolver, PartitionCalls partitions, SecureRandom random) {
        this.resolver = resolver;
        this.partitions = partitions;
        this.gatewayId = random.nextLong();
    }

    ItemAnswer read(RequestContext context, Container container, PartitionKey key, ItemRef item) {
        PartitionKey wholeKey = wholeKey(container, key);
        return routed(
                context,
                container,
                wholeKey,
                partition -> {
                    ReadResponse.Found found =
                            (ReadResponse.Found)
                                    partitions.read(
                                            context,
                                            partition,
                                            readRequest(
                                                    context, container, wholeKey, item, partition));
                    return new ItemAnswer(
                            ItemAnswer.Outcome.READ,
                            Optional.of(found.item()),
                            container,
                            partition.range(),
                            found.headLsn(),
                            PartitionCalls.charge(context, found.charge()));
                });
    }

    ItemAnswer write(RequestContext context, Container container, ItemWrite write) {
        return write(context, container, checked(context, container, write), Optional.empty());
    }

    /** A write that has the form it must have, on its way to the partition of its key. */
    record CheckedWrite(ItemKey key, WriteAction action, Precondition precondition) {
        /** The key that the item has afterwards; another one only where its id changes. */
        ItemKey target() {
            return action.target(key);
        }

        private CheckedWrite with(WriteAction other) {
            return new CheckedWrite(key, other, precondition);
        }
    }

    /** Throws where the write can be refused without asking the partition. */
    CheckedWrite checked(RequestContext context, Container container, ItemWrite write) {
        CheckedWrite plain = plain(context, container, write);
        Optional<Body> whole =
                switch (write) {
                    case ItemWrite.Upsert upsert -> Optional.of(upsert.body());
                    case ItemWrite.Replace replace -> Optional.of(replace.body());
                    case ItemWrite.Create _,
                            ItemWrite.Evaluate _,
                            ItemWrite.Take _,
                            ItemWrite.Delete _ ->
                            Optional.empty();
                };
        boolean losesWidths =
                whole.isPresent()
                        && whole.get().encoding() == Encoding.JSON
                        && container.definition().kind().encoding() == Encoding.BSON;
        return losesWidths ? keepingWidths(container, plain) : plain;
    }

    /** Only the leader knows the widths of the numbers that are replaced. */
    private static CheckedWrite keepingWidths(Container container, CheckedWrite plain) {
        return switch (plain.action()) {
            case WriteAction.Upsert(Bytes body) ->
                    plain.with(replacement(container, body, true /* upsert */, Optional.empty()));
            case WriteAction.Replace(Bytes body) ->
                    plain.with(replacement(container, body, false /* upsert */, Optional.empty()));
            case WriteAction.Rename(RowKey id, Bytes body) ->
                    plain.with(replacement(container, body, false /* upsert */, Optional.of(id)));
            case WriteAction.Create _, WriteAction.Computed _ -> plain;
        };
    }

    private static WriteAction replacement(
            Container container, Bytes body, boolean upsert, Optional<RowKey> id) {
        return new WriteAction.Evaluate(
                container.database(), ReplaceDialect.evaluation(body), upsert, Images.AFTER, id);
    }

    /** Like {@link #checked}, for a write whose triggers must see the whole item. */
    CheckedWrite plain(RequestContext context, Container container, ItemWrite write) {
        return switch (write) {
            case ItemWrite.Create(Body sent, Optional<PartitionKey> key) -> {
                ItemBody body = body(container, sent, key);
                yield new CheckedWrite(
                        key(container, body),
                        new WriteAction.Create(body.stored()),
                        Precondition.NONE);
            }
            case ItemWrite.Upsert(Body sent, Optional<PartitionKey> key, Precondition pre) -> {
                ItemBody body = body(container, sent, key);
                yield new CheckedWrite(
                        key(container, body), new WriteAction.Upsert(body.stored()), pre);
            }
            case ItemWrite.Replace replace -> checked(context, container, replace);
            case ItemWrite.Evaluate evaluate ->
                    new CheckedWrite(
                            named(context, container, evaluate.key(), evaluate.item()),
                            evaluation(
                                    container,
                                    evaluate.evaluation(),
                                    evaluate.upsert(),
                                    evaluate.images()),
                            evaluate.precondition());
            case ItemWrite.Take(ItemRef item, PartitionKey key, Precondition pre) ->
                    new CheckedWrite(
                            named(context, container, key, item),
                            new WriteAction.Delete(Images.BEFORE),
                            pre);
            case ItemWrite.Delete(ItemRef item, PartitionKey key, Precondition pre) ->
                    new CheckedWrite(
                            named(context, container, key, item), new WriteAction.Delete(), pre);
        };
    }

    /** Payloads are bounded as bodies are when they arrive. */
    static WriteAction.Computed evaluation(
            Container container, Evaluation evaluation, boolean upsert, Images images) {
        ItemRules.checkArrived(container.definition().kind().limits(), evaluation.payload());
        return new WriteAction.Evaluate(container.database(), evaluation, upsert, images);
    }

    ItemAnswer write(RequestContext context, Container container, FirstWrite write) {
        PartitionKey key = wholeKey(container, write.key());
        WriteAction.Computed action =
                switch (write.change()) {
                    case FirstWrite.Change.Evaluate(
                                    Evaluation evaluation,
                                    boolean upsert,
                                    Images images) ->
                            evaluation(container, evaluation, upsert, images);
                    case FirstWrite.Change.Take _ -> new WriteAction.Delete(Images.BEFORE);
                    case FirstWrite.Change.Delete _ -> new WriteAction.Delete();
                };
        RequestId requestId = newRequestId();
        return written(
                context,
                container,
                key,
                action,
                partition ->
                        stated(
                                new WriteRequest.WriteFirst(
                                        container.partition(partition),
                                        requestId,
                                        EffectiveKeys.of(definition(container), key),
                                        key,
                                        write.search().encoded(),
                                        container.database(),
                                        action),
                                write.statement()));
    }

    KeyAnswer readKey(RequestContext context, Container container, PartitionKey given) {
        PartitionKey key = wholeKey(container, given);
        return routed(
                context,
                container,
                key,
                partition -> {
                    ReadResponse.LastWrite last =
                            (ReadResponse.LastWrite)
                                    partitions.read(
                                            context,
                                            partition,
                                            new ReadRequest.ReadLastWrite(
                                                    container.partition(partition),
                                                    EffectiveKeys.of(definition(container), key),
                                                    key,
                                                    partitions.minLsn(context, partition)));
                    return new KeyAnswer(
                            last.lsn(),
                            container,
                            partition.range(),
                            last.headLsn(),
                            PartitionCalls.charge(context, last.charge()));
                });
    }

    private CheckedWrite checked(
            RequestContext context, Container container, ItemWrite.Replace replace) {
        ItemBody body = body(container, replace.body(), replace.key());
        ItemKey key =
                existing(
                        context,
                        container,
                        body.partitionKey(definition(container)),
                        replace.item());
        RowKey target = rowKey(container, body);
        if (target.equals(key.rowKey())) {
            return new CheckedWrite(
                    key, new WriteAction.Replace(body.stored()), replace.precondition());
        }
        if (container.definition().kind().encoding() == Encoding.JSON
                && definition(container).paths().contains(ID_PATH)) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The id of this item cannot be changed: it is part of the partition key. Create"
                            + " a new item and delete this one.");
        }
        return new CheckedWrite(
                key, new WriteAction.Rename(target, body.stored()), replace.precondition());
    }

    /**
     * Like {@link #write(RequestContext, Container, ItemWrite)}, for a write that has been checked.
     *
     * @param statement the name that a session has for it
     */
    ItemAnswer write(
            RequestContext context,
            Container container,
            CheckedWrite write,
            Optional<Statement> statement) {
        RequestId requestId = newRequestId();
        return written(
                context,
                container,
                write.key().partitionKey(),
                write.action(),
                partition -> stated(request(container, partition, requestId, write), statement));
    }

    /** The request with the name that a session has for it. */
    static WriteRequest stated(WriteRequest.OfKey request, Optional<Statement> statement) {
        return statement
                .<WriteRequest>map(name -> new WriteRequest.Stated(name, request))
                .orElse(request);
    }

    /** Sends a write to the owner of its key, and answers what that has made of it. */
    private ItemAnswer written(
            RequestContext context,
            Container container,
            PartitionKey key,
            WriteAction action,
            Function<PhysicalPartition, WriteRequest> request) {
        return routed(
                context,
                container,
                key,
                partition ->
                        answer(
                                container,
                                partition,
                                action,
                                (WriteResponse)
                                        partitions.call(
                                                context, partition, request.apply(partition))));
    }

    static WriteRequest.WriteItem request(
            Container container,
            PhysicalPartition partition,
            RequestId requestId,
            CheckedWrite write) {
        return new WriteRequest.WriteItem(
                container.partition(partition),
                requestId,
                write.key(),
                write.action(),
                write.precondition());
    }

    RequestId newRequestId() {
        return new RequestId(gatewayId, requests.incrementAndGet() << 20);
    }

    private static ItemAnswer answer(
            Container container,
            PhysicalPartition partition,
            WriteAction action,
            WriteResponse response) {
        return switch (response) {
            case WriteResponse.Remembered(var first, RowKey item) ->
                    answer(container, partition, first, action, Optional.of(item));
            case WriteResponse.Searched(WriteResponse.Written written, IndexUse used) ->
                    answer(container, partition, written, action, Optional.empty()).with(used);
            default ->
                    answer(
                            container,
                            partition,
                            (WriteResponse.Written) response,
                            action,
                            Optional.empty());
        };
    }

    private static ItemAnswer answer(
            Container container,
            PhysicalPartition partition,
            WriteResponse.Written written,
            WriteAction action,
            Optional<RowKey> remembered) {
        return answer(
                container,
                partition,
                written,
                written.item().map(item -> withBody(item, action)),
                remembered);
    }

    /** The answer of a statement that was found without its request. */
    static ItemAnswer answer(
            Container container, PhysicalPartition partition, WriteResponse.Remembered remembered) {
        return answer(
                container,
                partition,
                remembered.first(),
                remembered.first().item(),
                Optional.of(remembered.item()));
    }

    private static ItemAnswer answer(
            Container container,
            PhysicalPartition partition,
            WriteResponse.Written written,
            Optional<Item> item,
            Optional<RowKey> remembered) {
        return new ItemAnswer(
                outcome(written.change()),
                item,
                written.before(),
                container,
                partition.range(),
                written.headLsn(),
                written.charge(),
                remembered,
                IndexUse.NONE);
    }

    static ItemAnswer.Outcome outcome(WriteResponse.Change change) {
        return switch (change) {
            case CREATED -> ItemAnswer.Outcome.CREATED;
            case REPLACED -> ItemAnswer.Outcome.REPLACED;
            case DELETED -> ItemAnswer.Outcome.DELETED;
            case UNCHANGED -> ItemAnswer.Outcome.UNCHANGED;
        };
    }

    /** The partition sends a body back only when it made one; otherwise it is the one we sent. */
    static Item withBody(Item item, WriteAction action) {
        Bytes body =
                switch (action) {
                    case WriteAction.Create(Bytes sent) -> sent;
                    case WriteAction.Upsert(Bytes sent) -> sent;
                    case WriteAction.Replace(Bytes sent) -> sent;
                    case WriteAction.Rename(RowKey _, Bytes sent) -> sent;
                    case WriteAction.Computed _ -> item.body();
                };
        return item.withBody(body);
    }

    /** Runs against the owner of the key; when that has just been split away, looks again. */
    <T> T routed(
            RequestContext context,
            Container container,
            PartitionKey key,
            Function<PhysicalPartition, T> attempt) {
        var epk = EffectiveKeys.of(definition(container), key);
        return resolver.routed(context, container, map -> attempt.apply(map.owner(epk)));
    }

    private PartitionRequest readRequest(
            RequestContext context,
            Container container,
            PartitionKey key,
            ItemRef item,
            PhysicalPartition partition) {
        PartitionId id = container.partition(partition);
        long minLsn = partitions.minLsn(context, partition);
        return switch (item) {
            case ItemRef.Named(RowKey name) ->
                    new ReadRequest.ReadItem(id, key(container, key, name), minLsn);
            case ItemRef.Identified(ResourceId rid) ->
                    new ReadRequest.ReadByDocid(
                            id, docid(container, rid), Optional.of(key), minLsn);
        };
    }

    /** The key of an item that a request names beside its partition key. */
    private ItemKey named(
            RequestContext context, Container container, PartitionKey given, ItemRef item) {
        return existing(context, container, wholeKey(container, given), item);
    }

    /** The key of an item that a request names; one named by rid has to be looked up. */
    ItemKey existing(RequestContext context, Container container, PartitionKey key, ItemRef item) {
        if (item instanceof ItemRef.Named(RowKey name)) {
            return key(container, key, name);
        }
        return routed(
                context,
                container,
                key,
                partition -> {
                    ReadResponse.Found found =
                            (ReadResponse.Found)
                                    partitions.call(
                                            context,
                                            partition,
                                            readRequest(context, container, key, item, partition));
                    return found.key();
                });
    }

    private static long docid(Container container, ResourceId rid) {
        boolean inContainer =
                rid.container().isPresent()
                        && rid.container().getAsInt() == container.number()
                        && rid.docid().isPresent();
        if (!inContainer) {
            throw new OrreryException(ErrorCode.NOT_FOUND, "Resource Not Found.");
        }
        return rid.docid().getAsLong();
    }

    private static ItemBody body(Container container, Body sent, Optional<PartitionKey> headerKey) {
        ContainerKind kind = container.definition().kind();
        ItemBody body =
                BodyFormat.of(kind.encoding()).parse(sent, kind.limits(), definition(container));
        // The item is in memory twice: in the form that is stored, and in the reply.
        MemoryAccount.current().take(2L * Math.max(sent.bytes().length(), body.stored().length()));
        PartitionKey inBody = body.partitionKey(definition(container));
        ItemRules.checkKey(inBody);
        if (headerKey.isPresent() && !isSameKey(container, headerKey.get(), inBody)) {
            throw new OrreryException(
                    ErrorCode.PARTITION_KEY_MISMATCH,
                    "PartitionKey extracted from document doesn't match the one specified in the"
                            + " header.");
        }
        return body;
    }

    private static boolean isSameKey(
            Container container, PartitionKey header, PartitionKey inBody) {
        return wholeKey(container, header).equals(inBody);
    }

    /** Point operations name every level of the key. */
    static PartitionKey wholeKey(Container container, PartitionKey key) {
        PartitionKeyDefinition definition = definition(container);
        PartitionKey normal = GivenKey.of(container, key);
        if (normal.components().size() != definition.paths().size()) {
            throw new OrreryException(
                    ErrorCode.PARTITION_KEY_MISMATCH,
                    "Partition key provided either doesn't correspond to definition in the"
                            + " collection or doesn't match partition key field values specified in"
                            + " the document. The container's key has "
                            + definition.paths().size()
                            + " components.");
        }
        ItemRules.checkKey(normal);
        return normal;
    }

    private static ItemKey key(Container container, ItemBody body) {
        return key(container, body.partitionKey(definition(container)), rowKey(container, body));
    }

    static ItemKey key(Container container, PartitionKey key, RowKey item) {
        return new ItemKey(EffectiveKeys.of(definition(container), key), key, item);
    }

    /** Ids inside of bodies pass no front-end, so its rules are looked up by the kind. */
    private static RowKey rowKey(Container container, ItemBody body) {
        return body.rowKey(container.definition().kind().ids())
                .orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.BAD_REQUEST,
                                        "The input content is invalid because the required"
                                                + " properties - 'id; ' - are missing"));
    }

    private static PartitionKeyDefinition definition(Container container) {
        return container.definition().partitionKey();
    }
}
