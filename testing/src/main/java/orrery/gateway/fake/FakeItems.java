package orrery.gateway.fake;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import orrery.document.ItemBody;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ChangePage;
import orrery.gateway.api.ChangeRequest;
import orrery.gateway.api.CommitAnswer;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.FirstWrite;
import orrery.gateway.api.FoundStatement;
import orrery.gateway.api.ItemAddress;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemAnswer.Outcome;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemPage;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.Items;
import orrery.gateway.api.KeyAnswer;
import orrery.gateway.api.KeyDeleteAnswer;
import orrery.gateway.api.LookupAnswer;
import orrery.gateway.api.ManyAnswer;
import orrery.gateway.api.ManyWrite;
import orrery.gateway.api.MatchPage;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ProcedureAnswer;
import orrery.gateway.api.QueryExplanation;
import orrery.gateway.api.QueryPage;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.TimeReached;
import orrery.gateway.api.TriggerNames;
import orrery.gateway.api.TriggeredAnswer;
import orrery.gateway.api.ValueLookup;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ChangedItem;
import orrery.model.EffectiveKey;
import orrery.model.EffectiveKeys;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.FileTime;
import orrery.model.Item;
import orrery.model.ItemVersion;
import orrery.model.KeyRange;
import orrery.model.KeyTransaction;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.SessionToken;
import orrery.model.Statement;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.query.QueryCall;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.write.Evaluation;
import orrery.query.write.EvaluationPlace;
import orrery.query.write.Images;
import orrery.query.write.WriteDialects;

/** Items in memory, and a record of what was asked. It takes containers that have been resolved. */
public final class FakeItems implements Items {
    public static final long NOW_MILLIS = 1_700_000_000_000L;

    private record Stored(EffectiveKey epk, PartitionKey key, String id, Item item) {}

    private final Map<Integer, List<Stored>> items = new LinkedHashMap<>();
    private PageRequest lastPage = PageRequest.FIRST;
    private long lsn = 10;

    /** Thrown by the next call for an item, to see how it is rendered. */
    public Optional<RuntimeException> nextFailure = Optional.empty();

    public final List<PartitionKey> deletedKeys = new ArrayList<>();

    public final List<ItemBatch> batches = new ArrayList<>();

    /** The last request for changes. */
    public Optional<ChangeRequest> lastChangeRequest = Optional.empty();

    public List<ItemVersion> versions = List.of();
    public boolean hasMoreChanges;

    /** The input of the last run of a procedure or the last write with triggers. */
    public Optional<String> lastRun = Optional.empty();

    @Override
    public CommitAnswer commit(
            RequestContext context, KeyTransaction transaction, Statement statement) {
        fail();
        return new CommitAnswer(RequestCharge.refusedWrite(0));
    }

    /** Answers the arguments. */
    @Override
    public synchronized ProcedureAnswer execute(
            RequestContext context,
            ContainerRef ref,
            PartitionKey key,
            ResourceRef procedure,
            Bytes arguments,
            boolean logs) {
        lastRun = Optional.of(procedure + " for " + key + " with " + arguments.toUtf8());
        return new ProcedureAnswer(
                arguments.isEmpty() ? Optional.empty() : Optional.of(arguments),
                logs ? "a+b %\n\u00e9" : "",
                begin(ref).container(),
                0,
                12,
                RequestCharge.METADATA);
    }

    @Override
    public TriggeredAnswer writeItem(
            RequestContext context, ContainerRef ref, ItemWrite write, TriggerNames triggers) {
        lastRun = Optional.of(triggers.before() + " before, " + triggers.after() + " after");
        return new TriggeredAnswer(
                writeItem(context, ref, write),
                triggers.after().contains("answer")
                        ? Optional.of(Bytes.ofUtf8("{\"by\":\"trigger\"}"))
                        : Optional.empty(),
                triggers.logs() ? "done" : "");
    }

    @Override
    public synchronized ItemAnswer readItem(
            RequestContext context, ContainerRef ref, PartitionKey key, ItemRef item) {
        ContainerRef.Resolved in = begin(ref);
        Container container = in.container();
        Stored stored = find(container, key, item);
        return answer(
                Outcome.READ,
                Optional.of(stored.item()),
                in,
                stored.epk(),
                context.terms().isKnown(stored.item().etag())
                        ? RequestCharge.notModified()
                        : RequestCharge.read(4096));
    }

