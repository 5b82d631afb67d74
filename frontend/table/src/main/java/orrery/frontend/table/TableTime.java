package orrery.frontend.table;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
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
import orrery.document.ByteSink;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.document.edm.EdmValue;
import orrery.model.FileTime;

/** Moments as the API writes them: UTC, with up to seven decimals. */
final class TableTime {
    private static final long TICKS_PER_SECOND = 10_000_000;
    private static final int NANOS_PER_TICK = 100;

    /** Seconds from the year 1, and from 1601, to 1970. */
    private static final long SECONDS_FROM_YEAR_1 = 62_135_596_800L;

    private static final long SECONDS_FROM_1601 = 11_644_473_600L;

    /** Seconds from 1970 to the year 10000. */
    private static final long SECONDS_TO_YEAR_10000 = 253_402_300_800L;

    /** The first moment that the service takes, in units of 100 ns since the year 1. */
    private static final long FIRST_TICKS =
            (SECONDS_FROM_YEAR_1 - SECONDS_FROM_1601) * TICKS_PER_SECOND;

    private static final String ETAG_START = "W/\"datetime'";
    private static final String ETAG_END = "'\"";
    private static final String ENCODED_COLON = "%3A";

    /** The same ends of an etag in the quotes and with the escapes of JSON. */
    private static final String ETAG_JSON_START = "\"W/\\\"datetime'";

    private static final String ETAG_JSON_END = "'\\\"\"";

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

    private static final String PATTERN = "0000-00-00T00:00:00";
    private static final long SECONDS_PER_DAY = 86_400;
    private static final int DECIMALS = 7;

    /** The length of {@code 2026-11-15T06:36:40}, and that with decimals and zone. */
    private static final int SECONDS_LENGTH = 19;

    private static final int LENGTH = SECONDS_LENGTH + 1 + DECIMALS + 1;

    private TableTime() {}

    /**
     * Reads a moment. A text without an offset means UTC. Decimals beyond the seventh are dropped,
     * because no value can hold them. Empty for what is not a moment.
     *
     * @throws TableException OutOfRangeInput for one before 1601 or after 9999
     */
    static Optional<EdmValue.Moment> parse(String text) {
        Instant instant;
        try {
            instant = isCommon(text) ? common(text) : any(text);
        } catch (DateTimeException notAMoment) {
            return Optional.empty();
        }
        if (instant.getEpochSecond() < -SECONDS_FROM_1601
                || instant.getEpochSecond() >= SECONDS_TO_YEAR_10000) {
            throw TableException.of(
                    TableErrorCode.OUT_OF_RANGE_INPUT,
                    "A DateTime lies in the years 1601 to 9999, in UTC.");
        }
        return Optional.of(
                new EdmValue.Moment(
                        (instant.getEpochSecond() + SECONDS_FROM_YEAR_1) * TICKS_PER_SECOND
                                + instant.get(ChronoField.NANO_OF_SECOND) / NANOS_PER_TICK));
    }

    private static Instant any(String text) {
        TemporalAccessor parsed = INPUT.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
        return parsed instanceof OffsetDateTime offset
                ? offset.toInstant()
                : ((LocalDateTime) parsed).toInstant(ZoneOffset.UTC);
    }

    /**
     * Returns true for a text in the form that nearly all clients write, with up to seven decimals.
     * It needs no formatter.
     */
    private static boolean isCommon(String text) {
        int length = text.length();
        if (length <= SECONDS_LENGTH || length > LENGTH || text.charAt(length - 1) != 'Z') {
            return false;
        }
        boolean isWell = length != SECONDS_LENGTH + 2;
        for (int i = 0; i < length - 1; i++) {
            char expected =
                    i < SECONDS_LENGTH ? PATTERN.charAt(i) : i == SECONDS_LENGTH ? '.' : '0';
            char c = text.charAt(i);
            isWell &= expected == '0' ? c >= '0' && c <= '9' : c == expected;
        }
        return isWell;
    }

    private static Instant common(String text) {
        int ticks = 0;
        for (int i = 0; i < DECIMALS; i++) {
            int at = SECONDS_LENGTH + 1 + i;
            ticks = 10 * ticks + (at < text.length() - 1 ? text.charAt(at) - '0' : 0);
        }
        return LocalDateTime.of(
                        number(text, 0, 4),
                        number(text, 5, 7),
                        number(text, 8, 10),
                        number(text, 11, 13),
                        number(text, 14, 16),
                        number(text, 17, 19),
                        ticks * NANOS_PER_TICK)
                .toInstant(ZoneOffset.UTC);
    }

