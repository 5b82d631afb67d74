package orrery.server.client;

import java.util.List;
import java.util.Map;
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
                    map.objects("partitions").stream()
                            .filter(each -> each.integers("parents").contains((long) range))
                            .findFirst()
                            .map(MergeCommand::describe)
                            .orElse("Range " + range + " is merged."));
        }
        return ExitCode.OK;
    }

    /** The last two of the ancestors are the parents. */
    private static String describe(Answer merged) {
        List<Long> parents = merged.integers("parents");
        int count = parents.size();
        return "Ranges "
                + parents.get(count - 2)
                + " and "
                + parents.get(count - 1)
                + " are now "
                + merged.integer("id")
                + ".";
    }
}
