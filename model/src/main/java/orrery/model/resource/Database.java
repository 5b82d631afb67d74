package orrery.model.resource;

import orrery.model.Etag;
import orrery.model.ResourceId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A named set of containers. Its number is never reused and is the first part of every rid in it.
 */
public record Database(int number, String name, Etag etag, long timestampMillis) {
    public ResourceId rid() {
        return ResourceId.ofDatabase(number);
    }

    public void write(BinaryWriter out) {
        out.u32(number).string(name);
        etag.write(out);
        out.u64(timestampMillis);
    }

    public static Database read(BinaryReader in) {
        return new Database(in.u32(), in.string(), Etag.read(in), in.u64());
    }
}
