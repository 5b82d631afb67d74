package orrery.server.client.transfer;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import orrery.server.client.Count;

/**
 * Counts what has been carried and tells a person from time to time: on a terminal one line that
 * changes, elsewhere a line now and then. Safe for many threads.
 */
public final class Progress {
    private static final Duration ON_TERMINAL = Duration.ofMillis(200);
    private static final Duration ELSEWHERE = Duration.ofSeconds(10);
    private static final String CLEAR = "\r\u001b[K";

    private final PrintWriter err;
    private final InstantSource clock;
    private final boolean isTerminal;
    private final Source source;
    private final Instant begun;
    private Instant shown;
    private boolean isLineOpen;

    private final AtomicLong items = new AtomicLong();
    private final AtomicLong itemBytes = new AtomicLong();
    private final AtomicLong throttled = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();
    private final AtomicLong notJson = new AtomicLong();
    private double requestUnits;

    /**
     * The source of the items.
     *
     * @param bytesRead how much of it has been read
     * @param bytes all of it, where that is known
     */
    public record Source(LongSupplier bytesRead, OptionalLong bytes) {
        public static Source unknown() {
            return new Source(() -> 0, OptionalLong.empty());
        }
    }

    public Progress(PrintWriter err, InstantSource clock, boolean isTerminal, Source source) {
        this.err = err;
        this.clock = clock;
        this.isTerminal = isTerminal;
        this.source = source;
        this.begun = clock.instant();
        this.shown = begun;
    }

    void carried(long bytes) {
        items.incrementAndGet();
        itemBytes.addAndGet(bytes);
    }

    void throttled() {
        throttled.incrementAndGet();
    }

    synchronized void charged(double units) {
        requestUnits += units;
    }

    /** Counts a row that was refused; the reason is printed where there is one to print. */
    synchronized void rejected(String message) {
        rejected.incrementAndGet();
        if (!message.isEmpty()) {
            clear();
            err.println(message);
            err.flush();
        }
    }

    /** Counts a row that is rejected for not being JSON. */
    void notJson() {
        notJson.incrementAndGet();
    }

    long notJsonCount() {
        return notJson.get();
    }

    public long items() {
        return items.get();
    }

    public long itemBytes() {
        return itemBytes.get();
    }

    public long throttledCount() {
        return throttled.get();
    }

    public long rejectedCount() {
        return rejected.get();
    }

    public synchronized double requestUnits() {
        return requestUnits;
    }

    /** Tells where things stand, if it is time. */
    synchronized void tick() {
        Instant now = clock.instant();
        if (Duration.between(shown, now).compareTo(isTerminal ? ON_TERMINAL : ELSEWHERE) < 0) {
            return;
        }
        shown = now;
        if (isTerminal) {
            err.print(CLEAR + describe());
            isLineOpen = true;
        } else {
            err.println(describe());
        }
        err.flush();
    }

    /** Leaves an empty line to whoever prints next. */
    public synchronized void clear() {
        if (isLineOpen) {
            err.print(CLEAR);
            err.flush();
            isLineOpen = false;
        }
    }

    /** Everything that is known by now, on one line. */
    public synchronized String describe() {
        double seconds = Math.max(0.001, seconds());
        String text =
                String.format(
                                Locale.ROOT,
                                "%s, %s, %.0f items/s, %.0f RU",
                                new Count(items(), "item"),
                                size(itemBytes()),
                                items() / seconds,
                                requestUnits)
                        + counted(throttledCount(), "throttled")
                        + counted(rejectedCount(), "rejected");
        return text + remaining(seconds);
    }

    private String remaining(double seconds) {
        long read = source.bytesRead().getAsLong();
        if (source.bytes().isEmpty() || source.bytes().getAsLong() == 0 || read == 0) {
            return "";
        }
        double share = Math.min(1, (double) read / source.bytes().getAsLong());
        return share == 1
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", %.0f%%, %.0f s left",
                        share * 100,
                        seconds / share - seconds);
    }

    private static String counted(long count, String what) {
        return count == 0 ? "" : ", " + count + " " + what;
    }

    private double seconds() {
        return Duration.between(begun, clock.instant()).toMillis() / 1000.0;
    }

    private static String size(long bytes) {
        return bytes < (1 << 20)
                ? String.format(Locale.ROOT, "%.1f KB", bytes / 1024.0)
                : String.format(Locale.ROOT, "%.1f MB", bytes / 1048576.0);
    }
}
