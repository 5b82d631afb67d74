package orrery.partition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.document.ItemLifetime;
import orrery.model.Body;
import orrery.model.ByteSizes;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RowKey;
import orrery.model.memory.MemoryAccount;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.BatchStep;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.machine.Command;
import orrery.partition.machine.LastWrite;
import orrery.partition.machine.OpenDefinition;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.Presence;
import orrery.query.write.WriteDialects;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/**
 * Turns the steps of a batch into changes, as one view of the data has it. Reads and evaluations
 * are made here; each becomes a change that holds only while the item is still what was seen here.
 * The rest is left to the log to judge.
 */
final class BatchEvaluation {
    /** An item that the batch itself wrote has no etag yet, and none that a client could name. */
    private static final Etag UNBORN = new Etag(0, 0);

    private final StoreView view;
    private final MemoryAccount.Part memory;
    private final WriteRequest.Batch request;
    private final OpenDefinition open;
    private final ContainerDefinition definition;
    private final ContainerKind kind;
    private final boolean isUnchecked;
    private final RuleCheck rule;
    private final long stampMillis;
    private final Presence presence;
    private final WriteDialects dialects;
    private final long headLsn;
    private final long lastWrite;
    private final Map<ItemKey, Optional<Bytes>> written = new HashMap<>();
    private final List<Planned> planned = new ArrayList<>();
    private Optional<OrreryException> refusal = Optional.empty();
    private long responseBytes;

    /**
     * A step that went well.
     *
     * @param seen the version in the store that a read found, or a write that leaves it as it is
     * @param before the version that the step replaces or deletes, if it was asked for
     * @param body what the step made of the item and its sender wants to see, or read of what the
     *     batch had made of it
     * @param dependsOnStore whether the change was computed from what is stored
     */
    record Planned(
            Command.ItemChange change,
            Optional<Item> seen,
            Optional<Item> before,
            Optional<Bytes> body,
            boolean dependsOnStore) {
        /** A change that the log is left to judge. */
        private static Planned blind(Command.ItemChange change) {
            return new Planned(change, Optional.empty(), Optional.empty(), Optional.empty(), false);
        }
    }

