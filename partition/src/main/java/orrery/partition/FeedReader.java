package orrery.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.KeyRange;
import orrery.model.PartitionKeyDefinition;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.Presence;
import orrery.storage.Cursor;
import orrery.storage.StoreSnapshot;
import orrery.storage.Table;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/** Reads items in key order, a page at a time, from a snapshot that lives for that page. */
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
        Optional<KeyRange> keys = request.clip().intersect(state.record().keys());
        if (keys.isEmpty()) {
            return new ReadResponse.Feed(
                    List.of(),
                    Optional.empty(),
                    state.record().headLsn(),
                    RequestCharge.feedPage(0, 0));
        }
        try (StoreSnapshot snapshot = replica.store().snapshot()) {
            FeedBounds bounds =
                    new FeedBounds(
                            request.partition().container(),
                            keys.get(),
                            request.partitionKey(),
                            definition());
            return page(request, snapshot, bounds);
        }
    }

    private ReadResponse.Feed page(
            ReadRequest.ReadFeed request, StoreSnapshot snapshot, FeedBounds bounds) {
        List<Item> items = new ArrayList<>();
        Bytes last = Bytes.EMPTY;
        boolean more = false;
        long bytes = 0;
        byte[] from = start(request, bounds);
        if (Arrays.compareUnsigned(from, bounds.to()) < 0) {
            try (Cursor rows = snapshot.scan(Table.ITEMS, from, bounds.to())) {
                while (rows.next()) {
                    byte[] key = rows.key();
                    if (!bounds.hasPrefix(key)) {
                        continue;
                    }
                    ItemRecord record = ItemRecord.decode(rows.value());
                    if (presence.isGone(Keys.itemSuffix(key), record)) {
                        continue;
                    }
                    Item item = record.toItem();
                    int size = Charges.billedBytes(item.body());
                    if (items.size() == request.maxItems()
                            || (!items.isEmpty() && bytes + size > request.maxBytes())) {
                        more = true;
                        break;
                    }
                    HeldItem.take(item.body());
                    items.add(item);
                    bytes += size;
                    last = Keys.itemSuffix(key);
                }
            }
        }
        return new ReadResponse.Feed(
                items,
                more ? Optional.of(last) : Optional.empty(),
                headOf(request, snapshot),
                RequestCharge.feedPage(items.size(), bytes));
    }

    private static byte[] start(ReadRequest.ReadFeed request, FeedBounds bounds) {
        if (request.after().isEmpty()) {
            return bounds.from();
        }
        byte[] after = Keys.item(request.partition().container(), request.after().get());
        byte[] next = Arrays.copyOf(after, after.length + 1);
        return Arrays.compareUnsigned(next, bounds.from()) > 0 ? next : bounds.from();
    }

    private long headOf(ReadRequest.ReadFeed request, StoreSnapshot snapshot) {
        byte[] record = snapshot.get(Table.META, Keys.partition(request.partition()));
        if (record == null) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
        return PartitionRecord.decode(record).headLsn();
    }

    private PartitionKeyDefinition definition() {
        return state.definition().current().definition().partitionKey();
    }
}
