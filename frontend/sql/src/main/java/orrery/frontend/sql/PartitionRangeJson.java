package orrery.frontend.sql;

import java.util.List;
import orrery.document.Value;
import orrery.frontend.rest.Json;
import orrery.model.Etag;
import orrery.model.ResourceId;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;

/** Physical partitions as clients know them: partition key ranges. */
final class PartitionRangeJson {
    private PartitionRangeJson() {}

    static List<Value> write(Container container, PartitionMap map) {
        return map.partitions().stream()
                .<Value>map(partition -> write(container, map, partition))
                .toList();
    }

    static Value.Obj write(Container container, PartitionMap map, PhysicalPartition partition) {
        String rid =
                ResourceId.ofPartition(container.database(), container.number(), partition.range())
                        .toString();
        return Json.builder()
                .put("_rid", rid)
                .put("id", Integer.toString(partition.range()))
                .put("_etag", new Etag(container.number(), partition.range()).quoted())
                .put("minInclusive", partition.keys().min().toHex())
                .put("maxExclusive", partition.keys().max().toHex())
                .put("ridPrefix", partition.range())
                .put("_self", container.rid().link() + "pkranges/" + rid + "/")
                .put("throughputFraction", new Value.Real(map.fraction(partition)))
                .put("status", "online")
                .put(
                        "parents",
                        Json.texts(
                                partition.parents().stream()
                                        .map(parent -> Integer.toString(parent))
                                        .toList()))
                .put("ownedArchivalPKRangeIds", Json.EMPTY_ARRAY)
                .put("_ts", partition.createdMillis() / 1000)
                .build();
    }
}
