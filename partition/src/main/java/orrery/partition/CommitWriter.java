package orrery.partition;

import java.util.List;
import java.util.OptionalLong;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RowKey;
import orrery.model.TransactionWrite;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;

/**
 * Makes the writes of a transaction as one command, which holds only while nobody else has written
 * the key since the transaction began.
 */
final class CommitWriter {
    private final WriteRun writeRun;
    private final WriteRequest.Commit request;
    private final KeySize keySize;

    CommitWriter(WriteRun writeRun, WriteRequest.Commit request, KeySize keySize) {
        this.writeRun = writeRun;
        this.request = request;
        this.keySize = keySize;
    }

    WriteResponse.Committed run() {
        List<Command.ItemChange> changes = request.writes().stream().map(this::change).toList();
        WriteRun.Decision decision =
                writeRun.submit(
                        0,
                        changes,
                        OptionalLong.of(request.lastWrite()),
                        KeptWrite.ofItem(request.writes().getFirst().item()).encodeWithoutImages());
        return switch (decision.outcome()) {
            case Outcome.Written done -> {
                keySize.changed(
                        done.logicalBytes(), done.lsn(), decision.logicalPartitionMaxBytes());
                yield new WriteResponse.Committed(done.lsn(), RequestCharge.refusedWrite(0));
            }
            case Outcome.Rejected rejected -> throw refusal(rejected, decision);
            case Outcome.Done _,
                    Outcome.Reindexed _,
                    Outcome.Blocked _,
                    Outcome.Repeated _,
                    Outcome.Stale _ ->
                    throw new IllegalStateException("a commit was answered as another command");
        };
    }

    private Command.ItemChange change(TransactionWrite write) {
        return change(
                write,
                new ItemKey(request.epk(), request.partitionKey(), write.item()),
                writeRun.encoding());
    }

    static Command.ItemChange change(TransactionWrite write, ItemKey key, Encoding encoding) {
        return switch (write) {
            case TransactionWrite.Put(RowKey _, boolean isNew, boolean isUpdate, Bytes body) -> {
                Command.ItemChange.Storing put =
                        WriteRun.put(
                                key,
                                isNew ? Command.Expect.ABSENT : Command.Expect.PRESENT,
                                Precondition.NONE,
                                new Body(encoding, body));
                yield put.asUpdate(isUpdate);
            }
            case TransactionWrite.Remove _ -> new Command.ItemChange.Remove(key, Precondition.NONE);
        };
    }

    /**
     * Each write has been rehearsed. If one does not fit now although nobody wrote, an item has
     * expired or an index was added: the transaction has seen what is no longer so.
     */
    private static OrreryException refusal(Outcome.Rejected rejected, WriteRun.Decision decision) {
        return switch (rejected.code()) {
            case RANGE_GONE -> Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
            case RETRY_WITH, NOT_FOUND, CONFLICT, PRECONDITION_FAILED, UNIQUE_KEY_VIOLATION ->
                    Refusals.of(ErrorCode.KEY_CHANGED, RequestCharge.refusedWrite(0));
            default -> decision.refusal(rejected);
        };
    }
}
