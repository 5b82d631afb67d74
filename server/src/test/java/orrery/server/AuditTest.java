package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.DataClock;
import orrery.model.security.AccountKeys;
import orrery.storage.StoreOptions;

/** The audit log of a server: what is in it, what never is, and where it lies. */
final class AuditTest {
    private static final String CONTAINER = "dbs/d/colls/c";

    @TempDir Path temporary;

    private Path data() {
        return temporary.resolve("data");
    }

    private ServerFixture start(NodeConfig.Audit audit) {
        return new ServerFixture(
                new NodeConfig(
                        Optional.of(data()),
                        "127.0.0.1",
                        0,
                        0,
                        OptionalInt.of(0),
                        Optional.empty(),
                        Optional.empty(),
                        Set.of(),
                        AccountSettings.DEFAULT,
                        StoreOptions.DEFAULT,
                        NodeConfig.DEFAULT_DISK_RESERVE,
                        new NodeConfig.Access(false, true, false, audit),
                        DataClock.SYSTEM));
    }

    private static List<Value.Obj> lines(Path directory, String kind) {
        Path file = directory.resolve(kind + ".0.jsonl");
        try {
            return Files.exists(file)
                    ? Files.readAllLines(file).stream()
                            .map(line -> (Value.Obj) JsonText.parse(line))
                            .toList()
                    : List.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private List<Value.Obj> lines(String kind) {
        return lines(data().resolve("audit"), kind);
    }

    private static String text(Value.Obj line, String name) {
        return line.properties().get(name) instanceof Value.Text(String text) ? text : "";
    }

    /** Status, principal, operation and link of each line. */
    private static List<String> summary(List<Value.Obj> lines) {
        return lines.stream()
                .map(
                        line ->
                                JsonText.write(
                                                line.properties()
                                                        .getOrDefault("status", Value.Null.NULL))
                                        + " "
                                        + text(line, "principal")
                                        + ": "
                                        + text(line, "operation")
                                        + " "
                                        + text(line, "link"))
                .toList();
    }

    @Test
    void changesOfEverythingButItemsAreKept() {
        String activityId;
        try (ServerFixture server = start(NodeConfig.Audit.USUAL)) {
            server.createDatabase("d");
            server.createContainer("d", "c");
            server.createItem("d", "c", "k", "1", "");
            server.readItem("d", "c", "k", "1");
            server.sql(
                    "POST",
                    "docs",
                    CONTAINER,
                    CONTAINER + "/docs",
                    "{\"query\":\"SELECT * FROM c\"}",
                    "Content-Type",
                    "application/query+json",
                    "x-ms-documentdb-query-enablecrosspartition",
                    "true");
            String procedure = "{\"id\":\"p\",\"body\":\"function () {}\"}";
            server.sql("POST", "sprocs", CONTAINER, CONTAINER + "/sprocs", procedure);
            String script = CONTAINER + "/sprocs/p";
            server.sql(
                    "POST",
                    "sprocs",
                    script,
                    script,
                    "[]",
                    "x-ms-documentdb-partitionkey",
                    "[\"k\"]");
            server.sql("DELETE", "sprocs", script, script, "");
            String key = server.keys().primary();
            server.operator(key, "POST", CONTAINER, "split", "{\"range\":0}");
            server.operator(key, "POST", CONTAINER, "fault", "{\"status\":429}");
            server.operator(key, "GET", CONTAINER, "fault", "");
            server.operator(key, "DELETE", CONTAINER, "fault", "");
            server.operator(key, "PUT", CONTAINER, "throughput", "{\"manual\":400}");
            server.account(key, "PUT", "account", "{\"burstCapacity\":true}");
            server.account(key, "GET", "account", "");
            server.account(key, "GET", "keys", "");
            server.account(key, "POST", "keys", "{\"replace\":[\"secondary\"]}");
            server.account(server.keys().secondary(), "PUT", "account", "{\"burstCapacity\":true}");
            ServerFixture.Output shown =
                    ServerFixture.command("keys", "show", "--data", data().toString());
            assertThat(shown.exitCode()).isZero();
            HttpResponse<String> refused =
                    server.sqlReply("POST", "dbs", "", "dbs", "{\"id\":\"d\"}");
            assertThat(refused.statusCode()).isEqualTo(409);
            activityId = refused.headers().firstValue("x-ms-activity-id").orElseThrow();
        }
        assertThat(summary(lines("management")))
                .containsExactly(
                        "201 primary read-write key: POST dbs /dbs",
                        "201 primary read-write key: POST colls /dbs/d/colls",
                        "201 primary read-write key: POST sprocs /dbs/d/colls/c/sprocs",
                        "204 primary read-write key: DELETE sprocs /dbs/d/colls/c/sprocs/p",
                        "200 primary read-write key: POST split /_orrery/dbs/d/colls/c/split",
                        "200 primary read-write key: POST fault /_orrery/dbs/d/colls/c/fault",
                        "200 primary read-write key: DELETE fault /_orrery/dbs/d/colls/c/fault",
                        "200 primary read-write key: PUT throughput /_orrery/dbs/d/colls/c/throughput",
                        "200 primary read-write key: PUT account /_orrery/account",
                        "200 primary read-write key: GET keys /_orrery/keys",
                        "200 primary read-write key: POST keys /_orrery/keys",
                        "200 secondary read-write key: PUT account /_orrery/account",
                        "200 data directory: GET keys /_orrery/keys",
                        "409 primary read-write key: POST dbs /dbs");
        assertThat(text(lines("management").getLast(), "activityId")).isEqualTo(activityId);
        assertThat(lines("management"))
                .allSatisfy(
                        line -> {
                            assertThat(text(line, "client")).isIn("127.0.0.1", "0:0:0:0:0:0:0:1");
                            assertThat(text(line, "time")).endsWith("Z");
                        });
        assertThat(lines("refused")).isEmpty();
    }

    @Test
    void whoIsRefusedIsKept() {
        try (ServerFixture server = start(NodeConfig.Audit.USUAL)) {
            server.createDatabase("d");
            String wrong = AccountKeys.newKey(new SecureRandom());
            String reader = server.keys().primaryReadOnly();
            server.signed(wrong, "GET", "dbs", "", "dbs");
            server.firstPage("localhost");
            server.signed(reader, "DELETE", "dbs", "dbs/d", "dbs/d");
            server.account(server.keys().secondaryReadOnly(), "GET", "keys", "");
            server.account(wrong, "POST", "keys", "{\"replace\":[\"primary\"]}");
            server.operator(wrong, "POST", CONTAINER, "split", "{\"range\":0}");
        }
        assertThat(summary(lines("refused")))
                .containsExactly(
                        "401 none: GET dbs /dbs",
                        "401 none: GET /",
                        "403 primary read-only key: DELETE dbs /dbs/d",
                        "403 secondary read-only key: GET keys /_orrery/keys",
                        "401 none: POST keys /_orrery/keys",
                        "401 none: POST split /_orrery/dbs/d/colls/c/split");
        assertThat(summary(lines("management")))
                .containsExactly("201 primary read-write key: POST dbs /dbs");
    }

    @Test
    void nothingInItOpensAnything() throws IOException {
        AccountKeys before;
        AccountKeys after;
        try (ServerFixture server = start(NodeConfig.Audit.USUAL)) {
            before = server.keys();
            server.createDatabase("d");
            server.createContainer("d", "c");
            for (String key :
                    List.of(
                            before.primary(),
                            before.primaryReadOnly(),
                            AccountKeys.newKey(new SecureRandom()))) {
                for (String verb : List.of("GET", "POST", "PUT", "PATCH", "DELETE")) {
                    for (String type :
                            List.of("docs", "sprocs", "triggers", "udfs", "users", "offers")) {
                        server.signed(key, verb, type, CONTAINER, CONTAINER + "/" + type);
                        String entity = CONTAINER + "/" + type + "/x";
                        server.signed(key, verb, type, entity, entity + "?secret=query");
                    }
                    server.operator(key, verb, CONTAINER, "fault", "{\"secret\":\"body\"}");
                    server.account(key, verb, "keys", "{\"replace\":[\"secondary\"]}");
                }
            }
            after = server.keys();
        }
        String all = everything();
        assertThat(all.lines()).hasSizeGreaterThan(60);
        assertThat(all).doesNotContain("sig", "secret", "authorization", "type%3d");
        for (AccountKeys keys : List.of(before, after)) {
            assertThat(all)
                    .doesNotContain(keys.primary())
                    .doesNotContain(keys.secondary())
                    .doesNotContain(keys.primaryReadOnly())
                    .doesNotContain(keys.secondaryReadOnly());
        }
    }

    private String everything() throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.list(data().resolve("audit"))) {
            for (Path file : files.toList()) {
                text.append(Files.readString(file));
            }
        }
        return text.toString();
    }

