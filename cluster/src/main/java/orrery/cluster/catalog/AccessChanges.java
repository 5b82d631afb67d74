package orrery.cluster.catalog;

import java.util.Optional;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.Precondition;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.ClientEncryptionKeyDefinition;
import orrery.model.resource.Permission;
import orrery.model.resource.PermissionDefinition;
import orrery.model.resource.User;
import orrery.model.resource.Written;

/** Applies commands about users, permissions and client encryption keys to the catalog. */
final class AccessChanges {
    private final CatalogState state;
    private final AccessDirectory access;

    AccessChanges(CatalogState state) {
        this.state = state;
        this.access = state.access();
    }

    CatalogOutcome apply(AccessCommand command, CatalogDraft draft) {
        return switch (command) {
            case AccessCommand.CreateUser c -> createUser(c, draft);
            case AccessCommand.ReplaceUser c -> replaceUser(c, draft);
            case AccessCommand.DeleteUser c -> deleteUser(c, draft);
            case AccessCommand.CreatePermission c -> createPermission(c, draft);
            case AccessCommand.ReplacePermission c -> replacePermission(c, draft);
            case AccessCommand.DeletePermission c -> deletePermission(c, draft);
            case AccessCommand.CreateClientEncryptionKey c -> createKey(c, draft);
            case AccessCommand.ReplaceClientEncryptionKey c -> replaceKey(c, draft);
        };
    }

    private CatalogOutcome createUser(AccessCommand.CreateUser command, CatalogDraft draft) {
        if (state.database(command.database()).isEmpty()) {
            return CatalogOutcome.Rejected.ownerMissing();
        }
        Optional<User> present = access.user(command.database(), command.name());
        if (present.isPresent() && !command.upsert()) {
            return CatalogOutcome.Rejected.exists("User", command.name());
        }
        if (present.isPresent() && !holds(command.precondition(), present.get().etag())) {
            return CatalogOutcome.Rejected.overtaken();
        }
        Numbers numbers = new Numbers(state.account());
        int number = present.map(User::number).orElseGet(numbers::grant);
        boolean isNew = present.isEmpty();
        return put(numbers, number, command.database(), command.name(), isNew, draft);
    }

    private CatalogOutcome replaceUser(AccessCommand.ReplaceUser command, CatalogDraft draft) {
        Optional<User> found = access.user(command.user());
        if (found.isEmpty()) {
            return CatalogOutcome.Rejected.missing();
        }
        User present = found.get();
        if (!holds(command.precondition(), present.etag())) {
            return CatalogOutcome.Rejected.overtaken();
        }
        Optional<User> holder = access.user(present.database(), command.name());
        if (holder.isPresent() && holder.get().number() != present.number()) {
            return CatalogOutcome.Rejected.exists("User", command.name());
        }
        return put(
                new Numbers(state.account()),
                present.number(),
                present.database(),
                command.name(),
                false,
                draft);
    }

    private static CatalogOutcome put(
            Numbers numbers,
            int number,
            int database,
            String name,
            boolean isNew,
            CatalogDraft draft) {
        User user = new User(number, database, name, numbers.etag(), draft.stampMillis());
        draft.add(new Change.OfUser(number, user));
        draft.add(new Change.Account(numbers.record()));
        return new CatalogOutcome.OfUser(new Written<>(user, isNew));
    }

    private CatalogOutcome deleteUser(AccessCommand.DeleteUser command, CatalogDraft draft) {
        Optional<User> found = access.user(command.user());
        if (found.isEmpty()) {
            return CatalogOutcome.Rejected.missing();
        }
        if (!holds(command.precondition(), found.get().etag())) {
            return CatalogOutcome.Rejected.overtaken();
        }
        access.remove(found.get(), draft);
        return new CatalogOutcome.Done();
    }

    private CatalogOutcome createPermission(
            AccessCommand.CreatePermission command, CatalogDraft draft) {
        Optional<User> user = access.user(command.user());
        if (user.isEmpty()) {
            return CatalogOutcome.Rejected.ownerMissing();
        }
        PermissionDefinition definition = command.definition();
        Optional<Permission> present = access.permission(command.user(), definition.name());
        if (present.isPresent() && !command.upsert()) {
            return CatalogOutcome.Rejected.exists("Permission", definition.name());
        }
        if (present.isPresent() && !holds(command.precondition(), present.get().etag())) {
            return CatalogOutcome.Rejected.overtaken();
        }
        Numbers numbers = new Numbers(state.account());
        int number = present.map(Permission::number).orElseGet(numbers::grant);
        return put(numbers, number, user.get(), definition, present.isEmpty(), draft);
    }

