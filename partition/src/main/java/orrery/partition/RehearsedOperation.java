package orrery.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import orrery.document.ItemLifetime;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.model.ContainerKind;
import orrery.model.EffectiveKey;
import orrery.model.EffectiveKeys;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.KeyTransaction;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RowKey;
import orrery.model.TransactionWrite;
import orrery.model.memory.MemoryAccount;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.BatchStep;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.StepOutcome;
import orrery.partition.api.StepResult;
import orrery.partition.api.TransactedRequest;
import orrery.partition.api.TransactedResponse;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.Rehearsal;
import orrery.query.EncodedQuery;
import orrery.query.PreparedQueries;
import orrery.query.evaluate.UserFunctions;
import orrery.query.index.IndexUse;
import orrery.query.write.Images;
import orrery.query.write.WriteDialects;
import orrery.storage.StoreSnapshot;
import orrery.storage.format.Docid;
import orrery.storage.format.Keys;

/**
 * Carries out one operation of a transaction where only the transaction sees it: on a snapshot,
 * with the writes of its operations before laid over. What the operation would write is answered
 * and forgotten. Used once, by one thread.
 */
final class RehearsedOperation {
    private final Replica replica;
    private final PartitionState published;
    private final PreparedQueries queries;
    private final WriteDialects dialects;
    private final long stampMillis;
    private final boolean isUnchecked;
    private final TransactedRequest request;
    private final PartitionId partition;
    private final PartitionKey key;
    private final EffectiveKey epk;
    private final List<TransactionWrite> made = new ArrayList<>();
    private long madeBytes;

    /**
     * @param stampMillis the time of the partition
     * @param isUnchecked whether what it writes need not meet the validator of the container
     */
    RehearsedOperation(
            Replica replica,
            PartitionState published,
            PreparedQueries queries,
            WriteDialects dialects,
            long stampMillis,
            boolean isUnchecked,
            TransactedRequest request) {
        this.replica = replica;
        this.published = published;
        this.queries = queries;
        this.dialects = dialects;
        this.stampMillis = stampMillis;
        this.isUnchecked = isUnchecked;
        this.request = request;
        this.partition = request.partition();
        this.key = request.partitionKey();
        this.epk =
                EffectiveKeys.of(published.definition().current().definition().partitionKey(), key);
    }

