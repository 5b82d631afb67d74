package orrery.query.mongo.expression;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;

/** Operators that compute with dates. */
final class DateOperators {
    private DateOperators() {}

    static void addTo(Map<String, ExpressionReader.Operator> table) {
        for (DatePart part : DatePart.values()) {
            table.put(part.operator(), part(part));
        }
        table.put("$dateToParts", DateOperators::toParts);
        table.put("$dateFromParts", DateOperators::fromParts);
        table.put("$dateAdd", sum("$dateAdd", 1));
        table.put("$dateSubtract", sum("$dateSubtract", -1));
        table.put("$dateDiff", DateOperators::difference);
        table.put("$dateTrunc", DateOperators::truncated);
    }

    private static ExpressionReader.Operator part(DatePart part) {
        String name = part.operator();
        return (operand, reader) -> {
            boolean isNamed = operand instanceof Value.Obj && !ExpressionReader.isOperator(operand);
            Operands.Named named =
                    isNamed
                            ? Operands.named(
                                    name, 40535, 40535, operand, reader, "date", "timezone")
                            : new Operands.Named(
                                    name,
                                    Map.of(
                                            "date",
                                            Operands.exactly(name, 1, operand, reader).getFirst()));
            Expression date = named.required("date", 40539);
            Expression zone = named.or("timezone", Value.of("UTC"));
            return variables -> {
                Value value = date.evaluate(variables);
                Value given = zone.evaluate(variables);
                return Operands.isNullish(value) || Operands.isNullish(given)
                        ? Value.Null.NULL
                        : part.of(Zones.at(value, Zones.zone(given)));
            };
        };
    }

    private static Expression toParts(Value operand, ExpressionReader reader) {
        Operands.Named named =
                Operands.named(
                        "$dateToParts",
                        40524,
                        40520,
                        operand,
                        reader,
                        "date",
                        "timezone",
                        "iso8601");
        Expression date = named.required("date", 40522);
        Expression zone = named.or("timezone", Value.of("UTC"));
        Expression iso = named.or("iso8601", Value.of(false));
        return variables -> {
            Value value = date.evaluate(variables);
            Value given = zone.evaluate(variables);
            Value isIso = iso.evaluate(variables);
            if (Operands.isNullish(value)
                    || Operands.isNullish(given)
                    || Operands.isNullish(isIso)) {
                return Value.Null.NULL;
            }
            if (!(isIso instanceof Value.Bool(boolean inWeeks))) {
                throw MongoCode.failure(
                        40521, "iso8601 must evaluate to a bool, found " + TypeNames.of(isIso));
            }
            return parts(Zones.at(value, Zones.zone(given)), inWeeks);
        };
    }

