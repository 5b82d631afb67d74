package orrery.server.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import orrery.document.Value;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Gives some physical partitions more of a container's throughput than others. */
@Command(
        name = "redistribute",
        header = "Gives some physical partitions more of the throughput than others.",
        description = {
            "Divides the throughput of a container over its physical partitions, for keys that are"
                    + " known to be hot. Ranges named with --to get that many RU/s; the others give"
                    + " what these need, in proportion to what they can spare. The throughput of the"
                    + " container stays what it is.",
            "A range has at least 100 RU/s, or its equal part where that is less, and at most what"
                    + " one partition delivers. A split divides the part of its range, a merge adds"
                    + " two; more throughput than the ranges deliver makes all parts equal again.",
            "Exit code 0 when it is done, 1 when the server refuses or does not answer, 2 when an"
                    + " option is wrong.",
            "Example: orrery throughput redistribute food/items --to 1=6000"
        })
final class RedistributeCommand extends ServerCommand {
    /**
     * The throughput that a range keeps if it is named without a number; the server has the same
     * number.
     */
    private static final String LEAST = "100";

    @ArgGroup(exclusive = true, multiplicity = "1")
    private Wanted wanted = new Wanted();

    @Parameters(
            paramLabel = "DB/CONTAINER",
            converter = Place.OfContainer.class,
            description = "The container.")
    private Place place;

    /** Exactly one of them. */
    static final class Wanted {
        @Option(
                names = "--equal",
                required = true,
                description = "Give every range the same again.")
        private boolean equal;

        @ArgGroup(exclusive = false)
        private Parts parts = new Parts();
    }

    /** The partitions that gain throughput and those that lose it. */
    static final class Parts {
        @Option(
                names = "--to",
                paramLabel = "RANGE=RU",
                required = true,
                description = "How many RU/s a range is to have. May be repeated.")
        private Map<Integer, Integer> targets = new TreeMap<>();

        @Option(
                names = "--from",
                paramLabel = "RANGE[=RU]",
                mapFallbackValue = LEAST,
                description = {
                    "A range that gives, and how many RU/s it keeps at least (default: "
                            + LEAST
                            + "). May be repeated.",
                    "Without --from all other ranges give."
                })
        private Map<Integer, Integer> sources = new TreeMap<>();
    }

    @Override
    public Integer call() {
        try (SqlClient client = open()) {
            Answer answer = client.operator().post(place, "redistribute", body());
            print(
                    answer.json(),
                    answer.objects("partitions").stream()
                            .map(RedistributeCommand::describe)
                            .collect(Collectors.joining(System.lineSeparator())));
        }
        return ExitCode.OK;
    }

    private static String describe(Answer partition) {
        return "Range "
                + partition.integer("id")
                + " has "
                + number(partition.number("ru"))
                + " RU/s.";
    }

    private Value body() {
        if (wanted.equal) {
            return new Value.Obj(Map.of("equal", Value.of(true)));
        }
        return new Value.Obj(
                Map.of(
                        "targets",
                        ranges(wanted.parts.targets, "ru"),
                        "sources",
                        ranges(wanted.parts.sources, "atLeast")));
    }

    private static Value ranges(Map<Integer, Integer> amounts, String name) {
        List<Value> ranges = new ArrayList<>();
        amounts.forEach(
                (range, amount) ->
                        ranges.add(
                                new Value.Obj(
                                        Map.of(
                                                "range",
                                                Value.of((long) range),
                                                name,
                                                Value.of((long) amount)))));
        return new Value.Array(ranges);
    }

    private static String number(double ru) {
        return ru == Math.rint(ru) ? Long.toString((long) ru) : Double.toString(ru);
    }
}
