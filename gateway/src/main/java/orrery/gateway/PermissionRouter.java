package orrery.gateway;

import java.time.Duration;
import orrery.gateway.api.IssuedPermission;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.Permissions;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.UserRef;
import orrery.model.ErrorCode;
import orrery.model.ItemRules;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.resource.Permission;
import orrery.model.resource.PermissionDefinition;
import orrery.model.resource.User;
import orrery.model.resource.Written;

/** Permissions as resources of the catalog, and the tokens that go out with them. */
final class PermissionRouter implements Permissions {
    private static final Duration SHORTEST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofHours(24);

    /** Longer than every link that can lead to something. */
    private static final int MAX_LINK_CHARACTERS = 4096;

    private final CatalogDoor door;
    private final TokenIssuer tokens;

    PermissionRouter(CatalogDoor door, TokenIssuer tokens) {
        this.door = door;
        this.tokens = tokens;
    }

    @Override
    public IssuedPermission create(
            RequestContext context,
            UserRef user,
            PermissionDefinition definition,
            Duration validity) {
        admit(context, validity);
        check(definition);
        User owner = door.resolver().owner(user);
        return issued(
                door.catalog().access().createPermission(context, owner, definition), validity);
    }

    @Override
    public Written<IssuedPermission> upsert(
            RequestContext context,
            UserRef user,
            PermissionDefinition definition,
            Duration validity,
            Precondition precondition) {
        admit(context, validity);
        check(definition);
        User owner = door.resolver().owner(user);
        Written<Permission> written =
                door.catalog().access().upsertPermission(context, owner, definition, precondition);
        return new Written<>(issued(written.resource(), validity), written.isNew());
    }

    @Override
    public IssuedPermission read(
            RequestContext context, UserRef user, ResourceRef permission, Duration validity) {
        admit(context, validity);
        return issued(door.resolver().permission(user, permission), validity);
    }

    @Override
    public IssuedPermission replace(
            RequestContext context,
            UserRef user,
            ResourceRef permission,
            PermissionDefinition definition,
            Duration validity,
            Precondition precondition) {
        admit(context, validity);
        check(definition);
        Permission present = door.resolver().permission(user, permission);
        return issued(
                door.catalog()
                        .access()
                        .replacePermission(context, present, definition, precondition),
                validity);
    }

    @Override
    public void delete(
            RequestContext context,
            UserRef user,
            ResourceRef permission,
            Precondition precondition) {
        door.admit(context, Action.CHANGE_RESOURCES);
        door.catalog()
                .access()
                .deletePermission(
                        context, door.resolver().permission(user, permission), precondition);
    }

    @Override
    public Page<IssuedPermission> list(
            RequestContext context, User user, Duration validity, PageRequest page) {
        admit(context, validity);
        Page<Permission> found =
                door.pages()
                        .page(
                                "permissions of " + user.number(),
                                page,
                                (after, limit) ->
                                        door.catalog().access().permissions(user, after, limit),
                                Permission::number);
        return new Page<>(
                found.resources().stream().map(one -> issued(one, validity)).toList(),
                found.continuation());
    }

    /** Reading a permission gives a token away, so a read-only key does not do for it either. */
    private void admit(RequestContext context, Duration validity) {
        door.admit(context, Action.ISSUE_TOKENS);
        if (validity.compareTo(SHORTEST) < 0 || validity.compareTo(LONGEST) > 0) {
            throw bad(
                    "A token is valid for "
                            + SHORTEST.toSeconds()
                            + " to "
                            + LONGEST.toSeconds()
                            + " seconds, not for "
                            + validity.toSeconds()
                            + ".");
        }
    }

    private IssuedPermission issued(Permission permission, Duration validity) {
        return new IssuedPermission(permission, tokens.issue(permission, validity));
    }

    private static void check(PermissionDefinition definition) {
        if (definition.resource().length() > MAX_LINK_CHARACTERS) {
            throw bad("The resource of the permission is too long to be a link.");
        }
        definition.partitionKey().ifPresent(ItemRules::checkKey);
    }

    private static OrreryException bad(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }
}