    private static Value parts(ZonedDateTime at, boolean inWeeks) {
        Map<String, Value> parts = new LinkedHashMap<>();
        if (inWeeks) {
            parts.put("isoWeekYear", Value.of(at.get(IsoFields.WEEK_BASED_YEAR)));
            parts.put("isoWeek", Value.of(at.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR)));
            parts.put("isoDayOfWeek", Value.of(at.getDayOfWeek().getValue()));
        } else {
            parts.put("year", Value.of(at.getYear()));
            parts.put("month", Value.of(at.getMonthValue()));
            parts.put("day", Value.of(at.getDayOfMonth()));
        }
        parts.put("hour", Value.of(at.getHour()));
        parts.put("minute", Value.of(at.getMinute()));
        parts.put("second", Value.of(at.getSecond()));
        parts.put("millisecond", Value.of(at.get(ChronoField.MILLI_OF_SECOND)));
        return new Value.Obj(parts);
    }

    private static Expression fromParts(Value operand, ExpressionReader reader) {
        Operands.Named named =
                Operands.named(
                        "$dateFromParts",
                        40519,
                        40518,
                        operand,
                        reader,
                        "year",
                        "month",
                        "day",
                        "isoWeekYear",
                        "isoWeek",
                        "isoDayOfWeek",
                        "hour",
                        "minute",
                        "second",
                        "millisecond",
                        "timezone");
        boolean inWeeks = named.find("isoWeekYear").isPresent();
        if (!inWeeks && named.find("year").isEmpty()) {
            throw MongoCode.failure(
                    40516, "$dateFromParts requires either 'year' or 'isoWeekYear' to be present");
        }
        if (inWeeks && named.find("year").isPresent()) {
            throw MongoCode.failure(
                    40489, "$dateFromParts does not allow mixing natural dates with ISO dates");
        }
        Expression zone = named.or("timezone", Value.of("UTC"));
        return variables -> {
            Map<String, Long> parts = new LinkedHashMap<>();
            for (Map.Entry<String, Expression> each : named.values().entrySet()) {
                if (each.getKey().equals("timezone")) {
                    continue;
                }
                Value value = each.getValue().evaluate(variables);
                if (Operands.isNullish(value)) {
                    return Value.Null.NULL;
                }
                parts.put(each.getKey(), partNumber(each.getKey(), value));
            }
            Value given = zone.evaluate(variables);
            return Operands.isNullish(given)
                    ? Value.Null.NULL
                    : inRange(() -> Zones.date(moment(parts, inWeeks, Zones.zone(given))));
        };
    }

    private static long partNumber(String name, Value value) {
        long number =
                MongoNumbers.whole(value)
                        .orElseThrow(
                                () ->
                                        MongoCode.failure(
                                                40515,
                                                "'%s' must evaluate to an integer, found %s with value %s"
                                                        .formatted(
                                                                name,
                                                                TypeNames.of(value),
                                                                ValueText.of(value))));
        boolean isYear = name.equals("year") || name.equals("isoWeekYear");
        if (isYear && (number < 1 || number > 9999)) {
            throw MongoCode.failure(
                    40523,
                    "'%s' must evaluate to an integer in the range 1 to 9999, found %d"
                            .formatted(name, number));
        }
        if (!isYear && number != (short) number && (name.equals("month") || name.equals("day"))) {
            throw MongoCode.failure(
                    31034,
                    "'%s' must evaluate to a value in the range [-32768, 32767]; value %d is not in range"
                            .formatted(name, number));
        }
        return number;
    }

    /** Parts that are too large or too small go over into the larger ones. */
    private static ZonedDateTime moment(Map<String, Long> parts, boolean inWeeks, ZoneId zone) {
        LocalDate day;
        if (inWeeks) {
            day =
                    LocalDate.of(parts.getOrDefault("isoWeekYear", 1970L).intValue(), 1, 4)
                            .with(DayOfWeek.MONDAY)
                            .plusWeeks(parts.getOrDefault("isoWeek", 1L) - 1)
                            .plusDays(parts.getOrDefault("isoDayOfWeek", 1L) - 1);
        } else {
            day =
                    LocalDate.of(parts.getOrDefault("year", 1970L).intValue(), 1, 1)
                            .plusMonths(parts.getOrDefault("month", 1L) - 1)
                            .plusDays(parts.getOrDefault("day", 1L) - 1);
        }
        return day.atStartOfDay()
                .plusHours(parts.getOrDefault("hour", 0L))
                .plusMinutes(parts.getOrDefault("minute", 0L))
                .plusSeconds(parts.getOrDefault("second", 0L))
                .plusNanos(Math.multiplyExact(1_000_000L, parts.getOrDefault("millisecond", 0L)))
                .atZone(zone);
    }

    private static Value inRange(Supplier<Value> date) {
        try {
            return date.get();
        } catch (DateTimeException | ArithmeticException tooFar) {
            throw MongoCode.OVERFLOW.failure("the date lies outside of what a date can hold");
        }
    }

    private static ExpressionReader.Operator sum(String name, int sign) {
        return (operand, reader) -> {
            Operands.Named named =
                    Operands.named(
                            name,
                            5166400,
                            5166401,
                            operand,
                            reader,
                            "startDate",
                            "unit",
                            "amount",
                            "timezone");
            Expression start = named.required("startDate", 5166402);
            Expression unit = named.required("unit", 5166402);
            Expression amount = named.required("amount", 5166402);
            Expression zone = named.or("timezone", Value.of("UTC"));
            return variables -> {
                Value from = start.evaluate(variables);
                Value in = unit.evaluate(variables);
                Value count = amount.evaluate(variables);
                Value given = zone.evaluate(variables);
                if (Operands.isNullish(from)
                        || Operands.isNullish(in)
                        || Operands.isNullish(count)
                        || Operands.isNullish(given)) {
                    return Value.Null.NULL;
                }
                long number =
                        MongoNumbers.whole(count)
                                .orElseThrow(
                                        () ->
                                                MongoCode.failure(
                                                        5166405,
                                                        name
                                                                + " expects integer amount of time"
                                                                + " units"));
                DateUnit units = DateUnit.of(name, in);
                ZonedDateTime at = Zones.at(from, Zones.zone(given));
                return inRange(() -> Zones.date(units.add(at, Math.multiplyExact(sign, number))));
            };
        };
    }

    private static Expression difference(Value operand, ExpressionReader reader) {
        Operands.Named named =
                Operands.named(
                        "$dateDiff",
                        5166301,
                        5166302,
                        operand,
                        reader,
                        "startDate",
                        "endDate",
                        "unit",
                        "timezone",
                        "startOfWeek");
        Expression start = named.required("startDate", 5166303);
        Expression end = named.required("endDate", 5166304);
        Expression unit = named.required("unit", 5166305);
        Expression zone = named.or("timezone", Value.of("UTC"));
        Expression week = named.or("startOfWeek", Value.of("sunday"));
        return variables -> {
            Value from = start.evaluate(variables);
            Value to = end.evaluate(variables);
            Value in = unit.evaluate(variables);
            Value given = zone.evaluate(variables);
            if (Operands.isNullish(from)
                    || Operands.isNullish(to)
                    || Operands.isNullish(in)
                    || Operands.isNullish(given)) {
                return Value.Null.NULL;
            }
            ZoneId at = Zones.zone(given);
            return Numbers.int64(
                    DateUnit.of("$dateDiff", in)
                            .between(
                                    Zones.at(from, at),
                                    Zones.at(to, at),
                                    weekday("$dateDiff", week.evaluate(variables))));
        };
    }

    private static DayOfWeek weekday(String operator, Value value) {
        if (value instanceof Value.Text(String name)) {
            String wanted = name.toUpperCase(Locale.ROOT);
            for (DayOfWeek day : DayOfWeek.values()) {
                if (day.name().equals(wanted) || day.name().substring(0, 3).equals(wanted)) {
                    return day;
                }
            }
        }
        throw MongoCode.FAILED_TO_PARSE.failure(
                operator
                        + " parameter 'startOfWeek' value cannot be recognized as a day of a week: "
                        + ValueText.of(value));
    }

    private static Expression truncated(Value operand, ExpressionReader reader) {
        Operands.Named named =
                Operands.named(
                        "$dateTrunc",
                        5439007,
                        5439008,
                        operand,
                        reader,
                        "date",
                        "unit",
                        "binSize",
                        "timezone",
                        "startOfWeek");
        Expression date = named.required("date", 5439009);
        Expression unit = named.required("unit", 5439010);
        Expression size = named.or("binSize", Value.of(1));
        Expression zone = named.or("timezone", Value.of("UTC"));
        Expression week = named.or("startOfWeek", Value.of("sunday"));
        return variables -> {
            Value value = date.evaluate(variables);
            Value in = unit.evaluate(variables);
            Value bin = size.evaluate(variables);
            Value given = zone.evaluate(variables);
            if (Operands.isNullish(value)
                    || Operands.isNullish(in)
                    || Operands.isNullish(bin)
                    || Operands.isNullish(given)) {
                return Value.Null.NULL;
            }
            long length = MongoNumbers.whole(bin).orElse(0);
            if (length <= 0) {
                throw MongoCode.failure(
                        5439018,
                        "$dateTrunc requires 'binSize' to be greater than 0, but got value "
                                + ValueText.of(bin));
            }
            ZonedDateTime at = Zones.at(value, Zones.zone(given));
            DayOfWeek start = weekday("$dateTrunc", week.evaluate(variables));
            return inRange(() -> Zones.date(DateUnit.of("$dateTrunc", in).cut(at, length, start)));
        };
    }
}
