package orrery.cluster.catalog;

import java.util.Optional;
import orrery.model.ErrorCode;
import orrery.model.resource.Container;
import orrery.model.security.AccountKeys;

/** Applies commands about the account itself: its settings and its keys. */
final class AccountChanges {
    private final CatalogState state;

    AccountChanges(CatalogState state) {
        this.state = state;
    }

    CatalogOutcome apply(AccountCommand command, CatalogDraft draft) {
        return switch (command) {
            case AccountCommand.SetUpAccount c -> setUp(c, draft);
            case AccountCommand.ChangeSettings c -> changeSettings(c, draft);
            case AccountCommand.ReplaceKeys c -> replaceKeys(c, draft);
        };
    }

    private CatalogOutcome setUp(AccountCommand.SetUpAccount command, CatalogDraft draft) {
        AccountRecord before = state.account();
        AccountRecord founded =
                before.isSetUp()
                        ? before
                        : before.founded(
                                command.identity(), command.sealingKey(), command.settings());
        Optional<AccountKeys> keys = before.keys().or(command::keys);
        draft.add(new Change.Account(keys.map(founded::withKeys).orElse(founded)));
        return new CatalogOutcome.Done();
    }

    private CatalogOutcome changeSettings(
            AccountCommand.ChangeSettings command, CatalogDraft draft) {
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
        draft.add(new Change.Account(account.withSettings(command.settings())));
        if (command.settings().changesStorage(account.settings())) {
            for (Container container : state.allContainers()) {
                if (container.state() != Container.State.DELETING) {
                    draft.add(new Change.OfContainer(container.number(), container.redefined()));
                }
            }
        }
        return new CatalogOutcome.Done();
    }

    private CatalogOutcome replaceKeys(AccountCommand.ReplaceKeys command, CatalogDraft draft) {
        AccountRecord account = state.account();
        try {
            AccountKeys replaced =
                    account.keys().isPresent()
                            ? account.keys().get().replacing(command.keys())
                            : AccountKeys.of(command.keys());
            draft.add(new Change.Account(account.withKeys(replaced)));
            return new CatalogOutcome.Done();
        } catch (IllegalArgumentException notUsable) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.BAD_REQUEST,
                    "These keys cannot be used: " + notUsable.getMessage() + ".");
        }
    }
}
