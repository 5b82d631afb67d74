package orrery.server;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import orrery.model.security.AccountKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes and shows the account keys of a data directory. */
@Command(
        name = "keys",
        header = "Makes and shows account keys of your own.",
        description = {
            "Makes and shows account keys of your own.",
            "With them the server may listen beyond loopback, and the well-known key is off."
        })
final class KeysCommand {
    @Spec private CommandSpec spec;

    @Command(
            name = "new",
            description = {
                "Makes four new keys: two for reading and writing, two for reading only.",
                "Keys that were there stop working with the next start."
            })
    int create(
            @Option(
                            names = "--data",
                            paramLabel = "DIR",
                            defaultValue = "orrery-data",
                            description = "The data directory (default: ${DEFAULT-VALUE}).")
                    Path data) {
        print(KeyFile.create(data, new SecureRandom()));
        return 0;
    }

    @Command(name = "show", description = "Prints the keys.")
    int show(
            @Option(
                            names = "--data",
                            paramLabel = "DIR",
                            defaultValue = "orrery-data",
                            description = "The data directory (default: ${DEFAULT-VALUE}).")
                    Path data) {
        print(
                KeyFile.load(data)
                        .orElseThrow(
                                () ->
                                        new StartupException(
                                                "There are no keys in "
                                                        + data
                                                        + ": the server uses the well-known key on"
                                                        + " loopback. Make keys with `orrery keys"
                                                        + " new`.")));
        return 0;
    }

    private void print(AccountKeys keys) {
        PrintWriter out = spec.commandLine().getOut();
        out.println("primary              " + keys.primary());
        out.println("secondary            " + keys.secondary());
        out.println("primary read-only    " + keys.primaryReadOnly());
        out.println("secondary read-only  " + keys.secondaryReadOnly());
        out.flush();
    }
}
