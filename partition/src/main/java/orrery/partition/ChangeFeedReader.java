package orrery.partition;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.ChangeStart;
import orrery.model.ChangedItem;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemVersion;
import orrery.model.KeyRange;
import orrery.model.LongWork;
import orrery.model.PartitionId;
import orrery.model.SizeLimits;
import orrery.model.memory.MemoryAccount;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.Presence;
import orrery.storage.Cursor;
import orrery.storage.StoreSnapshot;
import orrery.storage.Table;
import orrery.storage.format.ChangeRecord;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;
import orrery.storage.format.PartitionRecord;

/**
 * Reads items in the order of their last changes, a page at a time. Change records name the item
 * and hold no copy: a version that was overwritten before a reader came to it is not seen.
 *
 * <p>A page costs a bounded amount of work. Where little of what was changed is wanted it may come
 * out short or empty; its LSN then lies below the head, and the next page goes on there.
 */
public final class ChangeFeedReader {
    /** Rows that a page looks at before it ends, whether or not they were wanted. */
    private static final int MAX_EXAMINED = 10_000;

    /** A key with no more than this is read by its items and not by the changes of all keys. */
    private static final int MAX_SCANNED_ITEMS = 1000;

    private static final long MAX_SCANNED_BYTES = SizeLimits.DEFAULT.maxPageBytes();

    private final Replica replica;
    private final PartitionState state;
    private final Presence presence;
    private final int maxExamined;

    /**
     * @param clockMillis now: what has expired is passed over
     */
    public ChangeFeedReader(Replica replica, PartitionState state, long clockMillis) {
        this(replica, state, clockMillis, MAX_EXAMINED);
    }

    /**
     * @param maxExamined rows that a page looks at
     */
    public ChangeFeedReader(
            Replica replica, PartitionState state, long clockMillis, int maxExamined) {
        this.replica = replica;
        this.state = state;
        this.presence = state.presence(clockMillis);
        this.maxExamined = maxExamined;
    }

    public ReadResponse.Changes read(ReadRequest.ReadChanges request) {
        try (StoreSnapshot snapshot = replica.store().snapshot()) {
            // Segments, LSN and rows have to be of one moment, so the record comes from there too.
            PartitionRecord partition = partition(request.partition(), request.minLsn(), snapshot);
            Optional<KeyRange> keys = request.clip().intersect(partition.keys());
            ChangeStart start = request.start();
            if (keys.isEmpty() || start.isNow() || start.afterLsn() >= partition.headLsn()) {
                long next =
                        start.isNow()
                                ? partition.headLsn()
                                : Math.max(start.afterLsn(), partition.headLsn());
                return new ReadResponse.Changes(
                        List.of(), next, partition.headLsn(), RequestCharge.feedPage(0, 0));
            }
            FeedBounds bounds =
                    new FeedBounds(
                            request.partition().container(),
                            keys.get(),
                            request.partitionKey(),
                            state.definition().current().definition().partitionKey());
            Page page = new Page(request, snapshot, bounds, presence);
            return bounds.isOneKey() && isSmall(request, keys.get(), snapshot)
                    ? page.readKey(partition)
                    : page.read(partition);
        }
    }

    static PartitionRecord partition(PartitionId id, long minLsn, StoreSnapshot snapshot) {
        byte[] row = snapshot.get(Table.META, Keys.partition(id));
        if (row == null) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
        PartitionRecord partition = PartitionRecord.decode(row);
        if (partition.headLsn() < minLsn) {
            throw Refusals.of(ErrorCode.READ_SESSION_NOT_AVAILABLE, Charge.NONE);
        }
        return partition;
    }

    private static boolean isSmall(
            ReadRequest.ReadChanges request, KeyRange keys, StoreSnapshot snapshot) {
        byte[] row =
                snapshot.get(
                        Table.META,
                        Keys.logicalPartition(
                                request.partition().container(),
                                keys.min(),
                                request.partitionKey().orElseThrow()));
        if (row == null) {
            return true;
        }
        LogicalPartitionRecord key = LogicalPartitionRecord.decode(row);
        return key.size().items() <= MAX_SCANNED_ITEMS
                && key.size().itemBytes() <= MAX_SCANNED_BYTES;
    }

    /** A change that may belong on the page. */
    private record Candidate(Bytes row, Change change) {}

    /** The fields of a change record that readers see. */
    private record Change(ItemVersion.Operation operation, long previousLsn) {
        static Change of(byte[] record) {
            return new Change(ChangeRecord.operation(record), ChangeRecord.previousLsn(record));
        }
    }

    /** One page being filled. */
    private final class Page {
        /** Items that are looked up at once; few while it is not known how large they are. */
        private static final int FIRST_BATCH = 8;

        private static final int MAX_BATCH = 256;

        private final ReadRequest.ReadChanges request;
        private final StoreSnapshot snapshot;
        private final FeedBounds bounds;
        private final Presence presence;
        private final int container;
        private final LsnPage<ChangedItem> changes;
        private final LongWork work = new LongWork();
        private long loaded;
        private long loadedBytes;

