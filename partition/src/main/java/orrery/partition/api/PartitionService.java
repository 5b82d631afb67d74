package orrery.partition.api;

/** Sends a request to the replica set that hosts a partition and waits for the answer. */
@FunctionalInterface
public interface PartitionService {
    /**
     * Failures that concern the request come back as {@link PartitionResponse.Failed}; only a set
     * that cannot be reached throws.
     */
    PartitionResponse call(PartitionEnvelope envelope);
}
