package orrery.cluster.catalog;

import java.util.List;
import java.util.Optional;
import orrery.cluster.catalog.CatalogState.Change;
import orrery.model.ErrorCode;
import orrery.model.resource.Container;
import orrery.model.security.AccountKeys;

/** The commands that change the account itself: its settings and its keys. */
final class AccountCommands {
    private final CatalogState state;

    AccountCommands(CatalogState state) {
        this.state = state;
    }

    CatalogOutcome setUp(CatalogCommand.SetUpAccount command, List<Change> changes) {
        AccountRecord before = state.account();
        AccountRecord founded =
                before.isSetUp()
                        ? before
                        : before.founded(
                                command.identity(), command.sealingKey(), command.settings());
        Optional<AccountKeys> keys = before.keys().or(command::keys);
        changes.add(new Change.Account(keys.map(founded::withKeys).orElse(founded)));
        return new CatalogOutcome.Done();
    }

    CatalogOutcome changeSettings(CatalogCommand.ChangeSettings command, List<Change> changes) {
        AccountRecord account = state.account();
        if (!account.isSetUp()) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.NOT_FOUND,
                    "There is no account yet. The first start of the server makes it, with the"
                            + " settings that its flags name.");
        }
        if (!account.settings().equals(command.before())) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.CONFLICT,
                    "Somebody else changed the settings of the account at the same time. Try"
                            + " again.");
        }
        changes.add(new Change.Account(account.withSettings(command.settings())));
        if (command.settings().changesStorage(account.settings())) {
            for (Container container : state.allContainers()) {
                if (container.state() != Container.State.DELETING) {
                    changes.add(new Change.OfContainer(container.number(), container.redefined()));
                }
            }
        }
        return new CatalogOutcome.Done();
    }

    CatalogOutcome replaceKeys(CatalogCommand.ReplaceKeys command, List<Change> changes) {
        AccountRecord account = state.account();
        try {
            AccountKeys replaced =
                    account.keys().isPresent()
                            ? account.keys().get().replacing(command.keys())
                            : AccountKeys.of(command.keys());
            changes.add(new Change.Account(account.withKeys(replaced)));
            return new CatalogOutcome.Done();
        } catch (IllegalArgumentException notUsable) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.BAD_REQUEST,
                    "These keys cannot be used: " + notUsable.getMessage() + ".");
        }
    }
}
