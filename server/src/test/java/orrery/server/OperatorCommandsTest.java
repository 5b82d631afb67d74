package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.cluster.api.AccountSettings;
import orrery.server.ServerFixture.Output;

/** The commands that talk to a server, against one. */
@Timeout(900)
final class OperatorCommandsTest {
    private ServerFixture server;

    @BeforeEach
    void start() {
        server =
                ServerFixture.start(
                        AccountSettings.DEFAULT
                                .withPartitionMaxThroughput(6_000)
                                .withStorage(64L << 20, 1L << 20));
        server.createDatabase("food");
        server.createContainer("food", "items", "x-ms-offer-throughput", "6000");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static void assertDone(Output output) {
        assertThat(output.err()).isEmpty();
        assertThat(output.exitCode()).isZero();
    }

    private static void assertFailed(Output output, int exitCode, String reason) {
        assertThat(output.err()).contains(reason).doesNotContain("\tat ");
        assertThat(output.exitCode()).isEqualTo(exitCode);
    }

    @Test
    void drawsPartitionsKeysAndEvents() {
        String filler = ",\"text\":\"" + "x".repeat(300_000) + "\"";
        for (int i = 0; i < 3; i++) {
            server.createItem("food", "items", "Beef Products", "b" + i, filler);
        }
        server.createItem("food", "items", "Soups, Sauces, and Gravies", "s", "");
        assertDone(server.run("split", "food/items"));

        Output drawn = server.run("partitions", "food/items");

        assertDone(drawn);
        assertThat(drawn.out()).doesNotContain("\u001b");
        assertThat(drawn.words())
                .contains("food/items: 6000 RU/s, 2 physical partitions, 4 items, ")
                .containsPattern("\n 1 0 00 [0-9A-F]{8} \\d \\d")
                .containsPattern("\n 2 0 [0-9A-F]{8} FF \\d \\d")
                .containsPattern("The largest range holds [12]\\.\\d\\d times the mean")
                .containsPattern("\n 1 3000 ")
                .containsPattern("8\\d\\.\\d% ! \\[\"Beef Products\"]")
                .containsPattern("0\\.\\d% \\[\"Soups, Sauces, and Gravies\"]")
                .contains("keys with most request units lately")
                .containsPattern("\\d+ ms \\w+ 0 -> 1,2\n");
        assertThat(drawn.out()).containsPattern("[█#]{30}");

        Output none = server.run("partitions", "food/items", "--keys", "0");
        assertDone(none);
        assertThat(none.out()).doesNotContain("Beef").contains("splits and merges");

        Output json = server.run("partitions", "food/items", "--output", "json", "--keys", "1");
        assertDone(json);
        assertThat(json.out())
                .startsWith("{\"database\":\"food\"")
                .contains("\"largestKeys\":[{\"key\":[\"Beef Products\"]");

        Output failed = server.run("partitions", "food/items", "--fail-above", "1.5");
        assertFailed(failed, 3, "more than 1.5.");
        assertThat(failed.out()).contains("physical partitions");
        assertDone(server.run("partitions", "food/items", "--fail-above", "2.0"));
    }

    @Test
    void anEmptyContainerIsEven() {
        Output drawn = server.run("partitions", "food/items", "--fail-above", "1");
        assertDone(drawn);
        assertThat(drawn.words())
                .contains("1 physical partition, 0 items, 0 B")
                .contains("none has been written since the server started")
                .doesNotContain("splits and merges", "times the mean");
    }

    @Test
    void setsThroughputAndWaitsForTheSplits() {
        Output set = server.run("throughput", "set", "food/items", "--throughput", "18000");
        assertThat(set.exitCode()).isZero();
        assertThat(set.out())
                .isEqualTo("food/items: 18000 RU/s (minimum: 400)" + System.lineSeparator());
        assertThat(server.run("partitions", "food/items").words())
                .contains("food/items: 18000 RU/s, 3 physical partitions");

        assertThat(
                        server.run("throughput", "set", "food/items", "--max-throughput", "20000")
                                .exitCode())
                .isZero();
        Output got = server.run("throughput", "show", "food/items");
        assertDone(got);
        assertThat(got.out()).startsWith("food/items: autoscale up to 20000 RU/s (minimum: 2000)");

        assertFailed(
                server.run("throughput", "set", "food/items", "--throughput", "450"),
                1,
                "increments of 100");
        assertThat(
                        server.run(
                                        "throughput",
                                        "set",
                                        "food/items",
                                        "--throughput",
                                        "6000",
                                        "--no-wait")
                                .out())
                .startsWith("food/items: 6000 RU/s");
    }

    @Test
    void redistributesThroughput() {
        assertThat(
                        server.run("throughput", "set", "food/items", "--throughput", "12000")
                                .exitCode())
                .isZero();
        Output moved =
                server.run(
                        "throughput",
                        "redistribute",
                        "food/items",
                        "--to",
                        "2=6000",
                        "--from",
                        "1");
        // Each has t already: nobody can have more.
        assertDone(moved);
        assertThat(moved.out().lines())
                .containsExactly("Range 1 has 6000 RU/s.", "Range 2 has 6000 RU/s.");
        assertFailed(
                server.run("throughput", "redistribute", "food/items", "--to", "2=6100"),
                1,
                "between 100 and 6000");
        assertThat(server.run("throughput", "set", "food/items", "--throughput", "6000").exitCode())
                .isZero();
        assertThat(
                        server.run(
                                        "throughput",
                                        "redistribute",
                                        "food/items",
                                        "--to",
                                        "2=5000",
                                        "--from",
                                        "1=500")
                                .out()
                                .lines())
                .containsExactly("Range 1 has 1000 RU/s.", "Range 2 has 5000 RU/s.");
        String link = "dbs/food/colls/items";
        assertThat(server.sqlReply("GET", "pkranges", link, link + "/pkranges", "").body())
                .contains("\"throughputFraction\":0.166", "\"throughputFraction\":0.833");
        assertFailed(
                server.run(
                        "throughput",
                        "redistribute",
                        "food/items",
                        "--to",
                        "2=5600",
                        "--from",
                        "1=500"),
                1,
                "ask for 600 RU/s more than they have, and the others have only 500 to give");
        Output equal = server.run("throughput", "redistribute", "food/items", "--equal");
        assertThat(equal.out().lines())
                .containsExactly("Range 1 has 3000 RU/s.", "Range 2 has 3000 RU/s.");
        assertThat(server.sqlReply("GET", "pkranges", link, link + "/pkranges", "").body())
                .contains("\"throughputFraction\":0.5");
    }

    @Test
    void bucketsAreSetShownAndTakenAway() {
        assertThat(server.run("throughput", "buckets", "list", "food/items").out())
                .startsWith("food/items has no buckets");
        Output set =
                server.run(
                        "throughput",
                        "buckets",
                        "set",
                        "food/items",
                        "--to",
                        "5=100",
                        "--to",
                        "1=1",
                        "--default",
                        "5");
        assertDone(set);
        assertThat(set.out().lines())
                .containsExactly(
                        "Bucket 1 may use 1 % of the throughput.",
                        "Bucket 5 may use 100 % of the throughput, and has the requests that name no"
                                + " bucket.");
        assertThat(
                        server.run(
                                        "throughput",
                                        "buckets",
                                        "list",
                                        "food/items",
                                        "--output",
                                        "json")
                                .out()
                                .strip())
                .isEqualTo(
                        "{\"buckets\":[{\"id\":1,\"maxThroughputPercentage\":1},{\"id\":5,"
                                + "\"maxThroughputPercentage\":100,\"isDefaultBucket\":true}]}");
        assertFailed(
                server.run("throughput", "buckets", "set", "food/items", "--to", "6=10"),
                1,
                "must be between 1 and 5");
        assertFailed(
                server.run("throughput", "buckets", "set", "food/items", "--to", "1=101"),
                1,
                "must be between 1 and 100");
        assertFailed(
                server.run(
                        "throughput",
                        "buckets",
                        "set",
                        "food/items",
                        "--to",
                        "1=10",
                        "--default",
                        "2"),
                2,
                "--default 2 is not a bucket that --to names");
        assertFailed(server.run("throughput", "buckets", "set", "food/items"), 2, "--to");
        assertThat(server.run("throughput", "buckets", "clear", "food/items").out())
                .startsWith("food/items has no buckets");
        server.createDatabase("shared", "x-ms-offer-throughput", "1000");
        server.createContainer("shared", "one");
        assertFailed(
                server.run("throughput", "buckets", "set", "shared/one", "--to", "1=10"),
                1,
                "shares the throughput of its database");
    }

    @Test
    void databasesHaveThroughputToo() {
        server.createDatabase("shared", "x-ms-offer-throughput", "1000");
        server.createContainer("shared", "one");
        assertThat(server.run("throughput", "show", "shared").out())
                .startsWith("shared: 1000 RU/s of the database (minimum: 400)");
        assertThat(server.run("throughput", "set", "shared", "--throughput", "7000").exitCode())
                .isZero();
        assertThat(server.run("partitions", "shared/one").words())
                .contains("shared/one: 7000 RU/s of the database, 2 physical partitions")
                .contains("* shared with other containers");
        assertFailed(
                server.run("throughput", "show", "shared/one"),
                1,
                "shares the throughput of its database");
    }

    @Test
    void splitsAndMerges() {
        Output split = server.run("split", "food/items", "0");
        assertDone(split);
        assertThat(split.out().strip()).isEqualTo("Range 0 is now 1 and 2.");
        Output merge = server.run("merge", "food/items", "1");
        assertDone(merge);
        assertThat(merge.out().strip()).isEqualTo("Ranges 1 and 2 are now 3.");
        assertFailed(server.run("merge", "food/items", "3"), 1, "none to the right of it");
        assertFailed(
                server.run("split", "food/items", "0"), 1, "The container has no such range. List");
        assertFailed(server.run("repair", "food/items", "3"), 1, "nothing to repair");
    }

    @Test
    void aMergeNamesTheTwoRangesThatItMerged() {
        for (String range : List.of("0", "1", "2")) {
            assertDone(server.run("split", "food/items", range));
        }
        assertThat(server.run("merge", "food/items", "4").out().strip())
                .isEqualTo("Ranges 4 and 5 are now 7.");
        assertThat(server.run("merge", "food/items", "3").out().strip())
                .isEqualTo("Ranges 3 and 7 are now 8.");
        assertThat(server.run("merge", "food/items", "8").out().strip())
                .isEqualTo("Ranges 8 and 6 are now 9.");
    }

    @Test
    void faultsComeAndGo() {
        server.createItem("food", "items", "k", "1", "");
        assertThat(server.run("lab", "fault", "food/items").out())
                .startsWith("food/items: no fault is set");

        assertThat(
                        server.run("lab", "fault", "food/items", "--status", "429", "--count", "2")
                                .out())
                .startsWith("food/items: the next 2 requests answer 429");
        HttpResponse<String> throttled = server.readItem("food", "items", "k", "1");
        assertThat(throttled.statusCode()).isEqualTo(429);
        assertThat(throttled.headers().firstValue("x-ms-substatus")).contains("3200");
        assertThat(throttled.headers().firstValue("x-ms-retry-after-ms")).contains("100");
        assertThat(server.run("lab", "fault", "food/items").out())
                .startsWith("food/items: the next request answers 429");
        assertThat(server.run("partitions", "food/items").out())
                .contains("A fault is set: the next");
        assertThat(server.readItem("food", "items", "k", "1").statusCode()).isEqualTo(429);
        assertThat(server.readItem("food", "items", "k", "1").statusCode()).isEqualTo(200);

        assertThat(server.run("lab", "fault", "food/items", "--status", "410").out())
                .startsWith("food/items: every request answers 410");
        HttpResponse<String> gone = server.readItem("food", "items", "k", "1");
        assertThat(gone.statusCode()).isEqualTo(410);
        assertThat(gone.headers().firstValue("x-ms-substatus")).contains("1002");
        assertThat(server.run("lab", "fault", "food/items", "--off").out())
                .startsWith("food/items: no fault is set");
        assertThat(server.readItem("food", "items", "k", "1").statusCode()).isEqualTo(200);
        assertThat(
                        server.run("lab", "fault", "food/items", "--status", "503", "--rate", "0.1")
                                .out())
                .startsWith("food/items: a request answers 503 with probability 0.1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "partitions",
                "partitions food",
                "partitions food/",
                "partitions /items",
                "partitions food/items/x",
                "partitions food/items --keys -1",
                "partitions food/items --keys 101",
                "partitions food/items --fail-above 0.9",
                "partitions food/items --fail-above NaN",
                "partitions food/items --insecure",
                "throughput",
                "throughput show",
                "throughput set food/items",
                "throughput set food/items --throughput 400 --max-throughput 1000",
                "throughput set food/items --throughput many",
                "throughput redistribute food/items",
                "throughput redistribute food --to 0=400",
                "throughput redistribute food/items --to 0",
                "throughput redistribute food/items --from 0",
                "throughput redistribute food/items --equal --to 0=400",
                "split food/items first",
                "merge food/items",
                "repair food/items",
                "lab",
                "lab fault food/items --count 1",
                "lab fault food/items --status 429 --count 1 --rate 0.5",
                "lab fault food/items --off --status 429",
            })
    void wrongOptionsAreTwo(String line) {
        Output output = server.run(line.split(" ", -1));
        assertThat(output.exitCode()).isEqualTo(2);
        assertThat(output.err())
                .startsWith("orrery: ")
                .contains("`orrery " + line.split(" ", -1)[0])
                .hasLineCount(1);
    }

    @Test
    void saysWhatIsWrongWithTheServerOrTheKey(@TempDir Path directory) throws Exception {
        assertFailed(
                server.run("partitions", "food/no"),
                1,
                "orrery: There is no container 'no' in the database 'food'.");
        assertFailed(server.run("partitions", "no/items"), 1, "There is no database 'no'.");
        assertFailed(
                server.run("partitions", "food/items", "--key", server.keys().primary() + "AAAA"),
                1,
                "The key is not Base64");
        assertFailed(
                server.run(
                        "partitions",
                        "food/items",
                        "--key",
                        "bm90LWEta2V5LW9mLXRoZS1hY2NvdW50LWF0LWFsbA=="),
                1,
                "The server refuses the key");
        assertFailed(
                ServerFixture.command("partitions", "food/items", "--endpoint", "localhost:8081"),
                2,
                "is not an address such as");
        assertFailed(
                ServerFixture.command("split", "food/items", "--endpoint", "http://db.example:1"),
                1,
                "A key is needed for http://db.example:1/");
        assertFailed(
                ServerFixture.command("split", "food/items", "--endpoint", "http://localhost:1"),
                1,
                "No server answers at http://localhost:1/. Start one with `orrery start`");
        assertFailed(
                ServerFixture.command(
                        "split",
                        "food/items",
                        "--endpoint",
                        "http://localhost:" + server.server().statusPort()),
                1,
                "This port serves /alive");

        String secure = "https://localhost:" + server.server().port();
        assertFailed(
                ServerFixture.command("partitions", "food/items", "--endpoint", secure),
                1,
                "is not trusted. Pass --cacert");
        assertDone(
                ServerFixture.command(
                        "partitions",
                        "food/items",
                        "--endpoint",
                        secure,
                        "--cacert",
                        server.server().certificate().toString()));
        assertDone(
                ServerFixture.command(
                        "partitions", "food/items", "--endpoint", secure, "--insecure"));
        Path empty = Files.createFile(directory.resolve("empty.crt"));
        assertFailed(
                ServerFixture.command(
                        "partitions",
                        "food/items",
                        "--endpoint",
                        secure,
                        "--cacert",
                        empty.toString()),
                1,
                "holds no certificate");
        assertFailed(
                ServerFixture.command(
                        "partitions",
                        "food/items",
                        "--endpoint",
                        secure,
                        "--cacert",
                        directory.resolve("no.crt").toString()),
                1,
                "cannot be read: there is no such file");
    }

    @Test
    void namesMayHoldAnyCharacter() {
        server.createDatabase("Öl & Salz");
        String link = "dbs/Öl & Salz";
        server.sql(
                "POST",
                "colls",
                link,
                "dbs/%C3%96l%20%26%20Salz/colls",
                "{\"id\":\"100% +\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\","
                        + "\"version\":2}}");
        Output drawn = server.run("partitions", "Öl & Salz/100% +");
        assertDone(drawn);
        assertThat(drawn.out()).startsWith("Öl & Salz/100% +: ");
    }

    @Test
    void everyAnswerIsJsonForPrograms() {
        assertThat(json("throughput", "show", "food/items"))
                .isEqualTo(
                        "{\"manual\":6000,\"of\":\"container\",\"minimum\":400,\"pending\":false}");
        assertThat(json("throughput", "set", "food/items", "--max-throughput", "6000"))
                .startsWith("{\"autoscale\":6000");
        assertThat(json("split", "food/items")).startsWith("{\"partitions\":[{\"id\":1");
        assertThat(json("throughput", "redistribute", "food/items", "--equal"))
                .startsWith("{\"partitions\":[{\"id\":1,\"ru\":3000");
        assertThat(json("merge", "food/items", "1")).startsWith("{\"partitions\":[{\"id\":3");
        assertThat(json("lab", "fault", "food/items")).isEqualTo("{}");
        assertThat(json("partitions", "food/items")).startsWith("{\"database\":\"food\"");
    }

    private String json(String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "-o";
        all[arguments.length + 1] = "json";
        Output output = server.run(all);
        assertDone(output);
        return output.out().strip();
    }
}
