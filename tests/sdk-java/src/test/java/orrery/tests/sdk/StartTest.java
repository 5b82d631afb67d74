package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Starting, looking at and stopping the server, as at a terminal. */
@Tag("client")
final class StartTest {
    private static final Pattern STACK_TRACE = Pattern.compile("(?m)^\\s+at [\\w.$]+\\(");

    @Test
    void readyLineHasAllThatAClientNeeds() {
        RunningServer server = Cosmos.server();

        assertThat(server.endpoint()).matches("https://localhost:\\d+/");
        assertThat(server.connectionString())
                .isEqualTo(
                        "AccountEndpoint="
                                + server.endpoint()
                                + ";AccountKey="
                                + server.key()
                                + ";");
        assertThat(server.certificate()).exists().isAbsolute();
        assertThat(server.output().lines().filter(line -> line.startsWith("Orrery is ready")))
                .hasSize(1);
    }

    @Test
    void statusPages() {
        RunningServer server = Cosmos.server();

        assertThat(server.status("/alive").statusCode()).isEqualTo(200);
        assertThat(server.status("/ready").statusCode()).isEqualTo(200);
        HttpResponse<String> status = server.status("/status");
        assertThat(status.statusCode()).isEqualTo(200);
        JsonNode json = Cosmos.json(status.body());
        assertThat(json.get("endpoint").asText()).isEqualTo(server.endpoint());
        assertThat(json.get("version").asText()).isNotEmpty();
        assertThat(server.status("/nothing").statusCode()).isEqualTo(404);
    }

    /** Each of these took a tenth of a start or more, for nothing that the first answer needs. */
    @Test
    void aStartLoadsNeitherScriptsNorTheRecorderNorTheAuthoritiesOfTheJdk() throws IOException {
        Path loaded = RunningServer.temporaryDirectory().resolve("loaded");
        try (RunningServer server =
                RunningServer.startWith("-Xlog:class+load:file=" + loaded + ":none")) {
            assertThat(server.status("/ready").statusCode()).isEqualTo(200);
        }

        List<String> beforeListening =
                Files.readAllLines(loaded).stream()
                        .takeWhile(line -> !line.startsWith("orrery.frontend.http.HttpServer "))
                        .toList();

        assertThat(beforeListening)
                .anyMatch(line -> line.startsWith("orrery.script.ScriptEngine "))
                .noneMatch(line -> line.startsWith("org.graalvm."))
                .noneMatch(line -> line.startsWith("sun.management."))
                .noneMatch(line -> line.startsWith("jdk.jfr.internal.periodic."))
                .noneMatch(line -> line.startsWith("sun.security.ssl.TrustStoreManager"));
    }

