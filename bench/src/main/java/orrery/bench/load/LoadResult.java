package orrery.bench.load;

import java.util.Locale;

/**
 * The result of a run. Times are from the moment a request was due, not from when it could be sent:
 * a server that stops for a second delays all that was due in that second.
 *
 * @param sent also those whose answers came after the end
 * @param answered within the time, with the expected status
 * @param failed answered otherwise, or not at all
 */
public record LoadResult(
        long sent,
        long answered,
        long failed,
        double seconds,
        double p50Millis,
        double p99Millis,
        double maxMillis) {
    public double perSecond() {
        return answered / seconds;
    }

    String toLine() {
        return String.format(
                Locale.ROOT,
                "%d %d %d %.6f %.4f %.4f %.4f",
                sent,
                answered,
                failed,
                seconds,
                p50Millis,
                p99Millis,
                maxMillis);
    }

    static LoadResult parse(String line) {
        String[] parts = line.split(" ", -1);
        return new LoadResult(
                Long.parseLong(parts[0]),
                Long.parseLong(parts[1]),
                Long.parseLong(parts[2]),
                Double.parseDouble(parts[3]),
                Double.parseDouble(parts[4]),
                Double.parseDouble(parts[5]),
                Double.parseDouble(parts[6]));
    }
}
