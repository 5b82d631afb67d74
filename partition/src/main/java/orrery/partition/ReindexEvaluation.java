package orrery.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import orrery.model.Bytes;
import orrery.model.DerivedRow;
import orrery.model.PartitionId;
import orrery.model.SizeLimits;
import orrery.partition.machine.Command;
import orrery.partition.machine.PartitionState;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

/**
 * Makes the next step of re-indexing. Where the new policy needs rows derived from the items, they
 * are derived here, at the leader: a step that is applied finds them in its command.
 */
final class ReindexEvaluation {
    private static final int ITEMS_PER_STEP = 64;

    /** A step with more derived bytes than this ends early, so that its entry stays small. */
    private static final int MAX_BYTES = SizeLimits.PACKED_ENTRY_BYTES;

    private final PartitionId id;
    private final PartitionState state;

    ReindexEvaluation(PartitionId id, PartitionState state) {
        this.id = id;
        this.state = state;
    }

    Command.Reindex step(StoreView store) {
        boolean needsDerived = state.definition().currentPlan().needsDerived();
        return new Command.Reindex(
                id,
                state.record().policyVersion(),
                ITEMS_PER_STEP,
                needsDerived ? evaluate(store) : List.of());
    }

    private List<Command.Reindex.Evaluated> evaluate(StoreView store) {
        List<Command.Reindex.Evaluated> evaluated = new ArrayList<>();
        int bytes = 0;
        int seen = 0;
        byte[] to = Keys.itemsFrom(id.container(), state.record().keys().max());
        try (Cursor rows = store.scan(Table.ITEMS, from(), to)) {
            while (seen < ITEMS_PER_STEP && bytes < MAX_BYTES && rows.next()) {
                ItemRecord item = ItemRecord.decode(rows.value());
                if (item.policyVersion() != state.record().policyVersion()) {
                    Command.Reindex.Evaluated rowsOfItem = evaluate(rows.key(), item);
                    evaluated.add(rowsOfItem);
                    bytes += DerivedRow.sizeOf(rowsOfItem.rows());
                }
                seen++;
            }
        }
        return evaluated;
    }

    private byte[] from() {
        Bytes after = state.record().reindexAfter();
        if (after.isEmpty()) {
            return Keys.itemsFrom(id.container(), state.record().keys().min());
        }
        byte[] last = Keys.item(id.container(), after);
        return Arrays.copyOf(last, last.length + 1);
    }

    private Command.Reindex.Evaluated evaluate(byte[] key, ItemRecord item) {
        return new Command.Reindex.Evaluated(
                Keys.itemSuffix(key),
                item.etag(),
                Derivation.of(
                                state.definition(),
                                state.record().policyVersion(),
                                item.encoding(),
                                item.body(),
                                item.timestampMillis() / 1000)
                        .rows());
    }
}
