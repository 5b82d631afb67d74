package orrery.storage;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.System.Logger;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.zip.CRC32;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.storage.files.PrivateFiles;

/**
 * The sequence number of the last acknowledged write of a store, in a small file outside of the
 * store. A store that ends before has lost some of them: its log was shortened, or it is an older
 * copy.
 *
 * <p>The file is written after the store has synced a write and is itself synced only when it is
 * opened and closed. So it never says too much: after a kill it is exact, after a power failure it
 * may be some seconds behind.
 */
final class Watermark implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Watermark.class.getName());
    private static final int VERSION = 1;

    /** In one sector of a disk, so that it is overwritten whole or not at all. */
    private static final int BYTES = 13;

    private final RandomAccessFile file;
    private boolean isWarned;

    private Watermark(RandomAccessFile file) {
        this.file = file;
    }

    static Watermark open(Path path) throws IOException {
        PrivateFiles.directory(Objects.requireNonNull(path.toAbsolutePath().getParent()));
        PrivateFiles.open(path, StandardOpenOption.CREATE).close();
        // Not a channel: an interrupt of the thread that writes would close it.
        return new Watermark(new RandomAccessFile(path.toFile(), "rw"));
    }

    /** The sequence number that the store must have reached; empty if none can be read. */
    OptionalLong read() throws IOException {
        if (file.length() < BYTES) {
            return OptionalLong.empty();
        }
        byte[] bytes = new byte[BYTES];
        file.seek(0);
        file.readFully(bytes);
        BinaryReader in = new BinaryReader(bytes);
        int version = in.u8();
        long sequence = in.u64();
        return version == VERSION && in.u32() == checksum(bytes)
                ? OptionalLong.of(sequence)
                : OptionalLong.empty();
    }

    /** All up to this sequence number is on the store's disk. */
    void advance(long sequence) {
        try {
            write(sequence);
        } catch (IOException e) {
            // The write itself is safe. What the file says stays true, it is only less than it
            // could be.
            if (!isWarned) {
                isWarned = true;
                LOG.log(Logger.Level.WARNING, "the mark of acknowledged writes lags behind", e);
            }
        }
    }

    /** Sets the mark; it is on disk when this returns. */
    void settle(long sequence) throws IOException {
        write(sequence);
        sync();
    }

    void sync() throws IOException {
        file.getFD().sync();
    }

    private void write(long sequence) throws IOException {
        byte[] head = new BinaryWriter(BYTES).u8(VERSION).u64(sequence).toArray();
        file.seek(0);
        file.write(new BinaryWriter(BYTES).raw(head).u32(checksum(head)).toArray());
    }

    private static int checksum(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, BYTES - Integer.BYTES);
        return (int) crc.getValue();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
