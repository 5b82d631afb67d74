package orrery.frontend.mongo.auth;

import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;

/**
 * A client that has proven to have a key.
 *
 * @param key its text: when the account has another one, the login has ended
 */
public record Login(KeyKind kind, String key) {
    public boolean isValid(AccountKeys now) {
        return now.get(kind).equals(key);
    }

    /** Shows nothing of the key. */
    @Override
    public String toString() {
        return "login with the key " + kind;
    }
}
