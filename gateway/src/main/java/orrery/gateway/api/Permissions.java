package orrery.gateway.api;

import java.time.Duration;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.resource.PermissionDefinition;
import orrery.model.resource.User;
import orrery.model.resource.Written;

/**
 * The part of the door for permissions. Whoever gets to see a permission gets a token for it, which
 * is valid for as long as was asked and ends with the permission.
 */
public interface Permissions {
    IssuedPermission create(
            RequestContext context,
            UserRef user,
            PermissionDefinition definition,
            Duration validity);

    /** Creates a permission, or replaces the one that has this name. */
    Written<IssuedPermission> upsert(
            RequestContext context,
            UserRef user,
            PermissionDefinition definition,
            Duration validity,
            Precondition precondition);

    IssuedPermission read(
            RequestContext context, UserRef user, ResourceRef permission, Duration validity);

    /** Its name may change, too. */
    IssuedPermission replace(
            RequestContext context,
            UserRef user,
            ResourceRef permission,
            PermissionDefinition definition,
            Duration validity,
            Precondition precondition);

    void delete(
            RequestContext context,
            UserRef user,
            ResourceRef permission,
            Precondition precondition);

    Page<IssuedPermission> list(
            RequestContext context, User user, Duration validity, PageRequest page);
}
