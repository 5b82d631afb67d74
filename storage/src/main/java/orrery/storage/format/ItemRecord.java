package orrery.storage.format;

import orrery.model.Bytes;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.model.Encoding;
import orrery.model.Etag;
import orrery.model.Item;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * A stored item: a header of fixed size, then the body as it arrived.
 *
 * @param ordinal place within its LSN; with it the header names the item's change record. Above
 *     {@link Etag#ORDINAL_BITS} bits: the segment in which that LSN was given, if not this one
 * @param segment the segment that holds the item's index entries and change record
 * @param policyVersion the definition version under which the item's index entries were made
 * @param expiryMillis when the item ends by its own word; {@link #UNSAID} if that is for the
 *     container to say, {@link #NEVER} if the item says that it does not
 */
public record ItemRecord(
        Encoding encoding,
        long docid,
        Etag etag,
        long timestampMillis,
        long lsn,
        int ordinal,
        int segment,
        int policyVersion,
        long expiryMillis,
        Bytes body) {
    public static final long UNSAID = 0;
    public static final long NEVER = -1;

    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 62;

    public byte[] encode() {
        BinaryWriter out = new BinaryWriter(HEADER_BYTES + body.length());
        out.u8(VERSION).u8(encoding.ordinal()).u64(docid);
        etag.write(out);
        return out.u64(timestampMillis)
                .u64(lsn)
                .u32(ordinal)
                .u32(segment)
                .u32(policyVersion)
                .u64(expiryMillis)
                .raw(body)
                .toArray();
    }

    public static ItemRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of an item record");
        }
        return new ItemRecord(
                in.enumeration(Encoding.class),
                in.u64(),
                Etag.read(in),
                in.u64(),
                in.u64(),
                in.u32(),
                in.u32(),
                in.u32(),
                in.u64(),
                Bytes.wrap(in.rest()));
    }

    /**
     * The same version with its entries in another segment. Partitions that merge have given out
     * the same LSNs, so what comes from elsewhere keeps a note of where.
     */
    public ItemRecord movedTo(int newSegment) {
        int marked =
                ordinal >>> Etag.ORDINAL_BITS == 0
                        ? segment << Etag.ORDINAL_BITS | ordinal
                        : ordinal;
        return new ItemRecord(
                encoding,
                docid,
                etag,
                timestampMillis,
                lsn,
                marked,
                newSegment,
                policyVersion,
                expiryMillis,
                body);
    }

    public ItemRecord withPolicy(int version) {
        return new ItemRecord(
                encoding,
                docid,
                etag,
                timestampMillis,
                lsn,
                ordinal,
                segment,
                version,
                expiryMillis,
                body);
    }

    /**
     * Returns true if the item has ended at a moment, under the present setting of its container.
     */
    public boolean isExpired(TimeToLive timeToLive, long nowMillis) {
        if (!timeToLive.isOn() || expiryMillis == NEVER) {
            return false;
        }
        if (expiryMillis != UNSAID) {
            return expiryMillis <= nowMillis;
        }
        return timeToLive.seconds() > 0
                && timestampMillis + timeToLive.seconds() * 1000L <= nowMillis;
    }

    /** The ordinal as it was when the version was written. */
    public int writtenOrdinal() {
        return ordinal & ((1 << Etag.ORDINAL_BITS) - 1);
    }

    public Item toItem() {
        return new Item(docid, etag, timestampMillis, lsn, encoding, body);
    }

    /** Returns the bytes that the item counts against its partition's storage, without its key. */
    public int storedBytes() {
        return HEADER_BYTES + body.length();
    }
}
