package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.frontend.rest.PercentText;
import orrery.frontend.table.TableClient.Reply;
import orrery.gateway.EngineFixture;

/** Queries over tables, and lists of tables, answered by the engine. */
class TableQueryTest {
    /** On one partition and on five. */
    private static final List<String> TABLES = List.of("Small", "Large");

    private static final int KEYS = 12;
    private static final int ROWS = 5;

    @TempDir private static Path directory;

    private static EngineFixture fixture;
    private static TableClient client;

    @BeforeAll
    static void open() {
        fixture = new EngineFixture(directory);
        client = new TableClient(fixture.engine.items(), fixture.engine.resources());
        client.createTable("Small", "x-ms-offer-throughput", "400");
        client.createTable("Large", "x-ms-offer-throughput", "50000");
        for (String table : TABLES) {
            for (int key = 0; key < KEYS; key++) {
                for (int row = ROWS - 1; row >= 0; row--) {
                    Reply reply =
                            client.post(
                                    "/" + table,
                                    "{\"PartitionKey\":\"k%02d\",\"RowKey\":\"r%d\",\"n\":%d,\"even\":%s}"
                                            .formatted(key, row, ROWS * key + row, row % 2 == 0));
                    assertThat(reply.outcome()).isEqualTo("201");
                }
            }
        }
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    private static String query(String table, String options) {
        return "/" + table + "()?" + options;
    }

    private static String filter(String text) {
        return "$filter=" + PercentText.encode(text);
    }

    /** The rows of all pages. */
    private static List<String> all(String table, String options) {
        List<String> rows = new ArrayList<>();
        String next = "";
        do {
            Reply page = client.get(query(table, options + next));
            assertThat(page.outcome()).isEqualTo("200");
            rows.addAll(page.column("n"));
            String key = page.header("x-ms-continuation-NextPartitionKey");
            assertThat(page.header("x-ms-continuation-NextRowKey").isEmpty())
                    .isEqualTo(key.isEmpty());
            assertThat(key).matches("[A-Za-z0-9_-]*");
            next = key.isEmpty() ? "" : "&NextPartitionKey=" + key + "&NextRowKey=-";
        } while (!next.isEmpty());
        return rows;
    }

    private static List<String> numbers(IntStream numbers) {
        return numbers.mapToObj(n -> "Int[value=" + n + "]").toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Small", "Large"})
    void entitiesComeInTheOrderOfTheirKeysPageByPage(String table) {
        List<String> expected = numbers(IntStream.range(0, KEYS * ROWS));
        assertThat(all(table, "")).isEqualTo(expected);
        assertThat(all(table, "$top=7")).isEqualTo(expected);
        assertThat(all(table, "$top=1&" + filter("n lt 6")))
                .isEqualTo(numbers(IntStream.range(0, 6)));
        assertThat(client.get(query(table, "$top=7")).rows()).hasSize(7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    PartitionKey eq 'k03'                          | 15 16 17 18 19
                    PartitionKey eq 'k03' and RowKey eq 'r2'       | 17
                    PartitionKey eq 'k03' and RowKey gt 'r2'       | 18 19
                    'k11' le PartitionKey                          | 55 56 57 58 59
                    n eq 7 or n eq 41                              | 7 41
                    not (n gt 1)                                   | 0 1
                    n lt 4 and even                                | 0 2
                    n lt 4 and not even                            | 1 3
                    n lt 4 and even eq false                       | 1 3
                    missing eq 1                                   |
                    n lt 2 and not (missing eq 1)                  | 0 1
                    n eq '7'                                       |
                    Timestamp gt datetime'2020-01-01T00:00:00Z' and n lt 2 | 0 1
                    Timestamp lt datetime'2020-01-01T00:00:00Z'    |
                    n eq 3 and true                                | 3
                    """)
    void filtersDecide(String filter, String expected) {
        for (String table : TABLES) {
            List<String> numbers =
                    expected == null
                            ? List.of()
                            : List.of(expected.split(" ")).stream()
                                    .map(n -> "Int[value=" + n + "]")
                                    .toList();
            assertThat(all(table, filter(filter))).isEqualTo(numbers);
            assertThat(all(table, "$top=1&" + filter(filter))).isEqualTo(numbers);
        }
    }

    /** NaN is unequal to everything, and to itself; the infinities are numbers at the two ends. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    x eq NaN              |
                    x ne NaN              | -Infinity -1.5 2.5 Infinity NaN
                    x gt NaN              |
                    x eq INF              | Infinity
                    Infinity eq x         | Infinity
                    x lt INF              | -Infinity -1.5 2.5
                    x ge INF              | Infinity
                    x eq -INF             | -Infinity
                    x gt -INF             | -1.5 2.5 Infinity
                    x le -Infinity        | -Infinity
                    x gt 2.0              | 2.5 Infinity
                    not (x le INF)        | NaN
                    """)
    void doublesWithoutDigitsAreCompared(String filter, String expected) {
        client.createTable("Reals");
        for (String value : List.of("-Infinity", "-1.5", "2.5", "Infinity", "NaN")) {
            client.call(
                    "PUT",
                    "/Reals(PartitionKey='k',RowKey='%s')".formatted("r" + value),
                    "{\"x\":\"%s\",\"x@odata.type\":\"Edm.Double\"}".formatted(value));
        }
        List<String> found =
                client.get(query("Reals", "$select=RowKey&" + filter(filter))).column("RowKey");
        assertThat(found)
                .containsExactlyInAnyOrderElementsOf(
                        expected == null
                                ? List.of()
                                : Stream.of(expected.split(" "))
                                        .map(value -> "r" + value)
                                        .toList());
    }

    @Test
    void aTimeoutIsANumberOfSeconds() {
        assertThat(client.get(query("Small", "$top=1&timeout=20")).outcome()).isEqualTo("200");
        for (String bad : List.of("soon", "-1", "1.5")) {
            assertThat(client.get(query("Small", "$top=1&timeout=" + bad)).outcome())
                    .isEqualTo("400 InvalidQueryParameterValue");
        }
    }

    @Test
    void selectsProperties() {
        Reply page = client.get(query("Large", "$select=n,RowKey&" + filter("n eq 7")));
        assertThat(page.text()).isEqualTo("{\"value\":[{\"RowKey\":\"r2\",\"n\":7}]}");
        Reply minimal =
                client.get(
                        query("Large", "$select=n&" + filter("n eq 7")),
                        "Accept",
                        "application/json");
        assertThat(minimal.text())
                .matches(
                        "\\{\"odata.metadata\":\"http://localhost/\\$metadata#Large\",\"value\":\\["
                                + "\\{\"odata.etag\":\"W/[^,]+\",\"n\":7}]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    $top=-1                      | 400 InvalidInput
                    $top=x                       | 400 InvalidInput
                    $top=1&$top=2                | 400 InvalidQueryParameterValue
                    $filter=n%20eq               | 400 InvalidInput
                    $filter=n%2                  | 400 InvalidQueryParameterValue
                    $filter=contains(n,1)        | 501 NotImplemented
                    $orderby=n                   | 501 NotImplemented
                    $skip=1                      | 501 NotImplemented
                    comp=acls                    | 400 InvalidQueryParameterValue
                    NextPartitionKey=!           | 400 InvalidInput
                    NextRowKey=-                 | 400 InvalidInput
                    NextPartitionKey=YWJj&NextRowKey=- | 400 InvalidInput
                    """)
    void refusesBadOptions(String options, String outcome) {
        assertThat(client.get(query("Large", options)).outcome()).isEqualTo(outcome);
    }

    /** Storage Explorer asks for no rows to learn whether a filter is good. */
    @Test
    void answersWithNoRowsIfNoneAreWanted() {
        Reply none = client.get(query("Large", "$select=&$top=0&" + filter("n eq 1")));
        assertThat(none.text()).isEqualTo("{\"value\":[]}");
        assertThat(none.has("x-ms-continuation-NextPartitionKey")).isFalse();
        assertThat(client.get(query("Large", "$top=0&$filter=n%20is%201")).outcome())
                .isEqualTo("400 InvalidInput");
        assertThat(client.get("/Tables?$top=0").text()).isEqualTo("{\"value\":[]}");
    }

    @Test
    void refusesTheTokenOfAnotherQuery() {
        String token =
                client.get(query("Large", "$top=1&" + filter("n gt 1")))
                        .header("x-ms-continuation-NextPartitionKey");
        assertThat(token).isNotEmpty();
        String options = "$top=1&NextPartitionKey=" + token + "&NextRowKey=-&";
        assertThat(client.get(query("Small", options + filter("n gt 1"))).outcome())
                .isEqualTo("400 InvalidInput");
        String forged = options.replace(token.substring(0, 4), "AAAA");
        assertThat(client.get(query("Large", forged + filter("n gt 1"))).outcome())
                .isEqualTo("400 InvalidInput");
    }

    @Test
    void listsTablesByName() {
        client.createTable("Zebra");
        client.createTable("Ant");
        String named = filter("TableName ge 'Ant' and TableName lt 'B' or TableName eq 'Zebra'");
        assertThat(client.get("/Tables?" + named).column("TableName"))
                .containsExactly("Ant", "Zebra");
        Reply first = client.get("/Tables?$top=1&" + named);
        assertThat(first.column("TableName")).containsExactly("Ant");
        String next = first.header("x-ms-continuation-NextTableName");
        Reply second = client.get("/Tables?$top=1&NextTableName=" + next + "&" + named);
        assertThat(second.column("TableName")).containsExactly("Zebra");
        assertThat(second.has("x-ms-continuation-NextTableName")).isFalse();
        assertThat(client.get("/Tables").column("TableName"))
                .isSorted()
                .contains("Ant", "Large", "Small", "Zebra");
        assertThat(client.get("/Tables?NextTableName=!").outcome()).isEqualTo("400 InvalidInput");
    }

    @Test
    void listsNoTablesBeforeTheFirst(@TempDir Path other) {
        try (EngineFixture empty = new EngineFixture(other)) {
            TableClient stranger = new TableClient(empty.engine.items(), empty.engine.resources());
            assertThat(stranger.get("/Tables").text()).isEqualTo("{\"value\":[]}");
            assertThat(stranger.get("/People()").outcome()).isEqualTo("404 TableNotFound");
            assertThat(stranger.call("DELETE", "/Tables('People')", "").outcome())
                    .isEqualTo("404 ResourceNotFound");
        }
    }

    /** Whatever stands in a path or a filter, the answer is not that the server failed. */
    @Test
    void nothingThatIsSentIsAFailureOfTheServer() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<String> words =
                List.of(
                        "/",
                        "Large",
                        "(",
                        ")",
                        "PartitionKey",
                        "RowKey",
                        "=",
                        "'",
                        "''",
                        "k03",
                        ",",
                        "?",
                        "$filter=",
                        "$top=",
                        "$select=",
                        "&",
                        "n",
                        "%20",
                        "eq",
                        "gt",
                        "not",
                        "1",
                        "1L",
                        "1.5",
                        "X'00'",
                        "guid'",
                        "datetime'2020-01-01'",
                        "%00",
                        "%E4",
                        "%C3%A4",
                        "true",
                        "and",
                        "or",
                        "Tables",
                        "NextPartitionKey=",
                        "$batch",
                        "%");
        for (int i = 0; i < 600; i++) {
            StringBuilder target = new StringBuilder("/Large()?$filter=");
            if (i % 2 == 0) {
                target.setLength(1);
            }
            for (int words1 = random.nextInt(12); words1 > 0; words1--) {
                target.append(words.get(random.nextInt(words.size())));
            }
            String method = List.of("GET", "PUT", "MERGE").get(random.nextInt(3));
            Reply reply = client.call(method, target.toString(), "{}");
            assertThat(reply.status()).as("seed %d: %s %s", seed, method, target).isNotEqualTo(500);
        }
    }
}
