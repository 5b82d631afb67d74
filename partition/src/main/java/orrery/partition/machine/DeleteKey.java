package orrery.partition.machine;

import orrery.model.EffectiveKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.RequestId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * Deletes all items of a key.
 *
 * @param key a whole key, or the first components of a hierarchical one
 * @param keys where its items lie in this partition
 */
public record DeleteKey(
        PartitionId partition,
        RequestId requestId,
        long stampMillis,
        PartitionKey key,
        KeyRange keys)
        implements Command.Requested {
    @Override
    public EffectiveKey anyKey() {
        return keys.min();
    }

    @Override
    public CommandKind kind() {
        return CommandKind.DELETE_KEY;
    }

    @Override
    public void write(BinaryWriter out) {
        partition.write(out);
        requestId.write(out);
        out.u64(stampMillis);
        key.write(out);
        keys.write(out);
    }

    static DeleteKey read(BinaryReader in) {
        return new DeleteKey(
                PartitionId.read(in),
                RequestId.read(in),
                in.u64(),
                PartitionKey.read(in),
                KeyRange.read(in));
    }
}
