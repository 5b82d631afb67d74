package orrery.storage.format;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * The position up to which the log was applied. It is written in the same batch as the effects, so
 * it is never ahead of them nor behind.
 *
 * @param timeMillis highest time stamped on any command so far
 * @param oldestDeduplication first position whose deduplication record is still kept
 */
public record AppliedRecord(long position, long timeMillis, long oldestDeduplication) {
    private static final int VERSION = 1;

    public static final AppliedRecord NOTHING = new AppliedRecord(0, 0, 1);

    public byte[] encode() {
        return new BinaryWriter(25)
                .u8(VERSION)
                .u64(position)
                .u64(timeMillis)
                .u64(oldestDeduplication)
                .toArray();
    }

    public static AppliedRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of the applied position");
        }
        AppliedRecord record = new AppliedRecord(in.u64(), in.u64(), in.u64());
        in.expectEnd();
        return record;
    }
}
