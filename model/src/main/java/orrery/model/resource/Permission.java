package orrery.model.resource;

import orrery.model.Etag;
import orrery.model.ResourceId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A permission of a user. Its number is unique in the account and never reused, so that a token for
 * a deleted permission never fits another.
 */
public record Permission(
        int number,
        int database,
        int user,
        PermissionDefinition definition,
        Etag etag,
        long timestampMillis) {
    public String name() {
        return definition.name();
    }

    public ResourceId rid() {
        return ResourceId.ofPermission(database, user, number);
    }

    public ResourceId userRid() {
        return ResourceId.ofUser(database, user);
    }

    public void write(BinaryWriter out) {
        out.u32(number).u32(database).u32(user);
        definition.write(out);
        etag.write(out);
        out.u64(timestampMillis);
    }

    public static Permission read(BinaryReader in) {
        return new Permission(
                in.u32(),
                in.u32(),
                in.u32(),
                PermissionDefinition.read(in),
                Etag.read(in),
                in.u64());
    }
}
