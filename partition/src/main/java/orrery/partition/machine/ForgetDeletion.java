package orrery.partition.machine;

import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.storage.format.KeyDeletions;

/** The rows of a deleted key are gone: it need not be remembered. */
public record ForgetDeletion(PartitionId partition, KeyDeletions.Deletion deletion)
        implements Command.OfPartition {
    @Override
    public CommandKind kind() {
        return CommandKind.FORGET_DELETION;
    }

    @Override
    public void write(BinaryWriter out) {
        partition.write(out);
        deletion.key().write(out);
        deletion.keys().write(out);
        out.u64(deletion.lsn());
    }

    static ForgetDeletion read(BinaryReader in) {
        return new ForgetDeletion(
                PartitionId.read(in),
                new KeyDeletions.Deletion(PartitionKey.read(in), KeyRange.read(in), in.u64()));
    }
}
