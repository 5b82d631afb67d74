package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.rest.Json;
import orrery.frontend.rest.PercentText;
import orrery.frontend.table.TableClient.Reply;
import orrery.gateway.EngineFixture;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.Items;
import orrery.gateway.api.Resources;
import orrery.model.Bytes;
import orrery.model.PartitionKey;
import orrery.model.Throughput;
import orrery.model.resource.Container;

/** Requests for tables and entities, answered by the engine. */
class TableEndpointTest {
    private static final String MINIMAL = "application/json;odata=minimalmetadata";
    private static final String FULL = "application/json;odata=fullmetadata";
    private static final AtomicInteger NEXT = new AtomicInteger();

    @TempDir private static Path directory;

    private static EngineFixture fixture;
    private static TableClient client;

    @BeforeAll
    static void open() {
        fixture = new EngineFixture(directory);
        client = new TableClient(fixture.engine.items(), fixture.engine.resources());
        client.createTable("People");
        client.createTable("Awkward");
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    /** The path of an entity that no other test has. */
    private static String newEntity() {
        return "/People(PartitionKey='Smith',RowKey='" + NEXT.incrementAndGet() + "')";
    }

    private static Reply put(String path, String body, String... headers) {
        return client.call("PUT", path, body, headers);
    }

    private static Reply merge(String path, String body, String... headers) {
        return client.call("MERGE", path, body, headers);
    }

    @Test
    void createsATableWithABodyAtEachLevel() {
        Reply none = client.createTable("LevelNone");
        assertThat(none.outcome()).isEqualTo("201");
        assertThat(none.text()).isEqualTo("{\"TableName\":\"LevelNone\"}");
        assertThat(none.header("Location")).isEqualTo("http://localhost/Tables('LevelNone')");
        assertThat(none.header("Preference-Applied")).isEqualTo("return-content");
        assertThat(client.createTable("LevelMinimal", "Accept", MINIMAL).text())
                .isEqualTo(
                        "{\"odata.metadata\":\"http://localhost/$metadata#Tables/@Element\","
                                + "\"TableName\":\"LevelMinimal\"}");
        Reply full =
                client.post(
                        "/devstoreaccount1/Tables",
                        "{\"TableName\":\"LevelFull\"}",
                        "Accept",
                        FULL,
                        "Host",
                        "127.0.0.1:10002");
        assertThat(full.text())
                .isEqualTo(
                        "{\"odata.metadata\":\"http://127.0.0.1:10002/devstoreaccount1/$metadata#Tables/@Element\","
                                + "\"odata.type\":\"devstoreaccount1.Tables\","
                                + "\"odata.id\":\"http://127.0.0.1:10002/devstoreaccount1/Tables('LevelFull')\","
                                + "\"odata.editLink\":\"Tables('LevelFull')\",\"TableName\":\"LevelFull\"}");
        assertThat(full.header("Content-Type"))
                .isEqualTo("application/json;odata=fullmetadata;streaming=true;charset=utf-8");
    }

    @Test
    void createsATableWithoutABody() {
        Reply reply = client.createTable("Silent", "Prefer", "return-no-content");
        assertThat(reply.outcome()).isEqualTo("204");
        assertThat(reply.text()).isEmpty();
        assertThat(reply.header("Preference-Applied")).isEqualTo("return-no-content");
        assertThat(client.createTable("Silent").outcome()).isEqualTo("409 TableAlreadyExists");
        assertThat(client.get("/Tables('Silent')").text()).contains("\"TableName\":\"Silent\"");
        // A shared access signature for one of the two would open both.
        assertThat(client.createTable("silent").outcome()).isEqualTo("409 TableAlreadyExists");
        assertThat(client.get("/Tables('silent')").outcome()).isEqualTo("404 ResourceNotFound");
    }

    @Test
    void deletesATable() {
        client.createTable("Doomed");
        assertThat(client.call("DELETE", "/Tables('Doomed')", "").outcome()).isEqualTo("204");
        assertThat(client.call("DELETE", "/Tables('Doomed')", "").outcome())
                .isEqualTo("404 ResourceNotFound");
        assertThat(client.get("/Tables('Doomed')").outcome()).isEqualTo("404 ResourceNotFound");
        assertThat(client.get("/Doomed()").outcome()).isEqualTo("404 TableNotFound");
        assertThat(client.post("/Doomed", "{\"PartitionKey\":\"\",\"RowKey\":\"\"}").outcome())
                .isEqualTo("404 TableNotFound");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    {"TableName":"ab"}        | 400 OutOfRangeInput
                    {"TableName":"a%s"}       | 400 OutOfRangeInput
                    {"TableName":"1abc"}      | 400 InvalidResourceName
                    {"TableName":"ab-c"}      | 400 InvalidResourceName
                    {"TableName":"abç"}       | 400 InvalidResourceName
                    {"TableName":"Tables"}    | 400 InvalidResourceName
                    {"TableName":5}           | 400 InvalidInput
                    {"TableName":null}        | 400 PropertiesNeedValue
                    {}                        | 400 PropertiesNeedValue
                    {"TableName":"abc","x":1} | 400 InvalidInput
                    {"TableName":"abc"        | 400 InvalidInput
                    []                        | 400 InvalidInput
                    """)
    void refusesBadTables(String body, String outcome) {
        assertThat(client.post("/Tables", body.replace("%s", "b".repeat(63))).outcome())
                .isEqualTo(outcome);
    }

    @Test
    void givesATableTheThroughputThatIsAskedForOrTheDefault() {
        assertThat(client.createTable("Given", "x-ms-offer-throughput", "800").status())
                .isEqualTo(201);
        assertThat(throughput("Given")).isEqualTo(new Throughput.Manual(800));
        client.createTable("NotGiven");
        assertThat(throughput("NotGiven")).isEqualTo(new Throughput.Manual(400));
        TableConfig standard = TableConfig.standard();
        TableConfig other =
                new TableConfig(
                        standard.accountId(),
                        standard.consistency(),
                        () -> new Throughput.Manual(700),
                        standard.requestTimeout(),
                        standard.clock());
        new TableClient(fixture.engine.items(), fixture.engine.resources(), other)
                .createTable("ByAccount");
        assertThat(throughput("ByAccount")).isEqualTo(new Throughput.Manual(700));
        client.createTable(
                "Scaling", "x-ms-cosmos-offer-autopilot-settings", "{\"maxThroughput\":4000}");
        assertThat(throughput("Scaling")).isEqualTo(new Throughput.Autoscale(4000));
        assertThat(client.createTable("Refused", "x-ms-offer-throughput", "many").outcome())
                .isEqualTo("400 InvalidInput");
        assertThat(client.get("/Tables('Refused')").status()).isEqualTo(404);
    }

    private static Throughput throughput(String table) {
        Container container =
                fixture.engine
                        .resources()
                        .readContainer(
                                EngineFixture.context(),
                                ContainerRef.Addressed.byName("TablesDB", table));
        return fixture.engine
                .resources()
                .findOffer(EngineFixture.context(), container.rid())
                .orElseThrow()
                .throughput();
    }

    @Test
    void insertsAnEntityAndAnswersWithIt() {
        Reply reply =
                client.post(
                        "/People",
                        "{\"PartitionKey\":\"O''Hara\",\"RowKey\":\"ä b\",\"Age\":5,\"Half\":2.0,"
                                + "\"Big@odata.type\":\"Edm.Int64\",\"Big\":\"12\",\"Gone\":null}",
                        "Accept",
                        FULL,
                        "x-ms-client-request-id",
                        "mine-1",
                        "x-ms-version",
                        "2020-12-06");
        assertThat(reply.outcome()).isEqualTo("201");
        String link = "People(PartitionKey='O''''Hara',RowKey='%C3%A4%20b')";
        String etag = reply.header("ETag");
        assertThat(etag)
                .matches("W/\"datetime'\\d{4}-\\d\\d-\\d\\dT\\d\\d%3A\\d\\d%3A\\d\\d\\.\\d{7}Z'\"");
        String time = etag.substring(12, etag.length() - 2).replace("%3A", ":");
        assertThat(reply.text())
                .isEqualTo(
                        "{\"odata.metadata\":\"http://localhost/$metadata#People/@Element\","
                                + "\"odata.type\":\"orrery.People\",\"odata.id\":\"http://localhost/"
                                + link
                                + "\",\"odata.etag\":"
                                + JsonText.write(Value.of(etag))
                                + ",\"odata.editLink\":\""
                                + link
                                + "\",\"PartitionKey\":\"O''Hara\",\"RowKey\":\"ä b\","
                                + "\"Timestamp@odata.type\":\"Edm.DateTime\",\"Timestamp\":\""
                                + time
                                + "\",\"Age\":5,\"Half\":2.0,\"Big@odata.type\":\"Edm.Int64\",\"Big\":\"12\"}");
        assertThat(reply.header("Location")).isEqualTo("http://localhost/" + link);
        assertThat(reply.header("x-ms-client-request-id")).isEqualTo("mine-1");
        assertThat(reply.header("x-ms-version")).isEqualTo("2020-12-06");
        assertThat(reply.header("x-ms-request-id")).hasSize(36);
        assertThat(reply.header("Cache-Control")).isEqualTo("no-cache");
        assertThat(reply.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(Double.parseDouble(reply.header("x-ms-request-charge"))).isPositive();
        Reply read = client.get("/" + link, "Accept", FULL);
        assertThat(read.text()).isEqualTo(reply.text());
        assertThat(read.header("ETag")).isEqualTo(etag);
        assertThat(read.header("x-ms-request-charge")).isEqualTo("1");
    }

    /** Every key that is allowed is found again: by the link in the answer, and by a filter. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "'",
                "''",
                "%",
                "%25",
                "%2F",
                "+",
                "&",
                "=",
                "a=b&c",
                "..",
                ".",
                "(",
                ")",
                "),RowKey='x",
                "a,b",
                "\"",
                "<&>",
                "é",
                "中",
                "\uD83D\uDE00",
                "\u00A0",
                "~",
                ":",
                ";",
                "$batch",
                "Tables",
                "*",
                "|",
                "a\u200Db",
                "`",
                "[x]",
                "{y}"
            })
    void findsEntitiesByAwkwardKeys(String key) {
        String body =
                JsonText.write(
                        Json.builder()
                                .put("PartitionKey", key)
                                .put("RowKey", key)
                                .put("Text", key)
                                .build());
        Reply inserted = client.post("/Awkward", body);
        assertThat(inserted.outcome()).isEqualTo("201");
        String link = inserted.header("Location").substring("http://localhost".length());
        assertThat(client.get(link).text()).isEqualTo(inserted.text());
        String literal = "'" + key.replace("'", "''") + "'";
        String filter =
                "PartitionKey eq %s and RowKey eq %s and Text eq %s"
                        .formatted(literal, literal, literal);
        assertThat(client.get("/Awkward()?$filter=" + PercentText.encode(filter)).text())
                .isEqualTo("{\"value\":[" + inserted.text() + "]}");
        assertThat(client.call("DELETE", link, "", "If-Match", "*").outcome()).isEqualTo("204");
    }

    @Test
    void keepsEveryText() {
        String path = newEntity();
        String text = "\"\\u0000\\u001f\\\"\\\\/\\ud800 \\ud83d\\ude00\"";
        assertThat(put(path, "{\"a\":" + text + "}").outcome()).isEqualTo("204");
        assertThat(client.get(path).json().get("a")).isEqualTo(JsonText.parse(text));
    }

    @Test
    void insertsAnEntityInSilence() {
        Reply reply =
                client.send(
                        "POST",
                        "/People",
                        "{\"PartitionKey\":\"a\",\"RowKey\":\"silent\"}",
                        "Prefer",
                        "return-no-content");
        assertThat(reply.outcome()).isEqualTo("204");
        assertThat(reply.header("DataServiceId")).isEqualTo(reply.header("Location"));
        assertThat(reply.header("Location"))
                .isEqualTo("http://localhost/People(PartitionKey='a',RowKey='silent')");
        assertThat(reply.header("Preference-Applied")).isEqualTo("return-no-content");
        assertThat(
                        client.post("/People", "{\"PartitionKey\":\"a\",\"RowKey\":\"silent\"}")
                                .outcome())
                .isEqualTo("409 EntityAlreadyExists");
    }

    @Test
    void storesEntitiesInTheFormOfTheService() {
        client.post(
                "/People",
                "{\"PartitionKey\":\"p1\",\"RowKey\":\"r1\",\"name\":\"Bob\",\"age\":5,\"ok\":true,"
                        + "\"d\":1.5,\"id\":\"x\",\"_ts\":1,"
                        + "\"g@odata.type\":\"Edm.Guid\",\"g\":\"a455c695-df98-5678-aaaa-81d3367e5a34\","
                        + "\"dt@odata.type\":\"Edm.DateTime\",\"dt\":\"2026-01-02T03:04:05.678Z\","
                        + "\"bin@odata.type\":\"Edm.Binary\",\"bin\":\"AQID\","
                        + "\"big@odata.type\":\"Edm.Int64\",\"big\":\"9007199254740993\"}");
        String stored =
                fixture.engine
                        .items()
                        .readItem(
                                EngineFixture.context(),
                                ContainerRef.Addressed.byName("TablesDB", "People"),
                                PartitionKey.ofText("p1"),
                                new ItemRef.Named("r1"))
                        .item()
                        .orElseThrow()
                        .body()
                        .toUtf8();
        assertThat(stored)
                .isEqualTo(
                        "{\"id\":\"r1\",\"$id\":\"r1\",\"$pk\":\"p1\",\"name\":{\"$t\":2,\"$v\":\"Bob\"},"
                                + "\"age\":{\"$t\":16,\"$v\":5},\"ok\":{\"$t\":8,\"$v\":true},"
                                + "\"d\":{\"$t\":1,\"$v\":1.5},\"$$id\":{\"$t\":2,\"$v\":\"x\"},"
                                + "\"$_ts\":{\"$t\":16,\"$v\":1},"
                                + "\"g\":{\"$t\":0,\"$v\":\"a455c695-df98-5678-aaaa-81d3367e5a34\"},"
                                + "\"dt\":{\"$t\":9,\"$v\":\"00639029198456780000\"},"
                                + "\"bin\":{\"$t\":5,\"$v\":\"\\u0001\\u0002\\u0003\"},"
                                + "\"big\":{\"$t\":18,\"$v\":\"00009007199254740993\"}}");
    }

    @Test
    void replacesAndMerges() {
        String path = newEntity();
        assertThat(put(path, "{\"a\":1,\"b\":1}", "If-Match", "*").outcome())
                .isEqualTo("404 ResourceNotFound");
        assertThat(merge(path, "{\"a\":1}", "If-Match", "*").outcome())
                .isEqualTo("404 ResourceNotFound");
        Reply first = put(path, "{\"a\":1,\"b\":1}");
        assertThat(first.outcome()).isEqualTo("204");
        Reply second = merge(path, "{\"b\":2,\"c\":2}");
        assertThat(second.outcome()).isEqualTo("204");
        assertThat(client.get(path).text()).endsWith("\"a\":1,\"b\":2,\"c\":2}");
        assertThat(second.header("ETag")).isNotEqualTo(first.header("ETag"));
        assertThat(merge(path, "{\"b\":3}", "If-Match", first.header("ETag")).outcome())
                .isEqualTo("412 UpdateConditionNotSatisfied");
        assertThat(put(path, "{\"b\":3}", "If-Match", first.header("ETag")).outcome())
                .isEqualTo("412 UpdateConditionNotSatisfied");
        Reply third = put(path, "{\"b\":3}", "If-Match", second.header("ETag"));
        assertThat(third.outcome()).isEqualTo("204");
        assertThat(client.get(path).text()).contains(",\"b\":3}").doesNotContain("\"c\"");
        assertThat(merge(path, "{\"d\":4}", "If-Match", third.header("ETag")).outcome())
                .isEqualTo("204");
        // A null neither writes nor takes away.
        assertThat(merge(path, "{\"d\":null}").outcome()).isEqualTo("204");
        assertThat(client.get(path).text()).endsWith("\"b\":3,\"d\":4}");
    }

    @Test
    void mergesIntoNothingByCreating() {
        String path = newEntity();
        assertThat(merge(path, "{\"a\":1}").outcome()).isEqualTo("204");
        assertThat(client.get(path).text()).endsWith("\"a\":1}");
    }

    /** Each part is within the limits, and the entity that would come of them is not. */
    @Test
    void limitsWhatAMergeMakes() {
        String path = newEntity();
        assertThat(put(path, properties("a", 200, "1")).outcome()).isEqualTo("204");
        assertThat(merge(path, properties("b", 53, "1")).outcome())
                .isEqualTo("400 TooManyProperties");
        String before = merge(path, properties("b", 52, "1")).header("ETag");
        assertThat(before).isNotEmpty();
        String text = "\"" + "x".repeat(32 << 10) + "\"";
        assertThat(merge(path, properties("a", 15, text)).outcome()).isEqualTo("204");
        String etag = client.get(path).header("ETag");
        assertThat(merge(path, properties("b", 1, text)).outcome()).isEqualTo("400 EntityTooLarge");
        assertThat(client.get(path).header("ETag")).isEqualTo(etag);
    }

    private static String properties(String name, int count, String value) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"" + name + i + "\":" + value)
                .collect(Collectors.joining(",", "{", "}"));
    }

    @Test
    void deletes() {
        String path = newEntity();
        String old = put(path, "{}").header("ETag");
        String present = put(path, "{}").header("ETag");
        assertThat(client.call("DELETE", path, "").outcome())
                .isEqualTo("412 UpdateConditionNotSatisfied");
        assertThat(client.call("DELETE", path, "", "If-Match", old).outcome())
                .isEqualTo("412 UpdateConditionNotSatisfied");
        Reply reply = client.call("DELETE", path, "", "If-Match", present);
        assertThat(reply.outcome()).isEqualTo("204");
        assertThat(reply.has("ETag")).isFalse();
        assertThat(client.call("DELETE", path, "", "If-Match", "*").outcome())
                .isEqualTo("404 ResourceNotFound");
        assertThat(client.get(path).outcome()).isEqualTo("404 ResourceNotFound");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    x                                             | 400 InvalidInput
                    "00000000-0000-0000-7b94-74a774e001dc"        | 400 InvalidInput
                    W/"x"                                         | 412 UpdateConditionNotSatisfied
                    W/"datetime'1500-01-01T00%3A00%3A00.0000000Z'" | 412 UpdateConditionNotSatisfied
                    W/"datetime'2026-01-01T00%3A00%3A00.0000000Z'" | 412 UpdateConditionNotSatisfied
                    """)
    void refusesEtagsThatDoNotFit(String etag, String outcome) {
        String path = newEntity();
        String before = put(path, "{\"a\":1}").header("ETag");
        assertThat(put(path, "{}", "If-Match", etag).outcome()).isEqualTo(outcome);
        assertThat(merge(path, "{}", "If-Match", etag).outcome()).isEqualTo(outcome);
        assertThat(client.call("DELETE", path, "", "If-Match", etag).outcome()).isEqualTo(outcome);
        assertThat(put(path, "{}", "If-Match", "").outcome())
                .isEqualTo("412 UpdateConditionNotSatisfied");
        assertThat(client.get(path).header("ETag")).isEqualTo(before);
    }

    @Test
    void takesMethodsBehindPost() {
        String path = newEntity();
        assertThat(client.post(path, "{\"a\":1}", "X-HTTP-Method", "MERGE").outcome())
                .isEqualTo("204");
        assertThat(client.call("PATCH", path, "{\"b\":1}").outcome()).isEqualTo("204");
        assertThat(client.get(path).text()).endsWith("\"a\":1,\"b\":1}");
        assertThat(client.post(path, "{\"c\":1}", "X-HTTP-Method", "put").outcome())
                .isEqualTo("204");
        assertThat(client.post(path, "", "X-HTTP-Method", "DELETE", "If-Match", "*").outcome())
                .isEqualTo("204");
        assertThat(client.post(path, "{}", "X-HTTP-Method", "GET").outcome())
                .isEqualTo("400 XMethodIncorrectValue");
        assertThat(client.call("PUT", path, "{}", "X-HTTP-Method", "MERGE").outcome())
                .isEqualTo("400 XMethodNotUsingPost");
        assertThat(
                        client.post(path, "{}", "X-HTTP-Method", "MERGE", "X-HTTP-Method", "PUT")
                                .outcome())
                .isEqualTo("400 XMethodIncorrectCount");
        assertThat(client.post(path, "{}").outcome()).isEqualTo("405 MethodNotAllowed");
        assertThat(client.call("PUT", "/People", "{}").outcome()).isEqualTo("405 MethodNotAllowed");
        assertThat(client.call("PUT", "/Tables", "{}").outcome()).isEqualTo("405 MethodNotAllowed");
    }

    @Test
    void aRefusedEntityChangesNothing() {
        String path = newEntity();
        String before = put(path, "{\"a\":1}").header("ETag");
        assertThat(put(path, "{\"a\":{}}").outcome()).isEqualTo("400 InvalidInput");
        assertThat(merge(path, "{\"a b\":1}").outcome()).isEqualTo("400 PropertyNameInvalid");
        assertThat(put(path, "{").outcome()).isEqualTo("400 InvalidInput");
        assertThat(put(path, "<xml/>", "Content-Type", "application/atom+xml").outcome())
                .isEqualTo("415 AtomFormatNotSupported");
        for (String type : List.of("application/jsonp", "application/json;odata=verbose")) {
            assertThat(put(path, "{}", "Content-Type", type).outcome())
                    .isEqualTo("415 MediaTypeNotSupported");
        }
        assertThat(put(path, "{}", "Content-Type", "text/plain").outcome())
                .isEqualTo("415 MediaTypeNotSupported");
        assertThat(client.get(path).header("ETag")).isEqualTo(before);
        assertThat(
                        client.send("POST", "/People", "{\"PartitionKey\":\"a\",\"RowKey\":\"x\"}")
                                .outcome())
                .isEqualTo("415 AtomFormatNotSupported");
        assertThat(client.get("/People(PartitionKey='a',RowKey='x')").outcome())
                .isEqualTo("404 ResourceNotFound");
    }

    @Test
    void selectsPropertiesOfOneEntity() {
        String path = newEntity();
        put(path, "{\"a\":1,\"b\":2}");
        assertThat(client.get(path + "?$select=b,RowKey,missing").text())
                .matches("\\{\"RowKey\":\"\\d+\",\"b\":2}");
        assertThat(client.get(path + "?$select=missing").text()).isEqualTo("{}");
        assertThat(client.get(path + "?$select=b", "Accept", MINIMAL).text())
                .matches("\\{\"odata.metadata\":\"[^\"]+\",\"odata.etag\":\"[^,]+\",\"b\":2}");
        assertThat(client.get(path + "?$select=*").text()).contains("\"a\":1,\"b\":2}");
    }

    /** One entity has nothing to filter, to order or to cut into pages. */
    @ParameterizedTest
    @ValueSource(strings = {"$filter=a%20eq%202", "$top=1", "$skip=1", "$orderby=a"})
    void refusesOptionsThatAReadWouldNotHeed(String option) {
        String path = newEntity();
        put(path, "{\"a\":1}");
        assertThat(client.get(path + "?" + option).outcome()).isEqualTo("501 NotImplemented");
        assertThat(client.get("/Tables('People')?" + option).outcome())
                .isEqualTo("501 NotImplemented");
    }

    /** A client that asks for an insert with this header must not overwrite what is there. */
    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "MERGE", "DELETE"})
    void refusesAConditionThatTheServiceDoesNotHave(String method) {
        String path = newEntity();
        put(path, "{\"a\":1}");
        assertThat(client.call(method, path, "{}", "If-Match", "*", "If-None-Match", "*").outcome())
                .isEqualTo("400 UnsupportedHeader");
        assertThat(client.get(path + "?$select=a").text()).isEqualTo("{\"a\":1}");
    }

