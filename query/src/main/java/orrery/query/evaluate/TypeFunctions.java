package orrery.query.evaluate;

import java.time.YearMonth;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import orrery.document.Value;
import orrery.query.syntax.BuiltIn;

/** The IS_ functions: total, and false for undefined but where it is asked for. */
final class TypeFunctions {
    private static final Pattern DATE_TIME =
            Pattern.compile(
                    "(\\d{4})-(\\d\\d)-(\\d\\d)"
                            + "(?:[T ](?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,7})?)?Z?");

    private TypeFunctions() {}

    static boolean test(BuiltIn function, Value value) {
        return switch (function) {
            case IS_ARRAY -> value instanceof Value.Array;
            case IS_BOOL -> value instanceof Value.Bool;
            case IS_DATETIME -> value instanceof Value.Text(String text) && isDateTime(text);
            case IS_DEFINED -> value.isDefined();
            case IS_FINITE_NUMBER ->
                    value instanceof Value.Int
                            || (value instanceof Value.Real(double number)
                                    && Double.isFinite(number));
            case IS_INTEGER -> value instanceof Value.Int;
            case IS_NULL -> value instanceof Value.Null;
            case IS_NUMBER -> value.isNumber();
            case IS_OBJECT -> value instanceof Value.Obj;
            case IS_PRIMITIVE ->
                    switch (value) {
                        case Value.Null _, Value.Bool _, Value.Int _, Value.Real _, Value.Text _ ->
                                true;
                        case Value.Undefined _, Value.Array _, Value.Obj _ -> false;
                    };
            case IS_STRING -> value instanceof Value.Text;
            default -> throw new IllegalStateException("no type check: " + function);
        };
    }

    private static boolean isDateTime(String text) {
        Matcher matcher = DATE_TIME.matcher(text);
        if (!matcher.matches()) {
            return false;
        }
        int year = Integer.parseInt(matcher.group(1));
        int month = Integer.parseInt(matcher.group(2));
        int day = Integer.parseInt(matcher.group(3));
        return year >= 1
                && month >= 1
                && month <= 12
                && day >= 1
                && day <= YearMonth.of(year, month).lengthOfMonth();
    }
}
