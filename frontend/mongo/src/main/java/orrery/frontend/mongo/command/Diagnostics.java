package orrery.frontend.mongo.command;

import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import orrery.document.Value;
import orrery.frontend.mongo.MongoConfig;
import orrery.frontend.mongo.auth.ScramMechanism;
import orrery.model.Bytes;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.match.MatchContext;
import orrery.query.mongo.match.Matcher;

/** The commands by which clients learn about the server. */
final class Diagnostics {
    /** The release whose behaviour clients may expect. */
    static final String VERSION = "8.0.14";

    /** Commands that have a number of their own beside that of all others. */
    private static final List<String> COUNTED_APART =
            List.of("insert", "find", "update", "delete", "getMore");

    private static final String FEATURE_VERSION = "8.0";
    private static final List<Integer> VERSION_NUMBERS = List.of(8, 0, 14, 0);

    private final MongoConfig config;
    private final String user;
    private final CommandTable table;
    private final Traffic traffic;
    private final RunningOperations operations;
    private final long startedMillis;

    /** How often each command was called; of writes, how many there were in all their commands. */
    private final Map<String, LongAdder> calls = new ConcurrentHashMap<>();

    Diagnostics(
            MongoConfig config,
            String user,
            CommandTable table,
            Traffic traffic,
            RunningOperations operations) {
        this.config = config;
        this.user = user;
        this.table = table;
        this.traffic = traffic;
        this.operations = operations;
        this.startedMillis = config.clock().millis();
    }

    void addTo() {
        table.open("ping", Set.of(), request -> new Doc().ok())
                .open("buildInfo", Set.of(), request -> buildInfo())
                .alias("buildinfo", "buildInfo")
                .open("whatsmyuri", Set.of(), Diagnostics::whoAmI)
                .open("connectionStatus", Set.of("showPrivileges"), this::connectionStatus)
                .readAny("getParameter", this::parameter)
                .read("getLog", Set.of(), this::log)
                .read("hostInfo", Set.of(), request -> hostInfo())
                .read("serverStatus", Set.of(), request -> serverStatus())
                .read("getCmdLineOpts", Set.of(), request -> commandLine())
                .read("listCommands", Set.of(), request -> listCommands())
                .read("getDefaultRWConcern", Set.of("inMemory"), request -> defaultConcerns())
                .read("usersInfo", Set.of("filter"), this::users)
                .read("rolesInfo", Set.of(), request -> new Doc().put("roles", List.of()).ok())
                .read("replSetGetStatus", Set.of(), this::replicaSet)
                .read("isdbgrid", Set.of(), request -> notGrid())
                .onlyOfAdmin(
                        "currentOp",
                        "getCmdLineOpts",
                        "getDefaultRWConcern",
                        "getLog",
                        "getParameter",
                        "hostInfo",
                        "killOp",
                        "listDatabases",
                        "replSetGetStatus");
    }

    void count(CommandRequest request) {
        calls.computeIfAbsent(request.name(), _ -> new LongAdder()).add(operations(request));
    }

    private static int operations(CommandRequest request) {
        return switch (request.name()) {
            case "insert" -> operations(request, "documents");
            case "update" -> operations(request, "updates");
            case "delete" -> operations(request, "deletes");
            default -> 1;
        };
    }

    private static int operations(CommandRequest request, String field) {
        List<Bytes> beside = request.sequences().get(field);
        if (beside != null) {
            return beside.size();
        }
        return request.arguments().properties().get(field)
                        instanceof Value.Array(List<Value> elements)
                ? elements.size()
                : 0;
    }

    /** The account is the one user, and it belongs to the database admin. */
    private Bytes users(CommandRequest request) {
        String role = "readWriteAnyDatabase";
        Value.Obj account =
                new Doc()
                        .put("_id", "admin." + user)
                        .put("user", user)
                        .put("db", "admin")
                        .put(
                                "roles",
                                List.of(new Doc().put("role", role).put("db", "admin").build()))
                        .putTexts(
                                "mechanisms",
                                List.of(ScramMechanism.SHA_1.text(), ScramMechanism.SHA_256.text()))
                        .build();
        Matcher filter =
                Matcher.compile(
                        request.arguments().document("filter").orElseGet(() -> new Doc().build()),
                        MatchContext.of(config.clock().instant()));
        boolean isMeant = isMeant(request.first(), request.database());
        return new Doc()
                .put("users", isMeant && filter.matches(account) ? List.of(account) : List.of())
                .ok();
    }