    /** One operation after the other; a failed atomic batch only tells so. */
    @Override
    public synchronized BatchAnswer batch(
            RequestContext context, ContainerRef ref, ItemBatch batch) {
        batches.add(batch);
        ContainerRef.Resolved in = begin(ref);
        Container container = in.container();
        List<BatchAnswer.Result> results = new ArrayList<>();
        for (BatchOperation operation : batch.operations()) {
            results.add(result(context, ref, operation));
        }
        boolean isRefused = results.stream().anyMatch(BatchAnswer.Result.Refused.class::isInstance);
        if (batch instanceof ItemBatch.Atomic && isRefused) {
            results.replaceAll(
                    result ->
                            result instanceof BatchAnswer.Result.Refused
                                    ? result
                                    : new BatchAnswer.Result.Refused(
                                            new OrreryException(
                                                    ErrorCode.FAILED_DEPENDENCY, "Not done.")));
        }
        return new BatchAnswer(
                results,
                container,
                SessionToken.of(0, lsn),
                RequestCharge.batch(1, results.stream().map(BatchAnswer.Result::charge).toList()));
    }

    @Override
    public synchronized KeyDeleteAnswer deleteItems(
            RequestContext context, ContainerRef ref, PartitionKey key) {
        ContainerRef.Resolved in = begin(ref);
        Container container = in.container();
        deletedKeys.add(key);
        return new KeyDeleteAnswer(
                container, SessionToken.of(0, ++lsn), RequestCharge.delete(0, 0));
    }

    private BatchAnswer.Result result(
            RequestContext context, ContainerRef ref, BatchOperation operation) {
        try {
            return switch (operation) {
                case BatchOperation.Write(ItemWrite write, var _) -> {
                    ItemAnswer answer = writeItem(context, ref, write);
                    yield new BatchAnswer.Result.Done(
                            answer.outcome(), answer.item(), answer.charge());
                }
                case BatchOperation.Refused(OrreryException reason) -> throw reason;
                case BatchOperation.Read(var id, PartitionKey key, Precondition known) -> {
                    ItemAnswer answer = readItem(context, ref, key, new ItemRef.Named(id));
                    Etag etag = answer.item().orElseThrow().etag();
                    yield Precondition.holds(known, etag)
                            ? new BatchAnswer.Result.NotModified(etag, answer.charge())
                            : new BatchAnswer.Result.Done(
                                    answer.outcome(), answer.item(), answer.charge());
                }
            };
        } catch (OrreryException refused) {
            return new BatchAnswer.Result.Refused(refused);
        }
    }

    @Override
    public FoundStatement findStatement(
            RequestContext context, ContainerRef container, Statement statement) {
        throw new UnsupportedOperationException();
    }

    /** Remembers no statements. */
    @Override
    public synchronized ItemAnswer writeItem(
            RequestContext context,
            ContainerRef ref,
            ItemWrite write,
            Optional<Statement> statement) {
        ContainerRef.Resolved in = begin(ref);
        Container container = in.container();
        return switch (write) {
            case ItemWrite.Create(Body body, Optional<PartitionKey> key) ->
                    put(in, body, key, Precondition.NONE, false);
            case ItemWrite.Upsert(
                            Body body,
                            Optional<PartitionKey> key,
                            Precondition precondition) ->
                    put(in, body, key, precondition, true);
            case ItemWrite.Replace(
                            ItemRef item,
                            Optional<PartitionKey> key,
                            Body body,
                            Precondition precondition) -> {
                PartitionKey found =
                        ItemBody.parse(body.bytes())
                                .partitionKey(container.definition().partitionKey());
                find(container, key.orElse(found), item);
                yield put(in, body, key, precondition, true);
            }
            case ItemWrite.Evaluate(
                            ItemRef item,
                            PartitionKey key,
                            Evaluation evaluation,
                            boolean upsert,
                            Images images,
                            Precondition precondition)
                    when images == Images.AFTER || images == Images.NONE -> {
                Optional<Item> present =
                        upsert
                                ? lookUp(container, key, item).map(Stored::item)
                                : Optional.of(find(container, key, item).item());
                present.ifPresent(each -> check(precondition, each.etag()));
                Bytes body =
                        WriteDialects.STANDARD
                                .read(evaluation, place(container))
                                .bodyAfter(present)
                                .orElseThrow(FakeItems::preconditionFailed);
                yield put(in, Body.json(body), Optional.of(key), precondition, true);
            }
            case ItemWrite.Evaluate _, ItemWrite.Take _ ->
                    throw new UnsupportedOperationException("no API here asks for such a write");
            case ItemWrite.Delete(ItemRef item, PartitionKey key, Precondition precondition) -> {
                Stored stored = find(container, key, item);
                check(precondition, stored.item().etag());
                stored(container).remove(stored);
                lsn++;
                yield answer(
                        Outcome.DELETED,
                        Optional.empty(),
                        in,
                        stored.epk(),
                        RequestCharge.delete(300, 2));
            }
        };
    }