    private static int number(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            number = 10 * number + (text.charAt(i) - '0');
        }
        return number;
    }

    private static String format(Instant instant, String colon, int decimals) {
        ByteSink out = new ByteSink(LENGTH + 2 * colon.length());
        write(instant, colon, decimals, out);
        return new String(out.unsafeArray(), 0, out.length(), StandardCharsets.US_ASCII);
    }

    /**
     * Writes a moment as the formatters do, without one: each entity of an answer has two of them
     * at least.
     *
     * @param colon what stands between hours, minutes and seconds
     * @param decimals how many are written
     */
    private static void write(Instant instant, String colon, int decimals, ByteSink out) {
        long day = Math.floorDiv(instant.getEpochSecond(), SECONDS_PER_DAY);
        int second = (int) Math.floorMod(instant.getEpochSecond(), SECONDS_PER_DAY);
        LocalDate date = LocalDate.ofEpochDay(day);
        digits(out, date.getYear(), 1000).put('-');
        digits(out, date.getMonthValue(), 10).put('-');
        digits(out, date.getDayOfMonth(), 10).put('T');
        digits(out, second / 3600, 10).putAscii(colon);
        digits(out, second / 60 % 60, 10).putAscii(colon);
        digits(out, second % 60, 10);
        if (decimals > 0) {
            int ticks = instant.get(ChronoField.NANO_OF_SECOND) / NANOS_PER_TICK;
            int highest = 1;
            for (int i = 1; i < decimals; i++) {
                highest *= 10;
            }
            for (int i = decimals; i < DECIMALS; i++) {
                ticks /= 10;
            }
            digits(out.put('.'), ticks, highest);
        }
        out.put('Z');
    }

    /**
     * @param highest the power of ten that stands for the first digit
     */
    private static ByteSink digits(ByteSink out, int number, int highest) {
        int rest = number;
        for (int power = highest; power > 0; power /= 10) {
            out.put('0' + rest / power);
            rest %= power;
        }
        return out;
    }

    /** Returns true for a moment whose year has four digits. */
    private static boolean isOrdinary(Instant instant) {
        return instant.getEpochSecond() >= -SECONDS_FROM_YEAR_1
                && instant.getEpochSecond() < SECONDS_TO_YEAR_10000;
    }

    /** The value of a property: {@code 2008-07-10T00:00:00Z}, with decimals where it has some. */
    static String format(EdmValue.Moment moment) {
        Instant instant = instant(moment);
        if (isOrdinary(instant)) {
            int decimals = DECIMALS;
            int ticks = instant.get(ChronoField.NANO_OF_SECOND) / NANOS_PER_TICK;
            while (decimals > 0 && ticks % 10 == 0) {
                ticks /= 10;
                decimals--;
            }
            return format(instant, ":", decimals);
        }
        return SHORT_OUTPUT.format(instant(moment).atOffset(ZoneOffset.UTC));
    }

    static Instant instant(EdmValue.Moment moment) {
        return Instant.ofEpochSecond(
                moment.ticks() / TICKS_PER_SECOND - SECONDS_FROM_YEAR_1,
                moment.ticks() % TICKS_PER_SECOND * NANOS_PER_TICK);
    }

    /** A Timestamp, which always has seven decimals. */
    static String format(FileTime time) {
        return format(instant(time));
    }

    /** Writes a Timestamp as JSON. */
    static void write(FileTime time, ByteSink out) {
        Instant instant = instant(time);
        out.put('"');
        if (isOrdinary(instant)) {
            write(instant, ":", DECIMALS, out);
        } else {
            out.putAscii(format(instant));
        }
        out.put('"');
    }

    /** Writes an etag as JSON. */
    static void writeEtag(FileTime time, ByteSink out) {
        Instant instant = instant(time);
        if (isOrdinary(instant)) {
            out.putAscii(ETAG_JSON_START);
            write(instant, ENCODED_COLON, DECIMALS, out);
            out.putAscii(ETAG_JSON_END);
        } else {
            JsonText.write(Value.of(etag(time)), out);
        }
    }

    private static Instant instant(FileTime time) {
        return Instant.ofEpochSecond(
                time.ticks() / TICKS_PER_SECOND - SECONDS_FROM_1601,
                time.ticks() % TICKS_PER_SECOND * NANOS_PER_TICK);
    }

    static String format(Instant instant) {
        return isOrdinary(instant)
                ? format(instant, ":", DECIMALS)
                : OUTPUT.format(instant.atOffset(ZoneOffset.UTC));
    }

    /** {@code W/"datetime'2026-11-15T06%3A36%3A40.4039827Z'"}. */
    static String etag(FileTime time) {
        Instant instant = instant(time);
        String text =
                isOrdinary(instant)
                        ? format(instant, ENCODED_COLON, DECIMALS)
                        : format(instant).replace(":", ENCODED_COLON);
        return ETAG_START + text + ETAG_END;
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
                        .replace(ENCODED_COLON, ":")
                        .replace("%3a", ":");
        try {
            return parse(time).map(moment -> new FileTime(moment.ticks() - FIRST_TICKS));
        } catch (TableException outOfRange) {
            return Optional.empty();
        }
    }
}
