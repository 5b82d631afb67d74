package orrery.query.mongo.expression;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.mongo.MongoCode;

/** Dates, and the time zones in which they are looked at. */
final class Zones {
    private static final Pattern OFFSET = Pattern.compile("([+-])(\\d{2})(?::?(\\d{2}))?");

    private Zones() {}

    /** The milliseconds of a value that stands for a moment. */
    static long millis(Value value) {
        return switch (value) {
            case BsonValue.DateTime(long millis) -> millis;
            case BsonValue.Timestamp(int seconds, int _) -> 1000L * Integer.toUnsignedLong(seconds);
            case BsonValue.ObjectId(Bytes id) -> 1000L * Conversions.seconds(id);
            default ->
                    throw MongoCode.failure(
                            16006,
                            "can't convert from BSON type " + TypeNames.of(value) + " to Date");
        };
    }

    static ZonedDateTime at(Value value, ZoneId zone) {
        return ZonedDateTime.ofInstant(Instant.ofEpochMilli(millis(value)), zone);
    }

    /** A zone by name or by its distance from UTC. The value is not null. */
    static ZoneId zone(Value value) {
        if (!(value instanceof Value.Text(String name))) {
            throw MongoCode.failure(
                    40517, "timezone must evaluate to a string, found " + TypeNames.of(value));
        }
        Matcher offset = OFFSET.matcher(name);
        try {
            if (!offset.matches()) {
                return ZoneId.of(name);
            }
            int minutes =
                    60 * Integer.parseInt(offset.group(2))
                            + (offset.group(3) == null ? 0 : Integer.parseInt(offset.group(3)));
            return ZoneOffset.ofTotalSeconds(
                    60 * (offset.group(1).equals("-") ? -minutes : minutes));
        } catch (DateTimeException unknown) {
            throw MongoCode.failure(40485, "unrecognized time zone identifier: \"" + name + "\"");
        }
    }

    /** The moment as a date; throws if no date can hold it. */
    static Value date(ZonedDateTime moment) {
        try {
            return new BsonValue.DateTime(moment.toInstant().toEpochMilli());
        } catch (ArithmeticException tooFar) {
            throw MongoCode.OVERFLOW.failure("the date lies outside of what a date can hold");
        }
    }
}
