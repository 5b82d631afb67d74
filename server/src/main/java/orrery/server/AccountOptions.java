package orrery.server;

import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.api.RuleSet;
import orrery.model.ConsistencyLevel;
import orrery.model.OrreryException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * The flags of the account's settings. They are not flags of the node: the catalog keeps what the
 * first start says, and {@code orrery account set} changes it for all that is there.
 */
final class AccountOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--limits",
            paramLabel = "YEAR",
            converter = RuleSetConverter.class,
            completionCandidates = Years.class,
            description = {
                "Rules of the service in 2017, 2018, 2020 or 2024 (default: 2020): the least and",
                "most throughput, the size of a partition and of a key, which containers are fixed,",
                "with how many partitions a container begins."
            })
    private @Nullable RuleSet ruleSet;

    @Option(
            names = "--partition-max-throughput",
            paramLabel = "RU/S",
            description = {
                "What one physical partition delivers (default: 10000). A container with T RU/s has",
                "T divided by this partitions, rounded up."
            })
    private @Nullable Integer partitionMaxThroughput;

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
            negatable = true,
            description =
                    "Refuse requests beyond the provisioned throughput with 429 (the default), or not.")
    private @Nullable Boolean unthrottled;

    @Option(
            names = "--burst-capacity",
            negatable = true,
            description = {
                "Let partitions below 3000 RU/s save unused throughput of the last five minutes and",
                "spend it at up to 3000 RU/s."
            })
    private @Nullable Boolean burstCapacity;

    @Option(
            names = "--priority-levels",
            negatable = true,
            description = {
                "Refuse requests with x-ms-cosmos-priority-level: Low first when a partition is over",
                "its throughput."
            })
    private @Nullable Boolean priorityLevels;

    @Option(
            names = "--service-quotas",
            negatable = true,
            description = {
                "Also enforce the quotas of the cloud service: 500 databases and containers, 25",
                "containers per shared database, rates of creates, throughput changes and metadata."
            })
    private @Nullable Boolean serviceQuotas;

    @Option(
            names = {"--default-consistency", "--default-consistency-level"},
            paramLabel = "LEVEL",
            converter = LevelConverter.class,
            completionCandidates = Levels.class,
            description = {
                "Strong, BoundedStaleness, Session, ConsistentPrefix or Eventual (default: Session).",
                "A request may ask for a weaker level, never for a stronger one."
            })
    private @Nullable ConsistencyLevel consistency;

    @Option(
            names = "--max-staleness-prefix",
            paramLabel = "N",
            description = "With BoundedStaleness: versions that reads may lag (default: 100).")
    private @Nullable Integer maxStalenessPrefix;

    @Option(
            names = "--max-interval",
            paramLabel = "SECONDS",
            description =
                    "With BoundedStaleness: seconds that reads may lag, 5 to 86400 (default: 5).")
    private @Nullable Integer maxIntervalSeconds;

    @Option(
            names = "--table-default-throughput",
            paramLabel = "RU/S",
            description = {
                "Throughput of a table that is created without any: clients of the Table API cannot",
                "ask for it (default: 400)."
            })
    private @Nullable Integer tableDefaultThroughput;

    @Option(
            names = "--mongo-change-retention",
            paramLabel = "MINUTES",
            description = {
                "How long a collection of the MongoDB API keeps its changes once somebody watches it,",
                "1 to 43200 (default: 60)."
            })
    private @Nullable Integer mongoChangeRetention;

    /** Returns the settings that flags name, and none that they leave out. */
    AccountChange change() {
        return new AccountChange(
                Optional.ofNullable(ruleSet),
                Optional.ofNullable(partitionMaxThroughput),
                Optional.ofNullable(partitionMaxBytes),
                Optional.ofNullable(logicalPartitionMaxBytes),
                Optional.ofNullable(unthrottled).map(off -> !off),
                Optional.ofNullable(burstCapacity),
                Optional.ofNullable(priorityLevels),
                Optional.ofNullable(serviceQuotas),
                Optional.ofNullable(consistency),
                Optional.ofNullable(maxStalenessPrefix),
                Optional.ofNullable(maxIntervalSeconds),
                Optional.ofNullable(tableDefaultThroughput),
                Optional.ofNullable(mongoChangeRetention));
    }

    /** The settings of a new account. */
    AccountSettings settings() {
        try {
            return change().applyTo(AccountSettings.DEFAULT);
        } catch (OrreryException refused) {
            throw new ParameterException(spec.commandLine(), refused.text());
        }
    }

    /** From the year to the rules. */
    static final class RuleSetConverter implements ITypeConverter<RuleSet> {
        @Override
        public RuleSet convert(String text) {
            return AccountChange.ruleSet(text)
                    .orElseThrow(
                            () ->
                                    new TypeConversionException(
                                            "'%s' is not one of %s."
                                                    .formatted(
                                                            text, String.join(", ", new Years()))));
        }
    }

    /** Reads a level of consistency, whatever the case of its letters. */
    static final class LevelConverter implements ITypeConverter<ConsistencyLevel> {
        @Override
        public ConsistencyLevel convert(String text) {
            return AccountChange.level(text)
                    .orElseThrow(
                            () ->
                                    new TypeConversionException(
                                            "'%s' is not one of %s."
                                                    .formatted(
                                                            text,
                                                            String.join(", ", new Levels()))));
        }
    }

    /** The values of --limits. */
    static final class Years implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.of(RuleSet.values())
                    .map(rules -> Integer.toString(rules.year()))
                    .iterator();
        }
    }

    /** The levels of consistency by the names that clients use. */
    static final class Levels implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.of(ConsistencyLevel.values()).map(ConsistencyLevel::wireName).iterator();
        }
    }
}
