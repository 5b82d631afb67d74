package orrery.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ChangeStart;
import orrery.model.ChangedItem;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.Presence;
import orrery.storage.StoreSnapshot;
import orrery.storage.Table;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/**
 * Reads items in the order of their last changes, a page at a time. Change records name the item
 * and hold no copy: a version that was overwritten before a reader came to it is not seen.
 */
public final class ChangeFeedReader {
    private final ReplicaSet set;
    private final PartitionState state;
    private final Presence presence;

    /**
     * @param clockMillis now: what has expired is passed over
     */
    public ChangeFeedReader(ReplicaSet set, PartitionState state, long clockMillis) {
        this.set = set;
        this.state = state;
        this.presence = state.presence(clockMillis);
    }

    public PartitionResponse.Changes read(PartitionRequest.ReadChanges request) {
        try (StoreSnapshot snapshot = set.store().snapshot()) {
            // Segments, LSN and rows have to be of one moment, so the record comes from there too.
            PartitionRecord partition = partition(request.partition(), snapshot);
            if (partition.headLsn() < request.minLsn()) {
                throw Refusals.of(ErrorCode.READ_SESSION_NOT_AVAILABLE, Charge.NONE);
            }
            Optional<KeyRange> keys = request.clip().intersect(partition.keys());
            ChangeStart start = request.start();
            if (keys.isEmpty() || start.isNow() || start.afterLsn() >= partition.headLsn()) {
                long next =
                        start.isNow()
                                ? partition.headLsn()
                                : Math.max(start.afterLsn(), partition.headLsn());
                return new PartitionResponse.Changes(
                        List.of(),
                        next,
                        partition.headLsn(),
                        new RequestCharge.FeedPage().charge());
            }
            FeedBounds bounds =
                    new FeedBounds(
                            request.partition().container(),
                            keys.get(),
                            request.partitionKey(),
                            state.definition().current().definition().partitionKey());
            return new Page(request, snapshot, bounds, presence).read(partition);
        }
    }

    private static PartitionRecord partition(PartitionId id, StoreSnapshot snapshot) {
        byte[] record = snapshot.get(Table.META, Keys.partition(id));
        if (record == null) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
        return PartitionRecord.decode(record);
    }

    /** One page being filled. */
    private static final class Page {
        private final PartitionRequest.ReadChanges request;
        private final StoreSnapshot snapshot;
        private final FeedBounds bounds;
        private final Presence presence;
        private final List<ChangedItem> changes = new ArrayList<>();
        private final RequestCharge.FeedPage paid = new RequestCharge.FeedPage();
        private long bytes;
        private long lastLsn;

        Page(
                PartitionRequest.ReadChanges request,
                StoreSnapshot snapshot,
                FeedBounds bounds,
                Presence presence) {
            this.presence = presence;
            this.request = request;
            this.snapshot = snapshot;
            this.bounds = bounds;
        }

        PartitionResponse.Changes read(PartitionRecord partition) {
            int container = request.partition().container();
            boolean isFull = false;
            try (ChangeWalk walk =
                    new ChangeWalk(snapshot, container, partition.segments(), request.start())) {
                while (!isFull && walk.next()) {
                    byte[] row = Keys.item(container, walk.change().itemSuffix());
                    if (bounds.contains(row)) {
                        isFull = !add(walk, item(row));
                    }
                }
            }
            return new PartitionResponse.Changes(
                    changes,
                    isFull ? lastLsn : partition.headLsn(),
                    partition.headLsn(),
                    paid.charge());
        }

        /** False if the change has to wait for the next page. */
        private boolean add(ChangeWalk walk, ItemRecord record) {
            boolean isLeftOut =
                    record.timestampMillis() < request.start().sinceMillis()
                            || presence.isGone(walk.change().itemSuffix(), record);
            if (isLeftOut) {
                return true;
            }
            Item item = record.toItem();
            int size = Charges.billedBytes(item.body());
            // A page is continued by LSN, so it may not end within one.
            boolean mayEnd = !changes.isEmpty() && walk.lsn() != lastLsn;
            if (mayEnd
                    && (changes.size() >= request.maxItems()
                            || bytes + size > request.maxBytes())) {
                return false;
            }
            changes.add(new ChangedItem(item, walk.change().previousLsn()));
            paid.add(size);
            bytes += size;
            lastLsn = walk.lsn();
            return true;
        }

        private ItemRecord item(byte[] row) {
            byte[] record = snapshot.get(Table.ITEMS, row);
            if (record == null) {
                throw new IllegalStateException(
                        "a change record names an item that is not there: " + Bytes.wrap(row));
            }
            return ItemRecord.decode(record);
        }
    }
}
