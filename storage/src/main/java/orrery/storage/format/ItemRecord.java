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
 * A stored item: a header, then the body as it arrived.
 *
 * @param lsn of the version; LSNs are those of the partition that wrote the {@link #birthSegment}
 * @param creationLsn of the first version of the item
 * @param ordinal place of the version within its LSN
 * @param segment the segment that holds the item's index entries and change record
 * @param birthSegment the segment into which the version was written. Partitions that merge have
 *     given out the same LSNs, so a version that comes from elsewhere is told apart by it
 * @param policyVersion the definition version under which the item's index entries were made
 * @param lifetimeSeconds how long the item lives by its own word, from its time on; {@link #UNSAID}
 *     if that is for the container to say, {@link #ENDLESS} if the item says that it does not end
 */
public record ItemRecord(
        Encoding encoding,
        long docid,
        Etag etag,
        long timestampMillis,
        long lsn,
        long creationLsn,
        int ordinal,
        int segment,
        int birthSegment,
        int policyVersion,
        int lifetimeSeconds,
        Origin origin,
        Extensions extensions,
        Bytes body) {
    public static final int UNSAID = 0;
    public static final int ENDLESS = -1;

    private static final int VERSION = 2;
    private static final int FIXED_BYTES = 61;

    /**
     * Stands for the header in the counters. What an item weighs may depend neither on how often it
     * was replaced nor on the segment it is in.
     */
    private static final int COUNTED_HEADER_BYTES = 62;

    // Flags: which fields the header has besides those that every item has.
    private static final int REPLACED = 0x01;
    private static final int MOVED = 0x02;
    private static final int FROM_ELSEWHERE = 0x04;

    public byte[] encode() {
        int header = headerBytes();
        BinaryWriter out = new BinaryWriter(header + body.length());
        RecordHeader.write(out, VERSION, header);
        out.u8(flags()).u8(encoding.ordinal()).u64(docid);
        etag.write(out);
        out.u64(timestampMillis)
                .u64(lsn)
                .u32(ordinal)
                .u32(segment)
                .u32(policyVersion)
                .u32(lifetimeSeconds);
        if (isReplaced()) {
            out.u64(creationLsn);
        }
        if (isMoved()) {
            out.u32(birthSegment);
        }
        if (!origin.isHere()) {
            origin.write(out);
        }
        return out.raw(extensions.encoded()).raw(body).toArray();
    }

    public static ItemRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        RecordHeader header = RecordHeader.read(in, VERSION, "an item record");
        int flags = in.u8();
        if ((flags & ~(REPLACED | MOVED | FROM_ELSEWHERE)) != 0) {
            throw new MalformedRecordException("unknown flag of an item record");
        }
        Encoding encoding = in.enumeration(Encoding.class);
        long docid = in.u64();
        Etag etag = Etag.read(in);
        long timestampMillis = in.u64();
        long lsn = in.u64();
        int ordinal = in.u32();
        int segment = in.u32();
        int policyVersion = in.u32();
        int lifetimeSeconds = in.u32();
        return new ItemRecord(
                encoding,
                docid,
                etag,
                timestampMillis,
                lsn,
                (flags & REPLACED) == 0 ? lsn : in.u64(),
                ordinal,
                segment,
                (flags & MOVED) == 0 ? segment : in.u32(),
                policyVersion,
                lifetimeSeconds,
                (flags & FROM_ELSEWHERE) == 0 ? Origin.HERE : Origin.read(in),
                header.extensions(in),
                Bytes.wrap(in.rest()));
    }

    /** The same version with its entries in another segment. */
    public ItemRecord movedTo(int newSegment) {
        return with(newSegment, policyVersion);
    }

    public ItemRecord withPolicy(int version) {
        return with(segment, version);
    }

    private ItemRecord with(int newSegment, int newPolicyVersion) {
        return new ItemRecord(
                encoding,
                docid,
                etag,
                timestampMillis,
                lsn,
                creationLsn,
                ordinal,
                newSegment,
                birthSegment,
                newPolicyVersion,
                lifetimeSeconds,
                origin,
                extensions,
                body);
    }

    /** Returns true if the item says itself when it ends. */
    public boolean endsByItself() {
        return lifetimeSeconds > 0;
    }

    /** The time at which an item ends that {@linkplain #endsByItself says when}. */
    public long expiryMillis() {
        return timestampMillis + lifetimeSeconds * 1000L;
    }

    /**
     * Returns true if the item has ended at a moment, under the present setting of its container.
     */
    public boolean isExpired(TimeToLive timeToLive, long nowMillis) {
        if (!timeToLive.isOn() || lifetimeSeconds == ENDLESS) {
            return false;
        }
        if (endsByItself()) {
            return expiryMillis() <= nowMillis;
        }
        return timeToLive.seconds() > 0
                && timestampMillis + timeToLive.seconds() * 1000L <= nowMillis;
    }

    /** The place of the version's change record among the changes. */
    public Keys.ChangePlace place() {
        return new Keys.ChangePlace(lsn, birthSegment, ordinal);
    }

    public Item toItem() {
        return new Item(docid, etag, timestampMillis, lsn, encoding, body);
    }

    /** Returns the bytes that the item counts against its partition's storage, without its key. */
    public int storedBytes() {
        return COUNTED_HEADER_BYTES + extensions.length() + body.length();
    }

    private int headerBytes() {
        int bytes =
                FIXED_BYTES
                        + (isReplaced() ? 8 : 0)
                        + (isMoved() ? 4 : 0)
                        + (origin.isHere() ? 0 : Origin.BYTES);
        return Extensions.headerBytes(bytes, extensions);
    }

    private int flags() {
        return (isReplaced() ? REPLACED : 0)
                | (isMoved() ? MOVED : 0)
                | (origin.isHere() ? 0 : FROM_ELSEWHERE);
    }

    private boolean isReplaced() {
        return creationLsn != lsn;
    }

    private boolean isMoved() {
        return birthSegment != segment;
    }
}
