package orrery.partition;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.machine.LastWrite;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.Presence;
import orrery.storage.Table;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

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
        Item item = find(request).orElseThrow(ItemReader::notFound);
        return found(request, request.key(), item);
    }

    /** Empty if the item does not exist; throws if the partition no longer has its key. */
    Optional<Item> find(ReadRequest.ReadItem request) {
        checkProgress(request.minLsn());
        requireKey(request.key().epk());
        Optional<Item> item = find(request, Keys.itemSuffix(request.key()));
        if (item.isEmpty()) {
            requirePartition(request.partition());
        }
        return item;
    }

    /**
     * Reads the LSN of the last write of a logical partition. Items that are read afterwards are as
     * that write left them, or later.
     */
    ReadResponse.LastWrite read(ReadRequest.ReadLastWrite request) {
        checkProgress(request.minLsn());
        requireKey(request.epk());
        long lsn =
                LastWrite.of(
                        replica.store(),
                        request.partition(),
                        request.epk(),
                        request.partitionKey());
        requirePartition(request.partition());
        return new ReadResponse.LastWrite(
                lsn, Math.max(lsn, state.record().headLsn()), RequestCharge.read(0));
    }

    private void requireKey(EffectiveKey epk) {
        if (!state.record().keys().contains(epk)) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
    }

    ReadResponse.Found readByDocid(ReadRequest.ReadByDocid request) {
        checkProgress(request.minLsn());
        Bytes suffix =
                DocidLookup.find(
                                replica.store(),
                                request.partition().container(),
                                state.record(),
                                request.docid())
                        .orElseThrow(() -> notFound(request.partition()));
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

    /**
     * Makes the refusal for an item that is not there. Throws where the whole partition has gone
     * away meanwhile, because then the item may be elsewhere.
     */
    private OrreryException notFound(PartitionId partition) {
        requirePartition(partition);
        return notFound();
    }

    private static OrreryException notFound() {
        return Refusals.of(ErrorCode.NOT_FOUND, RequestCharge.NOT_FOUND);
    }

    private void requirePartition(PartitionId partition) {
        if (replica.store().get(Table.META, Keys.partition(partition)) == null) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
    }
}
