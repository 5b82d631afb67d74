package orrery.query.mongo.update;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.mongo.ElementSort;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.Numbers;
import orrery.query.mongo.expression.TypeNames;
import orrery.query.mongo.expression.ValueText;

/** The operators that change what an array holds. */
sealed interface ArrayOperator extends FieldOperator {
    /**
     * Adds elements; then sorts, then cuts.
     *
     * @param position where they go, from the end if it is negative; absent for the end
     * @param slice how many elements remain, the last ones if it is negative; absent for all
     */
    record Push(
            List<Value> added,
            OptionalLong position,
            OptionalLong slice,
            Optional<Comparator<Value>> sort)
            implements ArrayOperator {
        public Push {
            added = List.copyOf(added);
        }

        @Override
        public Value apply(Value present, Field field) {
            List<Value> elements = new ArrayList<>(arrayOf(present, field));
            elements.addAll(place(elements.size()), added);
            sort.ifPresent(elements::sort);
            return new Value.Array(cut(elements));
        }

        private static List<Value> arrayOf(Value present, Field field) {
            if (!present.isDefined()) {
                return List.of();
            }
            if (present instanceof Value.Array(List<Value> elements)) {
                return elements;
            }
            throw MongoCode.BAD_VALUE.failure(
                    "The field '%s' must be an array but is of type %s in document %s"
                            .formatted(field.path(), TypeNames.of(present), field.document()));
        }

        private int place(int size) {
            if (position.isEmpty()) {
                return size;
            }
            long wanted = position.getAsLong();
            return (int) (wanted >= 0 ? Math.min(wanted, size) : Math.max(0, size + wanted));
        }

        private List<Value> cut(List<Value> elements) {
            if (slice.isEmpty()) {
                return elements;
            }
            int size = elements.size();
            long wanted = slice.getAsLong();
            return wanted >= 0
                    ? elements.subList(0, (int) Math.min(wanted, size))
                    : elements.subList((int) Math.max(0, size + wanted), size);
        }
    }

    /** Adds each of the values that is not there yet. */
    record AddToSet(List<Value> added, MongoOrder order) implements ArrayOperator {
        public AddToSet {
            added = List.copyOf(added);
        }

        @Override
        public Value apply(Value present, Field field) {
            if (present.isDefined() && !(present instanceof Value.Array)) {
                throw MongoCode.BAD_VALUE.failure(
                        "Cannot apply $addToSet to non-array field. Field named '%s' has non-array type %s"
                                .formatted(field.name(), TypeNames.of(present)));
            }
            List<Value> elements =
                    present instanceof Value.Array(List<Value> there)
                            ? new ArrayList<>(there)
                            : new ArrayList<>();
            for (Value value : added) {
                if (elements.stream().noneMatch(each -> order.compare(each, value) == 0)) {
                    elements.add(value);
                }
            }
            return new Value.Array(elements);
        }
    }

    record Pop(boolean fromStart) implements ArrayOperator {
        @Override
        public Value apply(Value present, Field field) {
            if (!present.isDefined()) {
                return present;
            }
            if (!(present instanceof Value.Array(List<Value> elements))) {
                throw MongoCode.TYPE_MISMATCH.failure(
                        "Path '%s' contains an element of non-array type '%s'"
                                .formatted(field.path(), TypeNames.of(present)));
            }
            if (elements.isEmpty()) {
                return present;
            }
            return new Value.Array(
                    fromStart
                            ? elements.subList(1, elements.size())
                            : elements.subList(0, elements.size() - 1));
        }
    }

    /** Removes the elements that a condition takes. */
    record Pull(Predicate<Value> isTaken) implements ArrayOperator {
        @Override
        public Value apply(Value present, Field field) {
            if (!present.isDefined()) {
                return present;
            }
            if (!(present instanceof Value.Array(List<Value> elements))) {
                throw MongoCode.BAD_VALUE.failure("Cannot apply $pull to a non-array value");
            }
            return new Value.Array(elements.stream().filter(isTaken.negate()).toList());
        }
    }

