package orrery.model;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * An item as its last change left it.
 *
 * @param operation the change; never a delete, which leaves nothing
 * @param previousLsn LSN of the version before, 0 if the change created the item
 */
public record ChangedItem(ItemVersion.Operation operation, Item item, long previousLsn) {
    public ChangedItem {
        if (operation == ItemVersion.Operation.DELETE) {
            throw new IllegalArgumentException("a delete leaves no item");
        }
    }

    public void write(BinaryWriter out) {
        out.enumeration(operation);
        item.write(out);
        out.u64(previousLsn);
    }

    public static ChangedItem read(BinaryReader in) {
        return new ChangedItem(
                in.enumeration(ItemVersion.Operation.class), Item.read(in), in.u64());
    }
}
