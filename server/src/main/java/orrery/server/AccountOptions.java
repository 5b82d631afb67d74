package orrery.server;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.api.RuleSet;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * The flags that set up the account. They are not flags of the node: the catalog keeps what they
 * say, and a start with others changes it for all that is there.
 */
final class AccountOptions {
    /** Below this a partition would not deliver the smallest step of throughput. */
    private static final int LEAST_PARTITION_THROUGHPUT = RuleSet.MANUAL_STEP;

    /** Below this not even one item of some size would fit. */
    private static final long LEAST_STORAGE = 1L << 20;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--limits",
            paramLabel = "YEAR",
            defaultValue = "2020",
            converter = RuleSetConverter.class,
            description = {
                "Rules of the service in 2017, 2018, 2020 or 2024 (default: ${DEFAULT-VALUE}): the least",
                "and most throughput, the size of a partition and of a key, which containers are fixed,",
                "with how many partitions a container begins."
            })
    private RuleSet ruleSet;

    @Option(
            names = "--partition-max-throughput",
            paramLabel = "RU/S",
            defaultValue = "10000",
            description = {
                "What one physical partition delivers (default: ${DEFAULT-VALUE}). A container with T",
                "RU/s has T divided by this partitions, rounded up."
            })
    private int partitionMaxThroughput;

    @Option(
            names = "--partition-max-storage",
            paramLabel = "SIZE",
            converter = ByteSizeConverter.class,
            description = {
                "Data and index at which a physical partition splits, as 64MB",
                "(default: 50GB; 10GB under 2017 and 2018)."
            })
    private @Nullable Long partitionMaxBytes;

    @Option(
            names = "--logical-partition-max-storage",
            paramLabel = "SIZE",
            converter = ByteSizeConverter.class,
            description = {
                "Data and index of one partition key value, as 64MB; no more than a physical",
                "partition (default: 20GB; 10GB under 2017 and 2018)."
            })
    private @Nullable Long logicalPartitionMaxBytes;

    @Option(
            names = "--no-throttling",
            description = "Serve requests beyond the provisioned throughput instead of 429.")
    private boolean unthrottled;

    @Option(
            names = "--burst-capacity",
            description = {
                "Let partitions below 3000 RU/s save unused throughput of the last five minutes and",
                "spend it at up to 3000 RU/s."
            })
    private boolean burstCapacity;

    @Option(
            names = "--priority-levels",
            description = {
                "Refuse requests with x-ms-cosmos-priority-level: Low first when a partition is over",
                "its throughput."
            })
    private boolean priorityLevels;

    @Option(
            names = "--service-quotas",
            description = {
                "Also enforce the quotas of the cloud service: 500 databases and containers, 25",
                "containers per shared database, rates of creates, throughput changes and metadata."
            })
    private boolean serviceQuotas;

    AccountSettings settings() {
        int mostThroughput = ruleSet.manual().maximum();
        if (partitionMaxThroughput < LEAST_PARTITION_THROUGHPUT
                || partitionMaxThroughput > mostThroughput) {
            throw refused(
                    "--partition-max-throughput must be between "
                            + LEAST_PARTITION_THROUGHPUT
                            + " and "
                            + mostThroughput
                            + ".");
        }
        long partition =
                storage(
                        "--partition-max-storage",
                        partitionMaxBytes,
                        ruleSet.storage().partitionMaxBytes());
        // A key lives in one partition, so a smaller partition alone makes keys smaller too.
        long logical =
                storage(
                        "--logical-partition-max-storage",
                        logicalPartitionMaxBytes,
                        Math.min(partition, ruleSet.storage().logicalPartitionMaxBytes()));
        if (logical > partition) {
            throw refused(
                    "--logical-partition-max-storage must not be more than --partition-max-storage:"
                            + " the items of one key live in one physical partition.");
        }
        return AccountSettings.of(ruleSet)
                .withPartitionMaxThroughput(partitionMaxThroughput)
                .withStorage(partition, logical)
                .withServiceQuotas(serviceQuotas)
                .withMetering(!unthrottled, burstCapacity, priorityLevels);
    }

    private long storage(String option, @Nullable Long given, long otherwise) {
        long bytes = Optional.ofNullable(given).orElse(otherwise);
        if (bytes < LEAST_STORAGE) {
            throw refused(option + " must be at least 1MB.");
        }
        return bytes;
    }

    private ParameterException refused(String text) {
        return new ParameterException(spec.commandLine(), text);
    }

    /** From the year to the rules. */
    static final class RuleSetConverter implements ITypeConverter<RuleSet> {
        @Override
        public RuleSet convert(String text) {
            return Arrays.stream(RuleSet.values())
                    .filter(rules -> Integer.toString(rules.year()).equals(text))
                    .findFirst()
                    .orElseThrow(
                            () ->
                                    new TypeConversionException(
                                            "'"
                                                    + text
                                                    + "' is not one of 2017, 2018, 2020, 2024."));
        }
    }
}
