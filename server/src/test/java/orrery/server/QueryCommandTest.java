package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.cluster.api.AccountSettings;
import orrery.server.ServerFixture.Output;

/** {@code orrery query}, against a container of three partitions. */
@Timeout(900)
final class QueryCommandTest {
    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start(AccountSettings.DEFAULT.withPartitionMaxThroughput(6_000));
        server.createDatabase("food");
        server.createContainer("food", "items", "x-ms-offer-throughput", "18000");
        for (int i = 0; i < 250; i++) {
            server.createItem(
                    "food",
                    "items",
                    "group " + i % 10,
                    "i" + i,
                    ",\"n\":" + i + ",\"x\":[" + i + "]");
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Output query(String text, String... options) {
        return run("food/items", text, options);
    }

    private static Output run(String place, String text, String... options) {
        String[] all = new String[options.length + 3];
        all[0] = "query";
        all[1] = place;
        all[2] = text;
        System.arraycopy(options, 0, all, 3, options.length);
        return server.run(all);
    }

    private static List<String> lines(Output output) {
        assertThat(output.err()).isEmpty();
        assertThat(output.exitCode()).isZero();
        return output.out().lines().toList();
    }

    @Test
    void resultsAreATable() {
        assertThat(lines(query("SELECT c.id, c.n, c.none, c.x FROM c WHERE c.n < 3 ORDER BY c.n")))
                .containsExactly(
                        "id  n  x",
                        "--  -  ---",
                        "i0  0  [0]",
                        "i1  1  [1]",
                        "i2  2  [2]",
                        "",
                        "3 results.");
        assertThat(lines(query("SELECT VALUE SUM(c.n) FROM c")))
                .containsExactly("value", "-----", "31125", "", "1 result.");
        assertThat(lines(query("SELECT * FROM c WHERE c.n < 0"))).containsExactly("0 results.");
    }

    @Test
    void wholeItemsComeWithoutWhatTheServerAdds() {
        List<String> lines = lines(query("SELECT * FROM c WHERE c.id = 'i7'"));
        assertThat(lines.getFirst()).startsWith("id ").contains(" n  x").doesNotContain("_etag");
        assertThat(lines(query("SELECT * FROM c WHERE c.id = 'i7'", "--json")))
                .singleElement()
                .asString()
                .startsWith("{\"id\":\"i7\"")
                .contains("\"_etag\":");
    }

    @Test
    void aLimitStopsEarlyAndSaysSo() {
        List<String> some = lines(query("SELECT c.n FROM c ORDER BY c.n DESC"));
        assertThat(some).hasSize(2 + 100 + 2).contains("249", "150");
        assertThat(some.getLast()).isEqualTo("100 results, and there may be more: see --limit.");
        assertThat(lines(query("SELECT VALUE c.n FROM c ORDER BY c.n", "--limit", "2", "--json")))
                .containsExactly("0", "1");
        assertThat(lines(query("SELECT VALUE c.n FROM c", "--limit", "0", "--json")))
                .hasSize(250)
                .doesNotHaveDuplicates();
        assertThat(lines(query("SELECT DISTINCT VALUE c.n % 7 FROM c", "--limit", "0")))
                .hasSize(2 + 7 + 2)
                .endsWith("7 results.");
    }

    @Test
    void parametersAreJsonOrText() {
        assertThat(
                        lines(
                                query(
                                        "SELECT VALUE c.id FROM c WHERE c.n = @n OR c.id = @id",
                                        "--json",
                                        "--param",
                                        "n=3",
                                        "--param",
                                        "@id=i5")))
                .containsExactlyInAnyOrder("\"i3\"", "\"i5\"");
        assertThat(
                        lines(
                                query(
                                        "SELECT VALUE COUNT(1) FROM c WHERE ARRAY_CONTAINS(@all, c.n)",
                                        "--json",
                                        "--param",
                                        "all=[1, 2, 3]")))
                .containsExactly("3");
    }

    @Test
    void aPartitionKeyNarrowsIt() {
        assertThat(
                        lines(
                                query(
                                        "SELECT VALUE COUNT(1) FROM c",
                                        "--json",
                                        "--partition-key",
                                        "\"group 3\"")))
                .containsExactly("25");
        assertThat(
                        lines(
                                query(
                                        "SELECT VALUE COUNT(1) FROM c",
                                        "--json",
                                        "--partition-key",
                                        "[\"group 11\"]")))
                .containsExactly("0");
    }

    @Test
    void anExplanationGoesToTheOtherStream() {
        Output found =
                query(
                        "SELECT VALUE c.n FROM c WHERE c.n > 246 ORDER BY c.n",
                        "--json",
                        "--explain");
        assertThat(found.exitCode()).isZero();
        assertThat(found.out().lines()).containsExactly("247", "248", "249");
        assertThat(found.err())
                .contains("ranges     all")
                .contains("each range SELECT c._rid, [{\"item\": c.n}] AS orderByItems")
                .contains(
                        "index      {\"UtilizedIndexes\":{\"SingleIndexes\":[{\"IndexSpec\":\"/n/?\"}]")
                .containsPattern("documents  3 loaded, \\d+ bytes, for 3 results")
                .containsPattern("charge     \\d+\\.\\d\\d RU in 1 page\\(s\\)")
                .contains("last page  ");

        Output point =
                query(
                        "SELECT VALUE COUNT(1) FROM c",
                        "--explain",
                        "--partition-key",
                        "\"group 3\"");
        assertThat(point.err()).containsPattern("ranges     key [0-9A-F]{32}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "food/items | SELECT FROM c        | 1 | near 'FROM'. (SC1001, characters 7 to 11)",
                "food/items | SELECT VALUE 1/0     | 1 | not finite",
                "food/items | SELECT udf.f(1)      | 1 | user-defined",
                "food/none  | SELECT * FROM c      | 1 | none",
                "food       | SELECT * FROM c      | 2 | DB/CONTAINER",
            })
    void refusalsAreShort(String place, String text, int exitCode, String reason) {
        Output refused = run(place, text);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err()).containsIgnoringCase(reason).doesNotContain("\tat ");
        assertThat(refused.exitCode()).isEqualTo(exitCode);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--limit         | -1  | --limit must be 0 or more",
                "--partition-key | LAX | a text goes in quotes",
                "--param         | n   | --param",
            })
    void wrongOptionsAreExplained(String option, String value, String reason) {
        Output refused = query("SELECT * FROM c", option, value);
        assertThat(refused.err()).contains(reason).doesNotContain("\tat ");
        assertThat(refused.exitCode()).isEqualTo(2);
    }
}
