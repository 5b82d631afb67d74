package orrery.query.mongo.update;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import orrery.document.BsonValue;
import orrery.document.Value;

/** A delta, applied to the version before by somebody who only knows paths, gives the other one. */
final class UpdateDeltaProperties {
    @Provide
    Arbitrary<Value.Obj> documents() {
        return objects(3);
    }

    /** Few names and few values, so that two documents have much in common. */
    private static Arbitrary<Value.Obj> objects(int depth) {
        Arbitrary<String> names =
                depth == 3
                        ? Arbitraries.of("a", "b", "c")
                        : Arbitraries.of("a", "b", "c", "x.y", "", "0", "$d");
        return Arbitraries.maps(names, values(depth - 1)).ofMaxSize(3).map(Value.Obj::new);
    }

    private static Arbitrary<Value> values(int depth) {
        Arbitrary<Value> plain =
                Arbitraries.of(
                        Value.of(1),
                        Value.of(2),
                        new BsonValue.Int64(1),
                        new Value.Real(1.0),
                        Value.of("t"),
                        Value.Null.NULL);
        return depth == 0
                ? plain
                : Arbitraries.oneOf(
                        plain,
                        plain,
                        objects(depth).map(Value.class::cast),
                        values(depth - 1).list().ofMaxSize(4).map(Value.Array::new));
    }

    @Property
    void aDeltaLeadsFromOneVersionToTheOther(
            @ForAll("documents") Value.Obj before, @ForAll("documents") Value.Obj after) {
        assertThat(applied(before, UpdateDelta.of(before, after))).isEqualTo(after);
    }

    @Property
    void nothingHasChangedInTheSameDocument(@ForAll("documents") Value.Obj document) {
        UpdateDelta delta = UpdateDelta.of(document, document);

        assertThat(delta).isEqualTo(new UpdateDelta(Map.of(), List.of(), Map.of()));
    }

    private static Value applied(Value.Obj before, UpdateDelta delta) {
        Value document = before;
        for (Map.Entry<String, Integer> cut : delta.truncated().entrySet()) {
            document =
                    changed(
                            document,
                            path(cut.getKey()),
                            old ->
                                    new Value.Array(
                                            ((Value.Array) old)
                                                    .elements()
                                                    .subList(0, cut.getValue())));
        }
        for (String removed : delta.removed()) {
            document = changed(document, path(removed), _ -> Value.Undefined.UNDEFINED);
        }
        for (Map.Entry<String, Value> updated : delta.updated().entrySet()) {
            document = changed(document, path(updated.getKey()), _ -> updated.getValue());
        }
        return document;
    }

    private static List<String> path(String dotted) {
        return Arrays.asList(dotted.split("\\.", -1));
    }

    private interface Change {
        Value of(Value old);
    }

    private static Value changed(Value in, List<String> path, Change change) {
        if (path.isEmpty()) {
            return change.of(in);
        }
        String name = path.getFirst();
        List<String> rest = path.subList(1, path.size());
        if (in instanceof Value.Array(List<Value> elements)) {
            List<Value> next = new ArrayList<>(elements);
            int at = Integer.parseInt(name);
            if (at == next.size()) {
                next.add(changed(Value.Undefined.UNDEFINED, rest, change));
            } else {
                next.set(at, changed(next.get(at), rest, change));
            }
            return new Value.Array(next);
        }
        Map<String, Value> next = new LinkedHashMap<>(((Value.Obj) in).properties());
        Value made = changed(next.getOrDefault(name, Value.Undefined.UNDEFINED), rest, change);
        if (made.isDefined()) {
            next.put(name, made);
        } else {
            next.remove(name);
        }
        return new Value.Obj(next);
    }
}
