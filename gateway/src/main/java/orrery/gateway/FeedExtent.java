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
 */
record FeedExtent(KeyRange keys, Optional<PartitionKey> key, OptionalInt range) {
    static FeedExtent of(Container container, FeedScope scope) {
        PartitionKeyDefinition definition = container.definition().partitionKey();
        return switch (scope) {
            case FeedScope.Everything _ ->
                    new FeedExtent(KeyRange.FULL, Optional.empty(), OptionalInt.empty());
            case FeedScope.Keys(KeyRange keys) ->
                    new FeedExtent(keys, Optional.empty(), OptionalInt.empty());
            case FeedScope.Range(int range, Optional<KeyRange> clip) ->
                    new FeedExtent(
                            clip.orElse(KeyRange.FULL), Optional.empty(), OptionalInt.of(range));
            case FeedScope.Key(PartitionKey given) -> {
                PartitionKey key = GivenKey.of(container, given);
                KeyRange keys = KeySpan.of(definition, key).range();
                yield new FeedExtent(keys, Optional.of(key), OptionalInt.empty());
            }
        };
    }

    /** The partitions it lies in; a range that is named and not there is {@code RANGE_GONE}. */
    List<PhysicalPartition> partitions(PartitionMap map) {
        return range.isPresent() ? List.of(map.require(range.getAsInt())) : map.overlapping(keys);
    }
}
