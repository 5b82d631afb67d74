package orrery.model;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * One version of an item: its body as it arrived, without system properties, and what those are
 * made from.
 */
public record Item(
        long docid, Etag etag, long timestampMillis, long lsn, Encoding encoding, Bytes body) {
    public long timestampSeconds() {
        return timestampMillis / 1000;
    }

    /** The body with its encoding. */
    public Body content() {
        return new Body(encoding, body);
    }

    public Item withBody(Bytes next) {
        return new Item(docid, etag, timestampMillis, lsn, encoding, next);
    }

    public void write(BinaryWriter out) {
        out.u64(docid);
        etag.write(out);
        out.u64(timestampMillis).u64(lsn).u8(encoding.ordinal()).bytes(body);
    }

    public static Item read(BinaryReader in) {
        return new Item(
                in.u64(),
                Etag.read(in),
                in.u64(),
                in.u64(),
                in.enumeration(Encoding.class),
                in.bytes());
    }
}
