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
 * @param identity none until the account is set up
 * @param sealingKey empty until the account is set up
 * @param keys absent until they are made or taken over, which a start does
 * @param nextGrant numbers users, permissions and client encryption keys
 * @param nextVersion counts catalog writes; etags are made from it
 * @param keptMinutes how long new collections of MongoDB keep versions, because somebody has
 *     watched all databases; 0 as long as nobody has
 */
public record AccountRecord(
        AccountIdentity identity,
        Bytes sealingKey,
        AccountSettings settings,
        Optional<AccountKeys> keys,
        int nextDatabase,
        int nextContainer,
        int nextOffer,
        int nextScript,
        int nextGrant,
        long nextVersion,
        int keptMinutes) {
    /** 8: the retention of changes in collections of MongoDB. */
    static final int VERSION = 8;

    static final AccountRecord NONE =
            new AccountRecord(
                    AccountIdentity.NONE,
                    Bytes.EMPTY,
                    AccountSettings.DEFAULT,
                    Optional.empty(),
                    1,
                    1,
                    1,
                    1,
                    1,
                    1,
                    0);

    /** An account is set up once; settings that are given to a later start change nothing. */
    public boolean isSetUp() {
        return !sealingKey.isEmpty();
    }

    AccountRecord founded(AccountIdentity as, Bytes key, AccountSettings with) {
        return new AccountRecord(
                as,
                key,
                with,
                keys,
                nextDatabase,
                nextContainer,
                nextOffer,
                nextScript,
                nextGrant,
                nextVersion,
                keptMinutes);
    }

    AccountRecord withSettings(AccountSettings changed) {
        return new AccountRecord(
                identity,
                sealingKey,
                changed,
                keys,
                nextDatabase,
                nextContainer,
                nextOffer,
                nextScript,
                nextGrant,
                nextVersion,
                keptMinutes);
    }

    AccountRecord withKeys(AccountKeys changed) {
        return new AccountRecord(
                identity,
                sealingKey,
                settings,
                Optional.of(changed),
                nextDatabase,
                nextContainer,
                nextOffer,
                nextScript,
                nextGrant,
                nextVersion,
                keptMinutes);
    }

    AccountRecord keepingVersions(int minutes) {
        return new AccountRecord(
                identity,
                sealingKey,
                settings,
                keys,
                nextDatabase,
                nextContainer,
                nextOffer,
                nextScript,
                nextGrant,
                nextVersion,
                minutes);
    }

    void write(BinaryWriter out) {
        identity.write(out);
        out.bytes(sealingKey);
        settings.write(out);
        out.optional(keys, (w, some) -> some.write(w));
        out.u32(nextDatabase).u32(nextContainer).u32(nextOffer).u32(nextScript);
        out.u32(nextGrant).u64(nextVersion).u32(keptMinutes);
    }

    static AccountRecord read(BinaryReader in) {
        return new AccountRecord(
                AccountIdentity.read(in),
                in.bytes(),
                AccountSettings.read(in),
                in.optional(AccountKeys::read),
                in.u32(),
                in.u32(),
                in.u32(),
                in.u32(),
                in.u32(),
                in.u64(),
                in.u32());
    }
}
