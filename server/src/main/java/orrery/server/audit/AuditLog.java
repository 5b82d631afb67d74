package orrery.server.audit;

import java.io.IOException;
import java.lang.System.Logger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import orrery.server.audit.AuditEvent.Kind;

/**
 * Keeps events in files. A caller never waits: an event that finds the queue full is dropped and
 * counted, and the log says how many are missing. Each kind has files of its own, so that refusals
 * do not push out changes. Safe for all threads.
 */
public final class AuditLog implements AutoCloseable {
    /** The name of the directory in a data directory. */
    public static final String DIRECTORY = "audit";

    private static final Logger LOG = System.getLogger(AuditLog.class.getName());
    private static final Duration LONGEST_STOP = Duration.ofSeconds(5);

    /** How often the thread looks whether refusals were left out. */
    private static final Duration LOOK = Duration.ofSeconds(10);

    /**
     * The bounds of a log.
     *
     * @param queue events that wait to be written
     * @param fileBytes of each file
     * @param files of each kind
     * @param refusals in each window
     */
    record Limits(int queue, long fileBytes, int files, int refusals, Duration window) {
        static final Limits STANDARD = new Limits(1024, 10L << 20, 5, 100, Duration.ofMinutes(1));
    }

    /**
     * The lines of one kind.
     *
     * @param dropped how many are missing since the file was last told
     */
    private record Lines(Kind kind, AuditFile file, AtomicLong dropped) {
        static Lines in(Path directory, Kind kind, Limits limits) {
            return new Lines(
                    kind,
                    new AuditFile(directory, kind.toString(), limits.fileBytes(), limits.files()),
                    new AtomicLong());
        }
    }

    private final InstantSource clock;
    private final BlockingQueue<Optional<AuditEvent>> queue;
    private final RefusalLimit refusals;
    private final Lines management;
    private final Lines refused;
    private final Thread thread;
    private volatile boolean isClosing;

    /** Belongs to the thread: a failure is told once, until a line is written again. */
    private boolean isFailing;

    AuditLog(Path directory, Limits limits, InstantSource clock) {
        this.clock = clock;
        this.queue = new ArrayBlockingQueue<>(limits.queue());
        this.refusals = new RefusalLimit(limits.refusals(), limits.window());
        this.management = Lines.in(directory, Kind.MANAGEMENT, limits);
        this.refused = Lines.in(directory, Kind.REFUSED, limits);
        this.thread = Thread.ofPlatform().daemon().name("audit").unstarted(this::run);
    }

    /** Opens the log in a directory, which is made when there is something to write. */
    public static AuditLog in(Path directory, InstantSource clock) {
        AuditLog log = new AuditLog(directory, Limits.STANDARD, clock);
        log.start();
        return log;
    }

    /** Before it, events wait in the queue. */
    void start() {
        thread.start();
    }

    /** Takes an event to be written. */
    public void add(AuditEvent event) {
        if (event.kind() == Kind.REFUSED && !refusals.take(event.time())) {
            return;
        }
        if (isClosing || !queue.offer(Optional.of(event))) {
            lines(event.kind()).dropped().incrementAndGet();
        }
    }

    private void run() {
        try {
            while (!isClosing || !queue.isEmpty()) {
                Optional<AuditEvent> next = queue.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                if (next != null) {
                    next.ifPresent(event -> write(lines(event.kind()), event.line()));
                }
                if (queue.isEmpty()) {
                    tellMissing(refusals.settle(clock.instant()));
                }
            }
            tellMissing(refusals.settle());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            close(management.file());
            close(refused.file());
        }
    }

    private void tellMissing(long leftOut) {
        if (leftOut > 0) {
            tellMissing(refused, leftOut, "too many at once");
        }
        for (Lines each : List.of(management, refused)) {
            long count = each.dropped().getAndSet(0);
            if (count > 0) {
                tellMissing(each, count, "could not be written");
            }
        }
    }

    private void tellMissing(Lines lines, long count, String reason) {
        if (!isWritten(lines, AuditEvent.missing(clock.instant(), lines.kind(), reason, count))) {
            lines.dropped().addAndGet(count);
        }
    }

    private void write(Lines lines, String line) {
        if (!isWritten(lines, line)) {
            lines.dropped().incrementAndGet();
        }
    }

    private boolean isWritten(Lines lines, String line) {
        try {
            lines.file().append(line);
            isFailing = false;
            return true;
        } catch (IOException e) {
            if (!isFailing) {
                isFailing = true;
                LOG.log(
                        Logger.Level.WARNING,
                        "the audit log cannot be written, and lines are missing from now on: {0}",
                        e.toString());
            }
            return false;
        }
    }

    private Lines lines(Kind kind) {
        return switch (kind) {
            case MANAGEMENT -> management;
            case REFUSED -> refused;
        };
    }

    private static void close(AuditFile file) {
        try {
            file.close();
        } catch (IOException e) {
            LOG.log(
                    Logger.Level.WARNING,
                    "a file of the audit log could not be closed: {0}",
                    e.toString());
        }
    }

    /** Writes what waits. A disk that does not answer holds up nobody for long. */
    @Override
    public void close() {
        isClosing = true;
        // Wakes the thread; where there is no room it is awake.
        var _ = queue.offer(Optional.empty());
        try {
            if (!thread.join(LONGEST_STOP)) {
                LOG.log(Logger.Level.WARNING, "the audit log could not be written to its end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
