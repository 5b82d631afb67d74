package orrery.server;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.Supplier;
import orrery.cluster.ControlPlane;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.catalog.CatalogMachine;
import orrery.cluster.catalog.CatalogRequest;
import orrery.cluster.catalog.CatalogState;
import orrery.frontend.gremlin.GremlinConfig;
import orrery.frontend.gremlin.GremlinEndpoint;
import orrery.frontend.gremlin.GremlinServer;
import orrery.frontend.gremlin.auth.Logins;
import orrery.frontend.gremlin.socket.Upgrade;
import orrery.frontend.gremlin.traversal.ContainerGraphs;
import orrery.frontend.http.BrowserGate;
import orrery.frontend.http.BrowserGate.HostRule;
import orrery.frontend.http.ErrorRenderer;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpLimits;
import orrery.frontend.http.HttpServer;
import orrery.frontend.http.PageRules;
import orrery.frontend.http.Transport;
import orrery.frontend.mongo.CommandListener;
import orrery.frontend.mongo.MongoConfig;
import orrery.frontend.mongo.MongoEndpoint;
import orrery.frontend.mongo.MongoServer;
import orrery.frontend.mongo.auth.ScramAuthenticator;
import orrery.frontend.operator.OperatorEndpoint;
import orrery.frontend.rest.HttpRoot;
import orrery.frontend.rest.KeyAuthenticator;
import orrery.frontend.rest.KeyPolicy;
import orrery.frontend.sql.SqlConfig;
import orrery.frontend.sql.SqlEndpoint;
import orrery.frontend.table.CorsRules;
import orrery.frontend.table.TableConfig;
import orrery.frontend.table.TableEndpoint;
import orrery.frontend.table.TableKeys;
import orrery.gateway.Gateway;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.Throughput;
import orrery.model.memory.MemoryBudget;
import orrery.model.security.AccountKeys;
import orrery.partition.PartitionHost;
import orrery.partition.Replica;
import orrery.partition.machine.Command;
import orrery.replication.DiskReserve;
import orrery.replication.EntryLimits;
import orrery.replication.LocalLog;
import orrery.replication.ReservedLog;
import orrery.script.ScriptEngine;
import orrery.script.ScriptLimits;
import orrery.server.audit.AuditLog;
import orrery.storage.StoreFailure;
import orrery.storage.StoreOptions;
import orrery.storage.files.PrivateFiles;

/** A whole server: storage at the bottom, listeners on top, opened in that order. */
public final class OrreryServer implements AutoCloseable {
    private static final int SEALING_KEY_BYTES = 32;
    private static final Logger LOG = System.getLogger(OrreryServer.class.getName());
    private static final StoreOptions CATALOG_STORAGE = new StoreOptions(8L << 20, 8L << 20);
    private static final long MEGABYTE = 1 << 20;
    private static final String SQL_API = "sql";
    private static final String TABLE_API = "table";
    private static final String OPERATOR_API = "operator";
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

    /** The name of the account, where clients have to give one. */
    private static final String ACCOUNT = "localhost";

    /** Drivers keep connections, and the service closes those that nobody has used for so long. */
    private static final Duration MONGO_IDLE = Duration.ofMinutes(30);

    /** The service closes a connection of Gremlin without a request after this. */
    private static final Duration GREMLIN_IDLE = Duration.ofHours(1);

    /** Loading scripts takes both cores of a small machine for a second. */
    private static final Duration SCRIPTS_WAIT = Duration.ofSeconds(1);

    /** A request of the status port takes a thread of the platform, so few are let in. */
    private static final HttpLimits STATUS_LIMITS =
            HttpLimits.builder().maxConnections(64).maxRunningHandlers(8).build();

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final NodeConfig config;
    private final boolean isLoopback;
    private final ControlPlane catalog;
    private final Optional<AccountKeys> madeKeys;
    private final Path certificate;
    private final Gateway gateway;
    private final HttpServer sql;
    private final Optional<HttpServer> tables;
    private final Optional<MongoServer> mongo;
    private final Optional<GremlinServer> gremlin;
    private final HttpServer status;

