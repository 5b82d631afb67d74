package orrery.query.find;

import java.util.List;
import java.util.Map;
import orrery.document.IndexPath;
import orrery.document.Value;

/** Property names with dots between them. */
record FindPath(String text) {
    private List<String> names() {
        return List.of(text.split("\\."));
    }

    String first() {
        return names().getFirst();
    }

    IndexPath indexed() {
        return IndexPath.of(names().toArray(String[]::new));
    }

    Value of(Value item) {
        Value value = item;
        for (String name : names()) {
            value =
                    value instanceof Value.Obj(Map<String, Value> properties)
                            ? properties.getOrDefault(name, Value.Undefined.UNDEFINED)
                            : Value.Undefined.UNDEFINED;
        }
        return value;
    }
}
