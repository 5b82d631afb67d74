package orrery.cluster.api;

import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;

/** The account that a catalog is of. Changes are durable when they return. */
public interface Account {
    AccountSettings settings();

    /** Absent only until the first start. */
    Optional<AccountKeys> keys();

    /** Changes settings, for all that is there too. Refused while another change is made. */
    void changeSettings(UnaryOperator<AccountSettings> change);

    /** Puts new keys in the place of some; from then on nobody gets in with the old ones. */
    void replaceKeys(Map<KeyKind, String> keys);
}
