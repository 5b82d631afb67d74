package orrery.frontend.table;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.Optional;
import orrery.document.edm.EdmValue;
import orrery.model.FileTime;

/** Moments as the API writes them: UTC, with up to seven decimals. */
final class TableTime {
    private static final long TICKS_PER_SECOND = 10_000_000;
    private static final int NANOS_PER_TICK = 100;

    /** Seconds from the year 1, and from 1601, to 1970. */
    private static final long SECONDS_FROM_YEAR_1 = 62_135_596_800L;

    private static final long SECONDS_FROM_1601 = 11_644_473_600L;

    /** The first moment that the service takes. */
    private static final long FIRST_TICKS =
            (SECONDS_FROM_YEAR_1 - SECONDS_FROM_1601) * TICKS_PER_SECOND;

    private static final String ETAG_START = "W/\"datetime'";
    private static final String ETAG_END = "'\"";

    private static final DateTimeFormatter INPUT =
            new DateTimeFormatterBuilder()
                    .appendPattern("uuuu-MM-dd")
                    .optionalStart()
                    .appendLiteral('T')
                    .appendPattern("HH:mm")
                    .optionalStart()
                    .appendPattern(":ss")
                    .optionalStart()
                    .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
                    .optionalEnd()
                    .optionalEnd()
                    .optionalEnd()
                    .optionalStart()
                    .appendOffset("+HH:MM", "Z")
                    .optionalEnd()
                    .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
                    .parseDefaulting(ChronoField.MINUTE_OF_HOUR, 0)
                    .parseDefaulting(ChronoField.SECOND_OF_MINUTE, 0)
                    .toFormatter(Locale.ROOT)
                    .withResolverStyle(ResolverStyle.STRICT);

    private static final DateTimeFormatter OUTPUT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSS'Z'", Locale.ROOT);

    /** Without the zeros at the end, as the service writes values of properties. */
    private static final DateTimeFormatter SHORT_OUTPUT =
            new DateTimeFormatterBuilder()
                    .appendPattern("uuuu-MM-dd'T'HH:mm:ss")
                    .appendFraction(ChronoField.NANO_OF_SECOND, 0, 7, true)
                    .appendLiteral('Z')
                    .toFormatter(Locale.ROOT);

    private TableTime() {}

    /**
     * Reads a moment. A text without an offset means UTC. Decimals beyond the seventh are dropped,
     * because no value can hold them. Empty for what is not a moment.
     *
     * @throws TableException OutOfRangeInput for one before 1601
     */
    static Optional<EdmValue.Moment> parse(String text) {
        Instant instant;
        try {
            TemporalAccessor parsed =
                    INPUT.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
            instant =
                    parsed instanceof OffsetDateTime offset
                            ? offset.toInstant()
                            : ((LocalDateTime) parsed).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException notAMoment) {
            return Optional.empty();
        }
        long ticks =
                (instant.getEpochSecond() + SECONDS_FROM_YEAR_1) * TICKS_PER_SECOND
                        + instant.getNano() / NANOS_PER_TICK;
        if (ticks < FIRST_TICKS) {
            throw TableException.of(
                    TableErrorCode.OUT_OF_RANGE_INPUT, "A DateTime lies in 1601 or later.");
        }
        return Optional.of(new EdmValue.Moment(ticks));
    }

    /** The value of a property: {@code 2008-07-10T00:00:00Z}, with decimals where it has some. */
    static String format(EdmValue.Moment moment) {
        return SHORT_OUTPUT.format(instant(moment).atOffset(ZoneOffset.UTC));
    }

    static Instant instant(EdmValue.Moment moment) {
        return Instant.ofEpochSecond(
                moment.ticks() / TICKS_PER_SECOND - SECONDS_FROM_YEAR_1,
                moment.ticks() % TICKS_PER_SECOND * NANOS_PER_TICK);
    }

    /** A Timestamp, which always has seven decimals. */
    static String format(FileTime time) {
        return format(
                Instant.ofEpochSecond(
                        time.ticks() / TICKS_PER_SECOND - SECONDS_FROM_1601,
                        time.ticks() % TICKS_PER_SECOND * NANOS_PER_TICK));
    }

    static String format(Instant instant) {
        return OUTPUT.format(instant.atOffset(ZoneOffset.UTC));
    }

    /** {@code W/"datetime'2026-11-15T06%3A36%3A40.4039827Z'"}. */
    static String etag(FileTime time) {
        return ETAG_START + format(time).replace(":", "%3A") + ETAG_END;
    }

    /** Returns true for what any write could have returned as an etag: a weak one. */
    static boolean isEtag(String text) {
        return text.length() >= 4
                && text.regionMatches(true, 0, "W/\"", 0, 3)
                && text.endsWith("\"");
    }

    /** The moment that an etag was made from; empty if we cannot have made it. */
    static Optional<FileTime> ofEtag(String text) {
        boolean isOurs =
                text.length() > ETAG_START.length() + ETAG_END.length()
                        && text.startsWith(ETAG_START)
                        && text.endsWith(ETAG_END);
        if (!isOurs) {
            return Optional.empty();
        }
        String time =
                text.substring(ETAG_START.length(), text.length() - ETAG_END.length())
                        .replace("%3A", ":")
                        .replace("%3a", ":");
        try {
            return parse(time).map(moment -> new FileTime(moment.ticks() - FIRST_TICKS));
        } catch (TableException before1601) {
            return Optional.empty();
        }
    }
}
