package orrery.cluster;

import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import orrery.cluster.api.Account;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.catalog.AccountCommand;
import orrery.cluster.catalog.CatalogMachine;
import orrery.cluster.catalog.CatalogOutcome;
import orrery.cluster.catalog.CatalogRequest;
import orrery.cluster.catalog.CatalogState;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;
import orrery.replication.CommandLog;
import orrery.replication.StateMachine;
import orrery.storage.ReplicaStore;

/**
 * The account of a server that does not run. Its catalog is changed by the same commands; what they
 * mean for partitions, the next start carries out.
 */
public final class OfflineAccount implements Account, AutoCloseable {
    private final CatalogState state;
    private final CatalogWriter writer;

    /**
     * @param store stays open; whoever opened it closes it
     */
    public OfflineAccount(
            ReplicaStore store,
            Function<
                            StateMachine<CatalogRequest, CatalogOutcome>,
                            CommandLog<CatalogRequest, CatalogOutcome>>
                    log,
            InstantSource clock,
            RandomGenerator random) {
        CatalogMachine machine = new CatalogMachine(store);
        this.state = machine.state();
        this.writer =
                new CatalogWriter(log.apply(new CatalogReplica(store, machine)), clock, random);
    }

    /** Returns false until a first start has made the account. */
    public boolean isSetUp() {
        return state.account().isSetUp();
    }

    @Override
    public AccountSettings settings() {
        return state.account().settings();
    }

    @Override
    public Optional<AccountKeys> keys() {
        return state.account().keys();
    }

    @Override
    public void changeSettings(UnaryOperator<AccountSettings> change) {
        AccountSettings before = settings();
        writer.submit(
                new AccountCommand.ChangeSettings(before, change.apply(before)), SetCalls.TIMEOUT);
    }

    @Override
    public void replaceKeys(Map<KeyKind, String> keys) {
        writer.submit(new AccountCommand.ReplaceKeys(keys), SetCalls.TIMEOUT);
    }

    @Override
    public void close() {
        writer.close();
    }
}
