package orrery.query.mongo.aggregate;

import java.util.LinkedHashMap;
import java.util.Map;
import orrery.document.Value;
import orrery.query.mongo.FieldPath;

/** Puts a value at a path of a document. Whatever is no object on the way becomes one. */
final class FieldSetter {
    private FieldSetter() {}

    /**
     * @param value undefined to take the field out
     */
    static Value.Obj with(Value.Obj document, FieldPath path, Value value) {
        return with(document, path, 0, value);
    }

    private static Value.Obj with(Value.Obj document, FieldPath path, int at, Value value) {
        Map<String, Value> fields = new LinkedHashMap<>(document.properties());
        String name = path.parts().get(at);
        Value next = value;
        if (at < path.parts().size() - 1) {
            Value.Obj inner =
                    fields.get(name) instanceof Value.Obj object ? object : new Value.Obj(Map.of());
            next = with(inner, path, at + 1, value);
        }
        if (next.isDefined()) {
            fields.put(name, next);
        } else {
            fields.remove(name);
        }
        return new Value.Obj(fields);
    }
}
