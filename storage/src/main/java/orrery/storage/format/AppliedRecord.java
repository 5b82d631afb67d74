package orrery.storage.format;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The position up to which the log was applied. It is written in the same batch as the effects, so
 * it is never ahead of them nor behind.
 *
 * @param level the feature level that decides how entries are applied
 * @param position number of the last entry
 * @param timeMillis highest time stamped on any command so far
 * @param raftTerm term of the last entry; 0 where the log is no Raft log
 * @param raftIndex its index there; 0 where the log is no Raft log
 * @param oldestDeduplication first position whose deduplication record is still kept
 */
public record AppliedRecord(
        int level,
        long position,
        long timeMillis,
        long raftTerm,
        long raftIndex,
        long oldestDeduplication,
        Extensions extensions) {
    private static final int VERSION = 3;
    private static final int FIXED_BYTES = RecordHeader.BYTES + 44;

    /** The level of a new store. */
    public static final int FIRST_LEVEL = 1;

    public static final AppliedRecord NOTHING =
            new AppliedRecord(FIRST_LEVEL, 0, 0, 0, 0, 1, Extensions.NONE);

    /** The record after the next entry of a log that is no Raft log. */
    public AppliedRecord next(long nextPosition, long nextTimeMillis, long oldest) {
        return new AppliedRecord(level, nextPosition, nextTimeMillis, 0, 0, oldest, extensions);
    }

    /** The same of another level: entries behind it are applied as that one says. */
    public AppliedRecord withLevel(int next) {
        return new AppliedRecord(
                next, position, timeMillis, raftTerm, raftIndex, oldestDeduplication, extensions);
    }

    public byte[] encode() {
        int length = Extensions.headerBytes(FIXED_BYTES, extensions);
        BinaryWriter out = new BinaryWriter(length);
        RecordHeader.write(out, VERSION, length);
        return out.u32(level)
                .u64(position)
                .u64(timeMillis)
                .u64(raftTerm)
                .u64(raftIndex)
                .u64(oldestDeduplication)
                .raw(extensions.encoded())
                .toArray();
    }

    public static AppliedRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        RecordHeader header = RecordHeader.read(in, VERSION, "the applied position");
        AppliedRecord record =
                new AppliedRecord(
                        in.u32(),
                        in.u64(),
                        in.u64(),
                        in.u64(),
                        in.u64(),
                        in.u64(),
                        header.extensions(in));
        in.expectEnd();
        return record;
    }
}
