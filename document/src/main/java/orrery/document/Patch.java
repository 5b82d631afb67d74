package orrery.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;

/**
 * A partial update of an item: all of its operations, in their order, or none.
 *
 * @param condition the end of a query, from {@code FROM} on; where it does not hold, nothing
 *     happens. For the caller to evaluate.
 */
public record Patch(List<PatchOperation> operations, Optional<String> condition) {
    public static final int MAX_OPERATIONS = 10;

    public Patch {
        operations = List.copyOf(operations);
        if (operations.isEmpty() || operations.size() > MAX_OPERATIONS) {
            throw invalid(
                    "A patch has 1 to %d operations, this one has %d."
                            .formatted(MAX_OPERATIONS, operations.size()));
        }
    }

    /**
     * Reads {@code {"operations": [...], "condition": "..."}} or the bare array. Throws BAD_REQUEST
     * naming the operation at fault.
     */
    public static Patch parse(Bytes json) {
        return switch (JsonText.parse(json)) {
            case Value.Array(List<Value> operations) ->
                    new Patch(operations(operations), Optional.empty());
            case Value.Obj(Map<String, Value> properties) -> parse(properties);
            default -> throw invalid("A patch is a JSON object with 'operations', or their array.");
        };
    }

    private static Patch parse(Map<String, Value> properties) {
        for (String name : properties.keySet()) {
            if (!name.equals("operations") && !name.equals("condition")) {
                throw invalid("A patch has no property '" + name + "'.");
            }
        }
        if (!(properties.get("operations") instanceof Value.Array(List<Value> operations))) {
            throw invalid("The property 'operations' of a patch must be an array.");
        }
        Optional<String> condition =
                switch (properties.getOrDefault("condition", Value.Null.NULL)) {
                    case Value.Null _ -> Optional.empty();
                    case Value.Text(String text) -> Optional.of(text);
                    default ->
                            throw invalid("The property 'condition' of a patch must be a string.");
                };
        return new Patch(operations(operations), condition);
    }

    private static List<PatchOperation> operations(List<Value> values) {
        List<PatchOperation> operations = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            if (!(values.get(i) instanceof Value.Obj(Map<String, Value> properties))) {
                throw invalid(i, "it is not an object");
            }
            operations.add(operation(i, properties));
        }
        return operations;
    }

    private static PatchOperation operation(int index, Map<String, Value> properties) {
        if (!(properties.get("op") instanceof Value.Text(String name))) {
            throw invalid(index, "its 'op' is missing or not a string");
        }
        JsonPointer path = pointer(index, properties, "path");
        PatchOperation operation = operation(index, name, path, properties);
        refuseOthers(index, name, properties);
        return operation;
    }

    private static PatchOperation operation(
            int index, String name, JsonPointer path, Map<String, Value> properties) {
        return switch (name) {
            case "add" -> new PatchOperation.Add(path, value(index, properties));
            case "set" -> new PatchOperation.Set(path, value(index, properties));
            case "replace" -> new PatchOperation.Replace(path, value(index, properties));
            case "remove" -> new PatchOperation.Remove(path);
            case "move" -> new PatchOperation.Move(pointer(index, properties, "from"), path);
            case "incr" -> {
                Value amount = value(index, properties);
                if (!amount.isNumber()) {
                    throw invalid(index, "the 'value' of incr is not a number");
                }
                yield new PatchOperation.Increment(path, amount);
            }
            default ->
                    throw invalid(
                            index,
                            "its 'op' is '"
                                    + name
                                    + "'; known are add, set, replace, remove, incr and move");
        };
    }

    /**
     * RFC 6902 would pass over members that an operation does not know. Here whoever misspells one
     * is told so. One that is null counts as absent: clients write their unset fields so.
     */
    private static void refuseOthers(int index, String name, Map<String, Value> properties) {
        String argument =
                switch (name) {
                    case "remove" -> "";
                    case "move" -> "from";
                    default -> "value";
                };
        properties.forEach(
                (member, value) -> {
                    boolean isKnown =
                            switch (member) {
                                case "op", "path" -> true;
                                case "from", "value" ->
                                        member.equals(argument) || value == Value.Null.NULL;
                                default -> false;
                            };
                    if (!isKnown) {
                        throw invalid(index, "'" + name + "' has no member '" + member + "'");
                    }
                });
    }

    private static JsonPointer pointer(int index, Map<String, Value> properties, String name) {
        if (!(properties.get(name) instanceof Value.Text(String text))) {
            throw invalid(index, "its '" + name + "' is missing or not a string");
        }
        return JsonPointer.parse(text)
                .orElseThrow(
                        () ->
                                invalid(
                                        index,
                                        "its '"
                                                + name
                                                + "' is not a path such as /a/0; in names '~' is"
                                                + " written ~0 and '/' ~1"));
    }

    private static Value value(int index, Map<String, Value> properties) {
        Value value = properties.get("value");
        if (value == null) {
            throw invalid(index, "its 'value' is missing");
        }
        return value;
    }

    /** Returns true if it may change the top-level property of this name. */
    boolean touches(String name) {
        return operations.stream()
                .anyMatch(
                        operation ->
                                operation.path().segments().getFirst().equals(name)
                                        || (operation instanceof PatchOperation.Move move
                                                && move.from().segments().getFirst().equals(name)));
    }

    /** The same patch with other values; the amount of an increment has to stay a number. */
    Patch withValues(UnaryOperator<Value> change) {
        List<PatchOperation> changed = new ArrayList<>();
        for (PatchOperation operation : operations) {
            changed.add(
                    switch (operation) {
                        case PatchOperation.Add(JsonPointer path, Value value) ->
                                new PatchOperation.Add(path, change.apply(value));
                        case PatchOperation.Set(JsonPointer path, Value value) ->
                                new PatchOperation.Set(path, change.apply(value));
                        case PatchOperation.Replace(JsonPointer path, Value value) ->
                                new PatchOperation.Replace(path, change.apply(value));
                        case PatchOperation.Increment(JsonPointer path, Value amount) ->
                                new PatchOperation.Increment(path, change.apply(amount));
                        case PatchOperation.Remove _, PatchOperation.Move _ -> operation;
                    });
        }
        return new Patch(changed, condition);
    }

    /**
     * The document after all operations. Numbers keep their value, not their digits: they are
     * printed anew. Throws BAD_REQUEST naming the operation at fault, also for one that would
     * change the item's id, its partition key or a system property.
     */
    public Value.Obj apply(Value.Obj document, PartitionKeyDefinition definition) {
        return apply(document, definition, PatchSums.JSON);
    }

    Value.Obj apply(Value.Obj document, PartitionKeyDefinition definition, PatchSums sums) {
        PatchGuard guard = new PatchGuard(definition);
        Value.Obj patched = document;
        for (int i = 0; i < operations.size(); i++) {
            try {
                guard.check(operations.get(i));
                patched = PatchStep.apply(patched, operations.get(i), sums);
            } catch (PatchFault fault) {
                throw invalid(i, fault.reason());
            }
        }
        return patched;
    }

    private static OrreryException invalid(int index, String why) {
        return invalid("Patch operation %d failed: %s.".formatted(index + 1, why));
    }

    private static OrreryException invalid(String why) {
        return new OrreryException(ErrorCode.BAD_REQUEST, why);
    }
}