    @Override
    public synchronized ChangePage<ItemVersion> readVersions(
            RequestContext context, ContainerRef ref, FeedScope scope, ChangeRequest request) {
        ContainerRef.Resolved in = begin(ref);
        Container container = in.container();
        lastChangeRequest = Optional.of(request);
        return new ChangePage<>(
                versions,
                hasMoreChanges,
                Long.toString(lsn),
                container,
                OptionalInt.of(0),
                SessionToken.of(0, lsn),
                RequestCharge.feedPage(0, 0));
    }

    @Override
    public synchronized ChangePage<ChangedItem> readChanges(
            RequestContext context, ContainerRef ref, FeedScope scope, ChangeRequest request) {
        ContainerRef.Resolved in = begin(ref);
        Container container = in.container();
        PartitionMap map = in.map();
        lastChangeRequest = Optional.of(request);
        long after =
                switch (request.start()) {
                    case ChangeRequest.Start.Beginning _ -> 0;
                    case ChangeRequest.Start.Now _ -> lsn;
                    case ChangeRequest.Start.After(String token) -> Long.parseLong(token);
                };
        List<ChangedItem> changes =
                stored(container).stream()
                        .filter(
                                each ->
                                        FakeScope.isInside(
                                                each.key(), each.epk(), scope, map, container))
                        .map(each -> new ChangedItem(ItemVersion.Operation.CREATE, each.item(), 0))
                        .filter(change -> change.item().lsn() > after)
                        .sorted(Comparator.comparing(change -> change.item().lsn()))
                        .limit(request.maxItems().orElse(100))
                        .toList();
        long next = changes.isEmpty() ? lsn : changes.getLast().item().lsn();
        return new ChangePage<>(
                changes,
                hasMoreChanges,
                Long.toString(next),
                container,
                OptionalInt.of(0),
                SessionToken.of(0, lsn),
                RequestCharge.feedPage(0, 0));
    }

    @Override
    public synchronized ItemPage readItems(
            RequestContext context, ContainerRef ref, FeedScope scope, PageRequest page) {
        ContainerRef.Resolved in = begin(ref);
        Container container = in.container();
        PartitionMap map = in.map();
        if (scope instanceof FeedScope.Range(int range, _) && map.find(range).isEmpty()) {
            throw new OrreryException(ErrorCode.RANGE_GONE, "gone");
        }
        List<Item> matching =
                stored(container).stream()
                        .filter(
                                each ->
                                        FakeScope.isInside(
                                                each.key(), each.epk(), scope, map, container))
                        .sorted(Comparator.comparing(Stored::epk))
                        .map(Stored::item)
                        .toList();
        Page<Item> found = FakePages.page(matching, page);
        SortedMap<Integer, Long> token = new TreeMap<>();
        for (PhysicalPartition partition : map.partitions()) {
            boolean isVisited =
                    switch (scope) {
                        case FeedScope.Everything _ -> true;
                        case FeedScope.Key(PartitionKey key) ->
                                partition.keys().overlaps(FakeScope.place(container, key));
                        case FeedScope.Range(int range, _) -> partition.range() == range;
                        case FeedScope.Lineage(int range, _) ->
                                partition.range() == range || map.heirs(range).contains(partition);
                        case FeedScope.Keys(KeyRange keys) -> partition.keys().overlaps(keys);
                    };
            if (isVisited) {
                token.put(partition.range(), lsn);
            }
        }
        OptionalInt served =
                token.size() == 1 ? OptionalInt.of(token.firstKey()) : OptionalInt.empty();
        return new ItemPage(
                found.resources(),
                found.continuation(),
                container,
                served,
                new SessionToken(token),
                new Charge(1, 2, 2048, 0, 0, 1, 0, 2.345, 0));
    }

    public synchronized PageRequest lastPage() {
        return lastPage;
    }

    @Override
    public ItemAnswer writeFirst(RequestContext context, ContainerRef container, FirstWrite write) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ManyAnswer changeMany(RequestContext context, ContainerRef container, ManyWrite write) {
        throw new UnsupportedOperationException();
    }