    @Test
    void holdersOfTokensAreNamedByTheirKindOnly() throws IOException {
        String token;
        try (ServerFixture server = start(NodeConfig.Audit.USUAL)) {
            server.createDatabase("d");
            server.createContainer("d", "c");
            server.sqlReply("POST", "users", "dbs/d", "dbs/d/users", "{\"id\":\"u\"}");
            HttpResponse<String> permission =
                    server.sqlReply(
                            "POST",
                            "permissions",
                            "dbs/d/users/u",
                            "dbs/d/users/u/permissions",
                            "{\"id\":\"p\",\"permissionMode\":\"Read\",\"resource\":\"%s\"}"
                                    .formatted(CONTAINER));
            token = text((Value.Obj) JsonText.parse(permission.body()), "_token");
            assertThat(server.withToken(token, "GET", CONTAINER).statusCode()).isEqualTo(200);
            assertThat(server.withToken(token, "DELETE", CONTAINER).statusCode()).isEqualTo(403);
            String operators = "_orrery/" + CONTAINER + "/partitions";
            assertThat(server.withToken(token, "GET", operators).statusCode()).isEqualTo(401);
        }
        assertThat(summary(lines("refused")))
                .hasSize(2)
                .startsWith("403 resource token: DELETE colls /" + CONTAINER);
        assertThat(everything()).doesNotContain("sig").doesNotContain(token);
    }

