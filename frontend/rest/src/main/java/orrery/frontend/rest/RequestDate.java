package orrery.frontend.rest;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the dates that requests are signed with. Clients repeat one text for a whole second, so the
 * last one is remembered.
 */
final class RequestDate {
    private record Parsed(String text, Instant instant) {}

    private volatile @Nullable Parsed last;

    /** Empty if the text is no RFC 1123 date. */
    Optional<Instant> parse(String text) {
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
}
