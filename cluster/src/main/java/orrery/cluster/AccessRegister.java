package orrery.cluster;

import java.util.List;
import java.util.Optional;
import orrery.cluster.api.AccessCatalog;
import orrery.cluster.catalog.AccessCommand;
import orrery.cluster.catalog.AccessDirectory;
import orrery.cluster.catalog.CatalogOutcome;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.ClientEncryptionKeyDefinition;
import orrery.model.resource.Database;
import orrery.model.resource.Permission;
import orrery.model.resource.PermissionDefinition;
import orrery.model.resource.User;
import orrery.model.resource.Written;

/** Users, permissions and client encryption keys in the catalog. */
final class AccessRegister implements AccessCatalog {
    private final AccessDirectory directory;
    private final CatalogWriter writer;

    AccessRegister(AccessDirectory directory, CatalogWriter writer) {
        this.directory = directory;
        this.writer = writer;
    }

    @Override
    public Optional<User> findUser(int database, String name) {
        return directory.user(database, name);
    }

    @Override
    public Optional<User> findUser(int database, int number) {
        return directory.user(number).filter(user -> user.database() == database);
    }

    @Override
    public List<User> users(int database, int after, int limit) {
        return directory.usersAfter(database, after, limit);
    }

    @Override
    public User createUser(RequestContext context, Database database, String name) {
        return user(
                        context,
                        new AccessCommand.CreateUser(
                                database.number(), name, false, Precondition.NONE))
                .resource();
    }

    @Override
    public Written<User> upsertUser(
            RequestContext context, Database database, String name, Precondition precondition) {
        return user(
                context, new AccessCommand.CreateUser(database.number(), name, true, precondition));
    }

    @Override
    public User replaceUser(
            RequestContext context, User user, String name, Precondition precondition) {
        return user(context, new AccessCommand.ReplaceUser(user.number(), name, precondition))
                .resource();
    }

    private Written<User> user(RequestContext context, AccessCommand command) {
        return ((CatalogOutcome.OfUser) submit(context, command)).written();
    }

    @Override
    public void deleteUser(RequestContext context, User user, Precondition precondition) {
        submit(context, new AccessCommand.DeleteUser(user.number(), precondition));
    }

    @Override
    public Optional<Permission> findPermission(User user, String name) {
        return directory.permission(user.number(), name);
    }

    @Override
    public Optional<Permission> findPermission(ResourceId rid) {
        return rid.permission().isPresent()
                ? directory
                        .permission(rid.permission().getAsInt())
                        .filter(permission -> permission.rid().equals(rid))
                : Optional.empty();
    }

    @Override
    public List<Permission> permissions(User user, int after, int limit) {
        return directory.permissionsAfter(user.number(), after, limit);
    }

    @Override
    public Permission createPermission(
            RequestContext context, User user, PermissionDefinition definition) {
        return permission(
                        context,
                        new AccessCommand.CreatePermission(
                                user.number(), definition, false, Precondition.NONE))
                .resource();
    }

    @Override
    public Written<Permission> upsertPermission(
            RequestContext context,
            User user,
            PermissionDefinition definition,
            Precondition precondition) {
        return permission(
                context,
                new AccessCommand.CreatePermission(user.number(), definition, true, precondition));
    }

    @Override
    public Permission replacePermission(
            RequestContext context,
            Permission permission,
            PermissionDefinition definition,
            Precondition precondition) {
        return permission(
                        context,
                        new AccessCommand.ReplacePermission(
                                permission.number(), definition, precondition))
                .resource();
    }

    private Written<Permission> permission(RequestContext context, AccessCommand command) {
        return ((CatalogOutcome.OfPermission) submit(context, command)).written();
    }

    @Override
    public void deletePermission(
            RequestContext context, Permission permission, Precondition precondition) {
        submit(context, new AccessCommand.DeletePermission(permission.number(), precondition));
    }

    @Override
    public Optional<ClientEncryptionKey> findKey(int database, String name) {
        return directory.key(database, name);
    }

    @Override
    public Optional<ClientEncryptionKey> findKey(int database, int number) {
        return directory.key(number).filter(key -> key.database() == database);
    }

    @Override
    public List<ClientEncryptionKey> keys(int database, int after, int limit) {
        return directory.keysAfter(database, after, limit);
    }

    @Override
    public ClientEncryptionKey createKey(
            RequestContext context, Database database, ClientEncryptionKeyDefinition definition) {
        return key(
                context,
                new AccessCommand.CreateClientEncryptionKey(database.number(), definition));
    }

    @Override
    public ClientEncryptionKey replaceKey(
            RequestContext context,
            ClientEncryptionKey key,
            ClientEncryptionKeyDefinition definition,
            Precondition precondition) {
        return key(
                context,
                new AccessCommand.ReplaceClientEncryptionKey(
                        key.number(), definition, precondition));
    }

    private ClientEncryptionKey key(RequestContext context, AccessCommand command) {
        return ((CatalogOutcome.OfClientEncryptionKey) submit(context, command)).key();
    }

    private CatalogOutcome submit(RequestContext context, AccessCommand command) {
        return writer.submit(command, context.remaining());
    }
}
