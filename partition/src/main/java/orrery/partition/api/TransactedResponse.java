package orrery.partition.api;

import java.util.List;
import orrery.model.TransactionWrite;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.model.metering.Charge;

/**
 * The answer to an operation of a transaction.
 *
 * @param answer what the operation would have been answered; also a refusal, such as that of a read
 *     that finds nothing
 * @param lastWrite the LSN of the last write of the logical partition by others, 0 if they left no
 *     items: what the operation has seen
 * @param writes what the operation would write, in order; nothing if it was refused
 */
public record TransactedResponse(
        PartitionResponse.Charged answer, long lastWrite, List<TransactionWrite> writes)
        implements PartitionResponse.Charged {
    public TransactedResponse {
        writes = List.copyOf(writes);
    }

    @Override
    public Charge charge() {
        return answer.charge();
    }

    @Override
    public TransactedResponse withCharge(Charge other) {
        return new TransactedResponse(answer.withCharge(other), lastWrite, writes);
    }

    @Override
    public ResponseKind kind() {
        return ResponseKind.TRANSACTED;
    }

    @Override
    public void write(BinaryWriter out) {
        out.u64(lastWrite).list(writes, (w, each) -> each.write(w));
        ResponseKind.write(out, answer);
    }

    static TransactedResponse read(BinaryReader in) {
        long lastWrite = in.u64();
        List<TransactionWrite> writes = in.list(TransactionWrite::read);
        if (ResponseKind.read(in) instanceof PartitionResponse.Charged answer
                && !(answer instanceof TransactedResponse)) {
            return new TransactedResponse(answer, lastWrite, writes);
        }
        throw new MalformedRecordException("a response is not one to an operation");
    }
}
