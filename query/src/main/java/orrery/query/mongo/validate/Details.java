package orrery.query.mongo.validate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.document.Value;

/** A document of reasons under construction. */
final class Details {
    private final Map<String, Value> fields = new LinkedHashMap<>();

    static Details of(String operator) {
        return new Details().put("operatorName", Value.of(operator));
    }

    Details put(String name, Value value) {
        fields.put(name, value);
        return this;
    }

    Details put(String name, List<? extends Value> values) {
        return put(name, new Value.Array(List.copyOf(values)));
    }

    Details reason(String reason) {
        return put("reason", Value.of(reason));
    }

    boolean has(String name) {
        return fields.containsKey(name);
    }

    /** Adds the title and the description of a schema. */
    Details annotated(Map<String, Value> schema) {
        for (String name : List.of("title", "description")) {
            if (schema.containsKey(name)) {
                put(name, schema.get(name));
            }
        }
        return this;
    }

    Details copy() {
        Details copy = new Details();
        copy.fields.putAll(fields);
        return copy;
    }

    Value.Obj build() {
        return new Value.Obj(fields);
    }
}
