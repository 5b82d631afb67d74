package orrery.query.mongo.aggregate;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import orrery.document.Value;
import orrery.query.mongo.BsonType;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.Numbers;

/**
 * What {@code $unwind} says. The path goes through objects only.
 *
 * @param keepsEmpty whether a document without elements stays
 * @param index the path of the field that gets the place of the element
 */
record UnwindSpec(FieldPath path, boolean keepsEmpty, Optional<FieldPath> index) {
    static UnwindSpec of(Value operand) {
        if (operand instanceof Value.Text(String path)) {
            return new UnwindSpec(path(path), false, Optional.empty());
        }
        if (!(operand instanceof Value.Obj(Map<String, Value> fields))) {
            throw MongoCode.failure(
                    15981,
                    "expected either a string or an object as specification for $unwind stage, got "
                            + type(operand));
        }
        Optional<FieldPath> path = Optional.empty();
        boolean keepsEmpty = false;
        Optional<FieldPath> index = Optional.empty();
        for (Map.Entry<String, Value> field : fields.entrySet()) {
            Value value = field.getValue();
            switch (field.getKey()) {
                case "path" -> path = Optional.of(path(text(value)));
                case "preserveNullAndEmptyArrays" -> keepsEmpty = flag(value);
                case "includeArrayIndex" -> index = Optional.of(index(value));
                default ->
                        throw MongoCode.failure(
                                28811, "unrecognized option to $unwind stage: " + field.getKey());
            }
        }
        return new UnwindSpec(
                path.orElseThrow(
                        () -> MongoCode.failure(28812, "no path specified to $unwind stage")),
                keepsEmpty,
                index);
    }

    private static String type(Value value) {
        return BsonType.of(value).alias();
    }

    private static String text(Value value) {
        if (value instanceof Value.Text(String text)) {
            return text;
        }
        throw MongoCode.failure(
                28808, "expected a string as the path for $unwind stage, got " + type(value));
    }

    private static boolean flag(Value value) {
        if (value instanceof Value.Bool(boolean truth)) {
            return truth;
        }
        throw MongoCode.failure(
                28809,
                "expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage,"
                        + " got "
                        + type(value));
    }

    private static FieldPath index(Value value) {
        if (!(value instanceof Value.Text(String text)) || text.isEmpty()) {
            throw MongoCode.failure(
                    28810,
                    "expected a non-empty string for the includeArrayIndex  option to $unwind"
                            + " stage, got "
                            + type(value));
        }
        if (text.startsWith("$")) {
            throw MongoCode.failure(
                    28822,
                    "includeArrayIndex option to $unwind stage should not be prefixed with a '$': "
                            + text);
        }
        return FieldPath.of(text);
    }

    private static FieldPath path(String text) {
        if (!text.startsWith("$")) {
            throw MongoCode.failure(
                    28818, "path option to $unwind stage should be prefixed with a '$': " + text);
        }
        FieldPath path = FieldPath.of(text.substring(1));
        if (path.parts().stream().anyMatch(part -> part.isEmpty() || part.startsWith("$"))) {
            throw MongoCode.failure(
                    path.parts().contains("") ? 15998 : 16410,
                    path.parts().contains("")
                            ? "FieldPath field names may not be empty strings."
                            : "FieldPath field names may not start with '$'.");
        }
        return path;
    }

    /** Returns one document for each element, made when it is asked for. */
    Iterator<Value.Obj> rows(Value.Obj document) {
        Value value = value(document, 0);
        if (value instanceof Value.Array(List<Value> elements) && !elements.isEmpty()) {
            return new Elements(document, elements);
        }
        if (MongoOrder.isNullish(value) || value instanceof Value.Array) {
            if (!keepsEmpty) {
                return List.<Value.Obj>of().iterator();
            }
            return List.of(
                            indexed(
                                    value instanceof Value.Array
                                            ? FieldSetter.with(
                                                    document, path, Value.Undefined.UNDEFINED)
                                            : document,
                                    Value.Null.NULL))
                    .iterator();
        }
        return List.of(indexed(document, Value.Null.NULL)).iterator();
    }

    private Value.Obj indexed(Value.Obj document, Value place) {
        return index.map(field -> FieldSetter.with(document, field, place)).orElse(document);
    }

    private Value value(Value.Obj document, int at) {
        Value value =
                document.properties().getOrDefault(path.parts().get(at), Value.Undefined.UNDEFINED);
        if (at == path.parts().size() - 1) {
            return value;
        }
        return value instanceof Value.Obj inner ? value(inner, at + 1) : Value.Undefined.UNDEFINED;
    }

    /** The documents that have one element each instead of all. */
    private final class Elements implements Iterator<Value.Obj> {
        private final Value.Obj document;
        private final List<Value> elements;
        private int next;

        Elements(Value.Obj document, List<Value> elements) {
            this.document = document;
            this.elements = elements;
        }

        @Override
        public boolean hasNext() {
            return next < elements.size();
        }

        @Override
        public Value.Obj next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Value element = elements.get(next);
            return indexed(FieldSetter.with(document, path, element), Numbers.int64(next++));
        }
    }
}
