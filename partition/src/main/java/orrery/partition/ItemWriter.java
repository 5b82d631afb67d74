package orrery.partition;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.document.ItemBody;
import orrery.document.JsonText;
import orrery.document.Patch;
import orrery.document.SystemProperties;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.model.ResourceId;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionRequest.WriteAction;
import orrery.partition.api.PartitionResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.PreparedTerms;
import orrery.query.PatchCondition;

/**
 * Turns one write request into a command. Whatever has to be computed, index terms and patches, is
 * computed here at the leader; the log carries final bytes.
 */
final class ItemWriter {
    /** The service's limit on an item: 2 MB of UTF-8 JSON. */
    private static final int MAX_ITEM_BYTES = 2 << 20;

    private final ReplicaSet set;
    private final InstantSource clock;
    private final PartitionRequest.WriteItem request;
    private final long deadlineNanos;
    private final KeySize keySize;

    ItemWriter(
            ReplicaSet set,
            InstantSource clock,
            PartitionRequest.WriteItem request,
            Duration timeout,
            KeySize keySize) {
        this.set = set;
        this.clock = clock;
        this.request = request;
        this.deadlineNanos = System.nanoTime() + timeout.toNanos();
        this.keySize = keySize;
    }

    /** Hears what the logical partition holds after the write, and what it may hold. */
    interface KeySize {
        void changed(long bytes, long limitBytes);
    }

    PartitionResponse run() {
        return switch (request.action()) {
            case WriteAction.Create(Bytes body) ->
                    submitted(put(Command.Expect.ABSENT, Precondition.NONE, body), null);
            case WriteAction.Upsert(Bytes body) ->
                    submitted(put(Command.Expect.ANY, request.precondition(), body), null);
            case WriteAction.Replace(Bytes body) ->
                    submitted(put(Command.Expect.PRESENT, request.precondition(), body), null);
            case WriteAction.Delete _ ->
                    submitted(
                            new Command.ItemChange.Remove(request.key(), request.precondition()),
                            null);
            case WriteAction.Patch(int database, Bytes patch) ->
                    patched(Patch.parse(patch), system(database));
        };
    }

    /**
     * Reads, evaluates, and writes on the condition that the item is still what was read. When
     * another write came between, evaluates anew, until the caller's time is over.
     */
    private PartitionResponse patched(Patch patch, SystemProperties system) {
        Optional<PatchCondition> condition = patch.condition().map(PatchCondition::parse);
        for (int attempt = 0; ; attempt++) {
            Item present;
            Bytes body;
            try {
                present = present();
                body = evaluated(patch, condition, system, present);
            } catch (OrreryException refusal) {
                return carriedOutBefore(attempt, refusal).orElseThrow(() -> refusal);
            }
            Command.ItemChange change =
                    put(Command.Expect.PRESENT, new Precondition.Matches(present.etag()), body);
            Outcome outcome = submit(attempt, change);
            if (outcome instanceof Outcome.Written written && written.lsn() <= present.lsn()) {
                return repeated(written, Optional.of(present));
            }
            boolean overtaken =
                    outcome instanceof Outcome.Rejected rejected
                            && rejected.code() == ErrorCode.PRECONDITION_FAILED;
            if (!overtaken) {
                return answer(outcome, body);
            }
            if (remaining().isZero()) {
                throw new OrreryException(
                        ErrorCode.RETRY_WITH,
                        "The item kept changing while the patch was evaluated. Retry.");
            }
        }
    }

    private Bytes evaluated(
            Patch patch,
            Optional<PatchCondition> condition,
            SystemProperties system,
            Item present) {
        if (!Precondition.holds(request.precondition(), present.etag())) {
            throw refused(ErrorCode.PRECONDITION_FAILED, present);
        }
        Value.Obj before = (Value.Obj) JsonText.parse(present.body());
        if (condition.isPresent() && !condition.get().matches(system.addTo(before, present))) {
            throw refused(ErrorCode.PRECONDITION_FAILED, present);
        }
        Value.Obj after =
                patch.apply(before, state().definition().current().definition().partitionKey());
        Bytes body = ItemBody.parse(JsonText.writeBytes(after)).stored();
        if (body.length() > MAX_ITEM_BYTES) {
            throw new OrreryException(
                    ErrorCode.TOO_LARGE,
                    "Request size is too large: the patched item has more than 2 MB.");
        }
        return body;
    }

    private SystemProperties system(int database) {
        int container = request.partition().container();
        return new SystemProperties(ResourceId.ofContainer(database, container));
    }

    /**
     * A patch that was carried out may no longer fit the item it made: a resend must hear of its
     * success, not of a failed condition. Only the log knows, so it is asked, with a change that
     * cannot be made.
     */
    private Optional<PartitionResponse> carriedOutBefore(int attempt, OrreryException refusal) {
        if (refusal.code() == ErrorCode.RANGE_GONE) {
            return Optional.empty();
        }
        Outcome first =
                submit(
                        attempt,
                        new Command.ItemChange.Remove(
                                request.key(), new Precondition.Impossible()));
        if (!(first instanceof Outcome.Written written)) {
            return Optional.empty();
        }
        try {
            return Optional.of(repeated(written, Optional.of(present())));
        } catch (OrreryException gone) {
            return Optional.of(repeated(written, Optional.empty()));
        }
    }

