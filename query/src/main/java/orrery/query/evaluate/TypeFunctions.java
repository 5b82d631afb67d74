package orrery.query.evaluate;

import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.syntax.BuiltIn;

/** The IS_ functions: total, and false for undefined but where it is asked for. */
final class TypeFunctions {
    private TypeFunctions() {}

    static boolean test(BuiltIn function, Value value) {
        return switch (function) {
            case IS_ARRAY -> value instanceof Value.Array;
            case IS_BOOL -> value instanceof Value.Bool;
            case IS_DATETIME ->
                    value instanceof Value.Text(String text) && Ticks.parse(text).isPresent();
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
                        // SQL sees them as objects.
                        case Value.Undefined _, Value.Array _, Value.Obj _, BsonValue _ -> false;
                    };
            case IS_STRING -> value instanceof Value.Text;
            default -> throw new IllegalStateException("no type check: " + function);
        };
    }
}
