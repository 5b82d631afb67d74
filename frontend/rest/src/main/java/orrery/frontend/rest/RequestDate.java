package orrery.frontend.rest;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the dates that requests are signed with. Clients repeat one text for a whole second, so the
 * last one is remembered.
 */
public final class RequestDate {
    /** A signature is good this long after its date, and before it for clocks that run fast. */
    public static final Duration WINDOW = Duration.ofMinutes(15);

    private record Parsed(String text, Instant instant) {}

    private volatile @Nullable Parsed last;

    /** Empty if the text is no RFC 1123 date. */
    public Optional<Instant> parse(String text) {
        Parsed known = last;
        if (known != null && known.text().equals(text)) {
            return Optional.of(known.instant());
        }
        try {
            Instant instant = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
            last = new Parsed(text, instant);
            return Optional.of(instant);
        } catch (DateTimeException notADate) {
            return Optional.empty();
        }
    }

    /** Returns true if a request with this date may still be answered. */
    public static boolean isFresh(Instant date, Instant now) {
        return !now.isAfter(date.plus(WINDOW)) && !now.isBefore(date.minus(WINDOW));
    }
}
