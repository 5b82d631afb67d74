package orrery.query.table;

import java.util.OptionalDouble;
import java.util.UUID;
import orrery.document.edm.EdmValue;
import orrery.model.Bytes;

/** Compares values of properties with constants. */
final class EdmComparison {
    private EdmComparison() {}

    /** Returns false for values of types that cannot be compared. */
    static boolean holds(EdmValue value, TableFilter.Operator operator, EdmValue constant) {
        return switch (constant) {
            case EdmValue.Text(String wanted) ->
                    value instanceof EdmValue.Text(String text)
                            && operator.accepts(text.compareTo(wanted));
            case EdmValue.Int64(long wanted) ->
                    value instanceof EdmValue.Int64(long number)
                            && operator.accepts(Long.compare(number, wanted));
            case EdmValue.Int32(int wanted) -> holds(number(value), operator, wanted);
            case EdmValue.Real(double wanted) -> holds(number(value), operator, wanted);
            case EdmValue.Bool(boolean wanted) ->
                    value instanceof EdmValue.Bool(boolean flag)
                            && operator.accepts(Boolean.compare(flag, wanted));
            // GUIDs compare as they are printed: the halves of a UUID are signed in Java.
            case EdmValue.Guid(UUID wanted) ->
                    value instanceof EdmValue.Guid(UUID guid)
                            && operator.accepts(guid.toString().compareTo(wanted.toString()));
            case EdmValue.Binary(Bytes wanted) ->
                    value instanceof EdmValue.Binary(Bytes bytes)
                            && operator.accepts(bytes.compareTo(wanted));
            case EdmValue.Moment(long wanted) ->
                    value instanceof EdmValue.Moment(long ticks)
                            && operator.accepts(Long.compare(ticks, wanted));
        };
    }

    /** Every Int32 is a double. */
    private static OptionalDouble number(EdmValue value) {
        return switch (value) {
            case EdmValue.Int32(int number) -> OptionalDouble.of(number);
            case EdmValue.Real(double number) -> OptionalDouble.of(number);
            case EdmValue.Text _,
                    EdmValue.Int64 _,
                    EdmValue.Bool _,
                    EdmValue.Guid _,
                    EdmValue.Binary _,
                    EdmValue.Moment _ ->
                    OptionalDouble.empty();
        };
    }

    private static boolean holds(
            OptionalDouble value, TableFilter.Operator operator, double wanted) {
        if (value.isEmpty()) {
            return false;
        }
        double number = value.getAsDouble();
        if (Double.isNaN(number) || Double.isNaN(wanted)) {
            return operator == TableFilter.Operator.NE;
        }
        return operator.accepts(number < wanted ? -1 : number > wanted ? 1 : 0);
    }
}
