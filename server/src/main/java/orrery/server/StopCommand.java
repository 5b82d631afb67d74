package orrery.server;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import orrery.server.client.Hint;
import orrery.server.client.OutputOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Stops the server of a data directory. */
@Command(
        name = "stop",
        header = "Stops the server of a data directory.",
        description = {
            "Stops the server of a data directory, in the background or not, and returns when it has"
                    + " ended. Requests that it has begun are answered first.",
            "With --output json it prints the process that has ended, or {} if none ran.",
            "Exit code 0 when no server runs any more, also if none did; 1 when it does not end or is"
                    + " not a process of this machine."
        })
final class StopCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = Hint.DEFAULT_DATA,
            description = "The data directory (default: ${DEFAULT-VALUE}).")
    private Path data;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "Wait so long for it to end (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(
            names = "--force",
            description = {
                "Kill it if it has not ended by then. Nothing that it acknowledged is lost, as after",
                "a crash."
            })
    private boolean force;

    @Mixin private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws InterruptedException {
        if (seconds < 0) {
            throw new ParameterException(spec.commandLine(), "--timeout must be 0 or more.");
        }
        DataDirectory.expect(data);
        PrintWriter out = spec.commandLine().getOut();
        if (!DataDirectory.isInUse(data)) {
            out.println(output.isJson() ? "{}" : "No server runs in " + data + ".");
            out.flush();
            return 0;
        }
        ProcessHandle server =
                RunFile.read(data)
                        .flatMap(RunFile::process)
                        .filter(process -> !process.equals(ProcessHandle.current()))
                        .orElseThrow(
                                () ->
                                        new StartupException(
                                                "The server of "
                                                        + data
                                                        + " is not a process that can be seen from"
                                                        + " here: stop it where it was started."));
        // Windows knows no signal that asks; there it ends as after a crash.
        boolean asked = server.destroy();
        if (!asked && server.isAlive()) {
            throw new StartupException(
                    "The process " + server.pid() + " may not be stopped by this user.");
        }
        if (!hasEnded(server) && force) {
            boolean killed = server.destroyForcibly();
            if (!killed && server.isAlive()) {
                throw new StartupException(
                        "The process " + server.pid() + " may not be killed by this user.");
            }
        }
        if (!hasEnded(server)) {
            throw new StartupException(
                    "The server, process "
                            + server.pid()
                            + ", has not ended after "
                            + seconds
                            + " seconds. Wait, or kill it with --force: nothing that it acknowledged"
                            + " is lost.");
        }
        out.println(
                output.isJson()
                        ? "{\"pid\":" + server.pid() + "}"
                        : "The server, process " + server.pid() + ", has ended.");
        out.flush();
        return 0;
    }

    private boolean hasEnded(ProcessHandle server) throws InterruptedException {
        try {
            server.onExit().get(seconds, TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException stillThere) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