    private CatalogOutcome replacePermission(
            AccessCommand.ReplacePermission command, CatalogDraft draft) {
        Optional<Permission> found = access.permission(command.permission());
        Optional<User> user = found.flatMap(permission -> access.user(permission.user()));
        if (user.isEmpty()) {
            return CatalogOutcome.Rejected.missing();
        }
        if (!holds(command.precondition(), found.get().etag())) {
            return CatalogOutcome.Rejected.overtaken();
        }
        String name = command.definition().name();
        Optional<Permission> holder = access.permission(user.get().number(), name);
        if (holder.isPresent() && holder.get().number() != command.permission()) {
            return CatalogOutcome.Rejected.exists("Permission", name);
        }
        return put(
                new Numbers(state.account()),
                command.permission(),
                user.get(),
                command.definition(),
                false,
                draft);
    }

    private CatalogOutcome put(
            Numbers numbers,
            int number,
            User user,
            PermissionDefinition definition,
            boolean isNew,
            CatalogDraft draft) {
        Permission permission =
                new Permission(
                        number,
                        user.database(),
                        user.number(),
                        definition,
                        numbers.etag(),
                        draft.stampMillis());
        Optional<Permission> rival =
                access.rival(permission).filter(other -> other.number() != number);
        if (rival.isPresent()) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.CONFLICT,
                    "The user has a permission for this resource and partition key already: "
                            + rival.get().name());
        }
        draft.add(new Change.OfPermission(number, permission));
        draft.add(new Change.Account(numbers.record()));
        return new CatalogOutcome.OfPermission(new Written<>(permission, isNew));
    }

    private CatalogOutcome deletePermission(
            AccessCommand.DeletePermission command, CatalogDraft draft) {
        Optional<Permission> found = access.permission(command.permission());
        if (found.isEmpty()) {
            return CatalogOutcome.Rejected.missing();
        }
        if (!holds(command.precondition(), found.get().etag())) {
            return CatalogOutcome.Rejected.overtaken();
        }
        draft.add(new Change.OfPermission(command.permission(), null));
        return new CatalogOutcome.Done();
    }

    private CatalogOutcome createKey(
            AccessCommand.CreateClientEncryptionKey command, CatalogDraft draft) {
        int database = command.database();
        if (state.database(database).isEmpty()) {
            return CatalogOutcome.Rejected.ownerMissing();
        }
        if (access.key(database, command.definition().name()).isPresent()) {
            return CatalogOutcome.Rejected.exists(
                    "ClientEncryptionKey", command.definition().name());
        }
        int most = draft.level().maxClientEncryptionKeys();
        if (state.account().settings().serviceQuotas() && access.countKeys(database) >= most) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.FORBIDDEN,
                    "The database has "
                            + most
                            + " client encryption keys, the quota of the service. Switch quotas"
                            + " off with `orrery account set --no-service-quotas`.");
        }
        Numbers numbers = new Numbers(state.account());
        return put(numbers, numbers.grant(), database, command.definition(), draft);
    }

    private CatalogOutcome replaceKey(
            AccessCommand.ReplaceClientEncryptionKey command, CatalogDraft draft) {
        Optional<ClientEncryptionKey> found = access.key(command.key());
        if (found.isEmpty()) {
            return CatalogOutcome.Rejected.missing();
        }
        ClientEncryptionKey present = found.get();
        if (!holds(command.precondition(), present.etag())) {
            return CatalogOutcome.Rejected.overtaken();
        }
        ClientEncryptionKeyDefinition definition = command.definition();
        if (!definition.name().equals(present.name())
                || !definition.algorithm().equals(present.definition().algorithm())) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.BAD_REQUEST,
                    "The id and the encryptionAlgorithm of a client encryption key cannot be"
                            + " changed.");
        }
        return put(
                new Numbers(state.account()),
                present.number(),
                present.database(),
                definition,
                draft);
    }

    private static CatalogOutcome put(
            Numbers numbers,
            int number,
            int database,
            ClientEncryptionKeyDefinition definition,
            CatalogDraft draft) {
        ClientEncryptionKey key =
                new ClientEncryptionKey(
                        number, database, definition, numbers.etag(), draft.stampMillis());
        draft.add(new Change.OfClientEncryptionKey(number, key));
        draft.add(new Change.Account(numbers.record()));
        return new CatalogOutcome.OfClientEncryptionKey(key);
    }

    private static boolean holds(Precondition precondition, Etag etag) {
        return Precondition.holds(precondition, etag);
    }
}
