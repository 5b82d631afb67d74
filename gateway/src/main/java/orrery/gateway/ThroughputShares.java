package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import orrery.gateway.api.Redistribution;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;

/**
 * Works out what each range of a container has of its throughput. The sum stays what it is; no
 * range gets more than one delivers, and none less than it needs to answer at all.
 */
final class ThroughputShares {
    /** Less than this is rounding, not a wish. */
    private static final double TOLERANCE_RU = 0.01;

    private final PartitionMap map;
    private final int throughput;
    private final int most;

    /**
     * @param most RU/s that one range may have
     */
    ThroughputShares(PartitionMap map, int throughput, int most) {
        this.map = map;
        this.throughput = throughput;
        this.most = most;
    }

    /** Fractions for the map; none where each range has the same. */
    List<Double> of(Redistribution wanted) {
        return switch (wanted) {
            case Redistribution.Equal _ -> List.of();
            case Redistribution.Custom custom -> {
                checkRanges(custom);
                custom.targets().forEach(this::checkTarget);
                yield fractions(custom);
            }
        };
    }

    private void checkRanges(Redistribution.Custom custom) {
        if (custom.targets().isEmpty()) {
            throw bad("Say which ranges are to have how many RU/s.");
        }
        for (Map<Integer, Integer> named : List.of(custom.targets(), custom.sources())) {
            for (int range : named.keySet()) {
                if (map.find(range).isEmpty()) {
                    throw bad(
                            "The container has no range "
                                    + range
                                    + ". List its ranges with 'orrery partitions'.");
                }
            }
        }
        for (int range : custom.sources().keySet()) {
            if (custom.targets().containsKey(range)) {
                throw bad("Range " + range + " cannot both get a throughput and give some.");
            }
        }
    }

    private void checkTarget(int range, int ru) {
        if (ru > most || ru < least()) {
            throw bad(
                    "Range "
                            + range
                            + " cannot have "
                            + ru
                            + " RU/s: a range has between "
                            + text(least())
                            + " and "
                            + most
                            + " of them.");
        }
    }

    /** A container with little for each range has less than the least to give to any. */
    private double least() {
        return Math.min(Redistribution.LEAST_RU, (double) throughput / map.partitions().size());
    }

    private List<Double> fractions(Redistribution.Custom custom) {
        List<PhysicalPartition> givers =
                map.partitions().stream()
                        .filter(
                                partition ->
                                        custom.sources().isEmpty()
                                                ? !custom.targets().containsKey(partition.range())
                                                : custom.sources().containsKey(partition.range()))
                        .toList();
        // The targets' gain is taken from the sources.
        double change =
                custom.targets().entrySet().stream()
                        .mapToDouble(
                                target ->
                                        ru(map.find(target.getKey()).orElseThrow())
                                                - target.getValue())
                        .sum();
        ToDoubleFunction<PhysicalPartition> room =
                change < 0
                        ? giver -> ru(giver) - floor(custom, giver)
                        : giver -> Math.max(0, most - ru(giver));
        double roomOfAll = givers.stream().mapToDouble(room).sum();
        if (Math.abs(change) > roomOfAll + TOLERANCE_RU) {
            throw change < 0 ? tooMuch(-change, roomOfAll) : tooLittle(change, roomOfAll);
        }
        List<Double> fractions = new ArrayList<>();
        for (PhysicalPartition partition : map.partitions()) {
            double ru;
            if (custom.targets().containsKey(partition.range())) {
                ru = custom.targets().getOrDefault(partition.range(), 0);
            } else if (givers.contains(partition) && roomOfAll > 0) {
                ru = ru(partition) + change * room.applyAsDouble(partition) / roomOfAll;
            } else {
                ru = ru(partition);
            }
            fractions.add(ru / throughput);
        }
        return fractions;
    }

    private double floor(Redistribution.Custom custom, PhysicalPartition giver) {
        double keeps =
                Math.max(
                        least(),
                        custom.sources().getOrDefault(giver.range(), Redistribution.LEAST_RU));
        return Math.min(ru(giver), keeps);
    }

    private double ru(PhysicalPartition partition) {
        return throughput * map.fraction(partition);
    }

    private static OrreryException tooMuch(double wanted, double available) {
        return bad(
                "The ranges ask for "
                        + text(wanted)
                        + " RU/s more than they have, and the others have only "
                        + text(available)
                        + " to give. Ask for less, let more ranges give, or raise the throughput of"
                        + " the container.");
    }

    private static OrreryException tooLittle(double left, double room) {
        return bad(
                "The ranges leave "
                        + text(left)
                        + " RU/s of what they have, and the others can take only "
                        + text(room)
                        + ". The throughput of the container stays what it is: set it lower instead.");
    }

    private static String text(double ru) {
        return Long.toString(Math.round(ru));
    }

    private static OrreryException bad(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }
}
