package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import orrery.document.JsonText;
import orrery.gateway.api.ContainerReport;
import orrery.model.KeyComponent;
import orrery.model.KeyRange;
import orrery.model.PartitionKey;
import orrery.model.metering.KeyAmount;
import orrery.model.metering.Traffic;
import orrery.model.resource.PhysicalPartition;

final class PartitionStatisticsJsonTest {
    @Test
    void tellsWhatEachPartitionHolds() {
        ContainerReport.Partition full =
                partition(
                        7,
                        3,
                        2000,
                        new KeyAmount(
                                PartitionKey.of(
                                        new KeyComponent.Text("north"), KeyComponent.UNDEFINED),
                                1500));

        assertThat(JsonText.write(PartitionStatisticsJson.write(List.of(full, partition(8, 0, 0)))))
                .isEqualTo(
                        """
                        [{"id":"7","sizeInKB":3,"documentCount":3,"partitionKeys":\
                        [{"partitionKey":["north",{}],"sizeInKB":2}]},\
                        {"id":"8","sizeInKB":1,"documentCount":0,"partitionKeys":[]}]""");
    }

    private static ContainerReport.Partition partition(
            int range, long items, long itemBytes, KeyAmount... largest) {
        return new ContainerReport.Partition(
                new PhysicalPartition(range, KeyRange.FULL, List.of(), 0, 1, 1, 0),
                items,
                itemBytes,
                100,
                100,
                400,
                false,
                Traffic.NONE,
                Traffic.NONE,
                Traffic.NONE,
                List.of(largest),
                List.of(),
                Optional.empty());
    }
}
