package orrery.cluster.catalog;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import orrery.cluster.api.AccountSettings;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;

/** A change to the account itself. */
public sealed interface AccountCommand extends CatalogCommand {
    /**
     * Makes the account on the first start. Later it changes nothing that is there; an account that
     * has no keys yet takes these.
     */
    record SetUpAccount(
            AccountIdentity identity,
            Bytes sealingKey,
            AccountSettings settings,
            Optional<AccountKeys> keys)
            implements AccountCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.SET_UP_ACCOUNT;
        }

        @Override
        public void write(BinaryWriter out) {
            identity.write(out);
            out.bytes(sealingKey);
            settings.write(out);
            out.optional(keys, (w, some) -> some.write(w));
        }

        static SetUpAccount read(BinaryReader in) {
            return new SetUpAccount(
                    AccountIdentity.read(in),
                    in.bytes(),
                    AccountSettings.read(in),
                    in.optional(AccountKeys::read));
        }
    }

    /**
     * Changes the settings of an account. Containers are told anew what they may hold where that
     * changes.
     *
     * @param before what they were when the change was worked out; on others it is refused
     */
    record ChangeSettings(AccountSettings before, AccountSettings settings)
            implements AccountCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.CHANGE_SETTINGS;
        }

        @Override
        public void write(BinaryWriter out) {
            before.write(out);
            settings.write(out);
        }

        static ChangeSettings read(BinaryReader in) {
            return new ChangeSettings(AccountSettings.read(in), AccountSettings.read(in));
        }
    }

    /** Puts new keys in the place of some. */
    record ReplaceKeys(Map<KeyKind, String> keys) implements AccountCommand {
        public ReplaceKeys {
            keys = Map.copyOf(keys);
        }

        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.REPLACE_KEYS;
        }

        /** Keys are secrets and stay out of logs. */
        @Override
        public String toString() {
            return "ReplaceKeys" + keys.keySet();
        }

        @Override
        public void write(BinaryWriter out) {
            out.list(
                    new TreeMap<>(keys).entrySet(),
                    (w, entry) -> w.enumeration(entry.getKey()).string(entry.getValue()));
        }

        static ReplaceKeys read(BinaryReader in) {
            Map<KeyKind, String> keys = new TreeMap<>();
            for (int left = in.count(); left > 0; left--) {
                keys.put(in.enumeration(KeyKind.class), in.string());
            }
            return new ReplaceKeys(keys);
        }
    }
}
