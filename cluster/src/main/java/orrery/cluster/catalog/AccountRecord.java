package orrery.cluster.catalog;

import java.util.Optional;
import orrery.cluster.api.AccountSettings;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.security.AccountKeys;

/**
 * The account, and the counters from which its resources are numbered. Numbers are never reused.
 *
 * @param sealingKey empty until the account is set up
 * @param keys absent until they are made or taken over, which a start does
 * @param nextVersion counts catalog writes; etags are made from it
 */
public record AccountRecord(
        Bytes sealingKey,
        AccountSettings settings,
        Optional<AccountKeys> keys,
        int nextDatabase,
        int nextContainer,
        int nextOffer,
        int nextScript,
        long nextVersion) {
    /** 2: settings besides the first three. 3: scripts. 4: consistency and keys. */
    static final int VERSION = 4;

    static final AccountRecord NONE =
            new AccountRecord(
                    Bytes.EMPTY, AccountSettings.DEFAULT, Optional.empty(), 1, 1, 1, 1, 1);

    /** An account is set up once; settings that are given to a later start change nothing. */
    public boolean isSetUp() {
        return !sealingKey.isEmpty();
    }

    AccountRecord withSettings(Bytes key, AccountSettings changed) {
        return new AccountRecord(
                key,
                changed,
                keys,
                nextDatabase,
                nextContainer,
                nextOffer,
                nextScript,
                nextVersion);
    }

    AccountRecord withKeys(AccountKeys changed) {
        return new AccountRecord(
                sealingKey,
                settings,
                Optional.of(changed),
                nextDatabase,
                nextContainer,
                nextOffer,
                nextScript,
                nextVersion);
    }

    void write(BinaryWriter out) {
        out.bytes(sealingKey);
        settings.write(out);
        out.optional(keys, (w, some) -> some.write(w));
        out.u32(nextDatabase).u32(nextContainer).u32(nextOffer).u32(nextScript).u64(nextVersion);
    }

    static AccountRecord read(BinaryReader in, int version) {
        return new AccountRecord(
                in.bytes(),
                AccountSettings.read(in, version),
                version < 4 ? Optional.empty() : in.optional(AccountKeys::read),
                in.u32(),
                in.u32(),
                in.u32(),
                version < 3 ? 1 : in.u32(),
                in.u64());
    }
}
