package orrery.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import orrery.server.client.AccountClient;
import orrery.server.client.Hint;
import orrery.server.client.ServerOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that name the account of a command: by its data directory, or by its server. */
final class AccountSource {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = Hint.DEFAULT_DATA,
            description = {
                "The data directory (default: ${DEFAULT-VALUE}, where no server is named). If a server uses"
                        + " it, the command asks that server, and needs no key: who can read the"
                        + " directory owns the data."
            })
    private Path data;

    @Mixin private final ServerOptions server = new ServerOptions();

    AccountAccess open() {
        return open(StoppedAccount::open);
    }

    /** The same, and makes a data directory that is not there. */
    AccountAccess openOrMake() {
        return open(StoppedAccount::openOrMake);
    }

    private AccountAccess open(Function<Path, StoppedAccount> stopped) {
        boolean isDataNamed = spec.commandLine().getParseResult().hasMatchedOption("--data");
        if (server.isNamed()) {
            if (isDataNamed) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--data and --endpoint both name an account: give one of them.");
            }
            return new RunningAccount(server.openAccount());
        }
        // The environment counts less than an option, and more than what holds where none is given.
        if (!isDataNamed && server.isOfEnvironment()) {
            return new RunningAccount(server.openAccount());
        }
        if (!Files.isDirectory(data) || !DataDirectory.isInUse(data)) {
            return stopped.apply(data);
        }
        RunFile run = RunFile.read(data).orElseThrow(() -> silent(data));
        return new RunningAccount(
                AccountClient.of(run.local().orElseThrow(() -> silent(data)), run.operatorKey()));
    }

    /** Returns a command about the same account, to paste. */
    String hint(String words) {
        return server.isNamed()
                ? Hint.of(words + " --endpoint " + server.endpoint())
                : Hint.of(words, data);
    }

    private static StartupException silent(Path data) {
        return new StartupException(
                "A server is starting or stopping in "
                        + data
                        + ", or another command uses it. Try again in a moment.");
    }
}
