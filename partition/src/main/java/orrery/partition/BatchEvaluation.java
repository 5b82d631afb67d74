package orrery.partition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import orrery.document.ItemLifetime;
import orrery.model.Body;
import orrery.model.ByteSizes;
import orrery.model.Bytes;
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
import orrery.partition.machine.OpenDefinition;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.Presence;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/**
 * Turns the steps of a batch into changes, as one view of the data has it. Reads and patches are
 * evaluated; each becomes a change that holds only while the item is still what was seen here. The
 * rest is left to the log to judge.
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
    private final long stampMillis;
    private final Presence presence;
    private final long headLsn;
    private final Map<ItemKey, Optional<Bytes>> written = new HashMap<>();
    private final List<Planned> planned = new ArrayList<>();
    private Optional<OrreryException> refusal = Optional.empty();
    private long responseBytes;

    /**
     * A step that went well.
     *
     * @param seen the version in the store that a read found
     * @param body what the step made of the item, or read of what the batch had made of it
     * @param dependsOnStore whether the change was computed from what is stored
     */
    record Planned(
            Command.ItemChange change,
            Optional<Item> seen,
            @Nullable Bytes body,
            boolean dependsOnStore) {}

    private BatchEvaluation(
            StoreView view,
            WriteRequest.Batch request,
            PartitionState state,
            long stampMillis,
            MemoryAccount.Part memory) {
        this.memory = memory;
        this.view = view;
        this.request = request;
        this.open = state.definition();
        this.definition = open.current().definition();
        this.kind = definition.kind();
        this.stampMillis = stampMillis;
        this.presence = state.presence(stampMillis);
        this.headLsn =
                findHeadLsn(view, request)
                        .orElseThrow(() -> Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE));
    }

    /**
     * Stops at the first step that must be refused. The view is not used afterwards.
     *
     * @param memory what the steps made is taken from it
     */
    static BatchEvaluation run(
            StoreView view,
            WriteRequest.Batch request,
            PartitionState state,
            long stampMillis,
            MemoryAccount.Part memory) {
        BatchEvaluation evaluation = new BatchEvaluation(view, request, state, stampMillis, memory);
        evaluation.run();
        return evaluation;
    }

    private void run() {
        for (BatchStep step : request.steps()) {
            try {
                planned.add(plan(step));
            } catch (OrreryException refused) {
                if (refused.code() == ErrorCode.TOO_MANY_REQUESTS) {
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
                        case WriteAction.Delete _ -> {
                            written.put(key, Optional.empty());
                            yield new Planned(
                                    new Command.ItemChange.Remove(key, precondition),
                                    Optional.empty(),
                                    null,
                                    false);
                        }
                        case WriteAction.Patch patch ->
                                patch(
                                        key,
                                        new PatchEvaluation(
                                                patch,
                                                precondition,
                                                request.partition().container(),
                                                open,
                                                stampMillis));
                    };
        };
    }

    private Planned put(ItemKey key, Command.Expect expect, Precondition precondition, Bytes body) {
        Body checked = checked(body);
        written.put(key, Optional.of(body));
        return new Planned(
                WriteRun.put(key, expect, precondition, checked), Optional.empty(), null, false);
    }

    private Planned rename(ItemKey key, RowKey id, Precondition precondition, Bytes body) {
        Body checked = checked(body);
        written.put(key, Optional.empty());
        written.put(key.withRowKey(id), Optional.of(body));
        return new Planned(
                WriteRun.replace(key, id, precondition, checked), Optional.empty(), null, false);
    }

    private Body checked(Bytes body) {
        ItemLifetime.check(kind.encoding(), body);
        return new Body(kind.encoding(), body);
    }

    private Planned read(ItemKey key) {
        if (written.containsKey(key)) {
            Bytes body = ownBody(key);
            answerWith(body);
            return new Planned(
                    new Command.ItemChange.Check(key, Precondition.NONE),
                    Optional.empty(),
                    body,
                    false);
        }
        Item item = stored(key);
        answerWith(item.body());
        return new Planned(
                new Command.ItemChange.Check(key, new Precondition.Matches(item.etag())),
                Optional.of(item),
                null,
                true);
    }

    private Planned patch(ItemKey key, PatchEvaluation patch) {
        boolean isOwn = written.containsKey(key);
        Item present =
                isOwn
                        ? new Item(0, UNBORN, stampMillis, 0, kind.encoding(), ownBody(key))
                        : stored(key);
        Bytes body = patch.bodyAfter(present, definition.partitionKey());
        ItemLifetime.checkChange(kind.encoding(), present.body(), body);
        answerWith(body);
        written.put(key, Optional.of(body));
        Precondition still = isOwn ? Precondition.NONE : new Precondition.Matches(present.etag());
        return new Planned(
                WriteRun.put(key, Command.Expect.PRESENT, still, new Body(kind.encoding(), body)),
                Optional.empty(),
                body,
                !isOwn);
    }

    private Bytes ownBody(ItemKey key) {
        return written.getOrDefault(key, Optional.empty()).orElseThrow(BatchEvaluation::notFound);
    }

    private Item stored(ItemKey key) {
        Bytes suffix = Keys.itemSuffix(key);
        byte[] row = view.get(Table.ITEMS, Keys.item(request.partition().container(), suffix));
        return Optional.ofNullable(row)
                .map(ItemRecord::decode)
                .filter(item -> !presence.isGone(suffix, item))
                .orElseThrow(BatchEvaluation::notFound)
                .toItem();
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
