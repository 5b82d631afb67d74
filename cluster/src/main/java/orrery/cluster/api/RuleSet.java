package orrery.cluster.api;

import java.util.OptionalInt;

/**
 * The rules of the service in four years, as {@code --limits} names them. What a container may ask
 * for, and when it counts as fixed, follows from the numbers here; the code has no other knowledge
 * of years.
 */
public enum RuleSet {
    RULES_2017,
    RULES_2018,
    RULES_2020,
    RULES_2024;

    /** The least throughput of a container of any kind. */
    public static final int LEAST_THROUGHPUT = 400;

    /** Manual throughput comes in multiples of this. */
    public static final int MANUAL_STEP = 100;

    /** The ceiling of autoscale comes in multiples of this. */
    public static final int AUTOSCALE_STEP = 1000;

    /** The most throughput of a fixed container. */
    public static final int FIXED_MAX_THROUGHPUT = 10_000;

    /** The most data and index of a fixed container. */
    public static final long FIXED_MAX_BYTES = 10L << 30;

    /** With more than this in one range there is no budget per minute. */
    public static final int PER_MINUTE_MAX_RANGE_THROUGHPUT = 5000;

    /**
     * @param partitionMaxBytes at which a physical partition splits
     * @param logicalPartitionMaxBytes what one partition key value may hold
     */
    public record Storage(long partitionMaxBytes, long logicalPartitionMaxBytes) {}

    /**
     * @param unlimitedMinimum the least of an unlimited container
     * @param growsFrom a container with a key that is created with less stays fixed forever; never
     *     above {@code unlimitedMinimum}: what is unlimited at once need not grow
     * @param maximum of containers and databases
     * @param perGigabyte stored data raises the minimum by this much
     */
    public record Manual(int unlimitedMinimum, int growsFrom, int maximum, int perGigabyte) {}

    /**
     * @param minimum of the ceiling; 4,000 when autoscale was new, which is also what the older
     *     rules take, that knew none
     */
    public record Autoscale(int minimum, int perGigabyte) {}

    /**
     * Throughput of a database for the containers in it.
     *
     * @param freeContainers each one above these raises the minimum by a step
     */
    public record Shared(boolean isOffered, int freeContainers) {}

    /** The year, as people write it. */
    public int year() {
        return switch (this) {
            case RULES_2017 -> 2017;
            case RULES_2018 -> 2018;
            case RULES_2020 -> 2020;
            case RULES_2024 -> 2024;
        };
    }

    public Storage storage() {
        return switch (this) {
            case RULES_2017, RULES_2018 -> new Storage(10L << 30, 10L << 30);
            case RULES_2020, RULES_2024 -> new Storage(50L << 30, 20L << 30);
        };
    }

    public Manual manual() {
        return switch (this) {
            case RULES_2017 -> new Manual(2500, 1000, 100_000, 10);
            case RULES_2018 -> new Manual(1000, 1000, 250_000, 10);
            case RULES_2020, RULES_2024 -> new Manual(400, 400, 1_000_000, 1);
        };
    }

    public Autoscale autoscale() {
        return switch (this) {
            case RULES_2017, RULES_2018 -> new Autoscale(4000, 100);
            case RULES_2020, RULES_2024 -> new Autoscale(1000, 10);
        };
    }

    public Shared shared() {
        return switch (this) {
            case RULES_2017 -> new Shared(false, 4);
            case RULES_2018 -> new Shared(true, 4);
            case RULES_2020, RULES_2024 -> new Shared(true, 25);
        };
    }

    /**
     * A new container with manual throughput for several ranges has so many of them that none has
     * more than this; empty where it has no more of them than it needs.
     */
    public OptionalInt newRangeMaxThroughput() {
        return switch (this) {
            case RULES_2017, RULES_2018, RULES_2020 -> OptionalInt.empty();
            case RULES_2024 -> OptionalInt.of(6000);
        };
    }

    /** The add-on of 2017 that was gone in 2018. */
    public boolean hasThroughputPerMinute() {
        return this == RULES_2017;
    }
}
