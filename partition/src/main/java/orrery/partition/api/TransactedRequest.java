package orrery.partition.api;

import java.util.List;
import java.util.OptionalLong;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.TransactionWrite;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * An operation of an open transaction on one logical partition. It sees the items as the
 * transaction's writes before it have left them. Nothing is written: what the operation would write
 * is answered, and the sender brings it along with the next operation, and at last in a {@link
 * WriteRequest.Commit}.
 *
 * @param lastWrite the LSN of the key's last write as the first operation has seen it, 0 if it had
 *     no items; if it is another by now, the operation is refused with {@code KEY_CHANGED}. Absent
 *     in the first operation.
 * @param writes those of the operations before, in order
 * @param operation a read, a query or a write of the key
 */
public record TransactedRequest(
        PartitionKey partitionKey,
        OptionalLong lastWrite,
        List<TransactionWrite> writes,
        ItemRequest operation)
        implements ItemRequest {
    public TransactedRequest {
        writes = List.copyOf(writes);
        if (!isOperation(operation)) {
            throw new IllegalArgumentException("a request is no operation of a transaction");
        }
    }

    /** Returns true if a transaction can have the request as an operation. */
    public static boolean isOperation(ItemRequest request) {
        return switch (request) {
            case ReadRequest.ReadItem _,
                    WriteRequest.WriteItem _,
                    WriteRequest.WriteFirst _,
                    WriteRequest.ChangeMany _ ->
                    true;
            case WriteRequest.Batch batch -> batch.expectedLsn().isEmpty();
            case ReadRequest.Query query -> query.functions().isEmpty();
            default -> false;
        };
    }

    @Override
    public PartitionId partition() {
        return operation.partition();
    }

    @Override
    public RequestKind kind() {
        return RequestKind.TRANSACTED;
    }

    @Override
    public void write(BinaryWriter out) {
        partitionKey.write(out);
        out.optionalU64(lastWrite).list(writes, (w, each) -> each.write(w));
        RequestKind.write(out, operation);
    }

    static TransactedRequest read(BinaryReader in) {
        PartitionKey key = PartitionKey.read(in);
        OptionalLong lastWrite = in.optionalU64();
        List<TransactionWrite> writes = in.list(TransactionWrite::read);
        int kind = in.u8();
        for (RequestKind each : RequestKind.OPERATIONS) {
            if (each.number() == kind) {
                return new TransactedRequest(
                        key, lastWrite, writes, (ItemRequest) each.readFields(in));
            }
        }
        throw new MalformedRecordException("a request is no operation of a transaction");
    }
}
