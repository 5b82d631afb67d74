package orrery.partition;

import orrery.model.Bytes;
import orrery.model.KeyViolation;
import orrery.model.PartitionId;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.Presence;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

/** The item at which re-indexing stopped, because another one has its key in a unique index. */
final class BlockedItem {
    private final StoreView store;
    private final PartitionId id;
    private final PartitionState state;
    private final Outcome.Blocked blocked;

    BlockedItem(StoreView store, PartitionId id, PartitionState state, Outcome.Blocked blocked) {
        this.store = store;
        this.id = id;
        this.state = state;
        this.blocked = blocked;
    }

    /** Returns false if one of the two is gone and only has to be purged. */
    boolean isViolation(long nowMillis) {
        Presence presence = state.presence(nowMillis);
        Bytes owner =
                Keys.itemSuffix(
                        Keys.itemKey(blocked.item(), presence.keyDefinition())
                                .withRowKey(blocked.owner()));
        return isThere(presence, blocked.item()) && isThere(presence, owner);
    }

    private boolean isThere(Presence presence, Bytes suffix) {
        byte[] row = store.get(Table.ITEMS, Keys.item(id.container(), suffix));
        return row != null && !presence.isGone(suffix, ItemRecord.decode(row));
    }

    KeyViolation violation() {
        byte[] row = store.get(Table.ITEMS, Keys.item(id.container(), blocked.item()));
        ItemRecord item = row == null ? null : ItemRecord.decode(row);
        return item == null
                ? new KeyViolation(blocked.taken().index(), Bytes.EMPTY)
                : TakenKeys.violation(
                        state.definition(), blocked.taken(), item.encoding(), item.body());
    }
}
