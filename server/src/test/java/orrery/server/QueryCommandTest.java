package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.cluster.api.AccountSettings;
import orrery.server.ServerFixture.Output;
import picocli.CommandLine;

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

    /** The elements of the array, each as it stands on its line. */
    private static List<String> elements(Output output) {
        List<String> lines = lines(output);
        if (lines.equals(List.of("[]"))) {
            return List.of();
        }
        assertThat(lines.getFirst()).isEqualTo("[");
        assertThat(lines.getLast()).isEqualTo("]");
        return lines.subList(1, lines.size() - 1).stream()
                .map(line -> line.replaceFirst(",$", ""))
                .toList();
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
        assertThat(elements(query("SELECT * FROM c WHERE c.id = 'i7'", "-o", "json")))
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
        assertThat(
                        elements(
                                query(
                                        "SELECT VALUE c.n FROM c ORDER BY c.n",
                                        "--limit",
                                        "2",
                                        "-o",
                                        "json")))
                .containsExactly("0", "1");
        assertThat(elements(query("SELECT VALUE c.n FROM c", "--limit", "0", "-o", "json")))
                .hasSize(250)
                .doesNotHaveDuplicates();
        assertThat(lines(query("SELECT DISTINCT VALUE c.n % 7 FROM c", "--limit", "0")))
                .hasSize(2 + 7 + 2)
                .endsWith("7 results.");
    }

    @Test
    void parametersAreJsonOrText() {
        assertThat(
                        elements(
                                query(
                                        "SELECT VALUE c.id FROM c WHERE c.n = @n OR c.id = @id",
                                        "-o",
                                        "json",
                                        "--param",
                                        "n=3",
                                        "--param",
                                        "@id=i5")))
                .containsExactlyInAnyOrder("\"i3\"", "\"i5\"");
        assertThat(
                        elements(
                                query(
                                        "SELECT VALUE COUNT(1) FROM c WHERE ARRAY_CONTAINS(@all, c.n)",
                                        "-o",
                                        "json",
                                        "--param",
                                        "all=[1, 2, 3]")))
                .containsExactly("3");
    }

    @Test
    void aPartitionKeyNarrowsIt() {
        assertThat(
                        elements(
                                query(
                                        "SELECT VALUE COUNT(1) FROM c",
                                        "-o",
                                        "json",
                                        "--partition-key",
                                        "\"group 3\"")))
                .containsExactly("25");
        assertThat(
                        elements(
                                query(
                                        "SELECT VALUE COUNT(1) FROM c",
                                        "-o",
                                        "json",
                                        "--partition-key",
                                        "[\"group 11\"]")))
                .containsExactly("0");
    }

    @Test
    void aKeyThatIsNoJsonIsAText() {
        assertThat(
                        elements(
                                query(
                                        "SELECT VALUE COUNT(1) FROM c",
                                        "-o",
                                        "json",
                                        "--partition-key",
                                        "group 3")))
                .containsExactly("25");
    }

    @Test
    void programsGetAnArrayOfWhatIsStored() {
        server.createContainer("food", "exact");
        server.createItem("food", "exact", "k", "1", ",\"n\":12345678901234567890.50");
        assertThat(elements(run("food/exact", "SELECT * FROM c", "-o", "json")))
                .singleElement()
                .asString()
                .contains("\"n\":12345678901234567890.50");
        assertThat(lines(query("SELECT * FROM c WHERE c.n < 0", "-o", "json")))
                .containsExactly("[]");
    }

    @Test
    void parametersThatDoNotFitAreTold() {
        Output missing = query("SELECT * FROM c WHERE c.n = @n AND c.id != '@text' -- @comment");
        assertThat(missing.exitCode()).isZero();
        assertThat(missing.out().strip()).isEqualTo("0 results.");
        assertThat(missing.err().lines())
                .containsExactly(
                        "orrery: The query names @n, which has no value. Pass --param n=VALUE.");
        Output unused =
                query("SELECT VALUE 1 OFFSET @o LIMIT 1", "--param", "o=0", "--param", "O=0");
        assertThat(unused.err().lines())
                .containsExactly("orrery: The query does not name the parameter @O.");
    }

    @Test
    void aThrottledQueryIsAskedAgain() {
        server.createContainer("food", "throttled");
        assertThat(
                        server.run(
                                        "lab",
                                        "fault",
                                        "food/throttled",
                                        "--status",
                                        "429",
                                        "--count",
                                        "3")
                                .exitCode())
                .isZero();
        assertThat(lines(run("food/throttled", "SELECT * FROM c"))).containsExactly("0 results.");
        assertThat(server.run("lab", "fault", "food/throttled", "--status", "429").exitCode())
                .isZero();
        Output refused = run("food/throttled", "SELECT * FROM c");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).startsWith("orrery: ").doesNotContain("ActivityId", "\tat ");
    }

    @Test
    void nobodyReadsOn() {
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(new ClosedPipe(), true));
        commandLine.setErr(new PrintWriter(err, true));
        int exitCode =
                commandLine.execute(
                        "query",
                        "food/items",
                        "SELECT * FROM c",
                        "--limit",
                        "0",
                        "--explain",
                        "--endpoint",
                        server.endpoint());
        assertThat(exitCode).isZero();
        assertThat(err.toString()).contains("RU in 1 page(s)").doesNotContain("orrery:");
    }

    /** The end of a pipe whose reader is gone. */
    private static final class ClosedPipe extends Writer {
        @Override
        public void write(char[] text, int offset, int length) throws IOException {
            throw new IOException("Broken pipe");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @Test
    void anExplanationGoesToTheOtherStream() {
        Output found =
                query(
                        "SELECT VALUE c.n FROM c WHERE c.n > 246 ORDER BY c.n",
                        "-o",
                        "json",
                        "--explain");
        assertThat(found.exitCode()).isZero();
        assertThat(found.out().lines()).containsExactly("[", "247,", "248,", "249", "]");
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
                "--output        | xml | 'xml' is not one of table, json",
                "--param         | n   | --param",
            })
    void wrongOptionsAreExplained(String option, String value, String reason) {
        Output refused = query("SELECT * FROM c", option, value);
        assertThat(refused.err()).contains(reason).doesNotContain("\tat ");
        assertThat(refused.exitCode()).isEqualTo(2);
    }
}
