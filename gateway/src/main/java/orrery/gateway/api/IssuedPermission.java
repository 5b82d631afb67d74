package orrery.gateway.api;

import orrery.model.resource.Permission;

/** A permission with a token that was made for this answer. */
public record IssuedPermission(Permission permission, String token) {
    /** A token opens what it is for, so it stays out of logs. */
    @Override
    public String toString() {
        return "IssuedPermission[" + permission.rid() + "]";
    }
}
