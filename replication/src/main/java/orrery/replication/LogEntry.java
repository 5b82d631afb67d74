package orrery.replication;

import java.util.List;
import java.util.function.Function;
import java.util.zip.CRC32C;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * An entry of a log as bytes. The layout is in docs/formats/log.md.
 *
 * @param level the feature level under which it was written
 * @param number its place in the log
 * @param timeMillis the time of its proposer
 * @param proposer the replica that packed it; 0 where there is one only
 */
public record LogEntry<C>(
        int level, long number, long timeMillis, long proposer, List<C> commands) {
    private static final int VERSION = 1;

    public LogEntry {
        commands = List.copyOf(commands);
    }

    public Bytes encode(Function<C, Bytes> command) {
        BinaryWriter out =
                new BinaryWriter(1024)
                        .u8(VERSION)
                        .u32(level)
                        .u64(number)
                        .u64(timeMillis)
                        .u64(proposer)
                        .list(commands, (w, each) -> w.bytes(command.apply(each)));
        return out.u32(checksum(out.toArray(), out.length())).toBytes();
    }

    /** Throws if a single bit is not as it was written. */
    public static <C> LogEntry<C> decode(Bytes bytes, Function<Bytes, C> command) {
        byte[] whole = bytes.unsafeArray();
        int length = whole.length - Integer.BYTES;
        if (length < 0
                || new BinaryReader(whole, length, Integer.BYTES).u32()
                        != checksum(whole, length)) {
            throw new MalformedRecordException("a log entry has another checksum");
        }
        BinaryReader in = new BinaryReader(whole, 0, length);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a log entry");
        }
        LogEntry<C> entry =
                new LogEntry<>(
                        in.u32(),
                        in.u64(),
                        in.u64(),
                        in.u64(),
                        in.list(each -> command.apply(each.bytes())));
        in.expectEnd();
        return entry;
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
