package orrery.model.resource;

import orrery.model.Etag;
import orrery.model.ResourceId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A named set of containers. Its number is never reused and is the first part of every rid in it.
 *
 * @param keptMinutes how long its new collections of MongoDB keep versions, because somebody has
 *     watched it; 0 as long as nobody has
 */
public record Database(int number, String name, Etag etag, long timestampMillis, int keptMinutes) {
    /** 3: the time for which versions are kept. */
    public static final int VERSION = 3;

    /** A database that nobody has watched. */
    public Database(int number, String name, Etag etag, long timestampMillis) {
        this(number, name, etag, timestampMillis, 0);
    }

    /** The same database, whose new collections keep versions. */
    public Database keepingVersions(int minutes) {
        return new Database(number, name, etag, timestampMillis, minutes);
    }

    public ResourceId rid() {
        return ResourceId.ofDatabase(number);
    }

    public void write(BinaryWriter out) {
        out.u32(number).string(name);
        etag.write(out);
        out.u64(timestampMillis).u32(keptMinutes);
    }

    public static Database read(BinaryReader in) {
        return new Database(in.u32(), in.string(), Etag.read(in), in.u64(), in.u32());
    }
}