    @Override
    public KeyAnswer readKey(RequestContext context, ContainerRef container, PartitionKey key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public LookupAnswer readMany(
            RequestContext context, ContainerRef container, List<ItemAddress> addresses) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MatchPage findItems(
            RequestContext context,
            ContainerRef container,
            FeedScope scope,
            ValueLookup lookup,
            PageRequest page) {
        throw new UnsupportedOperationException();
    }

    @Override
    public QueryExplanation explain(
            RequestContext context,
            ContainerRef container,
            FeedScope scope,
            QueryCall query,
            PageRequest page,
            boolean runs) {
        throw new UnsupportedOperationException();
    }

    @Override
    public TimeReached awaitTime(RequestContext context, ContainerRef container, Instant time) {
        throw new UnsupportedOperationException();
    }

    @Override
    public synchronized QueryPage query(
            RequestContext context,
            ContainerRef ref,
            FeedScope scope,
            QueryCall call,
            PageRequest page) {
        lastPage = page;
        return FakeQueries.run(
                scope,
                call,
                page,
                () ->
                        readItems(
                                context,
                                ref,
                                scope,
                                new PageRequest(OptionalInt.empty(), Optional.empty())));
    }

    private ContainerRef.Resolved begin(ContainerRef ref) {
        fail();
        return (ContainerRef.Resolved) ref;
    }

    private void fail() {
        if (nextFailure.isPresent()) {
            RuntimeException failure = nextFailure.get();
            nextFailure = Optional.empty();
            throw failure;
        }
    }

    private ItemAnswer put(
            ContainerRef.Resolved in,
            Body sent,
            Optional<PartitionKey> given,
            Precondition precondition,
            boolean mayReplace) {
        Container container = in.container();
        PartitionKeyDefinition definition = container.definition().partitionKey();
        ItemBody body = ItemBody.parse(sent.bytes());
        PartitionKey key = body.partitionKey(definition);
        if (given.isPresent() && !given.get().equals(key)) {
            throw new OrreryException(ErrorCode.PARTITION_KEY_MISMATCH, "mismatch");
        }
        String id =
                body.id().orElseThrow(() -> new OrreryException(ErrorCode.BAD_REQUEST, "no id"));
        EffectiveKey epk = EffectiveKeys.of(definition, key);
        Optional<Stored> old =
                stored(container).stream()
                        .filter(each -> each.key().equals(key) && each.id().equals(id))
                        .findFirst();
        if (old.isPresent() && !mayReplace) {
            throw new OrreryException(ErrorCode.CONFLICT, "id exists")
                    .withProgress(
                            RequestCharge.refusedWrite(300), SessionToken.of(range(in, epk), lsn));
        }
        old.ifPresent(each -> check(precondition, each.item().etag()));
        lsn++;
        Item item =
                new Item(
                        old.map(each -> each.item().docid()).orElse(lsn),
                        nextEtag(in, epk),
                        NOW_MILLIS,
                        lsn,
                        Encoding.JSON,
                        body.stored());
        old.ifPresent(stored(container)::remove);
        stored(container).add(new Stored(epk, key, id, item));
        return answer(
                old.isPresent() ? Outcome.REPLACED : Outcome.CREATED,
                Optional.of(item),
                in,
                epk,
                RequestCharge.create(300, 2));
    }

    private Etag nextEtag(ContainerRef.Resolved in, EffectiveKey epk) {
        Container container = in.container();
        return switch (container.definition().kind().etags()) {
            case WRITE -> Etag.ofWrite(new PartitionId(container.number(), range(in, epk)), lsn, 0);
            case FILE_TIME -> new FileTime(FileTime.ofMillis(NOW_MILLIS).ticks() + lsn).toEtag();
        };
    }

    private ItemAnswer answer(
            Outcome outcome,
            Optional<Item> item,
            ContainerRef.Resolved in,
            EffectiveKey epk,
            Charge charge) {
        return new ItemAnswer(outcome, item, in.container(), range(in, epk), lsn, charge);
    }

    private static int range(ContainerRef.Resolved in, EffectiveKey epk) {
        return in.map().owner(epk).range();
    }

    private Stored find(Container container, PartitionKey key, ItemRef ref) {
        return lookUp(container, key, ref)
                .orElseThrow(
                        () ->
                                new OrreryException(ErrorCode.NOT_FOUND, "no item")
                                        .withProgress(
                                                RequestCharge.NOT_FOUND, SessionToken.of(0, lsn)));
    }

    private Optional<Stored> lookUp(Container container, PartitionKey key, ItemRef ref) {
        return stored(container).stream()
                .filter(
                        each ->
                                each.key().equals(key)
                                        && switch (ref) {
                                            case ItemRef.Named(var id) ->
                                                    each.id().equals(id.text());
                                            case ItemRef.Identified(ResourceId rid) ->
                                                    rid.docid().orElse(-1) == each.item().docid();
                                        })
                .findFirst();
    }

    private List<Stored> stored(Container container) {
        return items.computeIfAbsent(container.number(), _ -> new ArrayList<>());
    }

    private static EvaluationPlace place(Container container) {
        return new EvaluationPlace(
                container.rid(), container.definition(), ComputedProperties.NONE, NOW_MILLIS);
    }

    static void check(Precondition precondition, Etag present) {
        if (!Precondition.holds(precondition, present)) {
            throw preconditionFailed();
        }
    }

    private static OrreryException preconditionFailed() {
        return new OrreryException(ErrorCode.PRECONDITION_FAILED, "another version");
    }
}
