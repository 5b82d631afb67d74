package orrery.query.mongo.aggregate;

import java.util.Map;
import orrery.document.Value;
import orrery.query.mongo.FieldPath;

/** Puts a value at a path of a document. Whatever is no object on the way becomes one. */
final class FieldSetter {
    private static final Value.Obj EMPTY = new Value.Obj(Map.of());

    private FieldSetter() {}

    /**
     * @param value undefined to take the field out
     */
    static Value.Obj with(Value.Obj document, FieldPath path, Value value) {
        return with(document, path, 0, value);
    }

    private static Value.Obj with(Value.Obj document, FieldPath path, int at, Value value) {
        String name = path.parts().get(at);
        if (at == path.parts().size() - 1) {
            return document.with(name, value);
        }
        Value.Obj inner =
                document.properties().get(name) instanceof Value.Obj object ? object : EMPTY;
        return document.with(name, with(inner, path, at + 1, value));
    }
}
