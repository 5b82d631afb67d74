package orrery.query.mongo.find;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import orrery.document.BsonValue;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;
import orrery.query.mongo.MongoOrder;

/**
 * The order of a read: paths with directions.
 *
 * @param order of the values at a path
 */
public record SortSpec(List<Column> columns, MongoOrder order) {
    private static final int MAX_COLUMNS = 32;
    private static final int NO_DIRECTION = 15974;
    private static final int OTHER_DIRECTION = 15975;

    public record Column(FieldPath path, boolean isDescending) {}

    public SortSpec {
        columns = List.copyOf(columns);
    }

    public static SortSpec of(Value.Obj sort, MongoOrder order) {
        List<Column> columns = new ArrayList<>();
        sort.properties().forEach((name, direction) -> add(name, direction, columns));
        if (columns.size() > MAX_COLUMNS) {
            throw MongoCode.BAD_VALUE.failure("too many compound keys");
        }
        return new SortSpec(columns, order);
    }

    private static void add(String name, Value direction, List<Column> columns) {
        if (direction instanceof Value.Obj) {
            throw MongoCode.BAD_VALUE.failure("$meta is not supported in a sort");
        }
        if (!MongoOrder.isNumber(direction)) {
            throw MongoCode.failure(
                    NO_DIRECTION,
                    "Illegal key in $sort specification: "
                            + name
                            + ": "
                            + JsonText.write(direction));
        }
        OptionalLong number = MongoNumbers.truncated(direction);
        if (number.isEmpty() || Math.abs(number.getAsLong()) != 1) {
            throw MongoCode.failure(
                    OTHER_DIRECTION,
                    "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
        }
        if (name.equals("$natural")) {
            if (number.getAsLong() != 1) {
                throw MongoCode.BAD_VALUE.failure("a backward $natural order is not supported");
            }
            return; // the order in which items come without a sort
        }
        columns.add(new Column(FieldPath.ofField(name), number.getAsLong() < 0));
    }

    /**
     * Returns the values that give a document its place: one for each column. An array has the
     * place of its least element, or of its greatest where the column descends; an empty one is
     * undefined. Columns that pass the same array take their values from the same element of it.
     * With several columns null and absent values are the same, as they are in MongoDB; with one,
     * absent values come first among them. Under a collation strings are keys of it.
     */
    public List<Value> values(Value document) {
        List<State> states = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            states.add(new State(i, document, 0));
        }
        Value[] found = new Value[columns.size()];
        least(states, found);
        List<Value> values = new ArrayList<>();
        for (Value value : found) {
            boolean isNull = value instanceof Value.Null && columns.size() > 1;
            values.add(isNull ? Value.Undefined.UNDEFINED : order.key(value));
        }
        return values;
    }

    /**
     * A column on its way.
     *
     * @param value that was reached
     * @param at the part of the path that comes next
     */
    private record State(int column, Value value, int at) {
        State to(Value next, int part) {
            return new State(column, next, part);
        }
    }

    /** Fills in the values of some columns, which come first in the order together. */
    private void least(List<State> states, Value[] found) {
        List<State> atArrays = new ArrayList<>();
        for (State state : states) {
            State reached = descend(state);
            if (reached.value() instanceof Value.Array) {
                atArrays.add(reached);
            } else {
                found[reached.column()] = reached.value();
            }
        }
        while (!atArrays.isEmpty()) {
            Value array = atArrays.getFirst().value();
            List<State> same = atArrays.stream().filter(state -> state.value() == array).toList();
            atArrays.removeAll(same);
            leastOf(((Value.Array) array).elements(), same, found);
        }
    }

    /** Goes through objects, and to elements by their numbers. */
    private State descend(State from) {
        List<String> parts = columns.get(from.column()).path().parts();
        Value value = from.value();
        int at = from.at();
        while (at < parts.size()) {
            switch (value) {
                case Value.Obj object -> {
                    value =
                            object.properties()
                                    .getOrDefault(parts.get(at), Value.Undefined.UNDEFINED);
                    at++;
                }
                case Value.Array(List<Value> elements) -> {
                    int index = FieldPath.arrayIndex(parts.get(at));
                    if (index == FieldPath.NO_INDEX || index >= elements.size()) {
                        return from.to(value, at);
                    }
                    value = elements.get(index);
                    at++;
                }
                default -> {
                    return from.to(Value.Undefined.UNDEFINED, parts.size());
                }
            }
        }
        return from.to(value, at);
    }

    private void leastOf(List<Value> elements, List<State> states, Value[] found) {
        if (elements.isEmpty()) {
            for (State state : states) {
                found[state.column()] =
                        isEnd(state) ? BsonValue.Undef.UNDEF : Value.Undefined.UNDEFINED;
            }
            return;
        }
        Value[] best = new Value[found.length];
        Value[] each = new Value[found.length];
        boolean isFirst = true;
        for (Value element : elements) {
            least(element, states, each);
            if (isFirst || isBefore(each, best, states)) {
                for (State state : states) {
                    best[state.column()] = each[state.column()];
                }
            }
            isFirst = false;
        }
        for (State state : states) {
            found[state.column()] = best[state.column()];
        }
    }

    /** The values of columns in one element; an array inside of an array is a value. */
    private void least(Value element, List<State> states, Value[] found) {
        List<State> deeper = new ArrayList<>();
        for (State state : states) {
            if (isEnd(state)) {
                found[state.column()] = element;
            } else if (element instanceof Value.Obj) {
                deeper.add(state.to(element, state.at()));
            } else {
                found[state.column()] = Value.Undefined.UNDEFINED;
            }
        }
        least(deeper, found);
    }

    private boolean isEnd(State state) {
        return state.at() == columns.get(state.column()).path().parts().size();
    }

    private boolean isBefore(Value[] left, Value[] right, List<State> states) {
        for (State state : states) {
            int difference =
                    order.compare(
                            comparable(left[state.column()]), comparable(right[state.column()]));
            if (difference != 0) {
                return columns.get(state.column()).isDescending() ? difference > 0 : difference < 0;
            }
        }
        return false;
    }

    private static Value comparable(Value value) {
        return value.isDefined() ? value : Value.Null.NULL;
    }
}