        Page(
                ReadRequest.ReadChanges request,
                StoreSnapshot snapshot,
                FeedBounds bounds,
                Presence presence) {
            this.presence = presence;
            this.request = request;
            this.snapshot = snapshot;
            this.bounds = bounds;
            this.container = request.partition().container();
            this.changes =
                    new LsnPage<>(
                            request.maxItems(), request.maxBytes(), LsnPage.Alone.STAYS_WHOLE);
        }

        /** By the change records of all keys. */
        ReadResponse.Changes read(PartitionRecord partition) {
            int examined = 0;
            long examinedLsn = request.start().afterLsn();
            try (ChangeWalk walk =
                    ChangeWalk.ofChanges(
                            snapshot, container, partition.segments(), request.start())) {
                boolean hasMore = walk.next();
                while (hasMore) {
                    List<Candidate> batch = new ArrayList<>();
                    int size = batchSize();
                    // A page is continued by LSN, so it may not end within one.
                    while (hasMore
                            && batch.size() < size
                            && (examined < maxExamined || walk.lsn() == examinedLsn)) {
                        work.step();
                        examined++;
                        examinedLsn = walk.lsn();
                        byte[] row = Keys.item(container, walk.itemSuffix());
                        if (walk.isOwn() && bounds.contains(row)) {
                            batch.add(
                                    new Candidate(
                                            Bytes.wrap(row),
                                            Change.of(walk.value().unsafeArray())));
                        }
                        hasMore = walk.next();
                    }
                    if (!addAll(batch)) {
                        return page(partition, changes.lastLsn());
                    }
                    if (hasMore && examined >= maxExamined && walk.lsn() != examinedLsn) {
                        return page(partition, examinedLsn);
                    }
                }
            }
            return page(partition, partition.headLsn());
        }

        /** By the items of the one key that is wanted. */
        ReadResponse.Changes readKey(PartitionRecord partition) {
            record Found(Bytes row, ItemRecord item) {}
            List<Found> found = new ArrayList<>();
            try (MemoryAccount.Part memory = MemoryAccount.current().part();
                    Cursor rows = snapshot.scan(Table.ITEMS, bounds.from(), bounds.to())) {
                while (rows.next()) {
                    work.step();
                    ItemRecord record = ItemRecord.decode(rows.value());
                    if (record.lsn() > request.start().afterLsn()) {
                        memory.take(record.body().length());
                        found.add(new Found(Bytes.wrap(rows.key()), record));
                    }
                }
            }
            found.sort(Comparator.comparing(each -> each.item().place()));
            for (Found each : found) {
                if (!add(each.row(), each.item(), change(each.item()))) {
                    return page(partition, changes.lastLsn());
                }
            }
            return page(partition, partition.headLsn());
        }

        private ReadResponse.Changes page(PartitionRecord partition, long nextLsn) {
            return new ReadResponse.Changes(
                    changes.results(),
                    nextLsn,
                    partition.headLsn(),
                    RequestCharge.feedPage(changes.size(), changes.bytes()));
        }

        /** Estimates how many items fit on the rest of the page, by the items seen so far. */
        private int batchSize() {
            if (loaded == 0) {
                return FIRST_BATCH;
            }
            long room =
                    Math.max(
                            1,
                            (request.maxBytes() - changes.bytes())
                                    / Math.max(1, loadedBytes / loaded));
            long wanted = Math.max(1, request.maxItems() - changes.size());
            return (int) Math.min(MAX_BATCH, Math.min(room, wanted));
        }

        /** False if the rest has to wait for the next page. */
        private boolean addAll(List<Candidate> batch) {
            List<byte @Nullable []> records =
                    snapshot.getAll(
                            Table.ITEMS,
                            batch.stream().map(each -> each.row().unsafeArray()).toList());
            for (int i = 0; i < batch.size(); i++) {
                byte[] record = records.get(i);
                if (record == null) {
                    throw new IllegalStateException(
                            "a change record names an item that is not there: "
                                    + batch.get(i).row());
                }
                loaded++;
                loadedBytes += record.length;
                Candidate candidate = batch.get(i);
                if (!add(candidate.row(), ItemRecord.decode(record), candidate.change())) {
                    return false;
                }
            }
            return true;
        }

        /** False if the change has to wait for the next page. */
        private boolean add(Bytes row, ItemRecord record, Change how) {
            boolean isLeftOut =
                    record.timestampMillis() < request.start().sinceMillis()
                            || presence.isGone(Keys.itemSuffix(row.unsafeArray()), record);
            if (isLeftOut) {
                return true;
            }
            Item item = record.toItem();
            ChangedItem change = new ChangedItem(how.operation(), item, how.previousLsn());
            int size = Charges.billedBytes(item.body());
            if (!changes.add(change, record.lsn(), size)) {
                return false;
            }
            HeldItem.take(item.body());
            return true;
        }

        private Change change(ItemRecord item) {
            byte[] change = snapshot.get(Table.CHANGES, Keys.change(container, item));
            if (change == null) {
                throw new IllegalStateException("an item has no change record");
            }
            return Change.of(change);
        }
    }
}
