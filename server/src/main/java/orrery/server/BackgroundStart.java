package orrery.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.logging.FileHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.regex.Pattern;
import orrery.server.client.Hint;
import orrery.storage.files.PrivateFiles;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Starts a server in a process of its own that goes on when this one and its terminal are gone. The
 * process is this JVM's command line again, and a property tells it where it is.
 */
final class BackgroundStart {
    /** Set in the process of the server, which has the same flags and keeps its own log. */
    private static final String PROPERTY = "orrery.background";

    private static final String LOG_FILES = "orrery.%g.log";
    private static final int LOG_BYTES = 10 << 20;
    private static final int LOG_COUNT = 5;
    private static final int LOOK_MILLIS = 50;

    private static final Pattern LAST_LINE =
            Pattern.compile("(?m)^" + StartCommand.LAST_LINE + ".*\\R");

    /**
     * A closed terminal and Ctrl-C in it are for others; a JVM leaves signals ignored that it finds
     * ignored. Its files are nobody else's business, whatever the shell of the user says.
     */
    private static final String DETACH = "trap '' HUP INT; umask 077; exec \"$@\"";

    private final CommandSpec spec;
    private final Path data;

    private BackgroundStart(CommandSpec spec, Path data) {
        this.spec = spec;
        this.data = data;
    }

    static BackgroundStart of(CommandSpec spec, NodeConfig config) {
        return new BackgroundStart(spec, config.data().orElseThrow());
    }

    /** Returns true in the process of the server. */
    static boolean isInside() {
        return Boolean.getBoolean(PROPERTY);
    }

    private static Path log(Path data) {
        return data.resolve("log");
    }

    int run() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try {
            Path said = Files.createTempFile("orrery-start-", ".txt");
            try {
                Process server =
                        new ProcessBuilder(command())
                                .redirectInput(ProcessBuilder.Redirect.PIPE)
                                .redirectErrorStream(true)
                                .redirectOutput(said.toFile())
                                .start();
                server.getOutputStream().close();
                boolean isReady = awaitReady(server, said);
                String text = read(said);
                if (!isReady) {
                    spec.commandLine().getErr().print(text);
                    spec.commandLine().getErr().flush();
                    return 1;
                }
                out.print(text);
                out.println(
                        "In the background: pid "
                                + server.pid()
                                + ", log "
                                + log(data).toAbsolutePath().normalize().resolve("orrery.0.log")
                                + ", stop with "
                                + Hint.of("stop", data));
                out.flush();
                return 0;
            } finally {
                deleteIfPossible(said);
            }
        } catch (IOException e) {
            throw new StartupException(
                    "The server cannot be started in the background: " + DataDirectory.reason(e),
                    e);
        }
    }

    /** Waits as long as the server takes; recovery after a crash may take long. */
    private static boolean awaitReady(Process server, Path said)
            throws IOException, InterruptedException {
        while (!server.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            if (LAST_LINE.matcher(read(said)).find()) {
                return true;
            }
        }
        return false;
    }

    /** Reads what is there, which may end within a character. */
    private static String read(Path said) throws IOException {
        return new String(
                Files.readAllBytes(said),
                Charset.forName(System.getProperty("native.encoding", "UTF-8")));
    }

    private static void deleteIfPossible(Path said) throws IOException {
        try {
            Files.deleteIfExists(said);
        } catch (AccessDeniedException stillOpen) {
            // Windows lets nobody delete what the server has open.
            said.toFile().deleteOnExit();
        }
    }

    private List<String> command() {
        boolean isWindows =
                System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
        List<String> command = new ArrayList<>();
        if (!isWindows) {
            command.addAll(List.of("/bin/sh", "-c", DETACH, "orrery"));
        }
        // javaw has no console that could be closed.
        command.add(
                Path.of(System.getProperty("java.home"), "bin", isWindows ? "javaw" : "java")
                        .toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-D" + PROPERTY + "=true");
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(Main.class.getName());
        command.addAll(spec.root().commandLine().getParseResult().originalArgs());
        return command;
    }

    /** In the process of the server: from now on its log is in files, of which the oldest go. */
    static void detachLog(NodeConfig config) {
        Optional<Path> data = config.data().filter(_ -> isInside());
        if (data.isEmpty()) {
            return;
        }
        try {
            Path directory = PrivateFiles.directory(log(data.get()));
            FileHandler files =
                    new FileHandler(
                            directory.toString().replace("%", "%%") + "/" + LOG_FILES,
                            LOG_BYTES,
                            LOG_COUNT,
                            true);
            files.setEncoding(StandardCharsets.UTF_8.name());
            files.setFormatter(new SimpleFormatter());
            Logger root = Logger.getLogger("");
            for (Handler console : root.getHandlers()) {
                root.removeHandler(console);
            }
            root.addHandler(files);
            root.info("Orrery " + Main.version() + ", process " + ProcessHandle.current().pid());
            Thread.setDefaultUncaughtExceptionHandler(
                    (thread, failure) ->
                            root.log(Level.SEVERE, "thread " + thread.getName(), failure));
        } catch (IOException e) {
            throw new StartupException(
                    "The log cannot be written to "
                            + log(data.get())
                            + ": "
                            + DataDirectory.reason(e),
                    e);
        }
    }
}
