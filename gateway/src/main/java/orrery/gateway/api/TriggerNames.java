package orrery.gateway.api;

import java.util.List;

/**
 * The triggers that a write asks for.
 *
 * @param before run before it and may change the item
 * @param after run when it is done and may undo it by failing
 * @param logs whether what they write to their console is wanted
 */
public record TriggerNames(List<String> before, List<String> after, boolean logs) {
    public static final TriggerNames NONE = new TriggerNames(List.of(), List.of(), false);

    public TriggerNames {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    public boolean isEmpty() {
        return before.isEmpty() && after.isEmpty();
    }
}
