package orrery.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.Presence;
import orrery.storage.StoreSnapshot;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/**
 * Reads many items of one partition by their keys, as of one moment. Each costs what it costs
 * alone.
 */
final class ItemLookups {
    /** Items that are read at once; few while it is not known how large they are. */
    private static final int FIRST_BATCH = 8;

    private static final int MAX_BATCH = 128;

    private final Replica replica;
    private final Presence presence;
    private final ReadRequest.ReadItems request;
    private final List<Optional<Item>> items = new ArrayList<>();
    private final List<Charge> charges = new ArrayList<>();
    private long bytes;
    private int found;

    /**
     * @param clockMillis now: what has expired is not found
     */
    ItemLookups(
            Replica replica,
            PartitionState state,
            long clockMillis,
            ReadRequest.ReadItems request) {
        this.replica = replica;
        this.presence = state.presence(clockMillis);
        this.request = request;
    }

    ReadResponse.FoundMany read() {
        try (StoreSnapshot snapshot = replica.store().snapshot()) {
            PartitionRecord partition =
                    ChangeFeedReader.partition(request.partition(), request.minLsn(), snapshot);
            for (ItemKey key : request.keys()) {
                if (!partition.keys().contains(key.epk())) {
                    throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
                }
            }
            boolean hasRoom = true;
            Cancellation cancellation = Cancellation.current();
            while (hasRoom && items.size() < request.keys().size()) {
                cancellation.check();
                hasRoom = addNext(snapshot);
            }
            return new ReadResponse.FoundMany(
                    items, partition.headLsn(), RequestCharge.batch(1, charges));
        }
    }

    /** Reads the next few. False if one of them has no room in the answer. */
    private boolean addNext(StoreSnapshot snapshot) {
        int from = items.size();
        List<ItemKey> keys =
                request.keys().subList(from, Math.min(from + batchSize(), request.keys().size()));
        List<@Nullable ItemRecord> records =
                snapshot.items(
                        keys.stream()
                                .map(Keys::itemSuffix)
                                .map(key -> Keys.item(request.partition().container(), key))
                                .toList());
        for (int i = 0; i < keys.size(); i++) {
            ItemRecord record = records.get(i);
            boolean isFound =
                    record != null && !presence.isGone(Keys.itemSuffix(keys.get(i)), record);
            if (!isFound) {
                items.add(Optional.empty());
                charges.add(RequestCharge.NOT_FOUND);
            } else if (!add(record.toItem())) {
                return false;
            }
        }
        return true;
    }

    private boolean add(Item item) {
        int size = Charges.billedBytes(item.body());
        if (bytes > 0 && bytes + size > request.maxBytes()) {
            return false;
        }
        HeldItem.take(item.body());
        items.add(Optional.of(item));
        charges.add(RequestCharge.read(size));
        bytes += size;
        found++;
        return true;
    }

    /**
     * Estimates how many items fit into the rest of the answer, by those found so far. Those that
     * are missing tell nothing about the size of the others.
     */
    private int batchSize() {
        if (found == 0) {
            return FIRST_BATCH;
        }
        long average = Math.max(1, bytes / found);
        long room = Math.max(1, (request.maxBytes() - bytes) / average);
        return (int) Math.min(MAX_BATCH, room);
    }
}
