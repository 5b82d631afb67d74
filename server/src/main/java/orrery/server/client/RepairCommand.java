package orrery.server.client;

import java.util.Map;
import orrery.document.Value;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lets a failed partition take writes again. */
@Command(
        name = "repair",
        header = "Lets a failed physical partition take writes again.",
        description = {
            "Lets a physical partition that has failed take writes again. A partition fails when a"
                    + " command cannot be applied to it; `orrery partitions` says why. Nothing of that"
                    + " command was carried out. One of a client is not carried out later either;"
                    + " work of the server itself, such as a change of the index, is tried again.",
            "Exit code 0 when it is done, 1 when the server refuses or does not answer, 2 when an"
                    + " option is wrong.",
            "Example: orrery repair food/items 1"
        })
public final class RepairCommand extends ServerCommand {
    @Parameters(
            index = "0",
            paramLabel = "DB/CONTAINER",
            converter = Place.OfContainer.class,
            description = "The container.")
    private Place place;

    @Parameters(
            index = "1",
            paramLabel = "RANGE",
            description = "The id of the range, from `orrery partitions`.")
    private int range;

    @Override
    public Integer call() {
        try (SqlClient connection = open()) {
            Answer answer =
                    connection
                            .operator()
                            .post(
                                    place,
                                    "repair",
                                    new Value.Obj(Map.of("range", Value.of((long) range))));
            print(answer.json(), "Range " + range + " takes writes again.");
        }
        return ExitCode.OK;
    }
}