    private BatchEvaluation(
            StoreView view,
            WriteRequest.Batch request,
            PartitionState state,
            WriteDialects dialects,
            long stampMillis,
            boolean isUnchecked,
            MemoryAccount.Part memory) {
        this.memory = memory;
        this.dialects = dialects;
        this.view = view;
        this.request = request;
        this.open = state.definition();
        this.definition = open.current().definition();
        this.kind = definition.kind();
        this.isUnchecked = isUnchecked;
        this.rule = new RuleCheck(definition, isUnchecked);
        this.stampMillis = stampMillis;
        this.presence = state.presence(stampMillis);
        this.headLsn =
                findHeadLsn(view, request)
                        .orElseThrow(() -> Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE));
        ItemKey first = request.steps().getFirst().key();
        this.lastWrite = LastWrite.of(view, request.partition(), first.epk(), first.partitionKey());
    }

    /**
     * Stops at the first step that must be refused. The view is not used afterwards.
     *
     * @param isUnchecked whether bodies need not meet the validator of the container
     * @param memory what the steps made is taken from it
     */
    static BatchEvaluation run(
            StoreView view,
            WriteRequest.Batch request,
            PartitionState state,
            WriteDialects dialects,
            long stampMillis,
            boolean isUnchecked,
            MemoryAccount.Part memory) {
        BatchEvaluation evaluation =
                new BatchEvaluation(
                        view, request, state, dialects, stampMillis, isUnchecked, memory);
        evaluation.run();
        return evaluation;
    }

    private void run() {
        Cancellation cancellation = Cancellation.current();
        for (BatchStep step : request.steps()) {
            cancellation.check();
            try {
                planned.add(plan(step));
            } catch (OrreryException refused) {
                if (refused.code().isOfRate()) {
                    throw refused; // nothing is wrong with the step: all of them may come again
                }
                refusal = Optional.of(refused);
                return;
            }
        }
    }

    /** The steps up to the one that was refused, or all. */
    List<Planned> planned() {
        return planned;
    }

    /** Why the step after those that were planned cannot be done. */
    Optional<OrreryException> refusal() {
        return refusal;
    }

    /** Returns the LSN that the partition had reached. */
    long headLsn() {
        return headLsn;
    }

    /** Returns the LSN of the last write of the logical partition; 0 if it had no items. */
    long lastWrite() {
        return lastWrite;
    }

    /** Empty if the partition is not there any more. */
    static OptionalLong findHeadLsn(StoreView view, WriteRequest.Batch request) {
        byte[] record = view.get(Table.META, Keys.partition(request.partition()));
        return record == null
                ? OptionalLong.empty()
                : OptionalLong.of(PartitionRecord.decode(record).headLsn());
    }

    private Planned plan(BatchStep step) {
        return switch (step) {
            case BatchStep.Read(ItemKey key, Precondition _) -> read(key);
            case BatchStep.Write(ItemKey key, WriteAction action, Precondition precondition) ->
                    switch (action) {
                        case WriteAction.Create(Bytes body) ->
                                put(key, Command.Expect.ABSENT, Precondition.NONE, body);
                        case WriteAction.Upsert(Bytes body) ->
                                put(key, Command.Expect.ANY, precondition, body);
                        case WriteAction.Replace(Bytes body) ->
                                put(key, Command.Expect.PRESENT, precondition, body);
                        case WriteAction.Rename(RowKey id, Bytes body) ->
                                rename(key, id, precondition, body);
                        case WriteAction.Computed computed
                                when ChangeEvaluation.isNeeded(computed) ->
                                evaluated(key, computed, precondition);
                        case WriteAction.Computed _ -> {
                            written.put(key, Optional.empty());
                            yield Planned.blind(new Command.ItemChange.Remove(key, precondition));
                        }
                    };
        };
    }

    private Planned put(ItemKey key, Command.Expect expect, Precondition precondition, Bytes body) {
        Body checked = checked(body);
        written.put(key, Optional.of(body));
        return Planned.blind(WriteRun.put(key, expect, precondition, checked));
    }

    private Planned rename(ItemKey key, RowKey id, Precondition precondition, Bytes body) {
        Body checked = checked(body);
        written.put(key, Optional.empty());
        written.put(key.withRowKey(id), Optional.of(body));
        return Planned.blind(WriteRun.replace(key, id, precondition, checked));
    }

    private Body checked(Bytes body) {
        ItemLifetime.check(kind.encoding(), body);
        rule.check(body);
        return new Body(kind.encoding(), body);
    }

    private Planned read(ItemKey key) {
        if (written.containsKey(key)) {
            Bytes body = present(key).orElseThrow(BatchEvaluation::notFound).body();
            answerWith(body);
            return new Planned(
                    new Command.ItemChange.Check(key, Precondition.NONE),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(body),
                    false);
        }
        Item item = present(key).orElseThrow(BatchEvaluation::notFound);
        answerWith(item.body());
        return new Planned(
                new Command.ItemChange.Check(key, new Precondition.Matches(item.etag())),
                Optional.of(item),
                Optional.empty(),
                Optional.empty(),
                true);
    }

    private Planned evaluated(ItemKey key, WriteAction.Computed action, Precondition precondition) {
        ChangeEvaluation evaluation =
                new ChangeEvaluation(
                        action,
                        precondition,
                        request.partition().container(),
                        open,
                        dialects,
                        stampMillis,
                        isUnchecked);
        boolean isOwn = written.containsKey(key);
        Optional<Item> present = present(key);
        Precondition still =
                isOwn || present.isEmpty()
                        ? Precondition.NONE
                        : new Precondition.Matches(present.get().etag());
        ChangeEvaluation.Change change = evaluation.of(key, present, still);
        Optional<Item> before = action.images().before() ? present : Optional.empty();
        Optional<Bytes> after = action.images().after() ? change.body() : Optional.empty();
        before.map(Item::body).ifPresent(this::answerWith);
        if (change.isNone()) {
            after.ifPresent(this::answerWith);
            return new Planned(
                    change.change(), isOwn ? Optional.empty() : present, before, after, !isOwn);
        }
        // A body that is made counts although nobody wants to see it: the command holds it.
        change.body().ifPresent(this::answerWith);
        written.put(key, Optional.empty());
        written.put(change.target(), change.body());
        return new Planned(change.change(), Optional.empty(), before, after, !isOwn);
    }

    /** The item as the steps so far left it. One that they wrote has no etag yet. */
    private Optional<Item> present(ItemKey key) {
        Optional<Bytes> own = written.get(key);
        return own == null
                ? stored(key)
                : own.map(body -> new Item(0, UNBORN, stampMillis, 0, kind.encoding(), body));
    }

    private Optional<Item> stored(ItemKey key) {
        Bytes suffix = Keys.itemSuffix(key);
        byte[] row = view.get(Table.ITEMS, Keys.item(request.partition().container(), suffix));
        return Optional.ofNullable(row)
                .map(ItemRecord::decode)
                .filter(item -> !presence.isGone(suffix, item))
                .map(ItemRecord::toItem);
    }

    private void answerWith(Bytes body) {
        memory.take(body.length());
        responseBytes += Charges.billedBytes(body);
        // The largest answer to a batch is the same as a page of a feed.
        if (responseBytes > kind.limits().maxPageBytes()) {
            throw new OrreryException(
                            ErrorCode.BATCH_RESPONSE_TOO_LARGE,
                            "The answer to the batch would have more than "
                                    + ByteSizes.text(kind.limits().maxPageBytes())
                                    + ". Send fewer operations at once.")
                    .withCharge(RequestCharge.read(Charges.billedBytes(body)));
        }
    }

    private static OrreryException notFound() {
        return Refusals.of(ErrorCode.NOT_FOUND, RequestCharge.NOT_FOUND);
    }
}
