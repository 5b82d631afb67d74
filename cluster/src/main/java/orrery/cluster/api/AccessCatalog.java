package orrery.cluster.api;

import java.util.List;
import java.util.Optional;
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

/**
 * The part of the catalog for users, permissions and client encryption keys. Look-ups are answered
 * from memory; changes are durable when they return.
 */
public interface AccessCatalog {
    Optional<User> findUser(int database, String name);

    Optional<User> findUser(int database, int number);

    /** Users with a number above {@code after}, in order of their numbers. */
    List<User> users(int database, int after, int limit);

    User createUser(RequestContext context, Database database, String name);

    /** Creates a user, or writes the one that has this name anew, under the precondition. */
    Written<User> upsertUser(
            RequestContext context, Database database, String name, Precondition precondition);

    User replaceUser(RequestContext context, User user, String name, Precondition precondition);

    /** Its permissions go with it. */
    void deleteUser(RequestContext context, User user, Precondition precondition);

    Optional<Permission> findPermission(User user, String name);

    /** Finds a permission that exists: each check of a token asks for it. */
    Optional<Permission> findPermission(ResourceId rid);

    List<Permission> permissions(User user, int after, int limit);

    Permission createPermission(RequestContext context, User user, PermissionDefinition definition);

    /** Creates a permission, or replaces the one that has this name, under the precondition. */
    Written<Permission> upsertPermission(
            RequestContext context,
            User user,
            PermissionDefinition definition,
            Precondition precondition);

    Permission replacePermission(
            RequestContext context,
            Permission permission,
            PermissionDefinition definition,
            Precondition precondition);

    void deletePermission(RequestContext context, Permission permission, Precondition precondition);

    Optional<ClientEncryptionKey> findKey(int database, String name);

    Optional<ClientEncryptionKey> findKey(int database, int number);

    List<ClientEncryptionKey> keys(int database, int after, int limit);

    ClientEncryptionKey createKey(
            RequestContext context, Database database, ClientEncryptionKeyDefinition definition);

    ClientEncryptionKey replaceKey(
            RequestContext context,
            ClientEncryptionKey key,
            ClientEncryptionKeyDefinition definition,
            Precondition precondition);
}
