package orrery.gateway;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import orrery.gateway.api.FeedScope;
import orrery.model.KeyRange;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.query.plan.KeySpan;

/**
 * The keys of a container that a scope covers.
 *
 * @param keys those it covers
 * @param key to compare items with
 * @param range the one physical partition it is confined to
 * @param orHeirs whether the partitions that the range was split into may answer for it
 */
record FeedExtent(KeyRange keys, Optional<PartitionKey> key, OptionalInt range, boolean orHeirs) {
    static FeedExtent of(Container container, FeedScope scope) {
        PartitionKeyDefinition definition = container.definition().partitionKey();
        return switch (scope) {
            case FeedScope.Everything _ -> of(KeyRange.FULL, Optional.empty());
            case FeedScope.Keys(KeyRange keys) -> of(keys, Optional.empty());
            case FeedScope.Range(int range, Optional<KeyRange> clip) -> of(range, clip, false);
            case FeedScope.Lineage(int range, Optional<KeyRange> clip) -> of(range, clip, true);
            case FeedScope.Key(PartitionKey given) -> {
                PartitionKey key = GivenKey.of(container, given);
                yield of(KeySpan.of(definition, key).range(), Optional.of(key));
            }
        };
    }

    private static FeedExtent of(KeyRange keys, Optional<PartitionKey> key) {
        return new FeedExtent(keys, key, OptionalInt.empty(), false);
    }

    private static FeedExtent of(int range, Optional<KeyRange> clip, boolean orHeirs) {
        return new FeedExtent(
                clip.orElse(KeyRange.FULL), Optional.empty(), OptionalInt.of(range), orHeirs);
    }

    /** The partitions it lies in; a range that is named and not there is {@code RANGE_GONE}. */
    List<PhysicalPartition> partitions(PartitionMap map) {
        if (range.isEmpty()) {
            return map.overlapping(keys);
        }
        return isOfHeirs(map)
                ? map.heirs(range.getAsInt())
                : List.of(map.require(range.getAsInt()));
    }

    /** Returns true if a range is named that others answer for. */
    boolean isOfHeirs(PartitionMap map) {
        return orHeirs
                && map.find(range.orElseThrow()).isEmpty()
                && !map.heirs(range.getAsInt()).isEmpty();
    }
}