    @Test
    void helpIsComplete() {
        Distribution.Output help = Distribution.run("--help");
        assertThat(help.exitCode()).isEqualTo(0);
        assertThat(help.out()).contains("start", "cert", "keys", "check", "estimate");

        Distribution.Output start = Distribution.run("start", "--help");
        assertThat(start.exitCode()).isEqualTo(0);
        assertThat(start.out())
                .contains(
                        "--data",
                        "--ephemeral",
                        "--host",
                        "--port",
                        "--status-port",
                        "--advertise",
                        "--tls-cert",
                        "--tls-key",
                        "--[no-]service-quotas",
                        "--cache-mb",
                        "--disk-reserve",
                        "--help",
                        "orrery-data",
                        "8081",
                        "8080");
        assertThat(Distribution.run("keys", "--help").out()).contains("new", "show");
        assertThat(Distribution.run("cert", "--help").out()).contains("--data");
        assertThat(Distribution.run("--version").out()).containsPattern("\\d+\\.\\d+");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void filesAreTheOwnersAlone() throws IOException {
        Path data = RunningServer.temporaryDirectory();
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (RunningServer server = RunningServer.startIn(data)) {
            try (CosmosClient client = Cosmos.builder(server).buildClient()) {
                client.createDatabase("d");
                client.getDatabase("d").createContainer("c", "/pk");
                client.getDatabase("d").getContainer("c").createItem(item("i", "k"));
            }
            assertThat(openToOthers(data)).isEmpty();
            server.stop();
            server.restart();
            assertThat(openToOthers(data)).isEmpty();
        }
    }

    private static List<Path> openToOthers(Path data) throws IOException {
        List<Path> open = new ArrayList<>();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.toList()) {
                String most = Files.isDirectory(file) ? "rwx------" : "rw-------";
                if (!Files.getPosixFilePermissions(file)
                        .equals(PosixFilePermissions.fromString(most))) {
                    open.add(file);
                }
            }
        }
        return open;
    }

    @Test
    void mistakesAtTheCommandLineAreExplained() {
        assertRefused("--prot", "start", "--prot", "1");
        assertRefused("--port", "start", "--port", "99999");
        assertRefused("--port", "start", "--port", "many");
        assertRefused("--tls-key", "start", "--tls-cert", "cert.pem");
        assertRefused("--advertise", "start", "--advertise", "orrery.example");
        assertRefused("begin", "begin");
    }

    @Test
    void secondServerOnTheSameDataIsRefused() {
        RunningServer first = Cosmos.server();

        Distribution.Output second =
                Distribution.run(
                        "start",
                        "--data",
                        first.data().toString(),
                        "--port",
                        "0",
                        "--status-port",
                        "0");

        assertThat(second.exitCode()).isNotEqualTo(0);
        assertThat(second.err())
                .contains("Another Orrery server")
                .contains(first.data().toString());
        assertThat(second.all()).doesNotContainPattern(STACK_TRACE);
        assertThat(first.status("/ready").statusCode()).isEqualTo(200);
    }

    @Test
    void takenPortIsExplained() {
        RunningServer first = Cosmos.server();
        Path data = RunningServer.temporaryDirectory();

        Distribution.Output second =
                Distribution.run(
                        "start",
                        "--data",
                        data.toString(),
                        "--port",
                        Integer.toString(first.port()),
                        "--status-port",
                        "0");

        assertThat(second.exitCode()).isNotEqualTo(0);
        assertThat(second.err()).contains(Integer.toString(first.port())).contains("--port");
        assertThat(second.all()).doesNotContainPattern(STACK_TRACE);
    }

    @Test
    void dataSurvivesStopAndRestart() {
        try (RunningServer server = RunningServer.start()) {
            String etag;
            try (CosmosClient client = Cosmos.newClient(server)) {
                etag = write(client);
            }

            int exitCode = server.stop();

            // 143 is how the shell sees an end by SIGTERM.
            assertThat(exitCode).isIn(0, 143);
            assertThat(server.output()).doesNotContainPattern(STACK_TRACE);
            server.restart();
            try (CosmosClient client = Cosmos.newClient(server)) {
                assertThat(read(client).getETag()).isEqualTo(etag);
                assertFails(409, 0, () -> container(client).createItem(item("1", "k")));
                container(client).upsertItem(item("1", "k").put("v", 2));
                assertThat(read(client).getETag()).isNotEqualTo(etag);
            }
        }
    }

    @Test
    void clientGoesOnAfterARestart() {
        try (RunningServer server = RunningServer.start();
                CosmosClient client = Cosmos.newClient(server)) {
            String etag = write(client);

            server.stop();
            server.restart();

            assertThat(read(client).getETag()).isEqualTo(etag);
            assertThat(container(client).createItem(item("2", "k")).getStatusCode()).isEqualTo(201);
        }
    }

    @Test
    void ephemeralKeepsNothing() {
        try (RunningServer server = RunningServer.start("--ephemeral")) {
            try (CosmosClient client = Cosmos.newClient(server)) {
                write(client);
                assertThat(read(client).getStatusCode()).isEqualTo(200);
            }
            Path certificate = server.certificate();
            server.stop();
            assertThat(certificate).doesNotExist();
            assertThat(server.data()).isEmptyDirectory();

            server.restart();
            try (CosmosClient client = Cosmos.newClient(server)) {
                assertThat(client.readAllDatabases()).isEmpty();
            }
        }
    }

    @Test
    void checkRecountsTheDataOfAStoppedServer() {
        try (RunningServer server = RunningServer.start()) {
            try (CosmosClient client = Cosmos.newClient(server)) {
                write(client);
                container(client).upsertItem(item("1", "k").put("v", 2));
                container(client).createItem(item("2", "k"));
                container(client).deleteItem("2", new PartitionKey("k"), null);
            }
            Distribution.Output running =
                    Distribution.run("check", "--data", server.data().toString());
            assertThat(running.exitCode()).isNotEqualTo(0);
            assertThat(running.err()).contains("Another Orrery server");
            server.stop();

            Distribution.Output stopped =
                    Distribution.run("check", "--data", server.data().toString());
            assertThat(stopped.exitCode()).as(stopped.all()).isEqualTo(0);
            server.restart();
            try (CosmosClient client = Cosmos.newClient(server)) {
                assertThat(read(client).getItem().get("v").asInt()).isEqualTo(2);
            }
        }
    }

    @Test
    void clientOfTheConnectionStringWorks() {
        RunningServer server = Cosmos.server();
        String text = server.connectionString();
        String endpoint = text.substring("AccountEndpoint=".length(), text.indexOf(';'));
        String key = text.substring(text.indexOf("AccountKey=") + "AccountKey=".length());

        try (CosmosClient client =
                new CosmosClientBuilder()
                        .endpoint(endpoint)
                        .key(key.substring(0, key.length() - 1))
                        .gatewayMode()
                        .buildClient()) {
            assertThat(client.readAllDatabases()).isNotNull();
        }
    }

    @Test
    void dataDirectoryIsMadeWhereTold() {
        Path data = RunningServer.temporaryDirectory();
        try (RunningServer server = RunningServer.startIn(data)) {
            assertThat(Files.exists(data.resolve("format"))).isTrue();
            assertThat(server.certificate()).startsWith(data.toAbsolutePath());
        }
    }

    private static void assertRefused(String says, String... arguments) {
        Distribution.Output output = Distribution.run(arguments);
        assertThat(output.exitCode()).as(String.join(" ", arguments)).isNotEqualTo(0);
        assertThat(output.err()).contains(says).doesNotContainPattern(STACK_TRACE);
    }

    private static String write(CosmosClient client) {
        client.createDatabase("db");
        client.getDatabase("db").createContainer(properties("c", "/pk"));
        return container(client).createItem(item("1", "k").put("v", 1)).getETag();
    }

    private static CosmosItemResponse<ObjectNode> read(CosmosClient client) {
        return container(client).readItem("1", new PartitionKey("k"), ObjectNode.class);
    }

    private static CosmosContainer container(CosmosClient client) {
        return client.getDatabase("db").getContainer("c");
    }
}
