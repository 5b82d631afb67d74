package orrery.partition;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.RowKey;
import orrery.model.Statement;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.SessionMemory;
import orrery.partition.machine.SessionRecord;
import orrery.query.write.Images;
import orrery.storage.ReplicaStore;

/**
 * A write that may have been carried out before: its sender has a name for it. Apply looks before
 * it makes anything. The leader looks only where the write is refused, because nearly all writes
 * come once. What the write itself has made may be the reason of the refusal; then the first answer
 * is there to be found. A refusal has been through the log, so another sending of the same write
 * that is on its way has been made by then.
 */
final class StatedWrite {
    private final WriteRun writeRun;
    private final Statement statement;
    private final WriteRequest.OfKey write;

    StatedWrite(WriteRun writeRun, Statement statement, WriteRequest.OfKey write) {
        this.writeRun = writeRun;
        this.statement = statement;
        this.write = write;
    }

    /** The statement as it goes into the log, with what the partition has to keep. */
    static Command.Stated command(Statement statement, WriteRequest.OfKey write) {
        Images images =
                switch (write) {
                    case WriteRequest.WriteItem item ->
                            item.action() instanceof WriteAction.Computed action
                                    ? action.images()
                                    : Images.NONE;
                    case WriteRequest.WriteFirst first -> first.action().images();
                    case WriteRequest.Batch _, WriteRequest.Commit _ -> Images.NONE;
                };
        return new Command.Stated(
                statement, images.before(), images.after(), write instanceof WriteRequest.Commit);
    }

    /** Carries out the write. */
    @FunctionalInterface
    interface Work {
        WriteResponse run();
    }

    WriteResponse run(Work work) {
        while (true) {
            try {
                return work.run();
            } catch (OrreryException refused) {
                if (refused.code() == ErrorCode.RANGE_GONE) {
                    throw refused;
                }
                Optional<SessionRecord> known = known();
                if (known.isPresent()) {
                    return remembered(known.get());
                }
                if (refused.code() != ErrorCode.STATEMENT_DONE || writeRun.isTimeOver()) {
                    throw refused;
                }
            }
        }
    }

    private Optional<SessionRecord> known() {
        PartitionState state = writeRun.state();
        if (!state.record().keys().contains(write.epk())) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
        return known(
                writeRun.store(),
                writeRun.partition().container(),
                write.epk(),
                statement,
                writeRun.stampMillis());
    }

    private static Optional<SessionRecord> known(
            ReplicaStore store,
            int container,
            EffectiveKey epk,
            Statement statement,
            long nowMillis) {
        return switch (SessionMemory.of(store, container, epk, statement.session())
                .find(statement, nowMillis)) {
            case SessionMemory.Known.Nothing _ -> Optional.empty();
            case SessionMemory.Known.TooOld _ ->
                    throw Refusals.of(ErrorCode.TRANSACTION_TOO_OLD, RequestCharge.refusedWrite(0));
            case SessionMemory.Known.Done(SessionRecord record) -> Optional.of(record);
        };
    }

    /** Only single writes have an answer that can be told by itself. */
    private WriteResponse remembered(SessionRecord record) {
        return switch (write) {
            case WriteRequest.WriteItem item ->
                    remembered(
                            record,
                            item.key().rowKey(),
                            statement.number() - record.firstStatement(),
                            writeRun.state());
            case WriteRequest.WriteFirst _ ->
                    remembered(
                            record, KeptWrite.decode(record.answer()).item(), 0, writeRun.state());
            case WriteRequest.Commit _ ->
                    new WriteResponse.Committed(
                            writeRun.state().record().headLsn(), RequestCharge.refusedWrite(0));
            case WriteRequest.Batch _ ->
                    throw Refusals.of(ErrorCode.STATEMENT_DONE, RequestCharge.refusedWrite(0));
        };
    }

    /**
     * Finds the answer to a statement that is sought, if it was carried out in this partition; else
     * throws {@code NOT_FOUND}.
     */
    static WriteResponse.Remembered find(
            Replica replica,
            int container,
            PartitionState state,
            Statement statement,
            long nowMillis) {
        return SessionMemory.place(replica.store(), container, statement)
                .filter(state.record().keys()::contains)
                .flatMap(epk -> known(replica.store(), container, epk, statement, nowMillis))
                .map(
                        record ->
                                remembered(
                                        record, KeptWrite.decode(record.answer()).item(), 0, state))
                .orElseThrow(() -> Refusals.of(ErrorCode.NOT_FOUND, RequestCharge.NOT_FOUND));
    }

    private static WriteResponse.Remembered remembered(
            SessionRecord record, RowKey key, int index, PartitionState state) {
        if (!(record.outcome() instanceof Outcome.Written written)) {
            throw new IllegalStateException("only writes that were carried out are remembered");
        }
        Outcome.ItemOutcome item = written.items().get(index);
        Optional<Item> before = record.before();
        Optional<Bytes> after = record.after();
        before.map(Item::body).ifPresent(HeldItem::take);
        after.ifPresent(HeldItem::take);
        long bytes = before.map(version -> version.body().length()).orElse(0);
        bytes += after.map(Bytes::length).orElse(0);
        return new WriteResponse.Remembered(
                new WriteResponse.Written(
                        WriteRun.change(item),
                        item.kind() == Outcome.Kind.DELETED
                                ? Optional.empty()
                                : Optional.of(
                                        new Item(
                                                item.docid(),
                                                item.etag(),
                                                written.timeMillis(),
                                                written.lsn(),
                                                state.definition()
                                                        .current()
                                                        .definition()
                                                        .kind()
                                                        .encoding(),
                                                after.orElse(Bytes.EMPTY))),
                        before,
                        written.lsn(),
                        RequestCharge.read(bytes)),
                key);
    }
}
