package orrery.gateway;

import java.util.Optional;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.api.RuleSet;
import orrery.gateway.ThroughputHolder.Kind;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Throughput;
import orrery.model.resource.PartitionMap;

/** Minimum, maximum and steps of reserved throughput under the account's rule set. */
final class ThroughputRules {
    private static final long GIGABYTE = 1L << 30;

    private final AccountSettings settings;
    private final RuleSet rules;

    ThroughputRules(AccountSettings settings) {
        this.settings = settings;
        this.rules = settings.ruleSet();
    }

    /**
     * Returns the throughput of a container that asks for none: what the account says of tables,
     * and otherwise the least of its kind.
     */
    Throughput defaultFor(ContainerDefinition definition) {
        if (definition.kind() == ContainerKind.TABLE) {
            return new Throughput.Manual(settings.tableDefaultThroughput());
        }
        return new Throughput.Manual(
                definition.partitionKey().paths().isEmpty()
                        ? RuleSet.LEAST_THROUGHPUT
                        : rules.manual().unlimitedMinimum());
    }

    void checkNewDatabase(Throughput throughput) {
        if (!rules.shared().isOffered()) {
            throw bad(
                    "A database has no throughput under the rules of "
                            + rules.year()
                            + ". Give each container its own, or change the rules with `orrery account"
                            + " set --limits 2018`, or a later year.");
        }
        check(throughput, ThroughputHolder.ofNew(Kind.DATABASE));
        checkPerMinute(throughput, settings.partitionsFor(throughput.ceiling()));
    }

    /** With a key any value may be asked for: it decides what kind of container it will be. */
    void checkNewContainer(Throughput throughput, ContainerDefinition definition) {
        boolean hasKey = !definition.partitionKey().paths().isEmpty();
        check(throughput, ThroughputHolder.ofNew(hasKey ? Kind.GROWING : Kind.FIXED));
        checkPerMinute(
                throughput,
                settings.makesFixed(definition, Optional.of(throughput))
                        ? 1
                        : settings.partitionsFor(throughput.ceiling()));
    }

    void check(Throughput throughput, ThroughputHolder holder) {
        int value = throughput.ceiling();
        int minimum = minimum(throughput.mode(), holder);
        int maximum = maximum(holder);
        int step = step(throughput.mode());
        if (value >= minimum && value <= maximum && value % step == 0) {
            return;
        }
        String text =
                "The offer should have valid throughput values between "
                        + minimum
                        + " and "
                        + maximum
                        + " inclusive in increments of "
                        + step
                        + ".";
        if (value < minimum) {
            throw bad(
                    text
                            + " Requested throughput "
                            + value
                            + " is less than required minimum throughput "
                            + minimum
                            + ".");
        }
        boolean isPastFixed = holder.kind() == Kind.FIXED && value > maximum;
        throw bad(isPastFixed ? text + " " + wayOut() : text);
    }

    /**
     * The add-on evens out peaks of small partitions; one that has half of what a partition can
     * deliver has no room for them.
     *
     * @param ranges over which the throughput is divided
     */
    void checkPerMinute(Throughput throughput, int ranges) {
        if (!(throughput instanceof Throughput.Manual(int requestUnits, boolean perMinute))
                || !perMinute) {
            return;
        }
        if (!rules.hasThroughputPerMinute()) {
            throw bad(
                    "Throughput per minute belongs to the rules of 2017, and those of "
                            + rules.year()
                            + " are in force. Leave it out, or change the rules with `orrery account set"
                            + " --limits 2017`.");
        }
        int most = RuleSet.PER_MINUTE_MAX_RANGE_THROUGHPUT;
        if (requestUnits > (long) most * ranges) {
            throw bad(
                    "Throughput per minute is available up to "
                            + most
                            + " RU/s in each physical partition, and this would be "
                            + Math.ceilDiv(requestUnits, ranges)
                            + " RU/s in each of "
                            + ranges
                            + ". Ask for at most "
                            + (long) most * ranges
                            + " RU/s, or leave it out.");
        }
    }

    /** Divides throughput over ranges; the add-on of the minute wants them small. */
    ThroughputShares shares(PartitionMap map, Throughput throughput) {
        boolean perMinute = throughput instanceof Throughput.Manual(int _, boolean on) && on;
        int most = settings.partitionMaxThroughput();
        return new ThroughputShares(
                map,
                throughput.ceiling(),
                perMinute ? Math.min(most, RuleSet.PER_MINUTE_MAX_RANGE_THROUGHPUT) : most);
    }

    /** The least the holder may be set to. */
    int minimum(Throughput.Mode mode, ThroughputHolder holder) {
        int extraContainers =
                Math.max(0, holder.sharingContainers() - rules.shared().freeContainers());
        return switch (mode) {
            case MANUAL -> {
                int floor =
                        switch (holder.kind()) {
                            case FIXED, GROWING -> RuleSet.LEAST_THROUGHPUT;
                            case UNLIMITED -> rules.manual().unlimitedMinimum();
                            case DATABASE ->
                                    RuleSet.LEAST_THROUGHPUT
                                            + extraContainers * RuleSet.MANUAL_STEP;
                        };
                yield minimum(holder, floor, 100, rules.manual().perGigabyte(), mode);
            }
            case AUTOSCALE -> {
                int floor =
                        rules.autoscale().minimum()
                                + (holder.kind() == Kind.DATABASE
                                        ? extraContainers * RuleSet.AUTOSCALE_STEP
                                        : 0);
                yield minimum(holder, floor, 10, rules.autoscale().perGigabyte(), mode);
            }
        };
    }

    private static int minimum(
            ThroughputHolder holder,
            int floor,
            int historyDivisor,
            int perGigabyte,
            Throughput.Mode mode) {
        int ofHistory = Math.ceilDiv(holder.highestEver(), historyDivisor);
        long ofStorage = Math.ceilDiv(holder.storedBytes() * perGigabyte, GIGABYTE);
        int step = step(mode);
        long least = Math.max(ofHistory, ofStorage);
        return (int) Math.max(floor, Math.ceilDiv(least, step) * step);
    }

    private int maximum(ThroughputHolder holder) {
        return holder.kind() == Kind.FIXED
                ? settings.fixedMaxThroughput()
                : rules.manual().maximum();
    }

    /**
     * Returns the throughput of an offer after its mode was switched: the least ceiling that
     * delivers what it delivers now and may be scaled to, or the ceiling it had.
     */
    Throughput migrated(Throughput present, Throughput.Mode target, ThroughputHolder holder) {
        return switch (target) {
            case MANUAL -> new Throughput.Manual(present.ceiling());
            case AUTOSCALE ->
                    new Throughput.Autoscale(
                            Math.max(
                                    minimum(target, holder),
                                    Math.ceilDiv(present.ceiling(), RuleSet.AUTOSCALE_STEP)
                                            * RuleSet.AUTOSCALE_STEP));
        };
    }

    private static int step(Throughput.Mode mode) {
        return switch (mode) {
            case MANUAL -> RuleSet.MANUAL_STEP;
            case AUTOSCALE -> RuleSet.AUTOSCALE_STEP;
        };
    }

    private String wayOut() {
        return "This is a fixed container: it has one physical partition and never splits. For"
                + " more, copy the items with the migration tool or the change feed into a container"
                + " that has a partition key and is created with at least "
                + rules.manual().growsFrom()
                + " RU/s.";
    }

    private static OrreryException bad(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }
}