    /** The answer to a resend: the version it made if that is still there, else the present one. */
    private PartitionResponse repeated(Outcome.Written written, Optional<Item> present) {
        Outcome.ItemOutcome item = written.items().getFirst();
        return new PartitionResponse.Written(
                PartitionResponse.Change.REPLACED,
                Optional.of(
                        present.orElseGet(() -> version(written, item.docid(), item.etag(), null))),
                Math.max(written.lsn(), present.map(Item::lsn).orElse(0L)),
                Charges.of(request.action(), item));
    }

    private PartitionResponse submitted(Command.ItemChange change, @Nullable Bytes body) {
        return answer(submit(0, change), body);
    }

    private Outcome submit(int attempt, Command.ItemChange change) {
        // Each evaluation is a request of its own; a resend of the whole meets them in order.
        RequestId id =
                new RequestId(request.requestId().high(), request.requestId().low() + attempt);
        long stamp = Math.max(clock.millis(), state().record().timeMillis());
        return set.submit(
                new Command.WriteItems(
                        request.partition(), id, stamp, List.of(prepared(change, stamp))),
                remaining());
    }

    private Command.ItemChange put(Command.Expect expect, Precondition precondition, Bytes body) {
        return new Command.ItemChange.Put(
                request.key(), expect, precondition, Encoding.JSON, body, null);
    }

    /** Extracts index terms on this thread, so that the one thread that applies need not. */
    private Command.ItemChange prepared(Command.ItemChange change, long stampMillis) {
        if (!(change instanceof Command.ItemChange.Put put)) {
            return change;
        }
        PartitionState state = state();
        long seconds = stampMillis / 1000;
        PreparedTerms terms =
                new PreparedTerms(
                        state.record().policyVersion(),
                        seconds,
                        state.definition().currentPlan().extract(put.body(), seconds));
        return new Command.ItemChange.Put(
                put.key(), put.expect(), put.precondition(), put.encoding(), put.body(), terms);
    }

    private PartitionResponse answer(Outcome outcome, @Nullable Bytes body) {
        return switch (outcome) {
            case Outcome.Written written -> {
                keySize.changed(
                        written.logicalBytes(),
                        state().definition().current().logicalPartitionMaxBytes());
                Outcome.ItemOutcome item = written.items().getFirst();
                yield new PartitionResponse.Written(
                        switch (item.kind()) {
                            case CREATED -> PartitionResponse.Change.CREATED;
                            case REPLACED -> PartitionResponse.Change.REPLACED;
                            case DELETED -> PartitionResponse.Change.DELETED;
                        },
                        item.kind() == Outcome.Kind.DELETED
                                ? Optional.empty()
                                : Optional.of(version(written, item.docid(), item.etag(), body)),
                        written.lsn(),
                        Charges.of(request.action(), item));
            }
            case Outcome.Rejected rejected -> throw refused(rejected);
            case Outcome.Done _, Outcome.Reindexed _ ->
                    throw new IllegalStateException("a write was answered as another command");
        };
    }

    private static Item version(
            Outcome.Written written, long docid, Etag etag, @Nullable Bytes body) {
        return new Item(
                docid,
                etag,
                written.timeMillis(),
                written.lsn(),
                Encoding.JSON,
                body == null ? Bytes.EMPTY : body);
    }

    private OrreryException refused(Outcome.Rejected rejected) {
        if (rejected.code() == ErrorCode.LOGICAL_PARTITION_FULL) {
            long limit = state().definition().current().logicalPartitionMaxBytes();
            return new OrreryException(
                            rejected.code(),
                            "Partition key reached maximum size of "
                                    + ByteSizes.text(limit)
                                    + ". Items of this key cannot grow further; choose a partition"
                                    + " key with more distinct values.")
                    .withCharge(Charges.of(rejected));
        }
        if (rejected.code() == ErrorCode.FIXED_CONTAINER_FULL) {
            long limit = state().definition().current().partitionMaxBytes();
            return new OrreryException(
                            rejected.code(),
                            "The container reached its maximum size of "
                                    + ByteSizes.text(limit)
                                    + ". It is a fixed container and cannot grow further. Delete"
                                    + " items, or copy them with the migration tool or the change"
                                    + " feed into a container that has a partition key and at"
                                    + " least 1000 RU/s.")
                    .withCharge(Charges.of(rejected));
        }
        return Refusals.of(rejected.code(), Charges.of(rejected));
    }

    private static OrreryException refused(ErrorCode code, Item present) {
        return Refusals.of(code, RequestCharge.refusedWrite(Charges.billedBytes(present.body())));
    }

    private Item present() {
        PartitionResponse response =
                new ItemReader(set, state())
                        .read(new PartitionRequest.ReadItem(request.partition(), request.key(), 0));
        return ((PartitionResponse.Found) response).item();
    }

    private PartitionState state() {
        return set.find(request.partition())
                .orElseThrow(() -> Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE));
    }

    private Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }
}
