package orrery.server.client.sample;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import orrery.document.Value;

/** Builds items, and picks from lists. */
final class Items {
    private final Map<String, Value> properties = new LinkedHashMap<>();

    Items put(String name, String value) {
        properties.put(name, Value.of(value));
        return this;
    }

    Items put(String name, long value) {
        properties.put(name, Value.of(value));
        return this;
    }

    Items put(String name, Value value) {
        properties.put(name, value);
        return this;
    }

    Value.Obj build() {
        return new Value.Obj(properties);
    }

    /** Numbers with one decimal are exact in the text, whatever computes them. */
    static Value tenths(long tenths) {
        return Value.of(tenths / 10.0);
    }

    static Value point(double longitude, double latitude) {
        return new Items()
                .put("type", "Point")
                .put(
                        "coordinates",
                        new Value.Array(List.of(Value.of(longitude), Value.of(latitude))))
                .build();
    }

    static <T> T pick(RandomGenerator random, List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
