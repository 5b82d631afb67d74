package orrery.query.mongo.update;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.expression.ValueText;

/**
 * An update by operators. They are applied in the order of their paths, so that new fields come in
 * that order.
 *
 * @param filters conditions on elements of arrays, by the names that paths have for them
 */
record OperatorUpdate(List<Step> steps, Map<String, Predicate<Value>> filters)
        implements DocumentUpdate {
    /** One operator at one path. */
    sealed interface Step {
        UpdatePath path();

        record Change(UpdatePath path, FieldOperator operator) implements Step {}

        /**
         * @param path the new place
         */
        record Rename(UpdatePath from, UpdatePath path) implements Step {}
    }

    /** A path without parts that stand for others. */
    private record Target(UpdatePath path, FieldOperator operator) {}

    OperatorUpdate {
        steps = List.copyOf(steps);
        filters = Map.copyOf(filters);
    }

    @Override
    public boolean names(UpdatePath field) {
        return steps.stream()
                .anyMatch(
                        step ->
                                step.path().meets(field)
                                        || (step instanceof Step.Rename rename
                                                && rename.from().meets(field)));
    }

    @Override
    public Optional<Value.Obj> apply(Value.Obj document, OptionalInt found, boolean isInsert) {
        Draft draft = new Draft(document);
        Value id = document.properties().getOrDefault(MongoUpdate.ID, Value.Undefined.UNDEFINED);
        // Paths with elements are resolved before anything changes: filters see the old document.
        List<List<Target>> targets = new ArrayList<>();
        for (Step step : steps) {
            targets.add(
                    step instanceof Step.Change change ? targets(change, draft, found) : List.of());
        }
        requireApart(targets);
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i) instanceof Step.Rename rename) {
                rename(draft, rename, id);
            }
            for (Target target : targets.get(i)) {
                change(draft, target, id, isInsert);
            }
        }
        return draft.hasChanged() ? Optional.of(draft.document()) : Optional.empty();
    }

    private static void change(Draft draft, Target target, Value id, boolean isInsert) {
        UpdatePath path = target.path();
        FieldOperator.Field field =
                new FieldOperator.Field(path.dotted(), path.parts().getLast(), id, isInsert);
        Value present = draft.find(path.parts());
        Value next = target.operator().apply(present, field);
        if (present.isDefined()) {
            draft.change(path.parts(), _ -> next);
        } else if (next.isDefined()) {
            draft.put(path.parts(), next);
        }
    }

    private static void rename(Draft draft, Step.Rename rename, Value id) {
        draft.requireViable(rename.from());
        Value value = draft.find(rename.from().parts());
        if (!value.isDefined()) {
            return;
        }
        refuseArray(draft, rename.from(), "source", id);
        refuseArray(draft, rename.path(), "destination", id);
        draft.change(rename.from().parts(), _ -> Value.Undefined.UNDEFINED);
        draft.put(rename.path().parts(), value);
    }

    private static void refuseArray(Draft draft, UpdatePath path, String role, Value id) {
        draft.arrayOnTheWay(path.parts())
                .ifPresent(
                        array -> {
                            throw MongoCode.BAD_VALUE.failure(
                                    ("The %s field cannot be an array element, '%s' in doc with %s has an "
                                                    + "array field called '%s'")
                                            .formatted(
                                                    role,
                                                    path.dotted(),
                                                    ValueText.field(MongoUpdate.ID, id),
                                                    array));
                        });
    }

    private List<Target> targets(Step.Change change, Draft draft, OptionalInt found) {
        if (!change.path().isDynamic()) {
            return List.of(new Target(change.path(), change.operator()));
        }
        List<List<String>> paths = List.of(List.of());
        for (String part : change.path().parts()) {
            List<List<String>> longer = new ArrayList<>();
            for (List<String> path : paths) {
                parts(part, path, draft, found).forEach(next -> longer.add(with(path, next)));
            }
            paths = longer;
        }
        return paths.stream()
                .map(path -> new Target(new UpdatePath(path), change.operator()))
                .toList();
    }

    private static List<String> with(List<String> path, String part) {
        List<String> longer = new ArrayList<>(path);
        longer.add(part);
        return longer;
    }

    /** What a part of a path stands for behind those before it. */
    private List<String> parts(String part, List<String> before, Draft draft, OptionalInt found) {
        if (part.equals(UpdatePath.FOUND)) {
            if (found.isEmpty()) {
                throw MongoCode.BAD_VALUE.failure(
                        "The positional operator did not find the match needed from the query.");
            }
            return List.of(Integer.toString(found.getAsInt()));
        }
        if (!UpdatePath.isElements(part)) {
            return List.of(part);
        }
        Value value = draft.find(before);
        String path = String.join(".", before);
        if (!value.isDefined()) {
            throw MongoCode.BAD_VALUE.failure(
                    "The path '"
                            + path
                            + "' must exist in the document in order to apply array updates.");
        }
        if (!(value instanceof Value.Array(List<Value> elements))) {
            throw MongoCode.BAD_VALUE.failure(
                    "Cannot apply array updates to non-array element "
                            + ValueText.field(before.getLast(), value));
        }
        Predicate<Value> filter =
                part.equals(UpdatePath.ALL)
                        ? _ -> true
                        : filters.getOrDefault(UpdatePath.filterName(part), _ -> false);
        List<String> indexes = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            if (filter.test(elements.get(i))) {
                indexes.add(Integer.toString(i));
            }
        }
        return indexes;
    }

    /** Paths that were apart when they were read may come to the same element. */
    private void requireApart(List<List<Target>> targets) {
        boolean isDynamic = steps.stream().anyMatch(step -> step.path().isDynamic());
        if (!isDynamic || steps.size() == 1) {
            return;
        }
        PathConflicts paths = new PathConflicts();
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i) instanceof Step.Rename(UpdatePath from, UpdatePath to)) {
                paths.add(from);
                paths.add(to);
            }
            targets.get(i).forEach(target -> paths.add(target.path()));
        }
        paths.first()
                .ifPresent(
                        conflict -> {
                            throw MongoCode.CONFLICTING_UPDATE_OPERATORS.failure(
                                    "Update created a conflict at '" + conflict.at() + "'");
                        });
    }
}
