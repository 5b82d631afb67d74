package orrery.server;

import com.sun.management.OperatingSystemMXBean;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import orrery.frontend.http.WebOrigin;
import orrery.model.DataClock;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;
import orrery.server.client.Hint;
import orrery.server.client.NotEmpty;
import orrery.server.startup.StartupCache;
import orrery.server.startup.ThisDistribution;
import orrery.server.startup.ThisDistribution.Priority;
import orrery.storage.StoreOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the server until it is told to stop. */
@Command(
        name = "start",
        header = "Starts the server.",
        description = {
            "Starts the server and serves until it gets SIGTERM or Ctrl-C.",
            "When it is ready it prints a line with the endpoint, the connection string and the"
                    + " certificate to trust, one for the Table API, one for the MongoDB API, one for the Gremlin API,"
                    + " and one for the status page.",
            "Limits, storage sizes, throttling, quotas and consistency are settings of the account."
                    + " The first start keeps them with the data. A later start goes on with what is"
                    + " kept, and says which of its flags differ: `orrery account set` changes them."
        })
final class StartCommand implements Callable<Integer> {
    private static final int MEGABYTE = 1 << 20;

    private static final int USUAL_PORT = 8081;

    /** The one that the emulator has. */
    private static final int USUAL_TABLE_PORT = 8902;

    /** The one that the service has. */
    private static final int USUAL_MONGO_PORT = 10255;

    /** The one that the emulator has. */
    private static final int USUAL_GREMLIN_PORT = 8901;

    private static final int MAX_GREMLIN_SECONDS = 3600;

    /** How the last line begins that a start prints. */
    static final String LAST_LINE = "Status: ";

    private static final Path DEFAULT_DATA = Path.of(Hint.DEFAULT_DATA);

    /** Any machine that runs a server has so much, and nobody waits to learn of it. */
    private static final int SURELY_THERE_MEGABYTES = 512;

    @Spec private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where the data is kept (default: orrery-data).")
    private @Nullable Path data;

