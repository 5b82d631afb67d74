package orrery.cluster.catalog;

import orrery.cluster.api.AccountLimits;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The account, and the counters from which its resources are numbered. Numbers are never reused.
 *
 * @param nextVersion counts catalog writes; etags are made from it
 */
public record AccountRecord(
        Bytes sealingKey,
        AccountLimits limits,
        int nextDatabase,
        int nextContainer,
        int nextOffer,
        long nextVersion) {
    static final AccountRecord NONE =
            new AccountRecord(Bytes.EMPTY, AccountLimits.DEFAULT, 1, 1, 1, 1);

    void write(BinaryWriter out) {
        out.bytes(sealingKey);
        limits.write(out);
        out.u32(nextDatabase).u32(nextContainer).u32(nextOffer).u64(nextVersion);
    }

    static AccountRecord read(BinaryReader in) {
        return new AccountRecord(
                in.bytes(), AccountLimits.read(in), in.u32(), in.u32(), in.u32(), in.u64());
    }
}
