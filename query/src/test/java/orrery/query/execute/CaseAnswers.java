package orrery.query.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.IndexingPolicy;
import orrery.query.cases.QueryCase;

/** Answers to cases made comparable, and the policies of cases read. */
public final class CaseAnswers {
    private CaseAnswers() {}

    /** The same text for the same answer. */
    public static String describe(QueryCase.Outcome outcome) {
        return switch (outcome) {
            case QueryCase.Failure(String text) -> "error " + text;
            case QueryCase.Rows(List<Value> rows, boolean isOrdered) -> {
                List<String> texts =
                        new ArrayList<>(
                                rows.stream().map(row -> JsonText.write(sorted(row))).toList());
                if (!isOrdered) {
                    texts.sort(null);
                }
                yield texts.toString();
            }
        };
    }

    /** Properties have no order of their own. */
    private static Value sorted(Value value) {
        return switch (value) {
            case Value.Array(List<Value> elements) ->
                    new Value.Array(elements.stream().map(CaseAnswers::sorted).toList());
            case Value.Obj(Map<String, Value> properties) -> {
                Map<String, Value> copy = new TreeMap<>();
                properties.forEach((name, member) -> copy.put(name, sorted(member)));
                yield new Value.Obj(copy);
            }
            default -> value;
        };
    }

    /** The policy of a case. */
    public static IndexingPolicy policy(Optional<String> json) {
        if (json.isEmpty()) {
            return IndexingPolicy.DEFAULT;
        }
        Map<String, Value> members = ((Value.Obj) JsonText.parse(json.get())).properties();
        boolean isNone = Value.of("none").equals(members.get("indexingMode"));
        return new IndexingPolicy(
                isNone ? IndexingPolicy.Mode.NONE : IndexingPolicy.Mode.CONSISTENT,
                !isNone,
                paths(members.get("includedPaths")),
                paths(members.get("excludedPaths")),
                elements(members.get("compositeIndexes")).stream()
                        .map(
                                composite ->
                                        elements(composite).stream()
                                                .map(CaseAnswers::compositePath)
                                                .toList())
                        .toList(),
                elements(members.get("spatialIndexes")).stream()
                        .map(CaseAnswers::spatialPath)
                        .toList());
    }

    private static IndexingPolicy.SpatialPath spatialPath(Value index) {
        return new IndexingPolicy.SpatialPath(
                text(index, "path"),
                elements(((Value.Obj) index).properties().get("types")).stream()
                        .map(type -> ((Value.Text) type).value())
                        .toList(),
                Optional.empty());
    }

    private static List<String> paths(@Nullable Value paths) {
        return elements(paths).stream().map(path -> text(path, "path")).toList();
    }

    private static IndexingPolicy.CompositePath compositePath(Value part) {
        return new IndexingPolicy.CompositePath(
                text(part, "path"), text(part, "order").equals("descending"));
    }

    private static String text(Value object, String name) {
        return ((Value.Obj) object).properties().get(name) instanceof Value.Text(String text)
                ? text
                : "";
    }

    private static List<Value> elements(@Nullable Value value) {
        return value instanceof Value.Array(List<Value> elements) ? elements : List.of();
    }
}
