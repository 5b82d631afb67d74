package orrery.partition;

import java.util.Optional;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.RangeBoundaries;
import orrery.partition.api.ControlRequest;
import orrery.partition.machine.PartitionState;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;

/**
 * Finds the place to cut a partition: between two logical partitions, so that each side gets about
 * half of the data. Counters lie in key order; they are read up to the middle.
 */
final class SplitPoint {
    /** With fewer keys than this the data says nothing about keys to come; the hash space does. */
    private static final int TELLING_KEYS = 16;

    private final StoreView store;
    private final ControlRequest.Split request;
    private final KeyRange keys;
    private final long total;
    private final PartitionKeyDefinition definition;

    SplitPoint(StoreView store, ControlRequest.Split request, PartitionState state) {
        this.store = store;
        this.request = request;
        this.keys = state.record().keys();
        this.total = state.record().size().bytes();
        this.definition = state.definition().current().definition().partitionKey();
    }

    EffectiveKey choose() {
        Half half = findHalf();
        return switch (request.aim()) {
            case STORAGE -> half.at().orElseThrow(SplitPoint::oneKey);
            case THROUGHPUT, OPERATOR ->
                    half.at()
                            .filter(_ -> half.keysLeft() >= TELLING_KEYS)
                            .orElseGet(this::middleOfHashes);
        };
    }

    /**
     * @param at first key of the right side; absent where no cut leaves data on both sides
     * @param keysLeft logical partitions on the left side of it
     */
    private record Half(Optional<EffectiveKey> at, int keysLeft) {}

    /** Cuts between two hashes only: keys with one hash stay together. */
    private Half findHalf() {
        int container = request.partition().container();
        Half best = new Half(Optional.empty(), 0);
        long bestDistance = Long.MAX_VALUE;
        EffectiveKey before = EffectiveKey.MIN;
        long left = 0;
        int keysLeft = 0;
        try (Cursor counters =
                store.scan(
                        Table.META,
                        Keys.logicalPartitionsFrom(container, keys.min()),
                        Keys.logicalPartitionsFrom(container, keys.max()))) {
            while (counters.next()) {
                EffectiveKey epk = Keys.logicalPartitionEpk(counters.key(), definition);
                if (left > 0 && !epk.equals(before)) {
                    long distance = Math.abs(total - 2 * left);
                    if (distance < bestDistance) {
                        best = new Half(Optional.of(epk), keysLeft);
                        bestDistance = distance;
                    }
                    if (2 * left >= total) {
                        break; // from here it only gets worse
                    }
                }
                left += LogicalPartitionRecord.decode(counters.value()).size().bytes();
                keysLeft++;
                before = epk;
            }
        }
        return best;
    }

    private EffectiveKey middleOfHashes() {
        try {
            return Keys.atWholeKey(RangeBoundaries.midpoint(definition, keys), definition);
        } catch (IllegalArgumentException tooNarrow) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The partition covers a single hash and cannot be split.",
                    tooNarrow);
        }
    }

    private static OrreryException oneKey() {
        return new OrreryException(
                ErrorCode.BAD_REQUEST,
                "One partition key holds all data of the partition: it cannot be split. Choose a"
                        + " partition key with more distinct values.");
    }
}
