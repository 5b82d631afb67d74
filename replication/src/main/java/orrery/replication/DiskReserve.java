package orrery.replication;

import java.io.IOException;
import java.lang.System.Logger;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * Keeps a part of the disk free. A store that meets a full disk stops until a restart, so writes
 * are refused before that, and go on by themselves when there is space again.
 *
 * <p>Below the reserve nothing is let through that takes space. Deletes go on, because they are how
 * a user makes room, until half of the reserve is used up: they take a little space before they
 * give some back, and compaction needs the rest.
 */
public final class DiskReserve implements AutoCloseable {
    private static final Logger LOG = System.getLogger(DiskReserve.class.getName());
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** After a part of the reserve was written somebody looks at once. */
    private static final int LOOKS_PER_RESERVE = 32;

    /** There must be this part of the reserve more before writes go on: else they would flutter. */
    private static final int MARGIN = 16;

    /** A start writes a little: it needs this part of the reserve. */
    private static final int STARTS_PER_RESERVE = 4;

    private static final long MEGABYTE = 1 << 20;

    private final long reserveBytes;
    private final Probe probe;
    private final ReentrantLock looking = new ReentrantLock();
    private final AtomicLong writtenSinceLook = new AtomicLong();
    private final LongAdder refused = new LongAdder();
    private volatile long freeBytes = Long.MAX_VALUE;
    private volatile Level level = Level.ENOUGH;
    private volatile boolean isStarting;
    private volatile boolean isClosed;

    /** Tells how much of the disk is free. */
    @FunctionalInterface
    public interface Probe {
        long freeBytes() throws IOException;
    }

    /** The operations that the free space allows. */
    public enum Level {
        ENOUGH,
        DELETES_ONLY,
        NO_WRITES
    }

    /**
     * @param refused writes since the start
     */
    public record Status(long freeBytes, long reserveBytes, Level level, long refused) {}

    /** Looks when it is told to, and after much was written. */
    public DiskReserve(long reserveBytes, Probe probe) {
        this.reserveBytes = reserveBytes;
        this.probe = probe;
        look();
    }

    /** Watches the disk of a directory, also when nobody asks. */
    public static DiskReserve of(Path directory, long reserveBytes) throws IOException {
        FileStore disk = Files.getFileStore(directory);
        DiskReserve reserve = new DiskReserve(reserveBytes, disk::getUsableSpace);
        Thread.ofVirtual().name("disk-space").start(reserve::watch);
        return reserve;
    }

    private void watch() {
        while (!isClosed) {
            look();
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
    }

    public Status status() {
        return new Status(freeBytes, reserveBytes, level, refused.sum());
    }

    /** Returns the free space that a start needs, because it replays the last writes. */
    public long bytesToStart() {
        return reserveBytes / STARTS_PER_RESERVE;
    }

    /**
     * Lets everything through until {@link #started}. The free space decides once whether a server
     * starts. If it were asked again for what the start writes, the outcome would depend on when
     * somebody looked.
     */
    public void starting() {
        isStarting = true;
    }

    /** From here on writes are refused where the disk is too full. */
    public void started() {
        isStarting = false;
    }

    /**
     * Throws {@code UNAVAILABLE} where the disk is too full.
     *
     * @param takesSpace whether the write is for keeping something
     */
    public void admit(boolean takesSpace, long bytes) {
        if (writtenSinceLook.addAndGet(bytes) > reserveBytes / LOOKS_PER_RESERVE) {
            look();
        }
        Level now = level;
        boolean isRefused = takesSpace ? now != Level.ENOUGH : now == Level.NO_WRITES;
        if (isRefused && !isStarting) {
            refused.increment();
            throw new OrreryException(
                            ErrorCode.UNAVAILABLE,
                            "The disk of the server is nearly full: the last "
                                    + reserveBytes / MEGABYTE
                                    + " MB are kept free. Make room on it; writes go on by"
                                    + " themselves then. Reads are answered"
                                    + (now == Level.NO_WRITES
                                            ? "."
                                            : ", and deletes are carried out."))
                    .withRetryAfter(RETRY_AFTER);
        }
    }

    /** Looks how much is free. One at a time; who comes meanwhile goes by what was seen last. */
    public void look() {
        if (!looking.tryLock()) {
            return;
        }
        try {
            writtenSinceLook.set(0);
            long free = probe.freeBytes();
            freeBytes = free;
            change(level(free), free);
        } catch (IOException unreadable) {
            // A disk that does not tell is left to the writes themselves, which find out.
            LOG.log(
                    Logger.Level.DEBUG,
                    "free space of the disk is not known: {0}",
                    unreadable.getMessage());
        } finally {
            looking.unlock();
        }
    }

    private Level level(long free) {
        if (free >= atLeast(reserveBytes, level == Level.ENOUGH)) {
            return Level.ENOUGH;
        }
        return free >= atLeast(reserveBytes / 2, level != Level.NO_WRITES)
                ? Level.DELETES_ONLY
                : Level.NO_WRITES;
    }

    private static long atLeast(long bytes, boolean isThere) {
        return isThere ? bytes : bytes + bytes / MARGIN;
    }

    private void change(Level next, long free) {
        if (next == level) {
            return;
        }
        level = next;
        String what =
                switch (next) {
                    case ENOUGH -> "writes go on";
                    case DELETES_ONLY -> "only reads and deletes are carried out";
                    case NO_WRITES -> "only reads are answered";
                };
        LOG.log(
                next == Level.ENOUGH ? Logger.Level.INFO : Logger.Level.WARNING,
                "the disk of the data has {0} MB free, the reserve is {1} MB: {2}",
                free / MEGABYTE,
                reserveBytes / MEGABYTE,
                what);
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
