package orrery.cluster.api;

import java.util.Optional;
import orrery.model.ConsistencyPolicy;
import orrery.model.ContainerDefinition;
import orrery.model.Throughput;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * Settings of the account. They are part of the catalog, not flags of a node: every replica must
 * see the same.
 *
 * @param partitionMaxThroughput t: request units per second that one physical partition delivers
 * @param partitionMaxBytes at which a physical partition splits
 * @param logicalPartitionMaxBytes what one partition key value may hold
 * @param serviceQuotas also enforce the quotas that the cloud service sets for billing and fairness
 * @param throttling refuse what goes beyond the provisioned throughput
 * @param burstCapacity small partitions may save unused throughput for later
 * @param priorityLevels requests of low priority are refused first
 * @param consistency of requests that ask for none
 * @param tableDefaultThroughput of a table whose creator asks for none
 * @param mongoChangeRetention minutes for which a collection keeps versions once somebody watches
 *     it
 */
public record AccountSettings(
        RuleSet ruleSet,
        int partitionMaxThroughput,
        long partitionMaxBytes,
        long logicalPartitionMaxBytes,
        boolean serviceQuotas,
        boolean throttling,
        boolean burstCapacity,
        boolean priorityLevels,
        ConsistencyPolicy consistency,
        int tableDefaultThroughput,
        int mongoChangeRetention) {
    public static final int DEFAULT_PARTITION_MAX_THROUGHPUT = 10_000;
    public static final int DEFAULT_MONGO_CHANGE_RETENTION = 60;
    public static final AccountSettings DEFAULT = of(RuleSet.RULES_2020);

    /** Returns the settings of a rule set without further options. */
    public static AccountSettings of(RuleSet ruleSet) {
        return new AccountSettings(
                ruleSet,
                DEFAULT_PARTITION_MAX_THROUGHPUT,
                ruleSet.storage().partitionMaxBytes(),
                ruleSet.storage().logicalPartitionMaxBytes(),
                false,
                true,
                false,
                false,
                ConsistencyPolicy.SESSION,
                RuleSet.LEAST_THROUGHPUT,
                DEFAULT_MONGO_CHANGE_RETENTION);
    }

    public AccountSettings withPartitionMaxThroughput(int requestUnits) {
        return new AccountSettings(
                ruleSet,
                requestUnits,
                partitionMaxBytes,
                logicalPartitionMaxBytes,
                serviceQuotas,
                throttling,
                burstCapacity,
                priorityLevels,
                consistency,
                tableDefaultThroughput,
                mongoChangeRetention);
    }

    public AccountSettings withStorage(long partitionBytes, long logicalPartitionBytes) {
        return new AccountSettings(
                ruleSet,
                partitionMaxThroughput,
                partitionBytes,
                logicalPartitionBytes,
                serviceQuotas,
                throttling,
                burstCapacity,
                priorityLevels,
                consistency,
                tableDefaultThroughput,
                mongoChangeRetention);
    }

    public AccountSettings withServiceQuotas(boolean on) {
        return new AccountSettings(
                ruleSet,
                partitionMaxThroughput,
                partitionMaxBytes,
                logicalPartitionMaxBytes,
                on,
                throttling,
                burstCapacity,
                priorityLevels,
                consistency,
                tableDefaultThroughput,
                mongoChangeRetention);
    }

    public AccountSettings withMetering(boolean throttles, boolean bursts, boolean levels) {
        return new AccountSettings(
                ruleSet,
                partitionMaxThroughput,
                partitionMaxBytes,
                logicalPartitionMaxBytes,
                serviceQuotas,
                throttles,
                bursts,
                levels,
                consistency,
                tableDefaultThroughput,
                mongoChangeRetention);
    }

    public AccountSettings withConsistency(ConsistencyPolicy policy) {
        return new AccountSettings(
                ruleSet,
                partitionMaxThroughput,
                partitionMaxBytes,
                logicalPartitionMaxBytes,
                serviceQuotas,
                throttling,
                burstCapacity,
                priorityLevels,
                policy,
                tableDefaultThroughput,
                mongoChangeRetention);
    }

    public AccountSettings withRuleSet(RuleSet rules) {
        return new AccountSettings(
                rules,
                partitionMaxThroughput,
                partitionMaxBytes,
                logicalPartitionMaxBytes,
                serviceQuotas,
                throttling,
                burstCapacity,
                priorityLevels,
                consistency,
                tableDefaultThroughput,
                mongoChangeRetention);
    }

    public AccountSettings withTableDefaultThroughput(int requestUnits) {
        return new AccountSettings(
                ruleSet,
                partitionMaxThroughput,
                partitionMaxBytes,
                logicalPartitionMaxBytes,
                serviceQuotas,
                throttling,
                burstCapacity,
                priorityLevels,
                consistency,
                requestUnits,
                mongoChangeRetention);
    }

    public AccountSettings withMongoChangeRetention(int minutes) {
        return new AccountSettings(
                ruleSet,
                partitionMaxThroughput,
                partitionMaxBytes,
                logicalPartitionMaxBytes,
                serviceQuotas,
                throttling,
                burstCapacity,
                priorityLevels,
                consistency,
                tableDefaultThroughput,
                minutes);
    }

    /** N = ceil(T / t). */
    public int partitionsFor(int requestUnits) {
        return Math.max(1, Math.ceilDiv(requestUnits, partitionMaxThroughput));
    }

    /** Counts the ranges of a new container that has throughput of its own. */
    public int startingPartitionsFor(Throughput own) {
        int needed = partitionsFor(own.ceiling());
        if (needed == 1 || own.mode() == Throughput.Mode.AUTOSCALE) {
            return needed;
        }
        int most = ruleSet.newRangeMaxThroughput().orElse(partitionMaxThroughput);
        return Math.max(needed, Math.ceilDiv(own.ceiling(), most));
    }

    /**
     * Returns true if a container created so is a fixed one, which has one range and never splits:
     * without a key there is nothing to split by, and with little throughput the rules of the year
     * keep it so. One without throughput of its own shares its database's and is unlimited.
     */
    public boolean makesFixed(ContainerDefinition definition, Optional<Throughput> own) {
        int growsFrom = ruleSet.manual().growsFrom();
        return definition.partitionKey().paths().isEmpty()
                || own.filter(throughput -> throughput.ceiling() < growsFrom).isPresent();
    }

    /** A fixed container has one range, so it cannot have more than that delivers. */
    public int fixedMaxThroughput() {
        int oneRange = Math.min(RuleSet.FIXED_MAX_THROUGHPUT, partitionMaxThroughput);
        return Math.max(RuleSet.LEAST_THROUGHPUT, oneRange);
    }

    public long fixedMaxBytes() {
        return Math.min(RuleSet.FIXED_MAX_BYTES, partitionMaxBytes);
    }

    /**
     * Returns true if partitions need new storage limits when these settings replace the earlier
     * ones.
     */
    public boolean changesStorage(AccountSettings before) {
        return logicalPartitionMaxBytes != before.logicalPartitionMaxBytes
                || fixedMaxBytes() != before.fixedMaxBytes();
    }

    public void write(BinaryWriter out) {
        out.u32(partitionMaxThroughput).u64(logicalPartitionMaxBytes).bool(serviceQuotas);
        out.enumeration(ruleSet)
                .u64(partitionMaxBytes)
                .bool(throttling)
                .bool(burstCapacity)
                .bool(priorityLevels);
        consistency.write(out);
        out.u32(tableDefaultThroughput).u32(mongoChangeRetention);
    }

    public static AccountSettings read(BinaryReader in) {
        int partitionMaxThroughput = in.u32();
        long logicalPartitionMaxBytes = in.u64();
        boolean serviceQuotas = in.bool();
        RuleSet ruleSet = in.enumeration(RuleSet.class);
        return new AccountSettings(
                ruleSet,
                partitionMaxThroughput,
                in.u64(),
                logicalPartitionMaxBytes,
                serviceQuotas,
                in.bool(),
                in.bool(),
                in.bool(),
                ConsistencyPolicy.read(in),
                in.u32(),
                in.u32());
    }
}
