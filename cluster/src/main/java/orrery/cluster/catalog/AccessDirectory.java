package orrery.cluster.catalog;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import orrery.model.PartitionKey;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.Permission;
import orrery.model.resource.ResourceLink;
import orrery.model.resource.User;

/**
 * The users, permissions and client encryption keys of all databases. One thread changes it, any
 * thread looks things up.
 */
public final class AccessDirectory {
    private final OwnedRecords<Integer, User> users =
            new OwnedRecords<>(User::database, User::name);
    private final OwnedRecords<Integer, Permission> permissions =
            new OwnedRecords<>(Permission::user, Permission::name);
    private final OwnedRecords<Integer, ClientEncryptionKey> keys =
            new OwnedRecords<>(ClientEncryptionKey::database, ClientEncryptionKey::name);
    private final Map<Target, Integer> byTarget = new ConcurrentHashMap<>();

    /** A user has one permission for each. */
    private record Target(int user, ResourceLink resource, Optional<PartitionKey> key) {
        static Target of(Permission permission) {
            return new Target(
                    permission.user(),
                    permission.definition().link(),
                    permission.definition().partitionKey());
        }
    }

    public Optional<User> user(int number) {
        return users.find(number);
    }

    public Optional<User> user(int database, String name) {
        return users.find(database, name);
    }

    public List<User> usersAfter(int database, int after, int limit) {
        return users.after(database, after, limit);
    }

    public Optional<Permission> permission(int number) {
        return permissions.find(number);
    }

    public Optional<Permission> permission(int user, String name) {
        return permissions.find(user, name);
    }

    public List<Permission> permissionsAfter(int user, int after, int limit) {
        return permissions.after(user, after, limit);
    }

    /** Returns the permission of the same user for the same resource and key. */
    Optional<Permission> rival(Permission permission) {
        return Optional.ofNullable(byTarget.get(Target.of(permission))).flatMap(permissions::find);
    }

    public Optional<ClientEncryptionKey> key(int number) {
        return keys.find(number);
    }

    public Optional<ClientEncryptionKey> key(int database, String name) {
        return keys.find(database, name);
    }

    public List<ClientEncryptionKey> keysAfter(int database, int after, int limit) {
        return keys.after(database, after, limit);
    }

    int countKeys(int database) {
        return keys.count(database);
    }

    /** Adds the removal of all that a database has. */
    void removeAll(int database, CatalogDraft draft) {
        users.all(database).forEach(user -> remove(user, draft));
        keys.all(database)
                .forEach(key -> draft.add(new Change.OfClientEncryptionKey(key.number(), null)));
    }

    /** Adds the removal of a user and of its permissions. */
    void remove(User user, CatalogDraft draft) {
        draft.add(new Change.OfUser(user.number(), null));
        permissions
                .all(user.number())
                .forEach(
                        permission ->
                                draft.add(new Change.OfPermission(permission.number(), null)));
    }

    void acceptUser(int number, @Nullable User value) {
        users.accept(number, value);
    }

    void acceptPermission(int number, @Nullable Permission value) {
        permissions.find(number).ifPresent(before -> byTarget.remove(Target.of(before), number));
        permissions.accept(number, value);
        if (value != null) {
            byTarget.put(Target.of(value), number);
        }
    }

    void acceptKey(int number, @Nullable ClientEncryptionKey value) {
        keys.accept(number, value);
    }
}
