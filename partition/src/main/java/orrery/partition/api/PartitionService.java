package orrery.partition.api;

import java.time.Duration;

/** Sends a request to the replica set that hosts a partition and waits for the answer. */
public interface PartitionService {
    /**
     * Failures that concern the request come back as {@link PartitionResponse.Failed}; only a set
     * that cannot be reached throws.
     *
     * @param replicaSet the set named by the partition map
     */
    PartitionResponse call(int replicaSet, PartitionRequest request, Duration timeout);
}
