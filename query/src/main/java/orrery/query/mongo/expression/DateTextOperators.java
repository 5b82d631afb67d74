package orrery.query.mongo.expression;

import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;

/** Operators between dates and texts. */
final class DateTextOperators {
    private DateTextOperators() {}

    static void addTo(Map<String, ExpressionReader.Operator> table) {
        table.put("$dateToString", DateTextOperators::toText);
        table.put("$dateFromString", DateTextOperators::fromText);
    }

    private static Expression toText(Value operand, ExpressionReader reader) {
        Operands.Named named =
                Operands.named(
                        "$dateToString",
                        18629,
                        18534,
                        operand,
                        reader,
                        "date",
                        "format",
                        "timezone",
                        "onNull");
        Expression date = named.required("date", 18628);
        Optional<Expression> format = named.find("format");
        Optional<Expression> zone = named.find("timezone");
        Expression onNull = named.or("onNull", Value.Null.NULL);
        return variables -> {
            Value value = date.evaluate(variables);
            if (Operands.isNullish(value)) {
                return onNull.evaluate(variables);
            }
            Value given = zone.map(each -> each.evaluate(variables)).orElse(Value.of("UTC"));
            Value pattern =
                    format.map(each -> each.evaluate(variables))
                            .orElse(Value.of(zone.isPresent() ? DateTexts.ISO : DateTexts.ISO_UTC));
            if (Operands.isNullish(given) || Operands.isNullish(pattern)) {
                return Value.Null.NULL;
            }
            if (!(pattern instanceof Value.Text(String text))) {
                throw MongoCode.failure(
                        18533,
                        "$dateToString requires that 'format' be a string, found: "
                                + TypeNames.of(pattern)
                                + " with value "
                                + ValueText.of(pattern));
            }
            return Value.of(DateTexts.format(text, Zones.at(value, Zones.zone(given))));
        };
    }

    private static Expression fromText(Value operand, ExpressionReader reader) {
        Operands.Named named =
                Operands.named(
                        "$dateFromString",
                        40540,
                        40541,
                        operand,
                        reader,
                        "dateString",
                        "format",
                        "timezone",
                        "onError",
                        "onNull");
        Expression input = named.required("dateString", 40542);
        Optional<Expression> format = named.find("format");
        Optional<Expression> zone = named.find("timezone");
        Optional<Expression> onError = named.find("onError");
        Expression onNull = named.or("onNull", Value.Null.NULL);
        return variables -> {
            Value value = input.evaluate(variables);
            if (Operands.isNullish(value)) {
                return onNull.evaluate(variables);
            }
            Optional<Value> given = zone.map(each -> each.evaluate(variables));
            Optional<Value> pattern = format.map(each -> each.evaluate(variables));
            if (given.filter(Operands::isNullish).isPresent()
                    || pattern.filter(Operands::isNullish).isPresent()) {
                return Value.Null.NULL;
            }
            try {
                return parsed(value, pattern, given.map(Zones::zone));
            } catch (OrreryException cannot) {
                return onError.orElseThrow(() -> cannot).evaluate(variables);
            }
        };
    }

    private static Value parsed(Value value, Optional<Value> format, Optional<ZoneId> zone) {
        if (!(value instanceof Value.Text(String text))) {
            throw MongoCode.CONVERSION_FAILURE.failure(
                    "$dateFromString requires that 'dateString' be a string, found: "
                            + TypeNames.of(value)
                            + " with value "
                            + ValueText.of(value));
        }
        OptionalLong millis =
                format.map(pattern -> DateTexts.parse(text, pattern(pattern), zone))
                        .orElseGet(() -> DateTexts.parse(text, zone));
        return new BsonValue.DateTime(
                millis.orElseThrow(
                        () ->
                                MongoCode.CONVERSION_FAILURE.failure(
                                        "Error parsing date string '" + text + "'")));
    }

    private static String pattern(Value value) {
        if (value instanceof Value.Text(String text)) {
            return text;
        }
        throw MongoCode.failure(
                40684,
                "$dateFromString requires that 'format' be a string, found: "
                        + TypeNames.of(value)
                        + " with value "
                        + ValueText.of(value));
    }
}
