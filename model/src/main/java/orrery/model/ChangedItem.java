package orrery.model;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * An item as its last change left it.
 *
 * @param previousLsn LSN of the version before, 0 if the change created the item
 */
public record ChangedItem(Item item, long previousLsn) {
    public boolean isNew() {
        return previousLsn == 0;
    }

    public void write(BinaryWriter out) {
        item.write(out);
        out.u64(previousLsn);
    }

    public static ChangedItem read(BinaryReader in) {
        return new ChangedItem(Item.read(in), in.u64());
    }
}
