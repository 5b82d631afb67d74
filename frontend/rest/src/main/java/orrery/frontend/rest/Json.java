package orrery.frontend.rest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.document.Value;

/** Puts JSON values together, members in the order given. */
public final class Json {
    public static final Value.Obj EMPTY_OBJECT = new Value.Obj(Map.of());
    public static final Value.Array EMPTY_ARRAY = new Value.Array(List.of());

    private Json() {}

    public static Value.Obj object(String name, Value value) {
        return new Builder().put(name, value).build();
    }

    public static Value.Obj object(String name1, Value value1, String name2, Value value2) {
        return new Builder().put(name1, value1).put(name2, value2).build();
    }

    public static Value.Array texts(List<String> texts) {
        return new Value.Array(texts.stream().map(Value::of).toList());
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects the members of an object. */
    public static final class Builder {
        private final Map<String, Value> members = new LinkedHashMap<>();

        public Builder put(String name, Value value) {
            members.put(name, value);
            return this;
        }

        public Builder put(String name, String value) {
            return put(name, Value.of(value));
        }

        public Builder put(String name, long value) {
            return put(name, Value.of(value));
        }

        public Builder put(String name, boolean value) {
            return put(name, Value.of(value));
        }

        public Value.Obj build() {
            return new Value.Obj(members);
        }
    }
}