    @Test
    void itGoesOnAfterARestartAndWhileNoServerRuns() {
        try (ServerFixture server = start(NodeConfig.Audit.USUAL)) {
            server.createDatabase("d");
        }
        String where = data().toString();
        ServerFixture.Output replaced =
                ServerFixture.command(
                        "keys", "new", "--rotate", "--which", "primary", "--data", where);
        assertThat(replaced.exitCode()).as(replaced.err()).isZero();
        ServerFixture.Output set =
                ServerFixture.command("account", "set", "--burst-capacity", "--data", where);
        assertThat(set.exitCode()).as(set.err()).isZero();
        try (ServerFixture server = start(NodeConfig.Audit.USUAL)) {
            server.createDatabase("e");
        }
        assertThat(summary(lines("management")))
                .containsExactly(
                        "201 primary read-write key: POST dbs /dbs",
                        "200 data directory: POST keys /_orrery/keys",
                        "200 data directory: PUT account /_orrery/account",
                        "201 primary read-write key: POST dbs /dbs");
    }

    @Test
    void itLiesWhereItIsWantedOrNowhere() throws IOException {
        Path elsewhere = temporary.resolve("elsewhere");
        try (ServerFixture server = start(NodeConfig.Audit.in(elsewhere))) {
            server.createDatabase("d");
        }
        assertThat(lines(elsewhere, "management")).hasSize(1);
        assertThat(data().resolve("audit")).doesNotExist();
        try (ServerFixture server = start(NodeConfig.Audit.NONE)) {
            server.createDatabase("e");
        }
        assertThat(lines(elsewhere, "management")).hasSize(1);
        assertThat(data().resolve("audit")).doesNotExist();

        Path file = Files.writeString(temporary.resolve("file"), "x");
        assertThatExceptionOfType(StartupException.class)
                .isThrownBy(() -> start(NodeConfig.Audit.in(file.resolve("audit"))))
                .withMessageContaining("--audit-log");
    }

    @Test
    void theOptionsOfAStartSayWhere() {
        assertThat(NodeConfig.of(List.of()).access().audit()).isEqualTo(NodeConfig.Audit.USUAL);
        assertThat(NodeConfig.of(List.of("--audit-log", "x")).access().audit())
                .isEqualTo(NodeConfig.Audit.in(Path.of("x")));
        assertThat(NodeConfig.of(List.of("--no-audit-log")).access().audit())
                .isEqualTo(NodeConfig.Audit.NONE);
        assertThatExceptionOfType(StartupException.class)
                .isThrownBy(() -> NodeConfig.of(List.of("--audit-log", "x", "--no-audit-log")))
                .withMessageContaining("exclude each other");
    }
}
