package orrery.query.table;

import java.util.List;
import orrery.document.edm.EdmValue;

/**
 * A condition on an entity. A comparison with a property that the entity lacks, or that has another
 * type than the constant, is false; so its negation is true. Int32 and Double compare by value, as
 * the service has it; an Int64 compares with an Int64 only.
 */
public sealed interface TableFilter {
    /**
     * The property stands on the left.
     *
     * @param property as the client names it: PartitionKey, RowKey and Timestamp are properties too
     */
    record Comparison(String property, Operator operator, EdmValue constant)
            implements TableFilter {}

    /** At least two conditions, all of which must hold. */
    record And(List<TableFilter> conditions) implements TableFilter {
        public And {
            conditions = List.copyOf(conditions);
        }
    }

    /** At least two conditions, one of which must hold. */
    record Or(List<TableFilter> conditions) implements TableFilter {
        public Or {
            conditions = List.copyOf(conditions);
        }
    }

    record Not(TableFilter condition) implements TableFilter {}

    /** A property that stands alone: true where it is the boolean true. */
    record Flag(String property) implements TableFilter {}

    /** The filter that is a constant. */
    record Constant(boolean value) implements TableFilter {}

    /** The comparisons, named as OData does. */
    enum Operator {
        EQ,
        NE,
        GT,
        GE,
        LT,
        LE;

        /**
         * Returns true if the operator holds between a value and a constant.
         *
         * @param order negative if the value comes before the constant
         */
        boolean accepts(int order) {
            return switch (this) {
                case EQ -> order == 0;
                case NE -> order != 0;
                case GT -> order > 0;
                case GE -> order >= 0;
                case LT -> order < 0;
                case LE -> order <= 0;
            };
        }

        /** Returns the operator that holds exactly where this one does not. */
        Operator negated() {
            return switch (this) {
                case EQ -> NE;
                case NE -> EQ;
                case GT -> LE;
                case GE -> LT;
                case LT -> GE;
                case LE -> GT;
            };
        }

        /** Returns the operator with its sides changed. */
        Operator flipped() {
            return switch (this) {
                case EQ -> EQ;
                case NE -> NE;
                case GT -> LT;
                case GE -> LE;
                case LT -> GT;
                case LE -> GE;
            };
        }
    }
}
