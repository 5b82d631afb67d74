package orrery.gateway.fake;

import java.util.Optional;
import orrery.gateway.api.FeedScope;
import orrery.model.EffectiveKey;
import orrery.model.KeyRange;
import orrery.model.PartitionKey;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.query.plan.KeySpan;

/** Selects the items of the fake that a feed covers. */
final class FakeScope {
    private FakeScope() {}

    static boolean isInside(
            PartitionKey item,
            EffectiveKey epk,
            FeedScope scope,
            PartitionMap map,
            Container container) {
        return switch (scope) {
            case FeedScope.Everything _ -> true;
            case FeedScope.Key(PartitionKey key) ->
                    place(container, key).contains(epk)
                            && item.components()
                                    .subList(0, key.components().size())
                                    .equals(key.components());
            case FeedScope.Range(int range, Optional<KeyRange> clip) ->
                    map.owner(epk).range() == range
                            && clip.map(keys -> keys.contains(epk)).orElse(true);
            case FeedScope.Lineage(int range, Optional<KeyRange> clip) ->
                    (map.owner(epk).range() == range || map.heirs(range).contains(map.owner(epk)))
                            && clip.map(keys -> keys.contains(epk)).orElse(true);
            case FeedScope.Keys(KeyRange keys) -> keys.contains(epk);
        };
    }

    static KeyRange place(Container container, PartitionKey key) {
        return KeySpan.of(container.definition().partitionKey(), key).range();
    }
}
