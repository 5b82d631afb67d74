package orrery.document;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;

/** A partial update of an item: all of its operations, in their order, or none. */
public record Patch(List<PatchOperation> operations) {
    public static final int MAX_OPERATIONS = 10;

    public Patch {
        operations = List.copyOf(operations);
        if (operations.isEmpty() || operations.size() > MAX_OPERATIONS) {
            throw invalid(
                    "A patch has 1 to %d operations, this one has %d."
                            .formatted(MAX_OPERATIONS, operations.size()));
        }
    }

    /** Reads a JSON array of operations. Throws BAD_REQUEST naming the operation at fault. */
    public static Patch parse(Bytes json) {
        if (JsonText.parse(json) instanceof Value.Array(List<Value> operations)) {
            return of(operations);
        }
        throw invalid("The operations of a patch must be an array.");
    }

    /** Reads operations. Throws BAD_REQUEST naming the one at fault. */
    public static Patch of(List<Value> values) {
        List<PatchOperation> operations = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            if (!(values.get(i) instanceof Value.Obj(Map<String, Value> properties))) {
                throw invalid(i, "it is not an object");
            }
            operations.add(operation(i, properties));
        }
        return new Patch(operations);
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
        return new Patch(changed);
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