    /**
     * @param told makes the answer of an operation that is refused for itself
     */
    TransactedResponse run(Function<OrreryException, PartitionResponse.Failed> told) {
        if (!published.record().keys().contains(epk)) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
        requireKey();
        Optional<Prepared> search = query().map(this::prepared);
        try (StoreSnapshot snapshot = replica.store().snapshot();
                MemoryAccount.Part memory = MemoryAccount.current().part()) {
            Rehearsal rehearsal =
                    Rehearsal.on(snapshot, replica.levels(), partition, published, epk, key)
                            .orElseThrow(() -> Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE));
            if (request.lastWrite().isPresent()
                    && request.lastWrite().getAsLong() != rehearsal.lastWrite()) {
                throw keyChanged();
            }
            rehearsal.createLast();
            Stage stage = new Stage(rehearsal, memory, search);
            request.writes().forEach(stage::replay);
            PartitionResponse.Charged answer;
            try {
                answer = stage.answer();
            } catch (OrreryException refused) {
                if (isOfAll(refused)) {
                    throw refused;
                }
                made.clear();
                answer = told.apply(refused);
            }
            return new TransactedResponse(answer, rehearsal.lastWrite(), made);
        }
    }

    /** Returns true if a refusal says nothing of the operation: it may be sent again. */
    private static boolean isOfAll(OrreryException refused) {
        return refused.code().isOfRate()
                || refused.code() == ErrorCode.RANGE_GONE
                || refused.code() == ErrorCode.KEY_CHANGED;
    }

    private static OrreryException keyChanged() {
        return Refusals.of(ErrorCode.KEY_CHANGED, RequestCharge.refusedWrite(0));
    }

    private void requireKey() {
        Optional<PartitionKey> named =
                switch (request.operation()) {
                    case ReadRequest.ReadItem read -> Optional.of(read.key().partitionKey());
                    case ReadRequest.Query query -> query.partitionKey();
                    case WriteRequest.OfKey write -> Optional.of(write.partitionKey());
                    case WriteRequest.ChangeMany many -> many.partitionKey();
                    default -> Optional.empty();
                };
        if (!named.equals(Optional.of(key))) {
            throw KeyTransaction.outside("This operation is about other items too.");
        }
    }

    /** A query that is ready, and reads as the transaction does. */
    private record Prepared(
            QueryReader reader, PreparedQueries.Ready ready, ReadRequest.Query query) {}

    /** Returns the query by which the operation finds items. */
    private Optional<ReadRequest.Query> query() {
        return switch (request.operation()) {
            case ReadRequest.Query query -> Optional.of(query);
            case WriteRequest.WriteFirst first ->
                    Optional.of(search(first.search(), first.database()));
            case WriteRequest.ChangeMany many ->
                    Optional.of(search(many.search(), many.database()));
            default -> Optional.empty();
        };
    }

    private ReadRequest.Query search(EncodedQuery search, int database) {
        return new ReadRequest.Query(
                partition,
                database,
                search,
                KeyRange.FULL,
                Optional.of(key),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                1,
                kind(published).limits().maxPageBytes(),
                0,
                List.of());
    }

    /** A long query is made ready before there is a snapshot: it may have to wait. */
    private Prepared prepared(ReadRequest.Query query) {
        QueryReader reader = QueryReader.ofRehearsal(published, queries, stampMillis);
        return new Prepared(reader, reader.planned(query, UserFunctions.NONE), query);
    }

    private static ContainerKind kind(PartitionState state) {
        return state.definition().current().definition().kind();
    }

    /** The items as the transaction has them. */
    private final class Stage {
        private final Rehearsal rehearsal;
        private final MemoryAccount.Part memory;
        private final Optional<Prepared> search;
        private IndexUse used = IndexUse.NONE;

        Stage(Rehearsal rehearsal, MemoryAccount.Part memory, Optional<Prepared> search) {
            this.rehearsal = rehearsal;
            this.memory = memory;
            this.search = search;
        }

        /**
         * A write that no longer fits although nobody wrote: an item expired, or an index is new.
         */
        void replay(TransactionWrite write) {
            Cancellation.current().check();
            Command.ItemChange change =
                    CommitWriter.change(
                            write, new ItemKey(epk, key, write.item()), kind(state()).encoding());
            madeBytes += write.bodyBytes();
            if (!(rehearsed(change) instanceof Outcome.Written)) {
                throw keyChanged();
            }
        }

        PartitionResponse.Charged answer() {
            return switch (request.operation()) {
                case ReadRequest.ReadItem read -> read(read);
                case ReadRequest.Query query -> page(query);
                case WriteRequest.WriteItem write ->
                        written(done(write.key(), write.action(), write.precondition()));
                case WriteRequest.WriteFirst first ->
                        WriteResponse.Searched.of(written(first(first)), used);
                case WriteRequest.ChangeMany many -> WriteResponse.Searched.of(many(many), used);
                case WriteRequest.Batch batch -> batch(batch);
                default ->
                        throw new IllegalStateException(
                                "a request is no operation of a transaction");
            };
        }

        private PartitionState state() {
            return rehearsal.state();
        }

        private ReadResponse.Found read(ReadRequest.ReadItem read) {
            requireLsn(read.minLsn());
            Item item = find(read.key()).orElseThrow(RehearsedOperation::notFound);
            return HeldItem.counted(
                    new ReadResponse.Found(
                            item,
                            read.key(),
                            rehearsal.headLsn(),
                            RequestCharge.read(Charges.billedBytes(item.body()))));
        }

        private ReadResponse.QueryPage page(ReadRequest.Query query) {
            requireLsn(query.minLsn());
            Prepared prepared = search.orElseThrow();
            return prepared.reader()
                    .read(rehearsal.view(), query, prepared.ready(), System.nanoTime());
        }

        private void requireLsn(long minLsn) {
            if (rehearsal.headLsn() < minLsn) {
                throw Refusals.of(ErrorCode.READ_SESSION_NOT_AVAILABLE, Charge.NONE);
            }
        }

        private Optional<Item> find(ItemKey item) {
            return rehearsal.find(item, stampMillis);
        }

        // ---- writes

        private StepResult.Done done(ItemKey item, WriteAction action, Precondition precondition) {
            return switch (action) {
                case WriteAction.Create(Bytes body) ->
                        blind(put(item, Command.Expect.ABSENT, Precondition.NONE, body), action);
                case WriteAction.Upsert(Bytes body) ->
                        blind(put(item, Command.Expect.ANY, precondition, body), action);
                case WriteAction.Replace(Bytes body) ->
                        blind(put(item, Command.Expect.PRESENT, precondition, body), action);
                case WriteAction.Computed computed when ChangeEvaluation.isNeeded(computed) -> {
                    Optional<Item> present = find(item);
                    yield computed(
                            computed,
                            evaluation(computed, precondition).of(item, present, Precondition.NONE),
                            present,
                            Charge.NONE);
                }
                case WriteAction.Computed _ ->
                        blind(new Command.ItemChange.Remove(item, precondition), action);
                case WriteAction.Rename _ ->
                        throw new OrreryException(
                                ErrorCode.BAD_REQUEST,
                                "An operation of a transaction cannot give an item another id.");
            };
        }

        private Command.ItemChange put(
                ItemKey item, Command.Expect expect, Precondition precondition, Bytes body) {
            ItemLifetime.check(kind(state()).encoding(), body);
            new RuleCheck(state().definition().current().definition(), isUnchecked).check(body);
            return WriteRun.put(
                    item, expect, precondition, new Body(kind(state()).encoding(), body));
        }

        private ChangeEvaluation evaluation(
                WriteAction.Computed action, Precondition precondition) {
            return new ChangeEvaluation(
                    action,
                    precondition,
                    partition.container(),
                    state().definition(),
                    dialects,
                    stampMillis,
                    isUnchecked);
        }

        private StepResult.Done blind(Command.ItemChange change, WriteAction action) {
            Outcome.ItemOutcome outcome = apply(change);
            return new StepResult.Done(
                    outcome(outcome),
                    version(outcome, Bytes.EMPTY),
                    Optional.empty(),
                    Charges.of(action, outcome));
        }

        private StepResult.Done computed(
                WriteAction.Computed action,
                ChangeEvaluation.Change change,
                Optional<Item> present,
                Charge looking) {
            Images images = action.images();
            Optional<Item> before = images.before() ? present : Optional.empty();
            before.map(Item::body).ifPresent(HeldItem::take);
            if (change.isNone()) {
                Item item = present.orElseThrow();
                return new StepResult.Done(
                        StepOutcome.UNCHANGED,
                        Optional.of(images.after() ? item : item.withBody(Bytes.EMPTY)),
                        before,
                        RequestCharge.refusedWrite(Charges.billedBytes(item.body())).plus(looking));
            }
            Outcome.ItemOutcome outcome = apply(change.change());
            Bytes shown = images.after() ? change.body().orElse(Bytes.EMPTY) : Bytes.EMPTY;
            HeldItem.take(shown);
            return new StepResult.Done(
                    outcome(outcome),
                    version(outcome, shown),
                    before,
                    Charges.of(action, outcome).plus(looking));
        }

        private StepResult.Done first(WriteRequest.WriteFirst first) {
            Prepared prepared = search.orElseThrow();
            ChangeEvaluation evaluation = evaluation(first.action(), Precondition.NONE);
            Charge looking = Charge.NONE;
            Optional<Bytes> after = Optional.empty();
            do {
                Cancellation.current().check();
                QueryReader.Search page =
                        prepared.reader()
                                .first(
                                        rehearsal.view(),
                                        prepared.query().behind(after),
                                        prepared.ready());
                looking = looking.plus(page.charge());
                used = page.used();
                if (page.key().isPresent()) {
                    ItemKey item = itemKey(page.key().get());
                    Optional<Item> present = find(item);
                    return computed(
                            first.action(),
                            evaluation.of(item, present, Precondition.NONE),
                            present,
                            looking);
                }
                after = page.next();
            } while (after.isPresent());
            try {
                return computed(
                        first.action(),
                        evaluation.onAbsence(new ItemKey(epk, key, RowKey.ofText(""))),
                        Optional.empty(),
                        looking);
            } catch (OrreryException refusal) {
                throw refusal.withCharge(refusal.charge().plus(looking));
            }
        }

        private ItemKey itemKey(Bytes suffix) {
            return Keys.itemKey(suffix, state().definition().current().definition().partitionKey());
        }

        /** Finds all items before it changes one: a change must not lead the search to another. */
        private WriteResponse.ManyChanged many(WriteRequest.ChangeMany many) {
            Found found = found();
            ChangeEvaluation evaluation = evaluation(many.action(), Precondition.NONE);
            Charge charge = found.charge();
            long matched = 0;
            long modified = 0;
            for (ItemKey item : found.items()) {
                Optional<Item> present = find(item);
                ChangeEvaluation.Change change;
                try {
                    change = evaluation.of(item, present, Precondition.NONE);
                } catch (OrreryException unmet) {
                    if (unmet.code() == ErrorCode.PRECONDITION_FAILED
                            && unmet.languageCode().isEmpty()) {
                        continue; // the update finds that it is not meant for the item
                    }
                    throw unmet;
                }
                StepResult.Done done = computed(many.action(), change, present, Charge.NONE);
                charge = charge.plus(done.charge());
                matched++;
                modified += done.outcome() == StepOutcome.UNCHANGED ? 0 : 1;
            }
            return new WriteResponse.ManyChanged(
                    matched,
                    modified,
                    Optional.empty(),
                    Optional.empty(),
                    rehearsal.headLsn(),
                    charge);
        }

        /** What a walk has found. */
        private record Found(List<ItemKey> items, Charge charge) {}

        private Found found() {
            Prepared prepared = search.orElseThrow();
            List<ItemKey> items = new ArrayList<>();
            Charge charge = Charge.NONE;
            OptionalLong after = OptionalLong.of(0);
            long end = Docid.atHome(partition.range(), Docid.MAX_COUNTER);
            while (after.isPresent()) {
                Cancellation.current().check();
                QueryReader.Walk walk =
                        prepared.reader()
                                .walk(
                                        rehearsal.view(),
                                        prepared.query(),
                                        prepared.ready(),
                                        after.getAsLong(),
                                        end,
                                        (suffix, _) -> {
                                            memory.take(128L + suffix.length());
                                            items.add(itemKey(suffix));
                                            return true;
                                        });
                charge = charge.plus(walk.charge());
                used = walk.used();
                after = walk.next();
            }
            return new Found(items, charge);
        }

        private WriteResponse.Batch batch(WriteRequest.Batch batch) {
            requireLsn(batch.minLsn());
            List<StepResult> results = new ArrayList<>();
            for (BatchStep step : batch.steps()) {
                Cancellation.current().check();
                try {
                    results.add(
                            switch (step) {
                                case BatchStep.Write(ItemKey item, var action, var precondition) ->
                                        done(item, action, precondition);
                                case BatchStep.Read(ItemKey item, var _) -> {
                                    Item present =
                                            find(item).orElseThrow(RehearsedOperation::notFound);
                                    HeldItem.take(present.body());
                                    yield new StepResult.Done(
                                            StepOutcome.READ,
                                            Optional.of(present),
                                            Optional.empty(),
                                            RequestCharge.read(
                                                    Charges.billedBytes(present.body())));
                                }
                            });
                } catch (OrreryException refused) {
                    if (isOfAll(refused) || refused.code() == ErrorCode.TRANSACTION_TOO_LARGE) {
                        throw refused;
                    }
                    made.clear();
                    return BatchWriter.failed(
                            batch.steps().size(), results.size(), refused, rehearsal.headLsn());
                }
            }
            return BatchWriter.response(
                    results, OptionalLong.of(rehearsal.lastWrite()), rehearsal.headLsn());
        }

        // ---- changes

        private Outcome rehearsed(Command.ItemChange change) {
            Command.ItemChange complete = Derivation.complete(change, state(), stampMillis);
            if (complete instanceof Command.ItemChange.Storing put) {
                memory.take(2L * put.body().length() + 2 * Derivation.termBytes(put));
            }
            return rehearsal.apply(complete, stampMillis);
        }

        private Outcome.ItemOutcome apply(Command.ItemChange change) {
            return switch (rehearsed(change)) {
                case Outcome.Written done -> {
                    Outcome.ItemOutcome outcome = done.items().getFirst();
                    made.add(write(change, outcome));
                    madeBytes += made.getLast().bodyBytes();
                    KeyTransaction.checkSize(request.writes().size() + made.size(), madeBytes);
                    yield outcome;
                }
                case Outcome.Rejected rejected -> throw Refusals.of(rejected, state(), change);
                case Outcome.Done _,
                        Outcome.Reindexed _,
                        Outcome.Blocked _,
                        Outcome.Repeated _,
                        Outcome.Stale _ ->
                        throw new IllegalStateException("a change was answered as another command");
            };
        }

        private static TransactionWrite write(
                Command.ItemChange change, Outcome.ItemOutcome outcome) {
            return change instanceof Command.ItemChange.Put put
                    ? new TransactionWrite.Put(
                            put.key().rowKey(),
                            outcome.kind() == Outcome.Kind.CREATED,
                            outcome.kind() != Outcome.Kind.CREATED && put.isUpdate(),
                            put.body())
                    : new TransactionWrite.Remove(change.key().rowKey());
        }

        /** The version that a change leaves behind; absent after a delete. */
        private Optional<Item> version(Outcome.ItemOutcome outcome, Bytes body) {
            return outcome.kind() == Outcome.Kind.DELETED
                    ? Optional.empty()
                    : Optional.of(
                            new Item(
                                    outcome.docid(),
                                    outcome.etag(),
                                    stampMillis,
                                    rehearsal.headLsn(),
                                    kind(state()).encoding(),
                                    body));
        }

        private WriteResponse.Written written(StepResult.Done done) {
            return new WriteResponse.Written(
                    switch (done.outcome()) {
                        case CREATED -> WriteResponse.Change.CREATED;
                        case REPLACED -> WriteResponse.Change.REPLACED;
                        case DELETED -> WriteResponse.Change.DELETED;
                        case UNCHANGED -> WriteResponse.Change.UNCHANGED;
                        case READ, NOT_MODIFIED ->
                                throw new IllegalStateException("a write only looked");
                    },
                    done.item(),
                    done.before(),
                    rehearsal.headLsn(),
                    done.charge());
        }
    }

    private static StepOutcome outcome(Outcome.ItemOutcome outcome) {
        return switch (outcome.kind()) {
            case CREATED -> StepOutcome.CREATED;
            case REPLACED -> StepOutcome.REPLACED;
            case DELETED -> StepOutcome.DELETED;
            case SEEN -> StepOutcome.UNCHANGED;
        };
    }

    private static OrreryException notFound() {
        return Refusals.of(ErrorCode.NOT_FOUND, RequestCharge.NOT_FOUND);
    }
}
