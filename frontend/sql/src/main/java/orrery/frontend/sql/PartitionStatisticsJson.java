package orrery.frontend.sql;

import java.util.List;
import orrery.document.Value;
import orrery.frontend.rest.Json;
import orrery.frontend.rest.KeyJson;
import orrery.gateway.api.ContainerReport;
import orrery.model.metering.KeyAmount;

/** The member of a container's body that tells how full its physical partitions are. */
final class PartitionStatisticsJson {
    /** The largest keys of a partition are shown, up to this many. */
    static final int KEYS = 10;

    private PartitionStatisticsJson() {}

    static Value write(List<ContainerReport.Partition> partitions) {
        return new Value.Array(partitions.stream().map(PartitionStatisticsJson::write).toList());
    }

    private static Value write(ContainerReport.Partition seen) {
        return Json.builder()
                .put("id", Integer.toString(seen.partition().range()))
                .put("sizeInKB", kilobytes(seen.itemBytes() + seen.indexBytes()))
                .put("documentCount", seen.items())
                .put(
                        "partitionKeys",
                        new Value.Array(
                                seen.largestKeys().stream()
                                        .map(PartitionStatisticsJson::write)
                                        .toList()))
                .build();
    }

    private static Value write(KeyAmount key) {
        return Json.builder()
                .put("partitionKey", KeyJson.write(key.key()))
                .put("sizeInKB", kilobytes((long) key.amount()))
                .build();
    }

    /** Rounds up, like the sizes in the headers of quotas. */
    static long kilobytes(long bytes) {
        return Math.ceilDiv(bytes, 1024L);
    }
}
