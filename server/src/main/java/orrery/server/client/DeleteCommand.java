package orrery.server.client;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes a database or a container. */
@Command(
        name = "delete",
        header = "Deletes a database or a container with all that is in it.",
        description = {
            "Deletes a database or a container with all that is in it. On a terminal it asks first;"
                    + " elsewhere it needs --yes.",
            "Exit code 0, 1 when the answer is no or the server refuses or does not answer, 2 when"
                    + " an option is wrong.",
            "Example: orrery delete food/items --yes"
        })
public final class DeleteCommand extends ServerCommand {
    private final Optional<Terminal> terminal;

    @Parameters(
            paramLabel = "DB[/CONTAINER]",
            converter = Place.OfEither.class,
            description = "What to delete.")
    private Place place;

    @Option(
            names = {"--yes", "-y"},
            description = "Do not ask.")
    private boolean yes;

    public DeleteCommand() {
        this(Terminal.ofProcess());
    }

    DeleteCommand(Optional<Terminal> terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (!yes) {
            confirm();
        }
        try (SqlClient client = open()) {
            client.delete(place);
            Map<String, Value> json = new LinkedHashMap<>();
            json.put("database", Value.of(place.database()));
            place.container().ifPresent(name -> json.put("container", Value.of(name)));
            json.put("deleted", Value.of(true));
            print(new Value.Obj(json), place + " is deleted.");
        }
        return ExitCode.OK;
    }

    private void confirm() {
        Terminal person =
                terminal.orElseThrow(
                        () ->
                                usage(
                                        "Nobody is there to ask. Pass --yes to delete "
                                                + place
                                                + " with all that is in it."));
        String answer = person.ask("Delete " + place + " with all that is in it? (y/N) ").strip();
        if (!answer.equalsIgnoreCase("y") && !answer.equalsIgnoreCase("yes")) {
            throw new ClientException("Nothing is deleted.");
        }
    }
}
