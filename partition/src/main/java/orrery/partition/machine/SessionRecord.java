package orrery.partition.machine;

import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.storage.format.Extensions;

/**
 * The outcome of one statement of a session, by which a statement that is sent again gets its first
 * answer. The format is reserved: nothing writes such rows yet.
 *
 * @param timeMillis time of the entry; the record counts for 30 minutes from then
 * @param image what the statement answered with, such as an item before or after its change
 */
record SessionRecord(long timeMillis, Outcome outcome, Bytes image, Extensions extensions) {
    private static final int VERSION = 1;

    byte[] encode() {
        BinaryWriter out = new BinaryWriter(64 + image.length()).u8(VERSION).u64(timeMillis);
        Outcome.write(out, outcome);
        return out.bytes(image).raw(extensions.encoded()).toArray();
    }

    static SessionRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a session record");
        }
        return new SessionRecord(
                in.u64(), Outcome.read(in), in.bytes(), Extensions.read(in, in.remaining()));
    }
}
