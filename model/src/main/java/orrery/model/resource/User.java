package orrery.model.resource;

import orrery.model.Etag;
import orrery.model.ResourceId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A holder of permissions, in one database. Its number is unique in the account and never reused;
 * its name may change.
 */
public record User(int number, int database, String name, Etag etag, long timestampMillis) {
    public ResourceId rid() {
        return ResourceId.ofUser(database, number);
    }

    public void write(BinaryWriter out) {
        out.u32(number).u32(database).string(name);
        etag.write(out);
        out.u64(timestampMillis);
    }

    public static User read(BinaryReader in) {
        return new User(in.u32(), in.u32(), in.string(), Etag.read(in), in.u64());
    }
}
