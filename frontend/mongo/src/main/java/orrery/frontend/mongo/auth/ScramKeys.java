package orrery.frontend.mongo.auth;

import java.util.ArrayList;
import java.util.List;
import orrery.model.Bytes;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;

/**
 * The data that a server keeps of the four keys of an account in order to check a proof. A server
 * has to choose the salt before it knows which key its client has, so all keys have the same.
 *
 * @param of the keys that it was made of
 */
record ScramKeys(AccountKeys of, List<Key> keys) {
    /** The part of one key. */
    record Key(KeyKind kind, String text, Bytes storedKey, Bytes serverKey) {}

    static ScramKeys derive(
            ScramMechanism mechanism, String user, AccountKeys account, byte[] salt) {
        List<Key> keys = new ArrayList<>();
        for (KeyKind kind : KeyKind.values()) {
            String text = account.get(kind);
            // A key that stands for two kinds, as the published one does, counts as the first.
            if (keys.stream().noneMatch(key -> key.text().equals(text))) {
                byte[] salted = mechanism.saltedPassword(user, text, salt);
                byte[] clientKey = mechanism.hmac(salted, ScramMechanism.utf8("Client Key"));
                keys.add(
                        new Key(
                                kind,
                                text,
                                Bytes.wrap(mechanism.hash(clientKey)),
                                Bytes.wrap(
                                        mechanism.hmac(
                                                salted, ScramMechanism.utf8("Server Key")))));
            }
        }
        return new ScramKeys(account, List.copyOf(keys));
    }
}
