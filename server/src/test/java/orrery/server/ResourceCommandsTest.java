package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.cluster.api.AccountSettings;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.server.ServerFixture.Output;

/** {@code create}, {@code delete}, {@code ls} and {@code show}. */
@Timeout(900)
final class ResourceCommandsTest {
    private ServerFixture server;

    @BeforeEach
    void start() {
        server = ServerFixture.start(AccountSettings.DEFAULT);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String done(String... arguments) {
        Output output = server.run(arguments);
        assertThat(output.err()).isEmpty();
        assertThat(output.exitCode()).isZero();
        return output.out().strip();
    }

    private Value.Obj json(String... arguments) {
        return (Value.Obj) JsonText.parse(done(arguments));
    }

    private static void assertFailed(Output output, int exitCode, String reason) {
        assertThat(output.out()).isEmpty();
        assertThat(output.err()).contains(reason).doesNotContain("\tat ");
        assertThat(output.exitCode()).isEqualTo(exitCode);
    }

    @Test
    void createsAndListsAndShows() {
        assertThat(done("ls")).isEqualTo("There is no database yet: orrery create DB");
        assertThat(done("create", "food")).isEqualTo("food is created.");
        assertThat(done("ls", "food")).startsWith("There is no container in food yet");
        assertThat(
                        done(
                                "create",
                                "food/items",
                                "--partition-key-path",
                                "/pk",
                                "--throughput",
                                "20000"))
                .isEqualTo("food/items is created.");
        assertThat(done("create", "shared", "--max-throughput", "4000"))
                .isEqualTo("shared is created.");
        assertThat(done("ls").lines())
                .containsExactly(
                        "database  throughput                                 containers",
                        "food      -                                          1",
                        "shared    autoscale up to 4000 RU/s of the database  0");
        server.createItem("food", "items", "a", "1", "");
        assertThat(done("ls", "food").replaceAll(" +", " ").lines().toList())
                .first()
                .isEqualTo("container key throughput partitions items bytes");
        assertThat(done("ls", "food").replaceAll(" +", " "))
                .containsPattern("items /pk 20000 RU/s 2 1 \\d+ B");

        assertThat(done("ls", "-o", "json"))
                .contains("\"id\":\"food\"", "\"containers\":1", "\"autoscale\":4000");
        assertThat(done("ls", "food", "-o", "json"))
                .contains("\"partitions\":2,\"items\":1,\"itemBytes\":");
        assertThat(json("show", "food", "-o", "json").properties())
                .containsEntry("id", Value.of("food"))
                .containsKey("_rid")
                .containsEntry("containers", new Value.Array(List.of(Value.of("items"))));
        assertThat(json("show", "food/items", "-o", "json").properties())
                .containsKeys(
                        "id",
                        "partitionKey",
                        "indexingPolicy",
                        "uniqueKeyPolicy",
                        "conflictResolutionPolicy",
                        "throughput",
                        "partitions",
                        "items",
                        "itemBytes",
                        "indexBytes",
                        "_rid",
                        "_etag");
        assertThat(done("show", "food/items").replaceAll(" +", " "))
                .contains("property value", "partitions 2", "items 1");
    }

    @Test
    void showsOneItem() {
        server.createDatabase("food");
        server.createContainer("food", "items");
        server.sql(
                "POST",
                "docs",
                "dbs/food/colls/items",
                "dbs/food/colls/items/docs",
                "{\"id\":\"x\",\"pk\":\"Öl\",\"n\":12345678901234567890}",
                "x-ms-documentdb-partitionkey",
                "[\"\\u00d6l\"]");
        assertThat(done("show", "food/items", "--id", "x", "--partition-key", "Öl", "-o", "json"))
                .startsWith("{\"id\":\"x\",\"pk\":\"Öl\",\"n\":12345678901234567890,");
        assertThat(done("show", "food/items", "--id", "x", "--partition-key", "[\"Öl\"]"))
                .contains("property", "pk", "Öl");
        assertFailed(
                server.run("show", "food/items", "--id", "x", "--partition-key", "no"),
                1,
                "There is no item 'x' with this partition key in food/items.");
        assertFailed(
                server.run("show", "food/items", "--id", "x"), 2, "--id and --partition-key go");
        assertFailed(
                server.run("show", "food", "--id", "x", "--partition-key", "1"),
                2,
                "name it as DB/CONTAINER");
    }

    @Test
    void listsTheFirstItems() {
        server.createDatabase("food");
        server.createContainer("food", "items", "x-ms-offer-throughput", "20000");
        assertThat(done("ls", "food/items")).isEqualTo("food/items holds no items.");
        for (int i = 0; i < 30; i++) {
            server.createItem("food", "items", "k" + i, "id " + i, "");
        }
        Output some = server.run("ls", "food/items");
        assertThat(some.exitCode()).isZero();
        assertThat(some.out().lines().toList()).hasSize(21);
        assertThat(some.out()).startsWith("id     /pk");
        assertThat(some.err()).contains("There may be more. --limit shows more");
        assertThat(done("ls", "food/items", "--limit", "50").lines()).hasSize(31);
        assertThat(done("ls", "food/items", "--limit", "50", "-o", "json"))
                .contains("{\"id\":\"id 3\",\"partitionKey\":[\"k3\"]}");
    }

    @Test
    void everySettingOfAContainer(@TempDir Path directory) throws Exception {
        Path policy =
                Files.writeString(
                        directory.resolve("policy.json"),
                        "{\"includedPaths\":[{\"path\":\"/*\"}],\"excludedPaths\":[{\"path\":\"/text/*\"}]}");
        done("create", "db");
        Value.Obj created =
                json(
                        "create",
                        "-p",
                        "/tenant",
                        "/user",
                        "db/c",
                        "--ttl",
                        "60",
                        "--idx",
                        "@" + policy,
                        "-u",
                        "{\"uniqueKeys\":[{\"paths\":[\"/email\"]}]}",
                        "--conflict-resolution-policy",
                        "{\"mode\":\"LastWriterWins\",\"conflictResolutionPath\":\"/n\"}",
                        "--max-throughput",
                        "1000",
                        "-o",
                        "json");
        assertThat(JsonText.write(created))
                .contains(
                        "\"partitionKey\":{\"paths\":[\"/tenant\",\"/user\"],\"kind\":\"MultiHash\","
                                + "\"version\":2}",
                        "\"defaultTtl\":60",
                        "\"excludedPaths\":[{\"path\":\"/text/*\"}",
                        "\"/email\"",
                        "\"conflictResolutionPath\":\"/n\"");
        assertThat(done("throughput", "show", "db/c")).contains("autoscale up to 1000 RU/s");
    }

    @Test
    void whatIsThereStays() {
        done("create", "db");
        done("create", "db/c", "-p", "/a");
        assertFailed(server.run("create", "db"), 1, "db is there already. Pass --if-not-exists");
        assertThat(done("create", "db", "--if-not-exists")).isEqualTo("db is there already.");
        assertThat(done("create", "db/c", "-p", "/a", "--if-not-exists"))
                .isEqualTo("db/c is there already.");
        Output other = server.run("create", "db/c", "-p", "/b", "--if-not-exists");
        assertThat(other.exitCode()).isZero();
        assertThat(other.err()).contains("db/c has another partition key: [\"/a\"].");
        assertFailed(
                server.run("create", "no/c", "-p", "/a"),
                1,
                "There is no database 'no'. Create it first: orrery create no");
    }

    @Test
    void deletesWhenToldTwice() {
        done("create", "db");
        done("create", "db/c", "-p", "/a");
        assertFailed(server.run("delete", "db/c"), 2, "Pass --yes to delete db/c");
        assertThat(done("delete", "db/c", "--yes")).isEqualTo("db/c is deleted.");
        assertFailed(
                server.run("delete", "db/c", "-y"),
                1,
                "There is no container 'c' in the database 'db'.");
        assertThat(done("delete", "db", "-y", "-o", "json"))
                .isEqualTo("{\"database\":\"db\",\"deleted\":true}");
        assertThat(done("ls", "-o", "json")).isEqualTo("[]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "create db/c                          | 2 | A container needs --partition-key-path",
                "create db -p /a                      | 2 | Only a container has a key",
                "create db/c -p a                     | 2 | begins with a slash",
                "create db/c -p /a --idx {            | 2 | is not JSON",
                "create db/c -p /a --idx @no.json     | 2 | 'no.json' cannot be read: there is no such file",
                "create db/c -p /a --throughput 450   | 1 | increments of 100",
                "create db/c -p /a --throughput 400 --max-throughput 1000 | 2 | mutually exclusive",
                "create db/c -p /a//b                 | 1 | could not be accepted",
                "create db?                           | 1 | illegal character",
                "create d/c/x                         | 2 | is not DB or DB/CONTAINER",
                "show no                              | 1 | There is no database 'no'. `orrery ls` shows",
                "show db/no                           | 1 | There is no container 'no' in the database 'db'.",
                "ls no                                | 1 | There is no database 'no'. `orrery ls` shows",
                "ls db/no                             | 1 | There is no container 'no' in the database 'db'.",
                "ls db --limit 0                      | 2 | --limit must be 1 or more",
                "delete no --yes                      | 1 | There is no database 'no'. `orrery ls` shows",
            })
    void refusalsSayWhatToDo(String line, int exitCode, String reason) {
        done("create", "db");
        assertFailed(server.run(line.split(" +", -1)), exitCode, reason);
    }

    @Test
    void anotherServerIsTold() throws IOException {
        HttpServer other =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(200, 5);
                    exchange.getResponseBody().write("hello".getBytes(StandardCharsets.UTF_8));
                    exchange.close();
                });
        other.start();
        try {
            String endpoint = "http://localhost:" + other.getAddress().getPort();
            for (String place : new String[] {"db", "db/c"}) {
                assertFailed(
                        ServerFixture.command("show", place, "--endpoint", endpoint),
                        1,
                        "Is it Orrery, and is --endpoint right?");
            }
            assertFailed(
                    ServerFixture.command("export", "db/c", "--endpoint", endpoint),
                    1,
                    "Is it Orrery, and is --endpoint right?");
        } finally {
            other.stop(0);
        }
    }

    @Test
    void namesAreEncoded() {
        for (String name : new String[] {"Öl & Salz", "100% +", "..", "a;b:c@d", "日本"}) {
            done("create", name);
            done("create", name + "/" + name, "-p", "/a");
            assertThat(done("ls", name)).contains(name + " ");
            assertThat(done("delete", name, "-y")).isEqualTo(name + " is deleted.");
        }
        assertFailed(server.run("create", "x".repeat(256)), 1, "255");
        assertFailed(server.run("create", "blank at the end "), 1, "must not end with a space");
    }
}
