package orrery.query.mongo.expression;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;

/** Dates as texts: the formats of {@code $dateToString}, and what can be read as a date. */
final class DateTexts {
    static final String ISO_UTC = "%Y-%m-%dT%H:%M:%S.%LZ";
    static final String ISO = "%Y-%m-%dT%H:%M:%S.%L";

    private static final Pattern USUAL =
            Pattern.compile(
                    "(\\d{4})-(\\d{2})-(\\d{2})"
                            + "(?:[T ](\\d{2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?)?"
                            + "\\s*(Z|[A-Za-z_/]+|[+-]\\d{2}(?::?\\d{2})?)?");

    private DateTexts() {}

    static String format(String format, ZonedDateTime date) {
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < format.length()) {
            char each = format.charAt(at++);
            if (each != '%') {
                out.append(each);
            } else if (at == format.length()) {
                throw MongoCode.failure(18535, "Unmatched '%' at end of format string");
            } else {
                out.append(part(format.charAt(at++), date));
            }
        }
        return out.toString();
    }

    private static String part(char specifier, ZonedDateTime date) {
        return switch (specifier) {
            case '%' -> "%";
            case 'Y' -> year(date.getYear());
            case 'G' -> year(date.get(IsoFields.WEEK_BASED_YEAR));
            case 'm' -> digits(date.getMonthValue(), 2);
            case 'd' -> digits(date.getDayOfMonth(), 2);
            case 'H' -> digits(date.getHour(), 2);
            case 'M' -> digits(date.getMinute(), 2);
            case 'S' -> digits(date.getSecond(), 2);
            case 'L' -> digits(date.get(ChronoField.MILLI_OF_SECOND), 3);
            case 'j' -> digits(date.getDayOfYear(), 3);
            case 'w' -> Integer.toString(DatePart.dayOfWeek(date));
            case 'u' -> Integer.toString(date.getDayOfWeek().getValue());
            case 'U' -> digits(DatePart.week(date), 2);
            case 'V' -> digits(date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2);
            case 'b' -> date.getMonth().getDisplayName(TextStyle.SHORT, Locale.ROOT);
            case 'B' -> date.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            case 'z' -> offset(date.getOffset());
            case 'Z' -> Integer.toString(date.getOffset().getTotalSeconds() / 60);
            default ->
                    throw MongoCode.failure(
                            18536,
                            "Invalid format character '%" + specifier + "' in format string");
        };
    }

    private static String year(int year) {
        if (year < 0 || year > 9999) {
            throw MongoCode.failure(
                    18537,
                    "$dateToString is only defined on year 0-9999, tried to use year " + year);
        }
        return digits(year, 4);
    }

    private static String digits(int number, int count) {
        String text = Integer.toString(number);
        return "0".repeat(Math.max(0, count - text.length())) + text;
    }

    private static String offset(ZoneOffset offset) {
        int minutes = Math.abs(offset.getTotalSeconds()) / 60;
        return (offset.getTotalSeconds() < 0 ? "-" : "+")
                + digits(minutes / 60, 2)
                + digits(minutes % 60, 2);
    }

    /** Reads a date in the usual forms of ISO 8601, in UTC if it names no zone. */
    static OptionalLong parse(String text) {
        return parse(text, Optional.empty());
    }

    /**
     * @param zone of a text that names none; where there is one, a text may not name another
     */
    static OptionalLong parse(String text, Optional<ZoneId> zone) {
        Matcher parts = USUAL.matcher(text.strip());
        if (!parts.matches() || (zone.isPresent() && parts.group(8) != null)) {
            return OptionalLong.empty();
        }
        try {
            ZoneId own =
                    parts.group(8) == null
                            ? zone.orElse(ZoneOffset.UTC)
                            : parts.group(8).equals("Z")
                                    ? ZoneOffset.UTC
                                    : Zones.zone(Value.of(parts.group(8)));
            ZonedDateTime date =
                    ZonedDateTime.of(
                            number(parts, 1),
                            number(parts, 2),
                            number(parts, 3),
                            number(parts, 4),
                            number(parts, 5),
                            number(parts, 6),
                            parts.group(7) == null
                                    ? 0
                                    : Integer.parseInt(
                                            parts.group(7)
                                                    + "0".repeat(9 - parts.group(7).length())),
                            own);
            return OptionalLong.of(date.toInstant().toEpochMilli());
        } catch (DateTimeException | OrreryException impossible) {
            return OptionalLong.empty();
        }
    }

    private static int number(Matcher parts, int group) {
        String text = parts.group(group);
        return text == null ? 0 : Integer.parseInt(text);
    }

    /** Reads a date by a format; empty if the text does not have it. */
    static OptionalLong parse(String text, String format, Optional<ZoneId> zone) {
        Map<Character, Integer> found = new HashMap<>();
        Optional<ZoneId> own = Optional.empty();
        int at = 0;
        int next = 0;
        while (next < format.length()) {
            char each = format.charAt(next++);
            boolean isPart = each == '%' && next < format.length();
            char specifier = isPart ? format.charAt(next++) : each;
            if (!isPart || specifier == '%') {
                if (at >= text.length() || text.charAt(at) != specifier) {
                    return OptionalLong.empty();
                }
                at++;
                continue;
            }
            int end = end(text, at, specifier);
            if (end <= at) {
                return OptionalLong.empty();
            }
            String part = text.substring(at, end);
            at = end;
            switch (specifier) {
                case 'z' -> own = Optional.of(Zones.zone(Value.of(part)));
                case 'Z' ->
                        own = Optional.of(ZoneOffset.ofTotalSeconds(60 * Integer.parseInt(part)));
                case 'b', 'B' -> found.put('m', month(part));
                default -> found.put(specifier, Integer.parseInt(part));
            }
        }
        if (at < text.length()) {
            return OptionalLong.empty();
        }
        return moment(found, own.or(() -> zone).orElse(ZoneOffset.UTC));
    }

    private static int end(String text, int at, char specifier) {
        int most =
                switch (specifier) {
                    case 'Y', 'G' -> 4;
                    case 'm', 'd', 'H', 'M', 'S', 'V', 'U' -> 2;
                    case 'L', 'j' -> 3;
                    case 'u', 'w' -> 1;
                    case 'z', 'Z' -> 6;
                    case 'b', 'B' -> 9;
                    default ->
                            throw MongoCode.failure(
                                    18536,
                                    "Invalid format character '%"
                                            + specifier
                                            + "' in format string");
                };
        int end = at;
        while (end < text.length() && end - at < most && fits(text.charAt(end), specifier)) {
            end++;
        }
        return end;
    }

    private static boolean fits(char each, char specifier) {
        return switch (specifier) {
            case 'b', 'B' -> Character.isLetter(each);
            case 'z', 'Z' -> "+-:0123456789".indexOf(each) >= 0;
            default -> each >= '0' && each <= '9';
        };
    }

    private static int month(String name) {
        for (Month month : Month.values()) {
            if (month.name().equalsIgnoreCase(name)
                    || month.name().substring(0, 3).equalsIgnoreCase(name)) {
                return month.getValue();
            }
        }
        return 0;
    }

    private static OptionalLong moment(Map<Character, Integer> parts, ZoneId zone) {
        try {
            LocalDate day = day(parts);
            return OptionalLong.of(
                    ZonedDateTime.of(
                                    day,
                                    LocalTime.of(
                                            parts.getOrDefault('H', 0),
                                            parts.getOrDefault('M', 0),
                                            parts.getOrDefault('S', 0),
                                            1_000_000 * parts.getOrDefault('L', 0)),
                                    zone)
                            .toInstant()
                            .toEpochMilli());
        } catch (DateTimeException impossible) {
            return OptionalLong.empty();
        }
    }

    private static LocalDate day(Map<Character, Integer> parts) {
        if (parts.containsKey('G')) {
            return LocalDate.of(parts.getOrDefault('G', 1970), 1, 4)
                    .with(IsoFields.WEEK_OF_WEEK_BASED_YEAR, parts.getOrDefault('V', 1))
                    .with(ChronoField.DAY_OF_WEEK, parts.getOrDefault('u', 1));
        }
        if (!parts.containsKey('Y')) {
            throw new DateTimeException("a date without a year");
        }
        return parts.containsKey('j')
                ? LocalDate.ofYearDay(parts.getOrDefault('Y', 0), parts.getOrDefault('j', 1))
                : LocalDate.of(
                        parts.getOrDefault('Y', 0),
                        parts.getOrDefault('m', 1),
                        parts.getOrDefault('d', 1));
    }
}