    private OrreryServer(NodeConfig config) {
        this.config = config;
        this.isLoopback = FirstKeys.isLoopback(config.host());
        try {
            // Signatures and certificates go by the clock of the machine, as their clients do.
            Clock clock = Clock.systemUTC();
            SecureRandom random = new SecureRandom();
            DataDirectory data = keep(DataDirectory.open(config.data()));
            DiskReserve disk = keep(diskReserve(config, data));
            RunNotice run = keep(RunNotice.post(data.root(), random));
            Alongside<Tls> tls =
                    keep(Alongside.start("tls", () -> Tls.open(config, data.tls(), clock)));

            Stores stores = keep(Stores.open(data, CATALOG_STORAGE, config.storage()));
            CatalogState known = new CatalogMachine(stores.catalog()).state();
            int replicaSet = stores.expectHosted(known);
            Replica replica =
                    keep(
                            new Replica(
                                    stores.replicaSet(),
                                    machine ->
                                            new ReservedLog<>(
                                                    new LocalLog<>(
                                                            "set-" + replicaSet,
                                                            machine,
                                                            Command::sizeOf,
                                                            EntryLimits.DEFAULT),
                                                    disk,
                                                    Command::takesSpace,
                                                    Command::sizeOf)));
            refuseLosses(known, replica);
            stores.notesOfStart(random).forEach(Stores.Note::write);
            raiseLevel(replica);
            ScriptEngine scripts =
                    new ScriptEngine(
                            ScriptLimits.standard(Runtime.getRuntime().availableProcessors()));
            PartitionHost partitions =
                    keep(new PartitionHost(Map.of(replicaSet, replica), config.clock(), scripts));
            FirstStart first = FirstStart.of(data.root(), known);
            FirstKeys keys = FirstKeys.choose(config, data, known, first, random);
            first.begin(keys);
            this.catalog =
                    keep(
                            new ControlPlane(
                                    stores.catalog(),
                                    machine ->
                                            new ReservedLog<>(
                                                    new LocalLog<>(
                                                            "catalog",
                                                            machine,
                                                            CatalogRequest::sizeBytes,
                                                            ControlPlane.ENTRY_LIMITS),
                                                    disk,
                                                    CatalogRequest::takesSpace,
                                                    CatalogRequest::sizeBytes),
                                    partitions,
                                    randomBytes(random),
                                    config.account(),
                                    Optional.of(keys.keys()),
                                    config.clock(),
                                    random));
            this.madeKeys = keys.settle(catalog);
            first.settle(catalog, config.account());
            disk.started();
            DirectoryWatch watch = keep(data.watch(replicaSet, stores::refuseWrites).start());
            this.gateway =
                    new Gateway(
                            catalog,
                            partitions,
                            scripts,
                            random,
                            config.clock(),
                            config.clock()::nanoTime,
                            config.clock()::rest);

            this.certificate = tls.get().certificateToTrust();
            KeyAuthenticator holders = new KeyAuthenticator(this::keys, keyPolicy(), clock);
            KeyAuthenticator clients =
                    new KeyAuthenticator(this::keys, keyPolicy(), clock, gateway.tokens()::open);
            HttpRoot root = root(tls.get(), holders, clients, run.authenticator(clock), random);
            MemoryBudget memory =
                    MemoryBudget.ofHeap(
                            Runtime.getRuntime().maxMemory(),
                            config.storage().itemCacheBytes() + CATALOG_STORAGE.itemCacheBytes());
            Optional<AuditLog> audit = auditLog(data, clock);
            OpenFiles files = OpenFiles.read(OpenFiles.LIMITS);
            RequestCounts requests =
                    new RequestCounts(
                            gate(
                                    new FirstPage(
                                            root, this::endpoint, this::statusPort, this::keys),
                                    this::hostRule,
                                    SqlEndpoint.errors()),
                            root::api);
            this.sql =
                    keep(
                            listener(tls.get(), memory, watched(requests, root, audit, clock))
                                    .port(config.port())
                                    .errors(SqlEndpoint.errors())
                                    .limits(files.limits(3).build())
                                    .start());
            List<Supplier<Map<RequestCounts.Kind, Long>>> counted =
                    new ArrayList<>(List.of(requests::counts));
            if (config.tablePort().isPresent()) {
                HttpRoot tableRoot = tableRoot(tls.get(), clock);
                ErrorRenderer errors = TableEndpoint.errors(tableConfig(clock));
                RequestCounts ofTables =
                        new RequestCounts(
                                gate(
                                        tableRoot,
                                        this::hostRule,
                                        new CorsRules(gateway::corsRules, clock),
                                        errors),
                                tableRoot::api);
                counted.add(ofTables::counts);
                this.tables =
                        Optional.of(
                                keep(
                                        listener(
                                                        tls.get(),
                                                        memory,
                                                        watched(ofTables, tableRoot, audit, clock))
                                                .port(config.tablePort().getAsInt())
                                                .errors(errors)
                                                .limits(
                                                        files.limits(6)
                                                                .maxBodyBytes(
                                                                        TableEndpoint
                                                                                .MAX_BODY_BYTES)
                                                                .build())
                                                .start()));
            } else {
                this.tables = Optional.empty();
            }
            WatchedCommands commands =
                    new WatchedCommands(audit, config.access().logRequests(), clock);
            counted.add(commands::counts);
            this.mongo =
                    config.mongo().port().isPresent()
                            ? Optional.of(
                                    keep(mongo(tls.get(), memory, files, commands, clock, random)))
                            : Optional.empty();
            WatchedTraversals traversals =
                    new WatchedTraversals(audit, config.access().logRequests(), clock);
            counted.add(traversals::counts);
            this.gremlin =
                    config.gremlin().port().isPresent()
                            ? Optional.of(
                                    keep(gremlin(tls.get(), memory, files, traversals, random)))
                            : Optional.empty();
            // A liveness probe must be answered even while requests hold everything that the other
            // port depends on: its event loops, and the carriers of virtual threads.
            Transport statusLoop = keep(Transport.open(tls.get().transport().natives(), 1));
            this.status =
                    keep(
                            HttpServer.builder(
                                            gate(
                                                    new StatusPages(
                                                            this::endpoint,
                                                            sql,
                                                            tables,
                                                            mongo,
                                                            gremlin,
                                                            replica,
                                                            partitions,
                                                            catalog,
                                                            watch,
                                                            disk,
                                                            // Made when asked for: a start loads
                                                            // nothing of it.
                                                            () ->
                                                                    new MetricsPage(
                                                                                    counted,
                                                                                    counters(),
                                                                                    partitions,
                                                                                    catalog,
                                                                                    memory,
                                                                                    disk)
                                                                            .reply()),
                                                    () ->
                                                            keys().includesWellKnownKey()
                                                                    ? HostRule.BROWSERS
                                                                    : HostRule.NONE,
                                                    ErrorRenderer.plainJson()))
                                    .host(config.host())
                                    .port(config.statusPort())
                                    .transport(statusLoop)
                                    .threads(Thread.ofPlatform().daemon().name("status").factory())
                                    .limits(STATUS_LIMITS)
                                    .start());
            // When the first clients have been answered, so that nobody waits for it.
            scripts.warmAfter(SCRIPTS_WAIT);
            FirstStart.end(data.root());
            run.ready(
                    localAddress(),
                    endpoint(),
                    tableEndpoint(),
                    mongoEndpoint("<key>"),
                    gremlinEndpoint(),
                    status.port());
        } catch (IOException e) {
            close();
            throw new StartupException(cannotListen(config, e), e);
        } catch (StoreFailure e) {
            close();
            throw e.isDiskFull() ? DataDirectory.diskFull(config.data(), e) : e;
        } catch (OrreryException e) {
            close();
            throw new StartupException(e.text(), e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * The APIs on the one port that clients use.
     *
     * @param holders lets in who has an account key
     * @param clients lets in who has an account key or a resource token
     * @param owner lets in who can read the data directory
     */
    private HttpRoot root(
            Tls tls,
            KeyAuthenticator holders,
            KeyAuthenticator clients,
            KeyAuthenticator owner,
            SecureRandom random) {
        HttpHandler pages = new PublicPages(tls.pemToTrust(), SqlEndpoint.errors());
        AccountEndpoint account = new AccountEndpoint(catalog, holders, owner, random);
        return HttpRoot.builder()
                .mount(
                        OperatorEndpoint.PREFIX,
                        OPERATOR_API,
                        new OperatorEndpoint(
                                gateway.resources(),
                                gateway.operations(),
                                holders,
                                REQUEST_TIMEOUT))
                .mount(AccountEndpoint.ROOT + AccountEndpoint.SETTINGS, OPERATOR_API, account)
                .mount(AccountEndpoint.ROOT + AccountEndpoint.KEYS, OPERATOR_API, account)
                .mount("/_orrery", SQL_API, pages)
                .mount("/_explorer", SQL_API, pages)
                .otherwise(
                        SQL_API,
                        new SqlEndpoint(
                                gateway.items(),
                                gateway.resources(),
                                clients,
                                new SqlConfig(
                                        "orrery",
                                        "Local",
                                        config.advertise(),
                                        () -> catalog.settings().consistency(),
                                        REQUEST_TIMEOUT)));
    }

    /** The Table API, on a port of its own. */
    private HttpRoot tableRoot(Tls tls, Clock clock) {
        TableConfig settings = tableConfig(clock);
        return HttpRoot.builder()
                .mount(
                        "/_orrery",
                        TABLE_API,
                        new PublicPages(tls.pemToTrust(), TableEndpoint.errors(settings)))
                .otherwise(
                        TABLE_API,
                        new TableEndpoint(
                                gateway.items(),
                                gateway.resources(),
                                new TableKeys(
                                        this::keys, keyPolicy(), gateway.accessPolicies(), clock),
                                settings));
    }

    private TableConfig tableConfig(Clock clock) {
        return new TableConfig(
                ACCOUNT,
                () -> catalog.settings().consistency(),
                () -> new Throughput.Manual(catalog.settings().tableDefaultThroughput()),
                REQUEST_TIMEOUT,
                clock);
    }

    /** A port for clients, with all that such ports share. */
    private HttpServer.Builder listener(Tls tls, MemoryBudget memory, HttpHandler handler) {
        return HttpServer.builder(handler)
                .host(config.host())
                .transport(tls.transport())
                .tls(tls.leaf())
                .memory(memory);
    }

    /** Adds the lines in the audit log and in the log of requests to what a port answers. */
    private HttpHandler watched(
            HttpHandler answers, HttpRoot root, Optional<AuditLog> audit, Clock clock) {
        HttpHandler audited =
                audit.<HttpHandler>map(log -> new AuditedRequests(answers, root, log, clock))
                        .orElse(answers);
        return config.access().logRequests() ? new RequestLog(audited, System::nanoTime) : audited;
    }

    private List<HttpServer.Counters> counters() {
        List<HttpServer.Counters> all = new ArrayList<>(List.of(sql.counters()));
        tables.map(HttpServer::counters).ifPresent(all::add);
        mongo.map(MongoServer::counters).ifPresent(all::add);
        gremlin.map(GremlinServer::counters).ifPresent(all::add);
        return all;
    }

    private MongoServer mongo(
            Tls tls,
            MemoryBudget memory,
            OpenFiles files,
            CommandListener commands,
            Clock clock,
            SecureRandom random)
            throws IOException {
        MongoConfig settings =
                new MongoConfig(
                        config.advertise().map(URI::getHost),
                        () -> catalog.settings().consistency(),
                        MongoConfig.DEFAULT_REQUEST_TIMEOUT,
                        clock,
                        config.mongo().needsLogin(),
                        config.mongo().failPoints());
        ScramAuthenticator logins =
                new ScramAuthenticator(ACCOUNT, this::keys, keyPolicy(), random);
        return MongoServer.start(
                new MongoEndpoint(
                        gateway.items(),
                        gateway.resources(),
                        gateway.streams(),
                        logins,
                        settings,
                        commands,
                        random),
                config.host(),
                config.mongo().port().orElseThrow(),
                tls.transport(),
                tls.leaf(),
                files.limits(6)
                        .maxBodyBytes(MongoServer.MAX_MESSAGE_BYTES)
                        .idleTimeout(MONGO_IDLE)
                        .build(),
                memory);
    }

    private GremlinServer gremlin(
            Tls tls,
            MemoryBudget memory,
            OpenFiles files,
            WatchedTraversals traversals,
            SecureRandom random)
            throws IOException {
        return GremlinServer.start(
                new GremlinEndpoint(
                        () -> new ContainerGraphs(gateway.items(), random),
                        gateway.resources(),
                        new Logins(this::keys, keyPolicy(), gateway.tokens()::open),
                        new GremlinConfig(
                                () -> catalog.settings().consistency(), config.gremlin().timeout()),
                        traversals),
                gate(new Upgrade(), this::hostRule, ErrorRenderer.plainJson()),
                config.host(),
                config.gremlin().port().orElseThrow(),
                tls.transport(),
                tls.leaf(),
                files.limits(6)
                        .maxBodyBytes(GremlinServer.MAX_MESSAGE_BYTES)
                        .idleTimeout(GREMLIN_IDLE)
                        .build(),
                memory);
    }

    private static DiskReserve diskReserve(NodeConfig config, DataDirectory data)
            throws IOException {
        DiskReserve disk = DiskReserve.of(data.root(), config.diskReserveBytes());
        if (disk.status().freeBytes() < disk.bytesToStart()) {
            disk.close();
            throw new StartupException(
                    "The disk of "
                            + data.root()
                            + " has "
                            + disk.status().freeBytes() / MEGABYTE
                            + " MB free, and a start needs "
                            + disk.bytesToStart() / MEGABYTE
                            + " MB. Make room on it, or give a smaller --disk-reserve.");
        }
        disk.starting();
        return disk;
    }

    /** Opens the audit log where the configuration wants it. */
    private Optional<AuditLog> auditLog(DataDirectory data, Clock clock) {
        NodeConfig.Audit wanted = config.access().audit();
        if (!wanted.isKept()) {
            return Optional.empty();
        }
        wanted.place().ifPresent(OrreryServer::expectAuditPlace);
        return wanted.place()
                .or(() -> config.data().map(_ -> data.audit()))
                .map(directory -> keep(AuditLog.in(directory, clock)));
    }

    /** A place that was named is to work, whereas a full disk keeps nobody from a start. */
    private static void expectAuditPlace(Path directory) {
        try {
            PrivateFiles.directory(directory);
        } catch (IOException e) {
            throw new StartupException(
                    "The audit log cannot be kept in "
                            + directory
                            + ": "
                            + DataDirectory.reason(e)
                            + " Name another directory with --audit-log.",
                    e);
        }
    }

    /** Returns when every listener answers. */
    public static OrreryServer start(NodeConfig config) {
        return new OrreryServer(config);
    }

    /** Returns the address at which clients reach the SQL API. */
    public URI endpoint() {
        return config.advertise()
                .orElseGet(
                        () -> URI.create("https://" + hostForClients() + ":" + sql.port() + "/"));
    }

    /** Returns the address at which clients reach the Table API, if it is served. */
    public Optional<URI> tableEndpoint() {
        return tables.map(
                listener -> {
                    String host =
                            config.advertise().map(URI::getHost).orElseGet(this::hostForClients);
                    // Clients of the emulator expect plain HTTP on their own machine.
                    String scheme = host.equals("localhost") ? "http" : "https";
                    return URI.create(scheme + "://" + host + ":" + listener.port() + "/");
                });
    }

    /** Returns the port of the Table API, if it is served. */
    public OptionalInt tablePort() {
        return tables.isPresent() ? OptionalInt.of(tables.get().port()) : OptionalInt.empty();
    }

    /** Returns the port of the MongoDB API, if it is served. */
    public OptionalInt mongoPort() {
        return mongo.isPresent() ? OptionalInt.of(mongo.get().port()) : OptionalInt.empty();
    }

    /**
     * Returns the connection string of the MongoDB API, if it is served. It turns off writes that a
     * driver sends again, as the service's does: they are refused.
     *
     * @param key of the account, or words that say where it is
     */
    public Optional<String> mongoEndpoint(String key) {
        return mongo.map(
                listener -> {
                    String host =
                            config.advertise().map(URI::getHost).orElseGet(this::hostForClients);
                    String login =
                            config.mongo().needsLogin()
                                    ? ACCOUNT
                                            + ":"
                                            + (key.startsWith("<") ? key : encoded(key))
                                            + "@"
                                    : "";
                    return "mongodb://"
                            + login
                            + host
                            + ":"
                            + listener.port()
                            + "/?tls=true&tlsCAFile="
                            + encoded(certificate.toString())
                            + "&replicaSet="
                            + MongoConfig.REPLICA_SET;
                });
    }

    /** Returns the address at which clients reach the Gremlin API, if it is served. */
    public Optional<URI> gremlinEndpoint() {
        return gremlin.map(
                listener -> {
                    String host =
                            config.advertise().map(URI::getHost).orElseGet(this::hostForClients);
                    // Clients of the emulator expect no TLS on their own machine.
                    String scheme = host.equals("localhost") ? "ws" : "wss";
                    return URI.create(scheme + "://" + host + ":" + listener.port() + "/");
                });
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** The keys of this moment. */
    public AccountKeys keys() {
        return catalog.keys().orElseThrow();
    }

    /** The keys that this start has made, if it made any. */
    Optional<AccountKeys> madeKeys() {
        return madeKeys;
    }

    AccountSettings settings() {
        return catalog.settings();
    }

    /** The certificate that clients have to trust. */
    public Path certificate() {
        return certificate;
    }

    public int port() {
        return sql.port();
    }

    public int statusPort() {
        return status.port();
    }

    /**
     * Deletes all databases and forgets what was set or counted since the start. Ports, keys and
     * certificate stay. Numbers of databases and containers are not used again, so a client that
     * remembers one of before is told that it is gone.
     */
    public void reset() {
        gateway.clear(
                new RequestContext(
                        UUID.randomUUID(),
                        new RequestContext.Principal.Account(false),
                        Optional.empty(),
                        Optional.empty(),
                        System.nanoTime() + REQUEST_TIMEOUT.toNanos()));
        if (!catalog.settings().equals(config.account())) {
            catalog.changeSettings(now -> config.account());
        }
    }

    /** Top down: first nobody is let in any more, last the stores are closed. */
    @Override
    public void close() {
        List<Exception> failures = new ArrayList<>();
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            IllegalStateException failure =
                    new IllegalStateException("the server did not stop cleanly");
            failures.forEach(failure::addSuppressed);
            throw failure;
        }
    }

    private <T extends AutoCloseable> T keep(T resource) {
        opened.push(resource);
        return resource;
    }

    private static void refuseLosses(CatalogState known, Replica replica) {
        List<String> losses = CatalogAgreement.losses(known, replica.partitions());
        if (!losses.isEmpty()) {
            throw new StartupException(losses.getFirst() + Stores.WHAT_TO_DO);
        }
    }

    /** The set has no other members that would have to know the level. */
    private static void raiseLevel(Replica replica) {
        try {
            replica.raiseLevel(REQUEST_TIMEOUT);
        } catch (OrreryException refused) {
            // A disk that is full refuses it, and must still be read. The next start tries again.
            LOG.log(
                    Level.WARNING,
                    "the replica set stays at feature level {0}: {1}",
                    replica.level(),
                    refused.getMessage());
        }
    }

    /**
     * A key that everybody knows protects from nobody, so a request must name this machine. Other
     * machines know it by names that the server does not; where they are let in with that key,
     * programs may use any name, and pages in browsers may not.
     */
    private HostRule hostRule() {
        if (!keys().includesWellKnownKey()) {
            return HostRule.NONE;
        }
        return config.access().emulatorKeyEverywhere() && !isLoopback
                ? HostRule.BROWSERS
                : HostRule.EVERY_REQUEST;
    }

    private KeyPolicy keyPolicy() {
        return config.access().emulatorKeyEverywhere()
                ? KeyPolicy.everywhere()
                : KeyPolicy.loopbackOnly();
    }

    private BrowserGate gate(HttpHandler handler, Supplier<HostRule> rule, ErrorRenderer errors) {
        return gate(handler, rule, PageRules.NONE, errors);
    }

    private BrowserGate gate(
            HttpHandler handler, Supplier<HostRule> rule, PageRules pages, ErrorRenderer errors) {
        return new BrowserGate(handler, rule, config.cors(), config.advertise(), pages, errors);
    }

    private static Bytes randomBytes(SecureRandom random) {
        byte[] bytes = new byte[SEALING_KEY_BYTES];
        random.nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    private String hostForClients() {
        String host = config.host();
        if (host.equals("127.0.0.1") || host.equals("::1")) {
            return "localhost";
        }
        if (isEverywhere()) {
            return "localhost";
        }
        return host.contains(":") ? "[" + host + "]" : host;
    }

    private boolean isEverywhere() {
        return config.host().equals("0.0.0.0") || config.host().equals("::");
    }

    /** By number, as names may mean another address. */
    private URI localAddress() {
        String host = isEverywhere() ? "127.0.0.1" : sql.address().getAddress().getHostAddress();
        return URI.create(
                "http://"
                        + (host.contains(":") ? "[" + host.replaceFirst("%.*", "") + "]" : host)
                        + ":"
                        + sql.port()
                        + "/");
    }

    private static String cannotListen(NodeConfig config, IOException e) {
        String reason = String.valueOf(e.getMessage()).strip();
        String mongo =
                config.mongo().port().isPresent()
                        ? " MongoDB has --mongo-port and --no-mongo-port."
                        : "";
        String gremlin =
                config.gremlin().port().isPresent()
                        ? " Gremlin has --gremlin-port and --no-gremlin-port."
                        : "";
        String tables =
                config.tablePort().isPresent()
                        ? " or another than "
                                + config.tablePort().getAsInt()
                                + " for tables with --table-port; --no-table-port serves none."
                        : ".";
        return (reason.endsWith(".") ? reason : reason + ".")
                + " Choose other ports than "
                + config.port()
                + " and "
                + config.statusPort()
                + " with --port and --status-port"
                + (tables.equals(".") ? tables : "," + tables)
                + mongo
                + gremlin;
    }
}
