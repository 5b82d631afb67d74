package orrery.partition;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import orrery.document.ItemLifetime;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RowKey;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;

/**
 * Turns one write request into a command. Whatever has to be computed, index terms and patches, is
 * computed here at the leader; the log carries final bytes.
 */
final class ItemWriter {
    private final WriteRun writeRun;
    private final WriteRequest.WriteItem request;
    private final KeySize keySize;

    ItemWriter(WriteRun writeRun, WriteRequest.WriteItem request, KeySize keySize) {
        this.writeRun = writeRun;
        this.request = request;
        this.keySize = keySize;
    }

    WriteResponse.Written run() {
        return switch (request.action()) {
            case WriteAction.Create(Bytes body) ->
                    submitted(put(Command.Expect.ABSENT, Precondition.NONE, body), null);
            case WriteAction.Upsert(Bytes body) ->
                    submitted(put(Command.Expect.ANY, request.precondition(), body), null);
            case WriteAction.Replace(Bytes body) ->
                    submitted(put(Command.Expect.PRESENT, request.precondition(), body), null);
            case WriteAction.Rename(RowKey id, Bytes body) ->
                    submitted(
                            WriteRun.replace(
                                    request.key(), id, request.precondition(), checked(body)),
                            null);
            case WriteAction.Delete _ ->
                    submitted(
                            new Command.ItemChange.Remove(request.key(), request.precondition()),
                            null);
            case WriteAction.Patch patch ->
                    patched(
                            new PatchEvaluation(
                                    patch,
                                    request.precondition(),
                                    request.partition().container(),
                                    writeRun.state().definition(),
                                    writeRun.stampMillis()));
        };
    }

    /**
     * Reads, evaluates, and writes on the condition that the item is still what was read. When
     * another write came between, evaluates anew, until the caller's time is over.
     */
    private WriteResponse.Written patched(PatchEvaluation patch) {
        for (int attempt = 0; ; attempt++) {
            Item present;
            Bytes body;
            try {
                present = present();
                body =
                        patch.bodyAfter(
                                present,
                                writeRun.state()
                                        .definition()
                                        .current()
                                        .definition()
                                        .partitionKey());
            } catch (OrreryException refusal) {
                return carriedOutBefore(attempt, refusal).orElseThrow(() -> refusal);
            }
            if (attempt == 0) {
                HeldItem.take(body);
            }
            ItemLifetime.checkChange(present.encoding(), present.body(), body);
            Command.ItemChange change =
                    WriteRun.put(
                            request.key(),
                            Command.Expect.PRESENT,
                            new Precondition.Matches(present.etag()),
                            new Body(present.encoding(), body));
            WriteRun.Decision decision =
                    writeRun.submit(attempt, List.of(change), OptionalLong.empty(), body);
            if (decision.isRepeated() && decision.outcome() instanceof Outcome.Written written) {
                return repeated(decision, written);
            }
            boolean overtaken =
                    decision.outcome() instanceof Outcome.Rejected rejected
                            && rejected.code() == ErrorCode.PRECONDITION_FAILED;
            if (!overtaken) {
                return answer(decision, body);
            }
            if (writeRun.isTimeOver()) {
                throw new OrreryException(
                        ErrorCode.RETRY_WITH,
                        "The item kept changing while the patch was evaluated. Retry.");
            }
        }
    }

    /**
     * A patch that was carried out may no longer fit the item it made: a resend must hear of its
     * success, not of a failed condition. Only the log knows, so it is asked, with a change that
     * cannot be made.
     */
    private Optional<WriteResponse.Written> carriedOutBefore(int attempt, OrreryException refusal) {
        if (refusal.code() == ErrorCode.RANGE_GONE) {
            return Optional.empty();
        }
        WriteRun.Decision first =
                writeRun.submit(
                        attempt,
                        List.of(
                                new Command.ItemChange.Remove(
                                        request.key(), new Precondition.Impossible())));
        return first.outcome() instanceof Outcome.Written written
                ? Optional.of(repeated(first, written))
                : Optional.empty();
    }

    /**
     * The answer to a resend: that of the first run. Where its body was too long to be kept, the
     * present version stands for the one it made.
     */
    private WriteResponse.Written repeated(WriteRun.Decision decision, Outcome.Written written) {
        if (!decision.answer().isEmpty()) {
            return answer(decision, decision.answer());
        }
        Outcome.ItemOutcome item = written.items().getFirst();
        Optional<Item> present = writeRun.stored(request.key());
        return new WriteResponse.Written(
                WriteResponse.Change.REPLACED,
                Optional.of(present.orElseGet(() -> decision.version(written, item, null))),
                Math.max(written.lsn(), present.map(Item::lsn).orElse(0L)),
                Charges.of(request.action(), item));
    }

    private WriteResponse.Written submitted(Command.ItemChange change, @Nullable Bytes body) {
        return answer(writeRun.submit(0, List.of(change)), body);
    }

    private Command.ItemChange put(Command.Expect expect, Precondition precondition, Bytes body) {
        return WriteRun.put(request.key(), expect, precondition, checked(body));
    }

    private Body checked(Bytes body) {
        Encoding encoding = writeRun.encoding();
        ItemLifetime.check(encoding, body);
        return new Body(encoding, body);
    }

    private WriteResponse.Written answer(WriteRun.Decision decision, @Nullable Bytes body) {
        return switch (decision.outcome()) {
            case Outcome.Written written -> {
                keySize.changed(
                        written.logicalBytes(), written.lsn(), decision.logicalPartitionMaxBytes());
                Outcome.ItemOutcome item = written.items().getFirst();
                yield new WriteResponse.Written(
                        switch (item.kind()) {
                            case CREATED -> WriteResponse.Change.CREATED;
                            case REPLACED -> WriteResponse.Change.REPLACED;
                            case DELETED -> WriteResponse.Change.DELETED;
                            case SEEN -> throw new IllegalStateException("a write only looked");
                        },
                        item.kind() == Outcome.Kind.DELETED
                                ? Optional.empty()
                                : Optional.of(decision.version(written, item, body)),
                        written.lsn(),
                        Charges.of(request.action(), item));
            }
            case Outcome.Rejected rejected -> throw Refusals.of(rejected, decision.madeFor());
            case Outcome.Done _, Outcome.Reindexed _, Outcome.Repeated _, Outcome.Stale _ ->
                    throw new IllegalStateException("a write was answered as another command");
        };
    }

    private Item present() {
        PartitionResponse response =
                new ItemReader(writeRun.replica(), writeRun.state(), writeRun.stampMillis())
                        .read(new ReadRequest.ReadItem(request.partition(), request.key(), 0));
        return ((ReadResponse.Found) response).item();
    }
}
