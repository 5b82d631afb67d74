package orrery.partition.machine;

import java.util.ArrayList;
import java.util.List;
import orrery.model.Bytes;
import orrery.model.ItemKey;
import orrery.model.ItemVersion.Operation;
import orrery.storage.format.ChangeHeader;
import orrery.storage.format.DataSize;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

/**
 * Deletes items that are gone already. Each is looked at again: one that was written since, that
 * another setting has brought back, or that is in another partition by now is left alone.
 */
final class PurgeStep {
    private final EntryOverlay overlay;
    private final PartitionDraft partition;
    private final Command.Purge command;
    private final int container;
    private final long lsn;
    private final long timeMillis;
    private final Presence presence;
    private final VersionKeeper versions;

    PurgeStep(EntryOverlay overlay, PartitionDraft partition, Command.Purge command) {
        this.overlay = overlay;
        this.partition = partition;
        this.command = command;
        this.container = partition.id.container();
        this.lsn = partition.headLsn + 1;
        this.timeMillis = Math.max(partition.timeMillis, command.stampMillis());
        this.presence = partition.presence(timeMillis);
        this.versions = new VersionKeeper(overlay, partition, lsn);
    }

    Outcome run() {
        List<Outcome.ItemOutcome> deleted = new ArrayList<>();
        for (Command.Purge.Target target : command.targets()) {
            Bytes key = Bytes.wrap(Keys.item(container, target.suffix()));
            ItemRecord item =
                    Keys.inRange(target.suffix(), partition.keys()) ? overlay.item(key) : null;
            if (item != null
                    && item.etag().equals(target.etag())
                    && presence.isGone(target.suffix(), item)) {
                versions.keep(deleted.size(), target.suffix(), header(item), item, null);
                deleted.add(delete(key, target.suffix(), item));
            }
        }
        if (deleted.isEmpty()) {
            return new Outcome.Done();
        }
        partition.advance(overlay.batch(), lsn, timeMillis);
        return new Outcome.Written(lsn, timeMillis, 0, deleted);
    }

    /** Each delete stands alone: the items of one command have nothing to do with each other. */
    private ChangeHeader header(ItemRecord item) {
        return ChangeHeader.of(
                Operation.DELETE,
                presence.causeOfEnd(item),
                ChangeHeader.FIRST | ChangeHeader.LAST,
                timeMillis,
                item.lsn());
    }

    private Outcome.ItemOutcome delete(Bytes key, Bytes suffix, ItemRecord item) {
        ItemKey itemKey =
                Keys.itemKey(suffix, partition.definition.current().definition().partitionKey());
        Indexed indexed = Indexed.of(overlay, partition, item);
        List<Bytes> entries =
                UniqueEntries.rows(
                        new UniqueEntries(overlay, partition)
                                .of(
                                        itemKey,
                                        item.encoding(),
                                        item.body(),
                                        partition.definition.planOf(item.policyVersion()),
                                        indexed.derived()));
        ItemTransaction.deleteRows(overlay, container, key, item, indexed.terms());
        entries.forEach(overlay::deleteUniqueKey);
        Bytes counters =
                Bytes.wrap(Keys.logicalPartition(container, itemKey.epk(), itemKey.partitionKey()));
        new CreationOrder(overlay, container, itemKey, overlay.logicalPartition(counters))
                .delete(itemKey.rowKey(), item.docid());
        count(
                itemKey,
                counters,
                new DataSize(
                        1,
                        key.length() + item.storedBytes(),
                        IndexRows.bytes(item, indexed, suffix)
                                + UniqueEntries.bytes(entries, itemKey.rowKey())));
        return new Outcome.ItemOutcome(
                Outcome.Kind.DELETED,
                item.docid(),
                item.etag(),
                item.body().length(),
                0,
                indexed.terms().leafCount(),
                0);
    }

    private void count(ItemKey key, Bytes logicalKey, DataSize size) {
        DataSize change = DataSize.NONE.minus(size);
        overlay.putLogicalPartition(
                logicalKey, overlay.logicalPartition(logicalKey).after(change, lsn));
        partition.count(key.epk(), change);
    }
}
