package orrery.cluster;

import java.time.Duration;
import orrery.cluster.catalog.CatalogState;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;

/** The calls that the control plane makes for itself, addressed as the catalog knows the sets. */
record SetCalls(CatalogState state, PartitionService partitions) {
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    PartitionResponse call(int replicaSet, PartitionRequest request) {
        return partitions.call(
                PartitionEnvelope.ofNode(replicaSet, request, TIMEOUT)
                        .withSetEpoch(state.setEpoch(replicaSet)));
    }
}
