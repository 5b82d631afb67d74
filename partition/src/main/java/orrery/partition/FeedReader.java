package orrery.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.Presence;
import orrery.query.execute.ItemSource;
import orrery.storage.StoreSnapshot;
import orrery.storage.Table;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/**
 * Reads items in the order of their creation, a page at a time, from a snapshot that lives for that
 * page. The position behind a page is the docid of its last item, which means the same place in any
 * partition that has some of the keys.
 */
final class FeedReader {
    private final Replica replica;
    private final PartitionState state;
    private final Presence presence;

    FeedReader(Replica replica, PartitionState state, long clockMillis) {
        this.replica = replica;
        this.state = state;
        this.presence = state.presence(clockMillis);
    }

    ReadResponse.Feed read(ReadRequest.ReadFeed request) {
        if (state.record().headLsn() < request.minLsn()) {
            throw Refusals.of(ErrorCode.READ_SESSION_NOT_AVAILABLE, Charge.NONE);
        }
        if (request.clip().intersect(state.record().keys()).isEmpty()) {
            return new ReadResponse.Feed(
                    List.of(),
                    Optional.empty(),
                    state.record().headLsn(),
                    RequestCharge.feedPage(0, 0));
        }
        try (StoreSnapshot snapshot = replica.store().snapshot()) {
            return page(request, snapshot);
        }
    }

    private ReadResponse.Feed page(ReadRequest.ReadFeed request, StoreSnapshot snapshot) {
        PartitionRecord record = record(request, snapshot);
        List<Item> items = new ArrayList<>();
        boolean more = false;
        long bytes = 0;
        try (ItemSource.ItemCursor created =
                items(request, snapshot, record)
                        .created(first(request.after()), request.maxItems() + 1L)) {
            while (!more && created.next()) {
                Item item = created.item();
                int size = Charges.billedBytes(item.body());
                more =
                        items.size() == request.maxItems()
                                || (!items.isEmpty() && bytes + size > request.maxBytes());
                if (!more) {
                    HeldItem.take(item.body());
                    items.add(item);
                    bytes += size;
                }
            }
        }
        return new ReadResponse.Feed(
                items,
                more ? Optional.of(position(items.getLast())) : Optional.empty(),
                record.headLsn(),
                RequestCharge.feedPage(items.size(), bytes));
    }

    private SnapshotItems items(
            ReadRequest.ReadFeed request, StoreSnapshot snapshot, PartitionRecord record) {
        return new SnapshotItems(
                snapshot,
                request.partition(),
                record,
                state.definition().current().definition().partitionKey(),
                request.clip(),
                request.partitionKey(),
                (path, mayGoOn) -> Optional.empty(),
                presence,
                GoneItems.NONE);
    }

    private static Bytes position(Item last) {
        return new BinaryWriter(8).u64(last.docid()).toBytes();
    }

    /** The docid that a page begins with. */
    private static long first(Optional<Bytes> after) {
        return after.map(position -> new BinaryReader(position).u64() + 1).orElse(0L);
    }

    private static PartitionRecord record(ReadRequest.ReadFeed request, StoreSnapshot snapshot) {
        byte[] record = snapshot.get(Table.META, Keys.partition(request.partition()));
        if (record == null) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
        return PartitionRecord.decode(record);
    }
}
