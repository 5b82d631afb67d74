package orrery.partition.api;

import java.time.Duration;
import java.util.List;
import orrery.model.PartitionId;
import orrery.model.metering.RequestTerms;

/** Sends a request to the replica set that hosts a partition and waits for the answer. */
public interface PartitionService {
    /**
     * Failures that concern the request come back as {@link PartitionResponse.Failed}; only a set
     * that cannot be reached throws.
     *
     * @param replicaSet the set named by the partition map
     */
    PartitionResponse call(
            int replicaSet, PartitionRequest request, RequestTerms terms, Duration timeout);

    /** Calls with the metering terms of a request that names none. */
    default PartitionResponse call(int replicaSet, PartitionRequest request, Duration timeout) {
        return call(replicaSet, request, RequestTerms.STANDARD, timeout);
    }

    /**
     * Returns the partitions of a set that hold more than so many bytes of items and index entries.
     */
    List<PartitionId> largerThan(int replicaSet, long bytes);
}
