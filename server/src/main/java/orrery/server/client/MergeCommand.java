package orrery.server.client;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Merges two neighbours on command. */
@Command(
        name = "merge",
        header = "Merges a physical partition with its right neighbour.",
        description = {
            "Merges a physical partition of a container with its right neighbour, while requests go"
                    + " on.",
            "Exit code 0 when it is done, 1 when the server refuses or does not answer, 2 when an"
                    + " option is wrong.",
            "Example: orrery merge food/items 1"
        })
public final class MergeCommand extends ServerCommand {
    @Parameters(
            index = "0",
            paramLabel = "DB/CONTAINER",
            converter = Place.OfContainer.class,
            description = "The container.")
    private Place place;

    @Parameters(
            index = "1",
            paramLabel = "RANGE",
            description = "The id of the left one, from `orrery partitions`.")
    private int range;

    @Override
    public Integer call() {
        try (SqlClient connection = open()) {
            OperatorClient client = connection.operator();
            Answer map =
                    client.post(
                            place, "merge", new Value.Obj(Map.of("range", Value.of((long) range))));
            print(
                    map.json(),
                    merge(client)
                            .map(MergeCommand::describe)
                            .orElse("Range " + range + " is merged."));
        }
        return ExitCode.OK;
    }

    /** Finds it among the events: a range has all its ancestors as parents, in no such order. */
    private Optional<Answer> merge(OperatorClient client) {
        return client.partitions(place, 0).objects("events").stream()
                .filter(event -> event.integers("after").size() == 1)
                .filter(event -> event.integers("before").contains((long) range))
                .findFirst();
    }

    private static String describe(Answer merge) {
        List<Long> before = merge.integers("before");
        return "Ranges %d and %d are now %d."
                .formatted(before.getFirst(), before.getLast(), merge.integers("after").getFirst());
    }
}
