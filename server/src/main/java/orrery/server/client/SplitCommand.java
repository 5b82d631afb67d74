package orrery.server.client;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Splits a physical partition on command. */
@Command(
        name = "split",
        header = "Splits a physical partition of a container in two.",
        description = {
            "Splits a physical partition of a container in two, while requests go on. The cut is"
                    + " where its halves are about equal.",
            "Exit code 0 when it is done, 1 when the server refuses or does not answer, 2 when an"
                    + " option is wrong.",
            "Example: orrery split food/items"
        })
public final class SplitCommand extends ServerCommand {
    @Parameters(
            index = "0",
            paramLabel = "DB/CONTAINER",
            converter = Place.OfContainer.class,
            description = "The container.")
    private Place place;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "RANGE",
            description = "The id of the range, from `orrery partitions` (default: the largest).")
    private @Nullable Integer range;

    @Override
    public Integer call() {
        try (SqlClient connection = open()) {
            OperatorClient client = connection.operator();
            long target = range == null ? largest(client) : range;
            Answer map =
                    client.post(place, "split", new Value.Obj(Map.of("range", Value.of(target))));
            print(map.json(), "Range " + target + " is now " + heirs(map, target) + ".");
        }
        return ExitCode.OK;
    }

    private long largest(OperatorClient client) {
        return client.partitions(place, 0).objects("partitions").stream()
                .max(Comparator.comparingLong(PartitionsView::bytes))
                .map(partition -> partition.integer("id"))
                .orElseThrow(() -> new ClientException(place + " has no partitions."));
    }

    private static String heirs(Answer map, long range) {
        List<Answer> partitions = map.objects("partitions");
        return partitions.stream()
                .filter(partition -> partition.integers("parents").contains(range))
                .map(partition -> Long.toString(partition.integer("id")))
                .collect(Collectors.joining(" and "));
    }
}
