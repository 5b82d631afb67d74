package orrery.server;

import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import orrery.frontend.http.Natives;
import orrery.server.client.ClientException;
import orrery.server.client.CreateCommand;
import orrery.server.client.DeleteCommand;
import orrery.server.client.ExitCode;
import orrery.server.client.LabCommand;
import orrery.server.client.LsCommand;
import orrery.server.client.MergeCommand;
import orrery.server.client.PartitionsCommand;
import orrery.server.client.QueryCommand;
import orrery.server.client.RepairCommand;
import orrery.server.client.ShowCommand;
import orrery.server.client.SplitCommand;
import orrery.server.client.StandardOutput;
import orrery.server.client.ThroughputCommand;
import orrery.server.client.sample.SampleCommand;
import orrery.server.client.transfer.ExportCommand;
import orrery.server.client.transfer.ImportCommand;
import orrery.server.completion.CompletionCommand;
import orrery.server.tls.TlsException;
import orrery.storage.StoreFailure;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ScopeType;

/** The command {@code orrery}: server and client in one. */
@Command(
        name = "orrery",
        description = "An open, self-hosted database that speaks the Cosmos DB APIs.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Main.Version.class,
        sortOptions = false)
public final class Main {
    private static final List<Class<?>> COMMANDS =
            List.of(
                    StartCommand.class,
                    StopCommand.class,
                    StatusCommand.class,
                    AccountCommand.class,
                    CertCommand.class,
                    KeysCommand.class,
                    CheckCommand.class,
                    EstimateCommand.class,
                    CreateCommand.class,
                    DeleteCommand.class,
                    LsCommand.class,
                    ShowCommand.class,
                    ImportCommand.class,
                    ExportCommand.class,
                    QueryCommand.class,
                    PartitionsCommand.class,
                    ThroughputCommand.class,
                    SplitCommand.class,
                    MergeCommand.class,
                    RepairCommand.class,
                    SampleCommand.class,
                    LabCommand.class,
                    CompletionCommand.class,
                    TrainCommand.class,
                    PrepareCommand.class,
                    HelpPages.class);

    private static final String START = "start";
    private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";

    /** Queries that compute for long have as many carriers as there are processors, not these. */
    private static final int SPARE_CARRIERS = 4;

    public static void main(String[] arguments) {
        // Read by the JDK when the first virtual thread starts.
        if (System.getProperty(CARRIERS) == null) {
            int processors = Runtime.getRuntime().availableProcessors();
            System.setProperty(CARRIERS, Integer.toString(processors + SPARE_CARRIERS));
        }
        System.setProperty(
                "java.util.logging.SimpleFormatter.format", "%1$tFT%1$tT.%1$tL %4$s %5$s%6$s%n");
        if (arguments.length > 0 && arguments[0].equals(START)) {
            // Takes as long as all else that a start does, so it begins before the options are
            // read.
            Thread.ofPlatform().daemon().name("load-natives").start(Main::loadNatives);
        }
        CommandLine commandLine = commandLine(arguments);
        commandLine.setOut(StandardOutput.open());
        System.exit(commandLine.execute(arguments));
    }

    private static void loadNatives() {
        // SLF4J is there for TinkerPop; Netty would load it at each start.
        InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
        var _ = Natives.detect();
    }

    /** Knows only the command that is asked for: to read all of them would delay every start. */
    static CommandLine commandLine(String... arguments) {
        CommandLine commandLine = new CommandLine(new Main());
        // Completion is about all of them.
        Optional<Class<?>> asked =
                Stream.of(arguments)
                        .limit(1)
                        .flatMap(Main::commandOf)
                        .filter(type -> type != CompletionCommand.class)
                        .findFirst();
        asked.map(List::<Class<?>>of).orElse(COMMANDS).forEach(commandLine::addSubcommand);
        commandLine.setExecutionExceptionHandler(Main::explain);
        commandLine.setParameterExceptionHandler(UsageErrors::explain);
        // An argument such as @policy.json is a file for the option before it, not of options.
        commandLine.setExpandAtFiles(false);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        HelpLayout.install(commandLine);
        return commandLine;
    }

    private static Stream<Class<?>> commandOf(String name) {
        return COMMANDS.stream()
                .filter(
                        type ->
                                Objects.requireNonNull(type.getAnnotation(Command.class))
                                        .name()
                                        .equals(name));
    }

    /** An error that a person can act on is one sentence; only a bug of ours shows a stack. */
    private static int explain(
            Exception failure, CommandLine commandLine, CommandLine.ParseResult parsed)
            throws Exception {
        boolean explained =
                failure instanceof StartupException
                        || failure instanceof ClientException
                        || failure instanceof TlsException
                        || failure instanceof StoreFailure;
        if (!explained) {
            throw failure;
        }
        commandLine.getErr().println("orrery: " + failure.getMessage());
        return failure instanceof StartupException ours ? ours.exitCode() : ExitCode.REFUSED;
    }

    static String version() {
        try (InputStream file = Main.class.getResourceAsStream("version.txt")) {
            return file == null
                    ? "unknown"
                    : new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"Orrery " + version()};
        }
    }
}
