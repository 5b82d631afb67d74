package orrery.document;

/** One change of a {@link Patch}. */
public sealed interface PatchOperation {
    /** Returns the place that the operation changes. */
    JsonPointer path();

    /** Creates or overwrites a property; puts an element into an array before the one there. */
    record Add(JsonPointer path, Value value) implements PatchOperation {}

    /** Creates or overwrites; of an array, overwrites the element. */
    record Set(JsonPointer path, Value value) implements PatchOperation {}

    /** Overwrites what must be there. */
    record Replace(JsonPointer path, Value value) implements PatchOperation {}

    record Remove(JsonPointer path) implements PatchOperation {}

    /** Adds to a number, or creates it. */
    record Increment(JsonPointer path, Value amount) implements PatchOperation {
        public Increment {
            if (!amount.isNumber()) {
                throw new IllegalArgumentException("an increment is a number");
            }
        }
    }

    /** Removes what stands at {@code from} and adds it at {@code path}. */
    record Move(JsonPointer from, JsonPointer path) implements PatchOperation {}
}
