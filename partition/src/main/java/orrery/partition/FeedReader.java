package orrery.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.KeyRange;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.machine.PartitionState;
import orrery.storage.Cursor;
import orrery.storage.StoreSnapshot;
import orrery.storage.Table;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/** Reads items in key order, a page at a time, from a snapshot that lives for that page. */
final class FeedReader {
    private final ReplicaSet set;
    private final PartitionState state;

    FeedReader(ReplicaSet set, PartitionState state) {
        this.set = set;
        this.state = state;
    }

    PartitionResponse read(PartitionRequest.ReadFeed request) {
        if (state.record().headLsn() < request.minLsn()) {
            throw Refusals.of(ErrorCode.READ_SESSION_NOT_AVAILABLE, Charge.NONE);
        }
        Optional<KeyRange> keys = request.clip().intersect(state.record().keys());
        if (keys.isEmpty()) {
            return new PartitionResponse.Feed(
                    List.of(),
                    Optional.empty(),
                    state.record().headLsn(),
                    new RequestCharge.FeedPage().charge());
        }
        try (StoreSnapshot snapshot = set.store().snapshot()) {
            return page(request, snapshot, bounds(request, keys.get()));
        }
    }

    private record Bounds(Bytes from, Bytes to) {}

    private Bounds bounds(PartitionRequest.ReadFeed request, KeyRange keys) {
        int container = request.partition().container();
        byte[] from = Keys.itemsFrom(container, keys.min(), definition());
        byte[] to = Keys.itemsFrom(container, keys.max(), definition());
        if (request.partitionKey().isPresent() && isWhole(request.partitionKey().get())) {
            PartitionKey key = request.partitionKey().get();
            EffectiveKey epk = request.clip().min();
            from = Keys.itemsOf(container, epk, key);
            to = Keys.after(from);
        }
        if (request.after().isPresent()) {
            byte[] after = Keys.item(container, request.after().get());
            byte[] next = Arrays.copyOf(after, after.length + 1);
            from = Arrays.compareUnsigned(next, from) > 0 ? next : from;
        }
        return new Bounds(Bytes.wrap(from), Bytes.wrap(to));
    }

    private PartitionResponse page(
            PartitionRequest.ReadFeed request, StoreSnapshot snapshot, Bounds bounds) {
        List<Item> items = new ArrayList<>();
        Bytes last = Bytes.EMPTY;
        boolean more = false;
        long bytes = 0;
        RequestCharge.FeedPage paid = new RequestCharge.FeedPage();
        if (bounds.from().compareTo(bounds.to()) < 0) {
            try (Cursor rows = scan(snapshot, bounds)) {
                while (rows.next()) {
                    byte[] key = rows.key();
                    if (!isWanted(request, key)) {
                        continue;
                    }
                    Item item = ItemRecord.decode(rows.value()).toItem();
                    bytes += Charges.billedBytes(item.body());
                    if (items.size() == request.maxItems()
                            || (!items.isEmpty() && bytes > request.maxBytes())) {
                        more = true;
                        break;
                    }
                    items.add(item);
                    paid.add(Charges.billedBytes(item.body()));
                    last = Keys.itemSuffix(key);
                }
            }
        }
        return new PartitionResponse.Feed(
                items,
                more ? Optional.of(last) : Optional.empty(),
                headOf(request, snapshot),
                paid.charge());
    }

    private static Cursor scan(StoreSnapshot snapshot, Bounds bounds) {
        return snapshot.scan(Table.ITEMS, bounds.from().unsafeArray(), bounds.to().unsafeArray());
    }

    private long headOf(PartitionRequest.ReadFeed request, StoreSnapshot snapshot) {
        byte[] record = snapshot.get(Table.META, Keys.partition(request.partition()));
        if (record == null) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
        return PartitionRecord.decode(record).headLsn();
    }

    /** Only the prefix of a hierarchical key needs a look at each item: its hashes may collide. */
    private boolean isWanted(PartitionRequest.ReadFeed request, byte[] key) {
        if (request.partitionKey().isEmpty() || isWhole(request.partitionKey().get())) {
            return true;
        }
        List<?> wanted = request.partitionKey().get().components();
        List<?> found =
                Keys.itemKey(Keys.itemSuffix(key), definition()).partitionKey().components();
        return found.size() >= wanted.size() && found.subList(0, wanted.size()).equals(wanted);
    }

    private boolean isWhole(PartitionKey key) {
        return key.components().size() == definition().paths().size();
    }

    private PartitionKeyDefinition definition() {
        return state.definition().current().definition().partitionKey();
    }
}
