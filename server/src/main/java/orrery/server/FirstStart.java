package orrery.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import orrery.cluster.ControlPlane;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.catalog.CatalogState;
import orrery.storage.files.PrivateFiles;

/**
 * The start that makes an account. Until one is ready, the next takes its own settings and keys: a
 * start that found its port in use has decided nothing. A file in the data directory says so.
 *
 * @param isUnfinished true if this start makes the account, or one before did and never got ready
 * @param madeKeys true if that one made keys, which nobody has seen
 */
record FirstStart(Path root, boolean isUnfinished, boolean madeKeys) {
    static final String NAME = "first-start";

    private static final String WITH_KEYS = "new-keys\n";
    private static final String WITHOUT = "\n";

    static FirstStart of(Path root, CatalogState catalog) {
        Path file = root.resolve(NAME);
        try {
            return Files.exists(file)
                    ? new FirstStart(root, true, Files.readString(file).equals(WITH_KEYS))
                    : new FirstStart(root, !catalog.account().isSetUp(), false);
        } catch (IOException e) {
            throw unusable(file, "read", e);
        }
    }

    /** Notes it before the catalog keeps anything. */
    void begin(FirstKeys keys) {
        if (!isUnfinished) {
            return;
        }
        try {
            PrivateFiles.write(root.resolve(NAME), keys.areMade() ? WITH_KEYS : WITHOUT);
        } catch (IOException e) {
            throw unusable(root.resolve(NAME), "written", e);
        }
    }

    /** Gives the account what this start was told, whatever one before was. */
    void settle(ControlPlane catalog, AccountSettings wanted) {
        if (isUnfinished && !catalog.settings().equals(wanted)) {
            catalog.changeSettings(_ -> wanted);
        }
    }

    /** From now on the account has its settings. */
    static void end(Path root) {
        try {
            Files.deleteIfExists(root.resolve(NAME));
        } catch (IOException e) {
            throw unusable(root.resolve(NAME), "removed", e);
        }
    }

    private static StartupException unusable(Path file, String how, IOException e) {
        return new StartupException(
                "The file " + file + " cannot be " + how + ": " + DataDirectory.reason(e), e);
    }
}
