package orrery.cluster.catalog;

import orrery.cluster.api.AccountSettings;
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
        AccountSettings settings,
        int nextDatabase,
        int nextContainer,
        int nextOffer,
        int nextScript,
        long nextVersion) {
    /** 2: settings besides the first three. 3: scripts. */
    static final int VERSION = 3;

    static final AccountRecord NONE =
            new AccountRecord(Bytes.EMPTY, AccountSettings.DEFAULT, 1, 1, 1, 1, 1);

    void write(BinaryWriter out) {
        out.bytes(sealingKey);
        settings.write(out);
        out.u32(nextDatabase).u32(nextContainer).u32(nextOffer).u32(nextScript).u64(nextVersion);
    }

    static AccountRecord read(BinaryReader in, int version) {
        return new AccountRecord(
                in.bytes(),
                AccountSettings.read(in, version),
                in.u32(),
                in.u32(),
                in.u32(),
                version < 3 ? 1 : in.u32(),
                in.u64());
    }
}
