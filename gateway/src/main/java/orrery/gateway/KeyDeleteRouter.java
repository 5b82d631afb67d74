package orrery.gateway;

import java.util.SortedMap;
import java.util.TreeMap;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.KeyDeleteAnswer;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.ItemRules;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.RequestContext;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;

/**
 * Deletes all items of a key: in its partition, or for the prefix of a hierarchical key in all over
 * which it lies, one after the other. A split on the way does not repeat what is done, so that no
 * item is deleted that was written later.
 */
final class KeyDeleteRouter {
    private final Resolver resolver;
    private final PartitionCalls partitions;
    private final ItemRouter items;

    KeyDeleteRouter(Resolver resolver, PartitionCalls partitions, ItemRouter items) {
        this.resolver = resolver;
        this.partitions = partitions;
        this.items = items;
    }

    KeyDeleteAnswer run(RequestContext context, Container container, PartitionKey given) {
        checkLength(container, given);
        FeedExtent extent = FeedExtent.of(container, new FeedScope.Key(given));
        SortedMap<Integer, Long> lsns = new TreeMap<>();
        Charge charge = Charge.NONE;
        EffectiveKey reached = extent.keys().min();
        while (reached.compareTo(extent.keys().max()) < 0) {
            PartitionMap map = resolver.map(container);
            KeyRange rest = new KeyRange(reached, extent.keys().max());
            PhysicalPartition partition = map.overlapping(rest).getFirst();
            KeyRange keys = partition.keys().intersect(rest).orElseThrow();
            try {
                WriteResponse.KeyDeleted deleted =
                        (WriteResponse.KeyDeleted)
                                partitions.call(
                                        context,
                                        partition,
                                        new WriteRequest.DeleteKey(
                                                new PartitionId(
                                                        container.number(), partition.range()),
                                                items.newRequestId(),
                                                extent.key().orElse(PartitionKey.EMPTY),
                                                keys));
                lsns.put(partition.range(), deleted.headLsn());
                charge = charge.plus(deleted.charge());
                reached = keys.max();
            } catch (OrreryException failure) {
                if (!Resolver.hasMoved(failure)) {
                    throw failure;
                }
                resolver.awaitNewMap(context, container, map, failure);
            }
        }
        return new KeyDeleteAnswer(container, new SessionToken(lsns), charge);
    }

    private static void checkLength(Container container, PartitionKey key) {
        int levels = container.definition().partitionKey().paths().size();
        // An empty prefix would mean every item of the container, which nobody asks for this way.
        if (levels > 1 && key.components().isEmpty()) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The partition key has no components: name at least the first of them.");
        }
        if (key.components().size() > Math.max(1, levels)) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The partition key has more components than the container's definition.");
        }
        ItemRules.checkKey(key);
    }
}