    /** The container is found once, and the item is read once. */
    @Test
    void aPointReadIsOneReadOfTheEngine() {
        String path = newEntity();
        put(path, "{\"a\":1}");
        List<String> calls = new ArrayList<>();
        TableClient counting =
                new TableClient(
                        counted(Items.class, fixture.engine.items(), calls),
                        counted(Resources.class, fixture.engine.resources(), calls));
        assertThat(counting.get(path + "?$select=a").text()).isEqualTo("{\"a\":1}");
        assertThat(calls).containsExactly("resolve", "readItem");
    }

    private static <T> T counted(Class<T> type, T real, List<String> calls) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) -> {
                            calls.add(method.getName());
                            return method.invoke(real, arguments);
                        }));
    }

    @Test
    void formatOptionBeatsAccept() {
        String path = newEntity();
        put(path, "{}");
        assertThat(
                        client.get(
                                        path + "?$format=application/json;odata=fullmetadata",
                                        "Accept",
                                        MINIMAL)
                                .text())
                .contains("odata.editLink");
        assertThat(client.get(path + "?$format=atom").outcome())
                .isEqualTo("415 AtomFormatNotSupported");
    }

    @Test
    void errorsAreJsonOrXmlAsTheRequestAsks() {
        Reply json = client.get("/Nowhere()");
        assertThat(json.header("Content-Type"))
                .isEqualTo("application/json;odata=minimalmetadata;streaming=true;charset=utf-8");
        assertThat(json.text())
                .matches(
                        "\\{\"odata.error\":\\{\"code\":\"TableNotFound\",\"message\":"
                                + "\\{\"lang\":\"en-US\",\"value\":\"The"
                                + " table specified does not exist.\\\\n"
                                + "RequestId:[0-9a-f-]{36}\\\\n"
                                + "Time:[0-9T:.-]+Z\"}}}");
        assertThat(json.text()).contains(json.header("x-ms-request-id"));
        Reply xml = client.send("GET", "/Nowhere()", "", "Accept", "application/atom+xml");
        assertThat(xml.outcome()).isEqualTo("415 AtomFormatNotSupported");
        assertThat(xml.header("Content-Type")).isEqualTo("application/xml");
        assertThat(xml.text())
                .startsWith(
                        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?><error "
                                + "xmlns=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\"><code>"
                                + "AtomFormatNotSupported</code><message>");
        assertThat(client.send("DELETE", "/Tables('Nowhere')", "").text()).startsWith("<?xml");
    }

    @Test
    void echoesNoIdThatHeadersCannotHold() {
        assertThat(
                        client.get("/Tables", "x-ms-client-request-id", "\u00e4")
                                .has("x-ms-client-request-id"))
                .isFalse();
        assertThat(client.get("/Tables", "x-ms-version", "\u00ff").header("x-ms-version"))
                .isEqualTo("2019-02-02");
    }

    @ParameterizedTest
    @CsvSource({
        "POST,/Tables,true",
        "DELETE,/Tables('T'),true",
        "GET,/Tables,false",
        "POST,/People,false",
        "PUT,/People?comp=acl,true",
        "'PUT','/People(PartitionKey=''a'',RowKey=''b'')',false",
        "POST,/$batch,false",
        "PUT,/?restype=service&comp=properties,true",
    })
    void knowsWhatIsManagement(String method, String target, boolean expected) {
        assertThat(
                        new TableEndpoint(
                                        fixture.engine.items(),
                                        fixture.engine.resources(),
                                        (_, _, _) -> {
                                            throw new AssertionError("nobody asks who it is");
                                        },
                                        TableConfig.standard())
                                .isManagement(
                                        HttpRequest.of(method, target, Headers.EMPTY, Bytes.EMPTY)))
                .isEqualTo(expected);
    }
}
