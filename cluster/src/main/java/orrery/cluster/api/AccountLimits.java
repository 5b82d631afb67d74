package orrery.cluster.api;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * Limits of the account. They are part of the catalog, not flags of a node: every replica must see
 * the same.
 *
 * @param partitionMaxThroughput t: request units per second that one physical partition delivers
 * @param logicalPartitionMaxBytes what one partition key value may hold
 * @param serviceQuotas also enforce the quotas that the cloud service sets for billing and fairness
 */
public record AccountLimits(
        int partitionMaxThroughput, long logicalPartitionMaxBytes, boolean serviceQuotas) {
    public static final AccountLimits DEFAULT = new AccountLimits(10_000, 20L << 30, false);

    public void write(BinaryWriter out) {
        out.u32(partitionMaxThroughput).u64(logicalPartitionMaxBytes).bool(serviceQuotas);
    }

    public static AccountLimits read(BinaryReader in) {
        return new AccountLimits(in.u32(), in.u64(), in.bool());
    }

    /** N = ceil(T / t). */
    public int partitionsFor(int requestUnits) {
        return Math.max(1, Math.ceilDiv(requestUnits, partitionMaxThroughput));
    }
}
