package orrery.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import orrery.cluster.ControlPlane;
import orrery.cluster.OfflineAccount;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.catalog.CatalogRequest;
import orrery.model.DataClock;
import orrery.model.OrreryException;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;
import orrery.replication.LocalLog;
import orrery.server.audit.AuditEvent;
import orrery.server.audit.AuditLog;
import orrery.storage.StoreOptions;

/** The account of a server that does not run: its data directory is opened, under its lock. */
final class StoppedAccount implements AccountAccess {
    private final DataDirectory data;
    private final Stores stores;
    private final OfflineAccount account;
    private final SecureRandom random = new SecureRandom();

    private StoppedAccount(DataDirectory data, Stores stores) {
        this.data = data;
        this.stores = stores;
        this.account =
                new OfflineAccount(
                        stores.catalog(),
                        machine ->
                                new LocalLog<>(
                                        "catalog",
                                        machine,
                                        CatalogRequest::sizeBytes,
                                        ControlPlane.ENTRY_LIMITS),
                        DataClock.SYSTEM,
                        random);
    }

    /** Opens a directory in which a server has kept data. */
    static StoppedAccount open(Path path) {
        DataDirectory.expect(path);
        return open(path, false);
    }

    /** The same, and makes a directory that is not there. */
    static StoppedAccount openOrMake(Path path) {
        return open(path, true);
    }

    private static StoppedAccount open(Path path, boolean make) {
        DataDirectory data = DataDirectory.open(Optional.of(path));
        try {
            return new StoppedAccount(
                    data,
                    make
                            ? Stores.open(data, StoreOptions.DEFAULT, StoreOptions.DEFAULT)
                            : Stores.openExisting(data));
        } catch (RuntimeException refused) {
            data.close();
            throw refused;
        }
    }

    @Override
    public AccountSettings settings() {
        if (!account.isSetUp()) {
            throw new StartupException(
                    "There is no account in "
                            + data.root()
                            + " yet. The first start of the server makes it, with the settings that"
                            + " its flags name.");
        }
        return account.settings();
    }

    @Override
    public AccountSettings change(AccountChange change) {
        try {
            change.applyTo(settings());
            noteStart();
            account.changeSettings(change::applyTo);
            // A user who changes an account knows it, so the next start keeps all of it.
            FirstStart.end(data.root());
            audit("PUT", AccountEndpoint.SETTINGS);
            return settings();
        } catch (OrreryException refused) {
            throw new StartupException(refused.text(), refused);
        }
    }

    @Override
    public Optional<AccountKeys> keys() {
        return account.keys().or(() -> KeyFile.load(data.root()));
    }

    @Override
    public AccountKeys replace(List<KeyKind> kinds) {
        AccountKeys before = keys().orElseGet(() -> AccountKeys.wellKnown(random));
        AccountKeys after = before.replacing(AccountEndpoint.fresh(kinds, random));
        noteStart();
        account.replaceKeys(FirstKeys.all(after));
        // The catalog has what is good now, so an older file is good for nothing.
        KeyFile.delete(data.root());
        FirstStart.end(data.root());
        audit("POST", AccountEndpoint.KEYS);
        return after;
    }

    /** Keeps a change in the audit log, as a server would, where the directory has one. */
    private void audit(String verb, String what) {
        if (!Files.isDirectory(data.audit())) {
            return;
        }
        Clock clock = Clock.systemUTC();
        try (AuditLog log = AuditLog.in(data.audit(), clock)) {
            log.add(
                    new AuditEvent(
                            clock.instant(),
                            AuditEvent.Kind.MANAGEMENT,
                            UUID.randomUUID().toString(),
                            "this machine",
                            AccountEndpoint.OWNER,
                            verb + " " + what,
                            AccountEndpoint.ROOT + what,
                            200,
                            0));
        }
    }

    /** The stores tell from their starts that they belong together. */
    private void noteStart() {
        stores.notesOfStart(random).forEach(Stores.Note::write);
    }

    @Override
    public void close() {
        account.close();
        stores.close();
        data.close();
    }
}
