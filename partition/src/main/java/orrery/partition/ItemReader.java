package orrery.partition;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.Presence;
import orrery.storage.Table;
import orrery.storage.format.IndexEntry;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/**
 * Point reads of one partition. The LSN in the answer is never below that of the data, so whoever
 * reads on with it cannot go back in time. Taking a snapshot for one row would cost more than the
 * read: the LSN is taken after the data instead.
 */
final class ItemReader {
    private final Replica replica;
    private final PartitionState state;
    private final Presence presence;

    /**
     * @param clockMillis now: what has expired is not found
     */
    ItemReader(Replica replica, PartitionState state, long clockMillis) {
        this.replica = replica;
        this.state = state;
        this.presence = state.presence(clockMillis);
    }

    ReadResponse.Found read(ReadRequest.ReadItem request) {
        checkProgress(request.minLsn());
        if (!state.record().keys().contains(request.key().epk())) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
        Item item =
                find(request, Keys.itemSuffix(request.key()))
                        .orElseThrow(() -> notFound(request.partition()));
        return found(request, request.key(), item);
    }

    ReadResponse.Found readByDocid(ReadRequest.ReadByDocid request) {
        checkProgress(request.minLsn());
        Bytes suffix = findSuffix(request).orElseThrow(() -> notFound(request.partition()));
        ItemKey key =
                Keys.itemKey(suffix, state.definition().current().definition().partitionKey());
        if (request.partitionKey().isPresent()
                && !request.partitionKey().get().equals(key.partitionKey())) {
            throw notFound(request.partition());
        }
        // Between the two reads the item may have been deleted and another created under its key.
        Item item =
                find(request, suffix)
                        .filter(present -> present.docid() == request.docid())
                        .orElseThrow(() -> notFound(request.partition()));
        return found(request, key, item);
    }

    private Optional<Bytes> findSuffix(ReadRequest.ReadByDocid request) {
        int container = request.partition().container();
        for (PartitionRecord.Segment segment : state.record().segments()) {
            byte[] row =
                    replica.store()
                            .get(
                                    Table.INDEX,
                                    Keys.docid(container, segment.number(), request.docid()));
            Bytes suffix = row == null ? Bytes.EMPTY : IndexEntry.itemSuffix(row);
            if (row != null && Keys.inRange(suffix, segment.clip())) {
                return Optional.of(suffix);
            }
        }
        return Optional.empty();
    }

    private Optional<Item> find(ReadRequest request, Bytes suffix) {
        return Optional.ofNullable(
                        replica.store().item(Keys.item(request.partition().container(), suffix)))
                .filter(item -> !presence.isGone(suffix, item))
                .map(ItemRecord::toItem);
    }

    private ReadResponse.Found found(ReadRequest request, ItemKey key, Item item) {
        // A state is published a moment after its entry can be read: the item may be ahead of it.
        // Where the partition is closed by now the item may be a child's, with a child's LSN.
        long published =
                replica.find(request.partition())
                        .orElseThrow(() -> Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE))
                        .record()
                        .headLsn();
        return new ReadResponse.Found(
                item,
                key,
                Math.max(published, item.lsn()),
                RequestCharge.read(Charges.billedBytes(item.body())));
    }

    private void checkProgress(long minLsn) {
        if (state.record().headLsn() < minLsn) {
            throw Refusals.of(ErrorCode.READ_SESSION_NOT_AVAILABLE, Charge.NONE);
        }
    }

    /** Nothing is there, unless that is because the whole partition went away meanwhile. */
    private OrreryException notFound(PartitionId partition) {
        return replica.store().get(Table.META, Keys.partition(partition)) == null
                ? Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE)
                : Refusals.of(ErrorCode.NOT_FOUND, RequestCharge.NOT_FOUND);
    }
}
