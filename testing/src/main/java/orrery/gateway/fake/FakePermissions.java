package orrery.gateway.fake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.gateway.api.IssuedPermission;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.Permissions;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.UserRef;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.resource.Permission;
import orrery.model.resource.PermissionDefinition;
import orrery.model.resource.User;
import orrery.model.resource.Written;

/** Permissions in memory. Their tokens tell how long they are valid, and open nothing. */
public final class FakePermissions implements Permissions {
    private final FakeUsers users;
    private final List<Permission> permissions = new ArrayList<>();
    private int nextNumber = 1;
    private int nextEtag = 1;

    FakePermissions(FakeUsers users) {
        this.users = users;
    }

    @Override
    public IssuedPermission create(
            RequestContext context,
            UserRef user,
            PermissionDefinition definition,
            Duration validity) {
        User owner = users.resolve(context, user);
        if (find(owner, new ResourceRef.Named(definition.name())).isPresent()) {
            throw new OrreryException(ErrorCode.CONFLICT, "exists");
        }
        Permission permission = permission(nextNumber++, owner, definition);
        permissions.add(permission);
        return issued(permission, validity);
    }

    @Override
    public Written<IssuedPermission> upsert(
            RequestContext context,
            UserRef user,
            PermissionDefinition definition,
            Duration validity,
            Precondition precondition) {
        ResourceRef named = new ResourceRef.Named(definition.name());
        return find(users.resolve(context, user), named).isPresent()
                ? new Written<>(
                        replace(context, user, named, definition, validity, precondition), false)
                : new Written<>(create(context, user, definition, validity), true);
    }

    @Override
    public IssuedPermission read(
            RequestContext context, UserRef user, ResourceRef permission, Duration validity) {
        return issued(require(users.resolve(context, user), permission), validity);
    }

    @Override
    public IssuedPermission replace(
            RequestContext context,
            UserRef user,
            ResourceRef ref,
            PermissionDefinition definition,
            Duration validity,
            Precondition precondition) {
        User owner = users.resolve(context, user);
        Permission present = checked(owner, ref, precondition);
        Permission replaced = permission(present.number(), owner, definition);
        permissions.set(permissions.indexOf(present), replaced);
        return issued(replaced, validity);
    }

    @Override
    public void delete(
            RequestContext context, UserRef user, ResourceRef ref, Precondition precondition) {
        permissions.remove(checked(users.resolve(context, user), ref, precondition));
    }

    @Override
    public Page<IssuedPermission> list(
            RequestContext context, User user, Duration validity, PageRequest page) {
        return FakePages.page(
                permissions.stream()
                        .filter(permission -> permission.user() == user.number())
                        .map(permission -> issued(permission, validity))
                        .toList(),
                page);
    }

    private Permission permission(int number, User owner, PermissionDefinition definition) {
        return new Permission(
                number,
                owner.database(),
                owner.number(),
                definition,
                new Etag(nextEtag++, 0),
                FakeItems.NOW_MILLIS);
    }

    private static IssuedPermission issued(Permission permission, Duration validity) {
        return new IssuedPermission(
                permission, "type=resource&ver=1.0&sig=" + validity.toSeconds() + ";");
    }

    private Permission checked(User owner, ResourceRef ref, Precondition precondition) {
        Permission present = require(owner, ref);
        if (!Precondition.holds(precondition, present.etag())) {
            throw new OrreryException(ErrorCode.PRECONDITION_FAILED, "overtaken");
        }
        return present;
    }

    private Permission require(User owner, ResourceRef ref) {
        return find(owner, ref)
                .orElseThrow(() -> new OrreryException(ErrorCode.NOT_FOUND, "missing"));
    }

    private Optional<Permission> find(User owner, ResourceRef ref) {
        return permissions.stream()
                .filter(permission -> permission.user() == owner.number())
                .filter(
                        permission ->
                                switch (ref) {
                                    case ResourceRef.Named(String name) ->
                                            permission.name().equals(name);
                                    case ResourceRef.Identified(ResourceId rid) ->
                                            permission.rid().equals(rid);
                                })
                .findFirst();
    }
}