    /** Returns true if what a client asks about users includes the account. */
    private boolean isMeant(Value who, String database) {
        return switch (who) {
            case Value.Text(String name) -> name.equals(user) && database.equals("admin");
            case Value.Obj(Map<String, Value> fields) when fields.containsKey("forAllDBs") -> true;
            case Value.Obj(Map<String, Value> fields) ->
                    Value.of(user).equals(fields.get("user"))
                            && Value.of("admin").equals(fields.get("db"));
            case Value.Array(List<Value> each) ->
                    each.stream().anyMatch(one -> isMeant(one, database));
            default -> database.equals("admin");
        };
    }

    private static Bytes notGrid() {
        throw MongoCode.COMMAND_NOT_FOUND.failure("no such command: 'isdbgrid'");
    }

    private static Bytes buildInfo() {
        return new Doc()
                .put("version", VERSION)
                .put("gitVersion", "orrery")
                .put("modules", List.of())
                .put("allocator", "jvm")
                .put("javascriptEngine", "none")
                .put("sysInfo", "deprecated")
                .put("versionArray", VERSION_NUMBERS.stream().map(n -> Value.of((long) n)).toList())
                .put("openssl", new Doc().put("running", "BoringSSL or JDK"))
                .put("buildEnvironment", new Doc())
                .put("bits", 64)
                .put("debug", false)
                .put("maxBsonObjectSize", Handshake.MAX_DOCUMENT_BYTES)
                .putTexts("storageEngines", List.of("orrery"))
                .ok();
    }

    private static Bytes whoAmI(CommandRequest request) {
        InetSocketAddress remote = request.client().remote();
        return new Doc()
                .put("you", remote.getAddress().getHostAddress() + ":" + remote.getPort())
                .ok();
    }

    private Bytes connectionStatus(CommandRequest request) {
        List<Value> users = new ArrayList<>();
        List<Value> roles = new ArrayList<>();
        List<Value> privileges = new ArrayList<>();
        request.client()
                .login()
                .ifPresent(
                        login -> {
                            users.add(new Doc().put("user", user).put("db", "admin").build());
                            boolean readOnly = login.kind().isReadOnly();
                            String role = readOnly ? "readAnyDatabase" : "readWriteAnyDatabase";
                            roles.add(new Doc().put("role", role).put("db", "admin").build());
                            privileges.add(
                                    new Doc()
                                            .put(
                                                    "resource",
                                                    new Doc().put("db", "").put("collection", ""))
                                            .putTexts(
                                                    "actions",
                                                    readOnly
                                                            ? List.of("find")
                                                            : List.of(
                                                                    "find", "insert", "update",
                                                                    "remove"))
                                            .build());
                        });
        Doc info = new Doc().put("authenticatedUsers", users).put("authenticatedUserRoles", roles);
        if (request.arguments().flag("showPrivileges", false)) {
            info.put("authenticatedUserPrivileges", privileges);
        }
        return new Doc().put("authInfo", info).ok();
    }

    private Bytes parameter(CommandRequest request) {
        Doc all =
                new Doc()
                        .putTexts(
                                "authenticationMechanisms",
                                List.of(ScramMechanism.SHA_1.text(), ScramMechanism.SHA_256.text()))
                        .put(
                                "featureCompatibilityVersion",
                                new Doc().put("version", FEATURE_VERSION))
                        .put("requireApiVersion", false)
                        .put("enableTestCommands", config.failPoints());
        boolean wantsAll = request.arguments().flag("allParameters", false);
        if (wantsAll || Value.of("*").equals(request.first())) {
            return all.ok();
        }
        Map<String, Value> known = all.build().properties();
        Doc found = new Doc();
        request.arguments().properties().keySet().stream()
                .filter(known::containsKey)
                .forEach(name -> found.put(name, known.getOrDefault(name, Value.Null.NULL)));
        if (found.build().properties().isEmpty()) {
            throw MongoCode.INVALID_OPTIONS.failure("no option found to get");
        }
        return found.ok();
    }