    @Option(names = "--ephemeral", description = "Keep nothing: all data ends with the server.")
    private boolean ephemeral;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            converter = NotEmpty.Address.class,
            description = {
                "Address to listen on (default: ${DEFAULT-VALUE}).",
                "Anything but loopback needs account keys of your own: see --new-keys and",
                "`orrery keys --help`."
            })
    private String host;

    @Option(
            names = "--new-keys",
            description = {
                "Make account keys of your own, if the account has none, and print them once. Later",
                "starts change nothing."
            })
    private boolean newKeys;

    @Option(
            names = "--emulator-key",
            description = {
                "Let other machines in with the well-known key of the emulator: everybody who reaches",
                "this machine may then use the data."
            })
    private boolean emulatorKey;

    @Option(
            names = "--background",
            description = {
                "Return when the server is ready, and leave it running. `orrery stop` stops it; its",
                "log is in the data directory."
            })
    private boolean background;

    @Option(
            names = "--log-requests",
            description = "Write a line for each request to the log, which is standard error.")
    private boolean logRequests;

    @Option(
            names = "--audit-log",
            paramLabel = "DIR",
            converter = NotEmpty.File.class,
            description = {
                "Where to keep the audit log: changes of anything but items, and requests that were",
                "refused (default: the directory audit in the data directory; with --ephemeral none)."
            })
    private @Nullable Path auditLog;

    @Option(names = "--no-audit-log", description = "Keep no audit log.")
    private boolean noAuditLog;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8081",
            description = {
                "Port of the SQL API, HTTPS and HTTP alike (default: ${DEFAULT-VALUE}).",
                "0 takes any free port."
            })
    private int port;

    @Option(
            names = "--status-port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description =
                    "Port of /alive, /ready, /status and /metrics (default: ${DEFAULT-VALUE}).")
    private int statusPort;

    @Option(
            names = "--table-port",
            paramLabel = "PORT",
            description = {
                "Port of the Table API, HTTP and HTTPS alike (default: 8902, or any free port where",
                "--port is not 8081). 0 takes any free port."
            })
    private @Nullable Integer tablePort;

    @Option(names = "--no-table-port", description = "Serve no Table API.")
    private boolean noTablePort;

    @Option(
            names = "--mongo-port",
            paramLabel = "PORT",
            description = {
                "Port of the MongoDB API, with TLS and without (default: 10255, or any free port",
                "where --port is not 8081). 0 takes any free port."
            })
    private @Nullable Integer mongoPort;

    @Option(names = "--no-mongo-port", description = "Serve no MongoDB API.")
    private boolean noMongoPort;

    @Option(
            names = "--mongo-no-auth",
            description = {
                "Let MongoDB clients in without a user and a key. Only for a server that listens on",
                "loopback."
            })
    private boolean mongoNoAuth;

    @Option(
            names = "--mongo-fail-points",
            description = {
                "Let MongoDB clients order failures with configureFailPoint, for tests of drivers."
            })
    private boolean mongoFailPoints;

    @Option(
            names = "--gremlin-port",
            paramLabel = "PORT",
            description = {
                "Port of the Gremlin API, ws and wss alike (default: 8901, or any other where --port is",
                "not 8081). 0 takes any port that is free."
            })
    private @Nullable Integer gremlinPort;

    @Option(names = "--no-gremlin-port", description = "Serve no Gremlin API.")
    private boolean noGremlinPort;

    @Option(
            names = "--gremlin-timeout",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = {
                "How long a traversal may take, 1 to 3600 (default: ${DEFAULT-VALUE}). Clients may ask",
                "for less."
            })
    private int gremlinTimeout;

    @Option(
            names = "--advertise",
            paramLabel = "URL",
            description = {
                "Endpoint to hand to clients. Without it they are given the scheme, host and port",
                "that their request came to."
            })
    private @Nullable String advertise;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            converter = NotEmpty.File.class,
            description = "Your own certificate chain (PEM) instead of one from Orrery's CA.")
    private @Nullable Path tlsCertificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            converter = NotEmpty.File.class,
            description = "The private key (PEM) of --tls-cert.")
    private @Nullable Path tlsKey;

    @Option(
            names = "--cors",
            paramLabel = "ORIGIN",
            split = ",",
            description = {
                "Origin whose pages in browsers may use the server, such as https://app.example;",
                "may be given several times or with commas. Pages of this machine (localhost) may",
                "always."
            })
    private List<String> cors = List.of();

    @Mixin private final AccountOptions account = new AccountOptions();

    @Option(
            names = "--cache-mb",
            paramLabel = "MB",
            defaultValue = "128",
            description = {
                "Memory for data read from disk (default: ${DEFAULT-VALUE}). Items that were read",
                "lately take up to half as much again, of the heap, and what was written lately",
                "up to 128 MB."
            })
    private int cacheMegabytes;

    @Option(
            names = "--disk-reserve",
            paramLabel = "SIZE",
            defaultValue = "256MB",
            converter = ByteSizeConverter.class,
            description = {
                "Of the disk, keep so much free (default: ${DEFAULT-VALUE}). Below it writes get 503",
                "and go on by themselves when there is space; deletes go on to half of it. 0KB: none."
            })
    private long diskReserve;

    @Override
    public Integer call() throws InterruptedException {
        NodeConfig config = config();
        if (background && !BackgroundStart.isInside()) {
            return BackgroundStart.of(spec, config).run();
        }
        OrreryServer server = OrreryServer.start(config);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("stop")
                                .unstarted(
                                        () -> {
                                            server.close();
                                            stopped.countDown();
                                        }));
        BackgroundStart.detachLog(config);
        announce(server, config.data());
        // When it is ready, so that nobody waits for it.
        ThisDistribution.startupCache(Priority.LOWEST, Clock.systemUTC())
                .ifPresent(StartupCache::trainInBackground);
        stopped.await();
        return 0;
    }

    private void announce(OrreryServer server, Optional<Path> kept) {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        account.change()
                .differencesFrom(server.settings(), kept)
                .forEach(sentence -> err.println("orrery: " + sentence));
        if (emulatorKey && !server.keys().includesWellKnownKey()) {
            err.println(
                    "orrery: --emulator-key does nothing here: this account has keys of its own.");
        }
        err.flush();
        server.madeKeys()
                .ifPresent(
                        keys -> {
                            out.println("Account keys, which are not shown again by a start:");
                            KeysCommand.print(out, keys, List.of(KeyKind.values()));
                        });
        out.println(readyLine(server, kept));
        server.tableEndpoint()
                .ifPresent(
                        tables ->
                                out.println(
                                        "Tables: endpoint "
                                                + tables
                                                + "  connection string "
                                                + tableConnectionString(
                                                        tables, shownKey(server.keys(), kept))));
        server.mongoEndpoint(shownKey(server.keys(), kept))
                .ifPresent(mongo -> out.println("MongoDB: connection string " + mongo));
        server.gremlinEndpoint()
                .ifPresent(
                        gremlin ->
                                out.println(
                                        "Gremlin: endpoint "
                                                + gremlin
                                                + "  user /dbs/<database>/colls/<graph>  password "
                                                + shownKey(server.keys(), kept)));
        out.println(LAST_LINE + "http://localhost:" + server.statusPort() + "/status");
        out.flush();
    }

    /** Returns the primary key if everybody knows it, and otherwise how to see the keys. */
    static String shownKey(AccountKeys keys, Optional<Path> kept) {
        return keys.primary().equals(AccountKeys.WELL_KNOWN_KEY) ? keys.primary() : hiddenKey(kept);
    }

    /** Stands where a key would, and says how to see it. */
    static String hiddenKey(Optional<Path> kept) {
        return "<see " + showKeys(kept) + ">";
    }

    /** Returns the connection string that clients of tables take, in the form of the emulator. */
    static String tableConnectionString(URI tables, String key) {
        return "DefaultEndpointsProtocol="
                + tables.getScheme()
                + ";AccountName=localhost;AccountKey="
                + key
                + ";TableEndpoint="
                + tables
                + ";";
    }

    private static String readyLine(OrreryServer server, Optional<Path> kept) {
        return "Orrery is ready: endpoint "
                + server.endpoint()
                + "  connection string AccountEndpoint="
                + server.endpoint()
                + ";AccountKey="
                + shownKey(server.keys(), kept)
                + ";  certificate "
                + server.certificate();
    }

    private static String showKeys(Optional<Path> kept) {
        String words = "keys show";
        return kept.map(path -> Hint.of(words, path)).orElseGet(() -> Hint.of(words));
    }

    /** Returns the configuration of a start with these options; a later one overrides. */
    static NodeConfig config(List<String> options) {
        StartCommand command = new StartCommand();
        try {
            new CommandLine(command)
                    .setOverwrittenOptionsAllowed(true)
                    .parseArgs(options.toArray(String[]::new));
            return command.config();
        } catch (ParameterException refused) {
            throw new StartupException(String.valueOf(refused.getMessage()), refused);
        }
    }

    private NodeConfig config() {
        checkPort("--port", port);
        checkPort("--status-port", statusPort);
        OptionalInt tables = tablePort();
        checkDistinct("--port", port, "--status-port", statusPort);
        tables.ifPresent(
                number -> {
                    checkPort("--table-port", number);
                    checkDistinct("--port", port, "--table-port", number);
                    checkDistinct("--status-port", statusPort, "--table-port", number);
                });
        OptionalInt mongo = mongoPort();
        mongo.ifPresent(
                number -> {
                    checkPort("--mongo-port", number);
                    checkDistinct("--port", port, "--mongo-port", number);
                    checkDistinct("--status-port", statusPort, "--mongo-port", number);
                    tables.ifPresent(
                            other -> checkDistinct("--table-port", other, "--mongo-port", number));
                });
        OptionalInt gremlin = gremlinPort();
        gremlin.ifPresent(
                number -> {
                    checkPort("--gremlin-port", number);
                    checkDistinct("--port", port, "--gremlin-port", number);
                    checkDistinct("--status-port", statusPort, "--gremlin-port", number);
                    tables.ifPresent(
                            other ->
                                    checkDistinct("--table-port", other, "--gremlin-port", number));
                    mongo.ifPresent(
                            other ->
                                    checkDistinct("--mongo-port", other, "--gremlin-port", number));
                });
        if (gremlinTimeout < 1 || gremlinTimeout > MAX_GREMLIN_SECONDS) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--gremlin-timeout must be between 1 and " + MAX_GREMLIN_SECONDS + ".");
        }
        if (mongoNoAuth && !FirstKeys.isLoopback(host)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--mongo-no-auth is only for a server that listens on loopback, and --host is "
                            + host
                            + ".");
        }
        if ((tlsCertificate == null) != (tlsKey == null)) {
            throw new ParameterException(
                    spec.commandLine(), "--tls-cert and --tls-key go together: give both.");
        }
        if (ephemeral && data != null) {
            throw new ParameterException(
                    spec.commandLine(), "--ephemeral keeps nothing, so --data has no meaning.");
        }
        if (ephemeral && background) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--background needs a data directory, by which "
                            + Hint.of("stop")
                            + " finds the server; --ephemeral has none.");
        }
        if (newKeys && emulatorKey) {
            throw new ParameterException(
                    spec.commandLine(), "--new-keys and --emulator-key exclude each other.");
        }
        if (auditLog != null && noAuditLog) {
            throw new ParameterException(
                    spec.commandLine(), "--audit-log and --no-audit-log exclude each other.");
        }
        if (cacheMegabytes < 8) {
            throw new ParameterException(spec.commandLine(), "--cache-mb must be at least 8.");
        }
        if (cacheMegabytes > SURELY_THERE_MEGABYTES && cacheMegabytes > megabytesOfMachine()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--cache-mb must be less than the memory of this machine, "
                            + megabytesOfMachine()
                            + " MB.");
        }
        return new NodeConfig(
                ephemeral ? Optional.empty() : Optional.of(data == null ? DEFAULT_DATA : data),
                host,
                port,
                statusPort,
                tables,
                new NodeConfig.Mongo(mongo, !mongoNoAuth, mongoFailPoints),
                new NodeConfig.Gremlin(gremlin, Duration.ofSeconds(gremlinTimeout)),
                Optional.ofNullable(advertise).map(this::endpoint),
                tlsCertificate == null || tlsKey == null
                        ? Optional.empty()
                        : Optional.of(new NodeConfig.CertificateFiles(tlsCertificate, tlsKey)),
                cors.stream().map(this::origin).collect(Collectors.toUnmodifiableSet()),
                account.settings(),
                new StoreOptions(
                        (long) cacheMegabytes * MEGABYTE, StoreOptions.DEFAULT.writeBufferBytes()),
                diskReserve,
                new NodeConfig.Access(emulatorKey, newKeys, logRequests, audit()),
                DataClock.SYSTEM);
    }

    private NodeConfig.Audit audit() {
        if (noAuditLog) {
            return NodeConfig.Audit.NONE;
        }
        return auditLog == null ? NodeConfig.Audit.USUAL : NodeConfig.Audit.in(auditLog);
    }

    private static long megabytesOfMachine() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize()
                / MEGABYTE;
    }

    private URI endpoint(String text) {
        try {
            URI uri = new URI(text);
            boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (isHttp && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Falls through to the sentence that says what is wanted.
        }
        throw new ParameterException(
                spec.commandLine(),
                "--advertise needs a whole URL such as https://orrery.example:8081/, not '"
                        + text
                        + "'.");
    }

    private WebOrigin origin(String text) {
        // Copied from an address bar it ends with a slash.
        String bare = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        return WebOrigin.parse(bare)
                .orElseThrow(
                        () ->
                                new ParameterException(
                                        spec.commandLine(),
                                        "--cors needs an origin such as https://app.example or"
                                                + " http://10.0.0.5:3000, not '"
                                                + text
                                                + "'."));
    }

    /** A user who moves the other port runs several servers, and they must not meet on this one. */
    private OptionalInt tablePort() {
        if (noTablePort && tablePort != null) {
            throw new ParameterException(
                    spec.commandLine(), "--table-port and --no-table-port exclude each other.");
        }
        if (noTablePort) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(
                tablePort != null ? tablePort : port == USUAL_PORT ? USUAL_TABLE_PORT : 0);
    }

    private OptionalInt mongoPort() {
        if (noMongoPort && mongoPort != null) {
            throw new ParameterException(
                    spec.commandLine(), "--mongo-port and --no-mongo-port exclude each other.");
        }
        if (noMongoPort) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(
                mongoPort != null ? mongoPort : port == USUAL_PORT ? USUAL_MONGO_PORT : 0);
    }

    private OptionalInt gremlinPort() {
        if (noGremlinPort && gremlinPort != null) {
            throw new ParameterException(
                    spec.commandLine(), "--gremlin-port and --no-gremlin-port exclude each other.");
        }
        if (noGremlinPort) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(
                gremlinPort != null ? gremlinPort : port == USUAL_PORT ? USUAL_GREMLIN_PORT : 0);
    }

    private void checkDistinct(String one, int port, String other, int otherPort) {
        if (port == otherPort && port != 0) {
            throw new ParameterException(
                    spec.commandLine(),
                    one + " and " + other + " are both " + port + ": they must differ.");
        }
    }

    private void checkPort(String option, int value) {
        if (value < 0 || value > 65535) {
            throw new ParameterException(
                    spec.commandLine(), option + " must be between 0 and 65535.");
        }
    }
}
