package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class EstimateCommandTest {
    @TempDir Path directory;
    private Path item;
    private Path queries;

    private record Output(int exitCode, String out, String err) {}

    @BeforeEach
    void write() throws IOException {
        item = directory.resolve("user.json");
        queries = directory.resolve("queries.txt");
        Files.writeString(item, "{\"id\":\"1\",\"username\":\"ada\"}");
    }

    private static Output run(Object... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        int exitCode =
                commandLine.execute(
                        Arrays.stream(arguments).map(Object::toString).toArray(String[]::new));
        return new Output(exitCode, out.toString(), err.toString());
    }

    private Output estimate(Object... more) {
        Object[] arguments = new Object[more.length + 3];
        System.arraycopy(new Object[] {"estimate", "--item", item}, 0, arguments, 0, 3);
        System.arraycopy(more, 0, arguments, 3, more.length);
        return run(arguments);
    }

    private static String words(String text) {
        return text.replaceAll(" +", " ");
    }

    @Test
    void tellsOperationsLoadAndThroughput() throws IOException {
        Files.writeString(queries, "# by key\n\n10 50 0.4\n2.5 0 1 5\n1 1\n");

        Output output = estimate("--reads", 500, "--writes", "100", "--queries", queries);

        assertThat(output.err()).isEmpty();
        assertThat(output.exitCode()).isZero();
        assertThat(words(output.out()).lines())
                .containsExactly(
                        "user.json: 232 bytes with system properties, 2 leaves in the index",
                        "",
                        "operation RU made of",
                        "read 1.00 size 1.00 (1 KB)",
                        "create 5.71 size 4.95 (1 KB) + leaves 0.76 (-0 +2)",
                        "replace, one value 10.67 size 9.91 (1 KB) + leaves 0.76 (-1 +1)",
                        "replace, all values 11.43 size 9.91 (1 KB) + leaves 1.52 (-2 +2)",
                        "delete 5.71 size 4.95 (1 KB) + leaves 0.76 (-2 +0)",
                        "query 1 8.90 base 2.30 (ranges: 1) + size 6.60 (20 KB)",
                        "query 2 11.50 base 11.50 (ranges: 5)",
                        "query 3 2.42 base 2.30 (ranges: 1) + size 0.12 (0.23 KB)",
                        "",
                        "load per second RU/s",
                        "500 reads 500.00",
                        "100 creates 571.43",
                        "10 of query 1 89.00",
                        "2.5 of query 2 28.75",
                        "1 of query 3 2.42",
                        "together 1191.60",
                        "",
                        "Provision 1200 RU/s: ceil(1200 / 10000) = 1 physical partition.");
    }

    @ParameterizedTest
    @CsvSource({
        "0,400,1",
        "400,400,1",
        "400.01,500,1",
        "10000,10000,1",
        "10001,10100,2",
        "1000000,1000000,100"
    })
    void roundsUpToWhatAContainerMayHave(double reads, int throughput, int ranges) {
        assertThat(estimate("--reads", reads, "--writes", 0).out())
                .contains("Provision " + throughput + " RU/s: ")
                .contains(" = " + ranges + " physical partition");
    }

    @ParameterizedTest
    @CsvSource({"strong,2.00", "BoundedStaleness,2.00", "Session,1.00", "Eventual,1.00"})
    void readsAtAQuorumCostTwice(String level, String read) {
        Output output = estimate("--reads", 1, "--writes", 1, "--consistency", level);

        assertThat(words(output.out()))
                .contains("\nread " + read)
                .contains("\ncreate 5.71 size 4.95 (1 KB) + leaves 0.76 (-0 +2)");
        assertThat(output.out().contains("consistency 1.00 (x2)")).isEqualTo(read.equals("2.00"));
    }

    @Test
    void moreThanAContainerCanHaveIsSaid() {
        Output output = estimate("--reads", 1_000_001, "--writes", 0);

        assertThat(output.exitCode()).isEqualTo(1);
        assertThat(output.out()).contains("1000001.00").doesNotContain("Provision");
        assertThat(output.err())
                .isEqualTo(
                        "orrery: The load needs 1000001.00 RU/s and a container can have 1000000."
                                + " Spread it over several containers."
                                + System.lineSeparator());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "1",
                "{\"name\":\"no id\"}",
                "{\"id\":1}",
                "{\"id\":\"1\"} {\"id\":\"2\"}"
            })
    void whatIsNotAnItemIsRefused(String json) throws IOException {
        Files.writeString(item, json);

        Output output = estimate("--reads", 1, "--writes", 1);

        assertThat(output.exitCode()).isEqualTo(1);
        assertThat(output.err()).startsWith("orrery: " + item + " is not an item: ");
        assertThat(output.err().lines()).hasSize(1);
        assertThat(output.out()).isEmpty();
    }

    @Test
    void filesThatCannotBeReadAreNamed() throws IOException {
        Files.write(queries, "5 \u00e9".getBytes(StandardCharsets.ISO_8859_1));
        Path none = directory.resolve("none");
        Path large = Files.write(directory.resolve("large.json"), new byte[(2 << 20) + 1]);

        assertThat(run("estimate", "--item", none, "--reads", 1, "--writes", 1).err())
                .startsWith("orrery: " + none + " cannot be read: there is no such file.");
        assertThat(run("estimate", "--item", large, "--reads", 1, "--writes", 1).err())
                .startsWith("orrery: " + large + " has 2097153 bytes; an item may have 2 MB.");
        assertThat(run("estimate", "--item", directory, "--reads", 1, "--writes", 1).exitCode())
                .isEqualTo(1);
        Output notText = estimate("--reads", 1, "--writes", 1, "--queries", queries);
        assertThat(notText.err()).contains("it is not UTF-8 text");
        assertThat(notText.exitCode()).isEqualTo(1);
    }

    @Test
    void tellsFromTheTextWhatAQueryLoadsAndVisits() throws IOException {
        Files.writeString(
                queries,
                """
                10 50 SELECT * FROM c WHERE c.username = @who
                10 50 select * from c where c.username = @who and c.age > 5
                1 SELECT TOP 20 * FROM c WHERE c.age > 5 ORDER BY c.age
                1 SELECT VALUE COUNT(1) FROM c WHERE c.age > 5
                1 SELECT * FROM c WHERE c.a = c.b
                1 SELECT * FROM c
                1 7 SELECT * FROM c WHERE CONTAINS(c.name, 'x')
                1 SELECT 1
                """);

        Output output =
                estimate(
                        "--reads",
                        12000,
                        "--writes",
                        0,
                        "--queries",
                        queries,
                        "--items",
                        300,
                        "--partition-key",
                        "/username");

        assertThat(output.err()).isEmpty();
        assertThat(words(output.out()).lines())
                .contains(
                        "query 1 8.21 base 2.30 (ranges: 1) + size 5.91 (11.33 KB)",
                        "query 3 9.32 base 4.60 (ranges: 2) + size 4.72 (9.06 KB)",
                        "query 4 4.60 base 4.60 (ranges: 2)",
                        "",
                        "query 1 loads 50 items by the index, visits 1 of 2 ranges",
                        "query 2 loads 50 items by the index, visits 1 of 2 ranges",
                        "query 3 loads 40 items by the index, visits all ranges",
                        "query 4 loads nothing, visits all ranges",
                        "query 5 loads 300 items because no index helps, visits all ranges",
                        "query 6 loads 300 items, visits all ranges",
                        "query 7 loads 7 items or more, as the index may not decide the filter,"
                                + " visits all ranges",
                        "query 8 loads nothing, visits 1 of 2 ranges",
                        "Provision 12300 RU/s: ceil(12300 / 10000) = 2 physical partitions.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    1 SELECT * FROM c WHERE c.a = 1     | say how many items match
                    1 SELECT * FROM c                   | say how many items match
                    1 SELECT * FROM c WHERE c.a = c.b   | no index helps it
                    1 5 SELECT FROM c                   | Syntax error, incorrect syntax near 'FROM'.
                    1 5 SELECT TOP @n * FROM c          | The count value provided for a TOP clause
                    """)
    void saysWhyAQueryCannotBeEstimated(String line, String reason) throws IOException {
        Files.writeString(queries, line);

        Output output = estimate("--reads", 1, "--writes", 1, "--queries", queries);

        assertThat(output.exitCode()).isEqualTo(1);
        assertThat(output.err())
                .startsWith(
                        "orrery: "
                                + queries
                                + ", line 1: '"
                                + line
                                + "' cannot be estimated: "
                                + reason);
    }

    @Test
    void withoutAPartitionKeyEveryRangeIsVisited() throws IOException {
        Files.writeString(queries, "1 1 SELECT * FROM c WHERE c.username = 'ada'");

        assertThat(estimate("--reads", 1, "--writes", 1, "--queries", queries).out())
                .contains("visits all ranges as --partition-key is not given");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1 1 SELECT * FROM c",
                "x SELECT 1",
                "SELECT * FROM c",
                "1",
                "1 2 3 4 5",
                "1 x",
                "-1 1",
                "NaN 1",
                "1 -1",
                "1 1 -1",
                "1 1 NaN",
                "1 1 Infinity",
                "1 1 1 0"
            })
    void whatIsNotAQueryIsRefusedWithItsLine(String line) throws IOException {
        Files.writeString(queries, "1 1\n" + line + "\n");

        Output output = estimate("--reads", 1, "--writes", 1, "--queries", queries);

        assertThat(output.exitCode()).isEqualTo(1);
        assertThat(output.err())
                .startsWith("orrery: " + queries + ", line 2: '" + line + "' is not RATE");
    }

    @Test
    void wrongOptionsAreRefusedWithTheUsage() {
        assertThat(run("estimate").exitCode()).isEqualTo(2);
        assertThat(estimate("--reads", 1).err()).contains("--writes");
        assertThat(estimate("--reads", -1, "--writes", 1).err())
                .contains("--reads must be a rate per second");
        assertThat(estimate("--reads", 1, "--writes", "many").exitCode()).isEqualTo(2);
        assertThat(estimate("--reads", 1, "--writes", "NaN").exitCode()).isEqualTo(2);
        Output level = estimate("--reads", 1, "--writes", 1, "--consistency", "Best");
        assertThat(level.exitCode()).isEqualTo(2);
        assertThat(level.err()).contains("not 'Best'");
    }

    @Test
    void helpIsComplete() {
        Output help = run("estimate", "--help");

        assertThat(help.exitCode()).isZero();
        assertThat(help.out())
                .contains("--item", "--reads", "--writes", "--queries", "--consistency")
                .contains("RATE DOCUMENTS [KB [RANGES]]", "BoundedStaleness");
        assertThat(run("--help").out()).contains("estimate");
    }
}