    private Bytes log(CommandRequest request) {
        String name = request.first() instanceof Value.Text(String text) ? text : "";
        return switch (name) {
            case "*" -> new Doc().putTexts("names", List.of("global", "startupWarnings")).ok();
            case "global", "startupWarnings" ->
                    new Doc().put("totalLinesWritten", 0).put("log", List.of()).ok();
            default -> throw MongoCode.OPERATION_FAILED.failure("No log named '" + name + "'");
        };
    }

    private Bytes hostInfo() {
        Runtime machine = Runtime.getRuntime();
        return new Doc()
                .put(
                        "system",
                        new Doc()
                                .putDate("currentTime", config.clock().millis())
                                .put("hostname", config.advertisedHost().orElse("localhost"))
                                .put("cpuAddrSize", 64)
                                .putInt64("memSizeMB", machine.maxMemory() >> 20)
                                .put("numCores", machine.availableProcessors())
                                .put("cpuArch", System.getProperty("os.arch", ""))
                                .put("numaEnabled", false))
                .put(
                        "os",
                        new Doc()
                                .put("type", System.getProperty("os.name", ""))
                                .put("name", System.getProperty("os.name", ""))
                                .put("version", System.getProperty("os.version", "")))
                .put("extra", new Doc())
                .ok();
    }

    private long calls(String command) {
        LongAdder count = calls.get(command);
        return count == null ? 0 : count.sum();
    }

    private Bytes serverStatus() {
        long uptime = config.clock().millis() - startedMillis;
        long all = calls.values().stream().mapToLong(LongAdder::sum).sum();
        long others = all - COUNTED_APART.stream().mapToLong(this::calls).sum();
        return new Doc()
                .put("host", config.advertisedHost().orElse("localhost"))
                .put("version", VERSION)
                .put("process", "mongod")
                .putInt64("pid", ProcessHandle.current().pid())
                .putDouble("uptime", uptime / 1000.0)
                .putInt64("uptimeMillis", uptime)
                .putDate("localTime", config.clock().millis())
                .put(
                        "opcounters",
                        new Doc()
                                .putInt64("insert", calls("insert"))
                                .putInt64("query", calls("find"))
                                .putInt64("update", calls("update"))
                                .putInt64("delete", calls("delete"))
                                .putInt64("getmore", calls("getMore"))
                                .putInt64("command", others))
                .put("connections", traffic.connections(operations.count()))
                .put("network", traffic.network())
                .put(
                        "mem",
                        new Doc()
                                .put("bits", 64)
                                .putCount(
                                        "resident",
                                        ManagementFactory.getMemoryMXBean()
                                                        .getHeapMemoryUsage()
                                                        .getUsed()
                                                >> 20))
                .put("storageEngine", new Doc().put("name", "orrery").put("persistent", true))
                .put("repl", new Doc().put("setName", MongoConfig.REPLICA_SET))
                .ok();
    }

    private static Bytes commandLine() {
        return new Doc().put("argv", List.of()).put("parsed", new Doc()).ok();
    }

    private Bytes listCommands() {
        Doc all = new Doc();
        table.all()
                .forEach(
                        (name, command) ->
                                all.put(
                                        name,
                                        new Doc()
                                                .put("help", "")
                                                .put(
                                                        "requiresAuth",
                                                        command.access() != Command.Access.ANYBODY)
                                                .put("secondaryOk", !command.access().mayWrite())
                                                .put("adminOnly", table.isOnlyOfAdmin(name))));
        return new Doc().put("commands", all).ok();
    }

    private static Bytes defaultConcerns() {
        return new Doc()
                .put("defaultReadConcern", new Doc().put("level", "local"))
                .put("defaultWriteConcern", new Doc().put("w", "majority").put("wtimeout", 0))
                .put("defaultReadConcernSource", "implicit")
                .put("defaultWriteConcernSource", "implicit")
                .ok();
    }

    private Bytes replicaSet(CommandRequest request) {
        InetSocketAddress local = request.client().local();
        return new Doc()
                .put("set", MongoConfig.REPLICA_SET)
                .putDate("date", config.clock().millis())
                .put("myState", 1)
                .put(
                        "members",
                        List.of(
                                new Doc()
                                        .put("_id", 0)
                                        .put(
                                                "name",
                                                local.getAddress().getHostAddress()
                                                        + ":"
                                                        + local.getPort())
                                        .putDouble("health", 1)
                                        .put("state", 1)
                                        .put("stateStr", "PRIMARY")
                                        .put("self", true)
                                        .build()))
                .ok();
    }
}
