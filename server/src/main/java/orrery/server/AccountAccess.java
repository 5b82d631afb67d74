package orrery.server;

import java.util.List;
import java.util.Optional;
import orrery.cluster.api.AccountSettings;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;

/** An account as commands see it, whether its server runs or not. */
interface AccountAccess extends AutoCloseable {
    AccountSettings settings();

    /** Changes settings and returns all of them as they are then. */
    AccountSettings change(AccountChange change);

    /** Absent until a first start or a command has made them. */
    Optional<AccountKeys> keys();

    /** Replaces keys with new ones and returns all of them as they are then. */
    AccountKeys replace(List<KeyKind> kinds);

    @Override
    void close();
}
