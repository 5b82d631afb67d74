package orrery.query.mongo.expression;

import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.function.Function;
import orrery.document.Value;

/** The parts of a date that have operators of their own. */
enum DatePart {
    YEAR("$year", date -> Value.of(date.getYear())),
    MONTH("$month", date -> Value.of(date.getMonthValue())),
    DAY_OF_MONTH("$dayOfMonth", date -> Value.of(date.getDayOfMonth())),
    DAY_OF_YEAR("$dayOfYear", date -> Value.of(date.getDayOfYear())),
    DAY_OF_WEEK("$dayOfWeek", date -> Value.of(dayOfWeek(date))),
    HOUR("$hour", date -> Value.of(date.getHour())),
    MINUTE("$minute", date -> Value.of(date.getMinute())),
    SECOND("$second", date -> Value.of(date.getSecond())),
    MILLISECOND("$millisecond", date -> Value.of(date.get(ChronoField.MILLI_OF_SECOND))),
    WEEK("$week", date -> Value.of(week(date))),
    ISO_WEEK("$isoWeek", date -> Value.of(date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR))),
    ISO_WEEK_YEAR("$isoWeekYear", date -> Numbers.int64(date.get(IsoFields.WEEK_BASED_YEAR))),
    ISO_DAY_OF_WEEK("$isoDayOfWeek", date -> Value.of(date.getDayOfWeek().getValue()));

    private final String operator;

    @SuppressWarnings("ImmutableEnumChecker") // the functions hold nothing
    private final Function<ZonedDateTime, Value> value;

    DatePart(String operator, Function<ZonedDateTime, Value> value) {
        this.operator = operator;
        this.value = value;
    }

    String operator() {
        return operator;
    }

    Value of(ZonedDateTime date) {
        return value.apply(date);
    }

    /** From 1, which is Sunday. */
    static int dayOfWeek(ZonedDateTime date) {
        return date.getDayOfWeek().getValue() % 7 + 1;
    }

    /** Weeks begin with Sunday; the days before the first one are week 0. */
    static int week(ZonedDateTime date) {
        return (date.getDayOfYear() + 7 - dayOfWeek(date)) / 7;
    }
}
