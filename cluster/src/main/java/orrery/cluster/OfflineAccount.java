package orrery.cluster;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import orrery.cluster.api.Account;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.catalog.CatalogCommand;
import orrery.cluster.catalog.CatalogMachine;
import orrery.cluster.catalog.CatalogOutcome;
import orrery.cluster.catalog.CatalogState;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
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
    private final CommandLog<CatalogCommand, CatalogOutcome> log;

    /**
     * @param store stays open; whoever opened it closes it
     */
    public OfflineAccount(
            ReplicaStore store,
            Function<
                            StateMachine<CatalogCommand, CatalogOutcome>,
                            CommandLog<CatalogCommand, CatalogOutcome>>
                    log) {
        CatalogMachine machine = new CatalogMachine(store);
        this.state = machine.state();
        this.log = log.apply(new CatalogReplica(store, machine));
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
        submit(new CatalogCommand.ChangeSettings(before, change.apply(before)));
    }

    @Override
    public void replaceKeys(Map<KeyKind, String> keys) {
        submit(new CatalogCommand.ReplaceKeys(keys));
    }

    private void submit(CatalogCommand command) {
        if (log.submit(command, ContainerReconciler.STEP_TIMEOUT)
                instanceof CatalogOutcome.Rejected(ErrorCode code, String text)) {
            throw new OrreryException(code, text);
        }
    }

    @Override
    public void close() {
        log.close();
    }
}
