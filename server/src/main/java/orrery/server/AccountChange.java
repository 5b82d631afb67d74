package orrery.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.api.RuleSet;
import orrery.document.Value;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.Json;
import orrery.model.Bytes;
import orrery.model.ConsistencyLevel;
import orrery.model.ConsistencyPolicy;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.server.client.Hint;

/** Settings of the account that somebody asks for; those left out stay as they are. */
record AccountChange(
        Optional<RuleSet> ruleSet,
        Optional<Integer> partitionMaxThroughput,
        Optional<Long> partitionMaxBytes,
        Optional<Long> logicalPartitionMaxBytes,
        Optional<Boolean> throttling,
        Optional<Boolean> burstCapacity,
        Optional<Boolean> priorityLevels,
        Optional<Boolean> serviceQuotas,
        Optional<ConsistencyLevel> consistency,
        Optional<Integer> maxStalenessPrefix,
        Optional<Integer> maxIntervalSeconds,
        Optional<Integer> tableDefaultThroughput,
        Optional<Integer> mongoChangeRetention) {
    /** Below this a partition would not deliver the smallest step of throughput. */
    private static final int LEAST_PARTITION_THROUGHPUT = RuleSet.MANUAL_STEP;

    /** The longest retention of a change feed, 30 days. */
    private static final int MOST_RETENTION = 43_200;

    /** Below this not even one item of some size would fit. */
    private static final long LEAST_STORAGE = 1L << 20;

    /** Returns the change that makes any account have these settings. */
    static AccountChange to(AccountSettings settings) {
        boolean isBounded = settings.consistency().level() == ConsistencyLevel.BOUNDED_STALENESS;
        return new AccountChange(
                Optional.of(settings.ruleSet()),
                Optional.of(settings.partitionMaxThroughput()),
                Optional.of(settings.partitionMaxBytes()),
                Optional.of(settings.logicalPartitionMaxBytes()),
                Optional.of(settings.throttling()),
                Optional.of(settings.burstCapacity()),
                Optional.of(settings.priorityLevels()),
                Optional.of(settings.serviceQuotas()),
                Optional.of(settings.consistency().level()),
                Optional.of(settings.consistency().maxStalenessPrefix()).filter(_ -> isBounded),
                Optional.of(settings.consistency().maxIntervalSeconds()).filter(_ -> isBounded),
                Optional.of(settings.tableDefaultThroughput()),
                Optional.of(settings.mongoChangeRetention()));
    }

    /** Returns the settings that come of it. What cannot be is refused with the reason. */
    AccountSettings applyTo(AccountSettings before) {
        RuleSet rules = ruleSet.orElse(before.ruleSet());
        int throughput = partitionMaxThroughput.orElse(before.partitionMaxThroughput());
        int mostThroughput = rules.manual().maximum();
        if (throughput < LEAST_PARTITION_THROUGHPUT || throughput > mostThroughput) {
            throw refused(
                    "What one partition delivers must be between "
                            + LEAST_PARTITION_THROUGHPUT
                            + " and "
                            + mostThroughput
                            + " RU/s.");
        }
        long partition =
                storage(
                        "A physical partition",
                        partitionMaxBytes,
                        // Sizes that came with the year go with it, those that were chosen stay.
                        before.partitionMaxBytes() == before.ruleSet().storage().partitionMaxBytes()
                                ? rules.storage().partitionMaxBytes()
                                : before.partitionMaxBytes());
        long usualKey =
                before.logicalPartitionMaxBytes()
                                == before.ruleSet().storage().logicalPartitionMaxBytes()
                        ? rules.storage().logicalPartitionMaxBytes()
                        : before.logicalPartitionMaxBytes();
        // A key lives in one partition, so a smaller partition alone makes keys smaller too.
        long logical =
                storage(
                        "The limit of one partition key value",
                        logicalPartitionMaxBytes,
                        Math.min(partition, usualKey));
        if (logical > partition) {
            throw refused(
                    "The limit of one partition key value must not be more than that of a physical"
                            + " partition: the items of one key live in one physical partition.");
        }
        return before.withRuleSet(rules)
                .withPartitionMaxThroughput(throughput)
                .withStorage(partition, logical)
                .withServiceQuotas(serviceQuotas.orElse(before.serviceQuotas()))
                .withMetering(
                        throttling.orElse(before.throttling()),
                        burstCapacity.orElse(before.burstCapacity()),
                        priorityLevels.orElse(before.priorityLevels()))
                .withConsistency(consistency(before.consistency()))
                .withTableDefaultThroughput(tableThroughput(rules, before.tableDefaultThroughput()))
                .withMongoChangeRetention(retention(before.mongoChangeRetention()));
    }

    private int retention(int before) {
        int minutes = mongoChangeRetention.orElse(before);
        if (minutes < 1 || minutes > MOST_RETENTION) {
            throw refused(
                    "Changes of collections are kept between 1 and "
                            + MOST_RETENTION
                            + " minutes.");
        }
        return minutes;
    }

    private int tableThroughput(RuleSet rules, int before) {
        int throughput = tableDefaultThroughput.orElse(before);
        int most = rules.manual().maximum();
        if (throughput < RuleSet.LEAST_THROUGHPUT
                || throughput > most
                || throughput % RuleSet.MANUAL_STEP != 0) {
            throw refused(
                    "The default throughput of tables must be between "
                            + RuleSet.LEAST_THROUGHPUT
                            + " and "
                            + most
                            + " RU/s in steps of "
                            + RuleSet.MANUAL_STEP
                            + ".");
        }
        return throughput;
    }

    private static long storage(String what, Optional<Long> given, long otherwise) {
        long bytes = given.orElse(otherwise);
        if (bytes < LEAST_STORAGE) {
            throw refused(what + " must be at least 1MB.");
        }
        return bytes;
    }

    private ConsistencyPolicy consistency(ConsistencyPolicy before) {
        ConsistencyLevel level = consistency.orElse(before.level());
        boolean isBounded = level == ConsistencyLevel.BOUNDED_STALENESS;
        if (!isBounded) {
            if (maxStalenessPrefix.isPresent() || maxIntervalSeconds.isPresent()) {
                throw refused(
                        "A staleness prefix and interval go with the consistency level"
                                + " BoundedStaleness only.");
            }
            return ConsistencyPolicy.of(level);
        }
        int prefix = maxStalenessPrefix.orElse(before.maxStalenessPrefix());
        int interval = maxIntervalSeconds.orElse(before.maxIntervalSeconds());
        if (prefix < ConsistencyPolicy.LEAST_PREFIX) {
            throw refused(
                    "The staleness prefix must be between "
                            + ConsistencyPolicy.LEAST_PREFIX
                            + " and "
                            + Integer.MAX_VALUE
                            + " versions.");
        }
        if (interval < ConsistencyPolicy.LEAST_INTERVAL
                || interval > ConsistencyPolicy.MOST_INTERVAL) {
            throw refused(
                    "The staleness interval must be between "
                            + ConsistencyPolicy.LEAST_INTERVAL
                            + " and "
                            + ConsistencyPolicy.MOST_INTERVAL
                            + " seconds.");
        }
        return new ConsistencyPolicy(level, prefix, interval);
    }

    /** A setting as a flag names it. */
    private record Flag(String name, String value) {
        static Flag of(String name, Object value) {
            return value instanceof Boolean on
                    ? new Flag(on ? name : name.replaceFirst("--", "--no-"), "")
                    : new Flag(name, value.toString());
        }

        /** Returns what tells it from another value of the same setting. */
        String distinction() {
            return value.isEmpty() ? name : value;
        }

        @Override
        public String toString() {
            return value.isEmpty() ? name : name + " " + value;
        }
    }

    /** The settings that are named, in an order that is the same for all changes. */
    private List<Optional<Flag>> flags() {
        return List.of(
                ruleSet.map(rules -> Flag.of("--limits", rules.year())),
                partitionMaxThroughput.map(most -> Flag.of("--partition-max-throughput", most)),
                partitionMaxBytes.map(
                        bytes ->
                                Flag.of(
                                        "--partition-max-storage",
                                        ByteSizeConverter.format(bytes))),
                logicalPartitionMaxBytes.map(
                        bytes ->
                                Flag.of(
                                        "--logical-partition-max-storage",
                                        ByteSizeConverter.format(bytes))),
                throttling.map(on -> Flag.of("--throttling", on)),
                burstCapacity.map(on -> Flag.of("--burst-capacity", on)),
                priorityLevels.map(on -> Flag.of("--priority-levels", on)),
                serviceQuotas.map(on -> Flag.of("--service-quotas", on)),
                consistency.map(level -> Flag.of("--default-consistency", level.wireName())),
                maxStalenessPrefix.map(prefix -> Flag.of("--max-staleness-prefix", prefix)),
                maxIntervalSeconds.map(seconds -> Flag.of("--max-interval", seconds)),
                tableDefaultThroughput.map(units -> Flag.of("--table-default-throughput", units)),
                mongoChangeRetention.map(minutes -> Flag.of("--mongo-change-retention", minutes)));
    }

    /** Returns the settings as the flags that bring them about. */
    List<String> asFlags() {
        return flags().stream().flatMap(Optional::stream).map(Flag::toString).toList();
    }

    boolean isEmpty() {
        return flags().stream().allMatch(Optional::isEmpty);
    }

    /** Returns a sentence for each setting that is asked for and not what the account has. */
    List<String> differencesFrom(AccountSettings account, Optional<Path> data) {
        List<Optional<Flag>> wanted = flags();
        List<Optional<Flag>> present = to(account).flags();
        List<String> sentences = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            if (wanted.get(i).isPresent() && !wanted.get(i).equals(present.get(i))) {
                Flag flag = wanted.get(i).get();
                String has = present.get(i).map(Flag::distinction).orElse("none");
                sentences.add(
                        "%s is not what this account has (%s). The account keeps %s; %s changes it."
                                .formatted(flag, has, has, setting(flag, data)));
            }
        }
        return sentences;
    }

    private static String setting(Flag flag, Optional<Path> data) {
        String words = "account set " + flag;
        return data.map(path -> Hint.of(words, path)).orElseGet(() -> Hint.of(words));
    }

    Value.Obj toJson() {
        Json.Builder json = Json.builder();
        ruleSet.ifPresent(rules -> json.put("limits", rules.year()));
        partitionMaxThroughput.ifPresent(most -> json.put("partitionMaxThroughput", most));
        partitionMaxBytes.ifPresent(bytes -> json.put("partitionMaxBytes", bytes));
        logicalPartitionMaxBytes.ifPresent(bytes -> json.put("logicalPartitionMaxBytes", bytes));
        throttling.ifPresent(on -> json.put("throttling", on));
        burstCapacity.ifPresent(on -> json.put("burstCapacity", on));
        priorityLevels.ifPresent(on -> json.put("priorityLevels", on));
        serviceQuotas.ifPresent(on -> json.put("serviceQuotas", on));
        consistency.ifPresent(level -> json.put("defaultConsistencyLevel", level.wireName()));
        maxStalenessPrefix.ifPresent(prefix -> json.put("maxStalenessPrefix", prefix));
        maxIntervalSeconds.ifPresent(seconds -> json.put("maxIntervalInSeconds", seconds));
        tableDefaultThroughput.ifPresent(units -> json.put("tableDefaultThroughput", units));
        mongoChangeRetention.ifPresent(minutes -> json.put("mongoChangeRetention", minutes));
        return json.build();
    }

    static AccountChange parse(Bytes body) {
        BodyReader json = BodyReader.of(body);
        AccountChange change =
                new AccountChange(
                        number(json, "limits")
                                .map(
                                        year ->
                                                ruleSet(year.toString())
                                                        .orElseThrow(
                                                                () ->
                                                                        json.refused(
                                                                                "limits",
                                                                                "must be 2017,"
                                                                                        + " 2018, 2020"
                                                                                        + " or 2024"))),
                        number(json, "partitionMaxThroughput").map(Math::toIntExact),
                        large(json, "partitionMaxBytes"),
                        large(json, "logicalPartitionMaxBytes"),
                        json.bool("throttling"),
                        json.bool("burstCapacity"),
                        json.bool("priorityLevels"),
                        json.bool("serviceQuotas"),
                        json.find("defaultConsistencyLevel")
                                .map(
                                        value ->
                                                level(value)
                                                        .orElseThrow(
                                                                () ->
                                                                        json.refused(
                                                                                "defaultConsistencyLevel",
                                                                                "is not a"
                                                                                        + " consistency"
                                                                                        + " level"))),
                        number(json, "maxStalenessPrefix").map(Math::toIntExact),
                        number(json, "maxIntervalInSeconds").map(Math::toIntExact),
                        number(json, "tableDefaultThroughput").map(Math::toIntExact),
                        number(json, "mongoChangeRetention").map(Math::toIntExact));
        json.finish();
        return change;
    }

    private static Optional<Long> large(BodyReader json, String name) {
        OptionalLong number = json.integer(name);
        return number.isEmpty() ? Optional.empty() : Optional.of(number.getAsLong());
    }

    private static Optional<Long> number(BodyReader json, String name) {
        Optional<Long> number = large(json, name);
        if (number.isPresent() && Math.abs(number.get()) > Integer.MAX_VALUE) {
            throw json.refused(name, "is out of bounds");
        }
        return number;
    }

    static Optional<RuleSet> ruleSet(String year) {
        return Stream.of(RuleSet.values())
                .filter(rules -> Integer.toString(rules.year()).equals(year))
                .findFirst();
    }

    private static Optional<ConsistencyLevel> level(Value value) {
        return value instanceof Value.Text(String text) ? level(text) : Optional.empty();
    }

    static Optional<ConsistencyLevel> level(String name) {
        return Stream.of(ConsistencyLevel.values())
                .filter(
                        level ->
                                level.wireName()
                                        .toLowerCase(Locale.ROOT)
                                        .equals(name.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    private static OrreryException refused(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }
}
