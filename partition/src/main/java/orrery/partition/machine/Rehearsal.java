package orrery.partition.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.RequestId;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.Docid;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.KeyDeletions;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/**
 * Changes made one by one on top of a view of the store, where only their author sees them, by the
 * same code that will apply them. All have the LSN that would be next, as if they were one command
 * already; so what they came to is what the command will come to, unless other logical partitions
 * were written meanwhile: then LSN, etags and docids of new items move on. Used by one thread.
 */
public final class Rehearsal {
    private static final RequestId NOBODY = new RequestId(0, 0);

    private static final long LAST_DOCIDS = Docid.MAX_COUNTER - Command.MAX_CHANGES;

    private final PartitionId partition;
    private final RowOverlay rows;
    private final long lastWrite;
    private final long headLsn;
    private final Level level;
    private final List<Command.ItemChange> changes = new ArrayList<>();
    private PartitionState state;

    private Rehearsal(
            PartitionId partition,
            RowOverlay rows,
            PartitionState state,
            long lastWrite,
            Level level) {
        this.partition = partition;
        this.level = level;
        this.rows = rows;
        this.state = state;
        this.headLsn = state.record().headLsn();
        this.lastWrite = lastWrite;
    }

    /**
     * Empty if the partition is not there.
     *
     * @param levels those of the replica
     * @param published spares compiling the definition again if it is the view's
     */
    public static Optional<Rehearsal> on(
            StoreView view,
            Levels levels,
            PartitionId partition,
            PartitionState published,
            EffectiveKey epk,
            PartitionKey key) {
        byte[] row = view.get(Table.META, Keys.partition(partition));
        byte[] definition = view.get(Table.META, Keys.definition(partition));
        if (row == null || definition == null) {
            return Optional.empty();
        }
        PartitionRecord record = PartitionRecord.decode(row);
        boolean isSame =
                record.definitionVersion() == published.record().definitionVersion()
                        && record.reindexing() == published.record().reindexing();
        OpenDefinition open =
                isSame
                        ? published.definition()
                        : OpenDefinition.of(DefinitionRecord.decode(definition));
        byte[] deleted = view.get(Table.META, Keys.keyDeletions(partition));
        KeyDeletions deletions = deleted == null ? KeyDeletions.NONE : KeyDeletions.decode(deleted);
        return Optional.of(
                new Rehearsal(
                        partition,
                        new RowOverlay(view),
                        new PartitionState(record, open, deletions),
                        LastWrite.of(view, partition, epk, key, deletions),
                        levels.of(view)));
    }

    /**
     * Gives new items the highest docids that there can be. A transaction is rehearsed again with
     * each of its operations, and its items must keep their places in the order of creation
     * meanwhile, whatever others create.
     */
    public void createLast() {
        PartitionDraft draft = new PartitionDraft(partition, state);
        draft.nextDocid = LAST_DOCIDS;
        state = draft.toState();
        rows.put(Table.META, Keys.partition(partition), state.record().encode());
    }

    /** The view with what was changed. */
    public StoreView view() {
        return rows;
    }

    /** The partition with what was changed. */
    public PartitionState state() {
        return state;
    }

    /** Returns the LSN that the partition had reached before. */
    public long headLsn() {
        return headLsn;
    }

    /** At which LSN the logical partition was last written before; 0 if it had no items. */
    public long lastWrite() {
        return lastWrite;
    }

    /** Returns the changes so far. */
    public List<Command.ItemChange> changes() {
        return List.copyOf(changes);
    }

    /** Applies the change and returns its outcome; a refused change does nothing. */
    public Outcome apply(Command.ItemChange change, long stampMillis) {
        EntryOverlay overlay =
                new EntryOverlay(
                        rows,
                        rows,
                        Map.of(partition, state),
                        new EntryRows(),
                        new RecentSessions(),
                        0,
                        level);
        PartitionDraft draft = new PartitionDraft(partition, state);
        Outcome outcome =
                new ItemTransaction(
                                overlay,
                                draft,
                                new Command.WriteItems(
                                        partition, NOBODY, stampMillis, List.of(change)),
                                headLsn + 1,
                                changes.size())
                        .run();
        if (outcome instanceof Outcome.Written) {
            overlay.finish();
            state = draft.toState();
            rows.put(Table.META, Keys.partition(partition), state.record().encode());
            changes.add(change);
        }
        return outcome;
    }

    /** Finds an item as it is now. */
    public Optional<Item> find(ItemKey key, long nowMillis) {
        Bytes suffix = Keys.itemSuffix(key);
        byte[] row = rows.get(Table.ITEMS, Keys.item(partition.container(), suffix));
        return Optional.ofNullable(row)
                .map(ItemRecord::decode)
                .filter(item -> !state.presence(nowMillis).isGone(suffix, item))
                .map(ItemRecord::toItem);
    }
}
