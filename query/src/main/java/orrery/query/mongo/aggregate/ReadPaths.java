package orrery.query.mongo.aggregate;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import orrery.document.Value;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.find.ReadFields;

/**
 * The top-level fields that stages look at, so that partitions need not read others. It may name
 * more than are read, and never less.
 */
final class ReadPaths {
    private static final String ID = "_id";

    private final Set<String> names = new HashSet<>();

    /** Empty if they may be any. */
    static Optional<Set<String>> of(List<Stage.OfRows> stages, Optional<Value.Obj> group) {
        ReadPaths paths = new ReadPaths();
        for (Stage.OfRows stage : stages) {
            if (!paths.read(stage)) {
                return Optional.empty();
            }
            if (isNarrow(stage)) {
                return Optional.of(paths.names);
            }
        }
        return group.isPresent() && paths.expression(group.get())
                ? Optional.of(paths.names)
                : Optional.empty();
    }

    private boolean read(Stage.OfRows stage) {
        Map.Entry<String, Value> source = stage.source().properties().entrySet().iterator().next();
        return switch (stage) {
            case Stage.Match(_, var matcher) -> ReadFields.collect(matcher.condition(), names);
            case Stage.Redact _ -> false;
            case Stage.Unwind(_, UnwindSpec spec) -> {
                names.add(spec.path().first());
                spec.index().ifPresent(path -> names.add(path.first()));
                yield true;
            }
            case Stage.Made _ -> {
                if (source.getValue() instanceof Value.Obj(Map<String, Value> fields)) {
                    names.add(ID);
                    fields.keySet().forEach(name -> names.add(FieldPath.of(name).first()));
                }
                yield expression(source.getValue());
            }
        };
    }

    /** Returns true if nothing is left of a document but what the stage has named. */
    private static boolean isNarrow(Stage.OfRows stage) {
        Map.Entry<String, Value> source = stage.source().properties().entrySet().iterator().next();
        return switch (source.getKey()) {
            case "$replaceRoot", "$replaceWith" -> true;
            case "$project" ->
                    source.getValue() instanceof Value.Obj(Map<String, Value> fields)
                            && fields.entrySet().stream()
                                    .anyMatch(
                                            each ->
                                                    !each.getKey().equals(ID)
                                                            && keeps(each.getValue()));
            default -> false;
        };
    }

    private static boolean keeps(Value value) {
        return switch (value) {
            case Value.Obj(Map<String, Value> fields) ->
                    fields.isEmpty() || fields.values().stream().anyMatch(ReadPaths::keeps);
            case Value.Bool(boolean truth) -> truth;
            default -> !MongoOrder.isNumber(value) || Expression.isTrue(value);
        };
    }

    /** Returns false if an expression may read any field. */
    private boolean expression(Value value) {
        return switch (value) {
            case Value.Text(String text) when text.startsWith("$$") -> variable(text.substring(2));
            case Value.Text(String text) when text.startsWith("$") -> {
                names.add(FieldPath.of(text.substring(1)).first());
                yield true;
            }
            case Value.Array(List<Value> elements) -> elements.stream().allMatch(this::expression);
            case Value.Obj(Map<String, Value> fields) ->
                    fields.entrySet().stream()
                            .allMatch(each -> member(each.getKey(), each.getValue()));
            default -> true;
        };
    }

    private boolean variable(String text) {
        List<String> parts = FieldPath.of(text).parts();
        boolean isDocument = parts.getFirst().equals("ROOT") || parts.getFirst().equals("CURRENT");
        if (isDocument && parts.size() > 1) {
            names.add(parts.get(1));
        }
        return !isDocument || parts.size() > 1;
    }

    private boolean member(String name, Value value) {
        if (name.equals("$getField")) {
            return false;
        }
        if (name.equals("sortBy") && value instanceof Value.Obj(Map<String, Value> fields)) {
            fields.keySet().forEach(field -> names.add(FieldPath.of(field).first()));
        }
        return name.equals("$literal") || expression(value);
    }
}
