package orrery.server.startup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * Training runs that failed one after the other. The next start tries again at once after the first
 * of them, later ones after pauses that grow to a day: a reason that stays costs little, and one
 * that is gone is noticed.
 */
record Failures(int count, Instant last) {
    private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);
    private static final Duration LONGEST_PAUSE = Duration.ofDays(1);
    private static final int MOST_DOUBLINGS = 16;
    private static final Failures NONE = new Failures(0, Instant.EPOCH);

    Instant pauseEnds() {
        if (count < 2) {
            return last;
        }
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(count - 2, MOST_DOUBLINGS));
        return last.plus(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
    }

    Failures oneMore(Instant now) {
        return new Failures(count + 1, now);
    }

    /** Reads those of the same JDK and jars; others say nothing about the next run. */
    static Failures read(Path file, String madeOf) throws IOException {
        if (!Files.exists(file)) {
            return NONE;
        }
        String[] parts = Files.readString(file).split("\n", 3);
        if (parts.length < 3 || !parts[2].equals(madeOf)) {
            return NONE;
        }
        return new Failures(Integer.parseInt(parts[0]), Instant.parse(parts[1]));
    }

    void write(Path file, String madeOf) throws IOException {
        Files.writeString(file, count + "\n" + last + "\n" + madeOf);
    }
}
