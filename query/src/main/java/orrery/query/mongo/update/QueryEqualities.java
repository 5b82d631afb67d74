package orrery.query.mongo.update;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;

/** The fields that a query fixes: an upsert that finds nothing makes its document of them. */
final class QueryEqualities {
    /** Paths in their order, as the server sets them. */
    private final Map<String, Value> values = new TreeMap<>();

    private QueryEqualities() {}

    /** The document that has what the query says, and nothing else. */
    static Value.Obj document(Value.Obj query) {
        QueryEqualities equalities = new QueryEqualities();
        equalities.addAll(query);
        Draft draft = new Draft(new Value.Obj(Map.of()));
        String before = "";
        for (Map.Entry<String, Value> each : equalities.values.entrySet()) {
            if (!before.isEmpty() && each.getKey().startsWith(before + ".")) {
                throw MongoCode.NOT_SINGLE_VALUE_FIELD.failure(
                        "cannot infer query fields to set, both paths '%s' and '%s' are matched"
                                .formatted(before, each.getKey()));
            }
            UpdatePath path = new UpdatePath(List.of(each.getKey().split("\\.", -1)));
            draft.put(path.parts(), each.getValue());
            before = each.getKey();
        }
        return draft.document();
    }

    private void addAll(Value.Obj query) {
        query.properties()
                .forEach(
                        (name, value) -> {
                            if (name.equals("$and") || name.equals("$or")) {
                                addEach(name, value);
                            } else if (!name.startsWith("$")) {
                                add(name, value);
                            }
                        });
    }

    /** Of alternatives only the one that has no other fixes anything. */
    private void addEach(String name, Value conditions) {
        if (conditions instanceof Value.Array(List<Value> elements)
                && (name.equals("$and") || elements.size() == 1)) {
            for (Value element : elements) {
                if (element instanceof Value.Obj condition) {
                    addAll(condition);
                }
            }
        }
    }

    private void add(String path, Value value) {
        if (value instanceof BsonValue.Regex) {
            return;
        }
        if (!(value instanceof Value.Obj object) || !UpdateContext.isOperators(object)) {
            fix(path, value);
            return;
        }
        object.properties()
                .forEach(
                        (operator, operand) -> {
                            switch (operator) {
                                case "$eq" -> fix(path, operand);
                                case "$in", "$all" -> {
                                    if (operand instanceof Value.Array(List<Value> elements)
                                            && elements.size() == 1
                                            && !(elements.getFirst() instanceof BsonValue.Regex)) {
                                        fixPlain(path, elements.getFirst());
                                    }
                                }
                                default -> {}
                            }
                        });
    }

    private void fixPlain(String path, Value value) {
        if (!(value instanceof Value.Obj object) || !UpdateContext.isOperators(object)) {
            fix(path, value);
        }
    }

    private void fix(String path, Value value) {
        if (values.put(path, value) != null) {
            throw MongoCode.NOT_SINGLE_VALUE_FIELD.failure(
                    "cannot infer query fields to set, path '" + path + "' is matched twice");
        }
    }
}