    /** Reads the operand of {@code $push}. */
    static FieldOperator push(Value operand, UpdateContext context) {
        if (!(operand instanceof Value.Obj(var clauses)) || !clauses.containsKey("$each")) {
            return new Push(
                    List.of(operand), OptionalLong.empty(), OptionalLong.empty(), Optional.empty());
        }
        OptionalLong position = OptionalLong.empty();
        OptionalLong slice = OptionalLong.empty();
        Optional<Comparator<Value>> sort = Optional.empty();
        for (var clause : clauses.entrySet()) {
            Value value = clause.getValue();
            switch (clause.getKey()) {
                case "$each" -> {}
                case "$position" ->
                        position =
                                OptionalLong.of(
                                        integer(
                                                value,
                                                "The value for $position must be an integer value,"
                                                        + " not of type: "));
                case "$slice" ->
                        slice =
                                OptionalLong.of(
                                        integer(
                                                value,
                                                "The value for $slice must be an integer value but"
                                                        + " was given type: "));
                case "$sort" -> sort = Optional.of(ElementSort.of(value, context.order()));
                default ->
                        throw MongoCode.BAD_VALUE.failure(
                                "Unrecognized clause in $push: " + clause.getKey());
            }
        }
        Value each = clauses.getOrDefault("$each", Value.Undefined.UNDEFINED);
        if (!(each instanceof Value.Array(List<Value> added))) {
            throw MongoCode.BAD_VALUE.failure(
                    "The argument to $each in $push must be an array but it was of type: "
                            + TypeNames.of(each));
        }
        return new Push(added, position, slice, sort);
    }

    private static long integer(Value value, String complaint) {
        return MongoNumbers.whole(value)
                .orElseThrow(() -> MongoCode.BAD_VALUE.failure(complaint + TypeNames.of(value)));
    }

    /** Reads the operand of {@code $addToSet}. */
    static FieldOperator addToSet(Value operand, UpdateContext context) {
        if (!(operand instanceof Value.Obj(var clauses))
                || clauses.isEmpty()
                || !clauses.keySet().iterator().next().equals("$each")) {
            return new AddToSet(List.of(operand), context.order());
        }
        Value each = clauses.getOrDefault("$each", Value.Undefined.UNDEFINED);
        if (!(each instanceof Value.Array(List<Value> added))) {
            throw MongoCode.TYPE_MISMATCH.failure(
                    "The argument to $each in $addToSet must be an array but it was of type "
                            + TypeNames.of(each));
        }
        if (clauses.size() > 1) {
            throw MongoCode.BAD_VALUE.failure(
                    "Found unexpected fields after $each in $addToSet: " + ValueText.of(operand));
        }
        return new AddToSet(added, context.order());
    }

    /** Reads the operand of {@code $pop}. */
    static FieldOperator pop(String path, Value operand) {
        if (!Numbers.isNumber(operand)) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "Expected a number in: " + ValueText.field(path, operand));
        }
        long end = MongoNumbers.whole(operand).orElse(0);
        if (Math.abs(end) != 1) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "$pop expects 1 or -1, found: " + ValueText.of(operand));
        }
        return new Pop(end < 0);
    }

    /** Reads the operand of {@code $pullAll}. */
    static FieldOperator pullAll(Value operand, UpdateContext context) {
        if (!(operand instanceof Value.Array(List<Value> values))) {
            throw MongoCode.BAD_VALUE.failure(
                    "$pullAll requires an array argument but was given a " + TypeNames.of(operand));
        }
        List<Value> sorted = new ArrayList<>(values);
        sorted.sort(context.order());
        return new Pull(element -> Collections.binarySearch(sorted, element, context.order()) >= 0);
    }

    /**
     * Reads the operand of {@code $pull}: a filter for elements that are documents, operators for
     * elements of any kind, or a value.
     */
    static FieldOperator pull(Value operand, UpdateContext context) {
        if (operand instanceof Value.Obj object && !UpdateContext.isOperators(object)) {
            Predicate<Value.Obj> filter = context.filter(object);
            return new Pull(
                    element -> element instanceof Value.Obj document && filter.test(document));
        }
        if (operand instanceof Value.Obj || operand instanceof BsonValue.Regex) {
            Predicate<Value.Obj> filter = context.filter(context.wrapped(operand));
            return new Pull(element -> filter.test(context.wrapped(element)));
        }
        return new Pull(element -> context.order().compare(element, operand) == 0);
    }
}
