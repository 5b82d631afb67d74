package orrery.server;

import java.lang.System.Logger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import orrery.cluster.api.Account;
import orrery.cluster.catalog.CatalogState;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;
import orrery.server.client.Hint;

/**
 * The keys that a start goes on with: those of the catalog, those of an older version's file, or
 * new ones.
 *
 * @param areMade true if nobody has seen them yet
 * @param root the data directory
 */
record FirstKeys(AccountKeys keys, boolean areMade, Path root) {
    private static final Logger LOG = System.getLogger(FirstKeys.class.getName());

    private static final String WITHOUT_DATA =
            "Start with --new-keys, which makes and prints them.";

    /** Refuses a start at which everybody could get in. */
    static FirstKeys choose(
            NodeConfig config,
            DataDirectory data,
            CatalogState catalog,
            FirstStart first,
            SecureRandom random) {
        Optional<AccountKeys> present =
                catalog.account()
                        .keys()
                        .filter(_ -> !first.madeKeys())
                        .or(() -> KeyFile.load(data.root()));
        boolean isOpen = present.map(AccountKeys::isWellKnown).orElse(true);
        if (isOpen && config.access().newKeys()) {
            return new FirstKeys(AccountKeys.generate(random), true, data.root());
        }
        AccountKeys keys = present.orElseGet(() -> AccountKeys.wellKnown(random));
        boolean isRefused =
                keys.includesWellKnownKey()
                        && !config.access().emulatorKeyEverywhere()
                        && !isLoopback(config.host());
        if (isRefused) {
            throw new StartupException(
                    "Listening on "
                            + config.host()
                            + " needs account keys of your own, because the well-known key of the"
                            + " emulator works on loopback only. "
                            + config.data().map(FirstKeys::howToMakeThem).orElse(WITHOUT_DATA)
                            + " If everybody who reaches this machine may use the data, start with"
                            + " --emulator-key.");
        }
        return new FirstKeys(keys, false, data.root());
    }

    private static String howToMakeThem(Path data) {
        return "Make them with "
                + Hint.of("keys new", data)
                + " and start again, or start with --new-keys.";
    }

    /**
     * Sees to it that the catalog has the keys, and then that the older file is gone.
     *
     * @return the keys that were made
     */
    Optional<AccountKeys> settle(Account account) {
        AccountKeys present = account.keys().orElseThrow();
        if (!present.equals(keys)) {
            account.replaceKeys(all(keys));
        }
        takeOver(account, root);
        return Optional.of(keys).filter(_ -> areMade);
    }

    /** Deletes the file of an older version, whose keys are in the catalog. */
    static void takeOver(Account account, Path root) {
        Optional<AccountKeys> older = KeyFile.load(root);
        if (older.isEmpty()) {
            return;
        }
        if (older.equals(account.keys())) {
            KeyFile.delete(root);
            LOG.log(Logger.Level.INFO, "the account keys are in the catalog now, not in a file");
        } else {
            LOG.log(
                    Logger.Level.WARNING,
                    "{0} holds other keys than the account has, and is not used; remove it",
                    DataDirectory.keys(root));
        }
    }

    static Map<KeyKind, String> all(AccountKeys keys) {
        return Stream.of(KeyKind.values()).collect(Collectors.toMap(kind -> kind, keys::get));
    }

    static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new StartupException("The host " + host + " is not known on this machine.", e);
        }
    }
}
