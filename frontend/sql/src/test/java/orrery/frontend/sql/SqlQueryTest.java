package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.rest.Json;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.fake.FakeItems;
import orrery.gateway.fake.FakeResources;
import orrery.model.EffectiveKeys;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;

/** Checks the form of a query and its answer on the wire. */
class SqlQueryTest {
    private static final String DOCS = "/dbs/d/colls/c/docs";
    private static final String CROSS = "x-ms-documentdb-query-enablecrosspartition";
    private static final String RANGE = "x-ms-documentdb-partitionkeyrangeid";
    private static final PartitionKeyDefinition KEY =
            new PartitionKeyDefinition(
                    List.of(PropertyPath.parse("/pk")), PartitionKeyDefinition.Kind.HASH, 2, false);

    private final SqlEndpoint endpoint = TestClient.endpoint(new FakeItems(), new FakeResources());
    private final TestClient client = new TestClient(endpoint);

    @BeforeEach
    void fill() {
        client.post("/dbs", "{\"id\":\"d\"}");
        client.post("/dbs", "{\"id\":\"other\"}");
        client.post(
                "/dbs/d/colls",
                "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}",
                "x-ms-offer-throughput",
                "20000");
        client.post("/dbs/d/colls", "{\"id\":\"c2\",\"partitionKey\":{\"paths\":[\"/pk\"]}}");
        for (int i = 0; i < 12; i++) {
            client.post(DOCS, "{\"id\":\"" + i + "\",\"pk\":\"k" + i % 4 + "\"}");
        }
    }

    @Test
    void databasesAndContainersAreFoundById() {
        Reply databases = client.query("/dbs", "SELECT * FROM root r WHERE r.id = 'd'");
        assertThat(databases.status()).isEqualTo(200);
        assertThat(ids(databases, "Databases")).containsExactly("d");
        assertThat(databases.header("x-ms-item-count")).isEqualTo("1");
        assertThat(ids(client.query("/dbs/d/colls", "SELECT * FROM c"), "DocumentCollections"))
                .containsExactly("c", "c2");
        Reply byParameter =
                client.post(
                        "/dbs/d/colls",
                        "{\"query\":\"SELECT * FROM c WHERE c.id = @id\","
                                + "\"parameters\":[{\"name\":\"@id\",\"value\":\"c2\"}]}",
                        "x-ms-documentdb-isquery",
                        "True");
        assertThat(ids(byParameter, "DocumentCollections")).containsExactly("c2");
    }

    @Test
    void aMatchOnALaterPageIsStillFound() {
        Reply reply =
                client.query(
                        "/dbs", "SELECT * FROM r WHERE r.id = 'other'", "x-ms-max-item-count", "1");
        assertThat(ids(reply, "Databases")).containsExactly("other");
    }

    @Test
    void pagesOfResourcesAreFilledWithMatches() {
        for (int i = 0; i < 8; i++) {
            client.post("/dbs", "{\"id\":\"" + (i % 2 == 0 ? "even" : "odd") + i + "\"}");
        }
        String query = "SELECT VALUE r.id FROM r WHERE STARTSWITH(r.id, 'odd')";
        Reply first = client.query("/dbs", query, "x-ms-max-item-count", "2");
        assertThat(texts(first, "Databases")).containsExactly("odd1", "odd3");
        Reply second =
                client.query(
                        "/dbs",
                        query,
                        "x-ms-max-item-count",
                        "100",
                        "x-ms-continuation",
                        first.header("x-ms-continuation"));
        assertThat(texts(second, "Databases")).containsExactly("odd5", "odd7");
    }

    @Test
    void resourcesAreCountedAndCutLikeItems() {
        for (String id : List.of("a1", "a2", "a3", "b1")) {
            client.post("/dbs", "{\"id\":\"" + id + "\"}");
        }
        assertThat(answer("SELECT TOP 2 VALUE r.id FROM r WHERE r.id < 'b1'", 10))
                .containsExactly("a1", "a2");
        assertThat(answer("SELECT VALUE r.id FROM r WHERE r.id LIKE 'a%' OFFSET 1 LIMIT 5", 1))
                .containsExactly("a2", "a3");
        assertThat(answer("SELECT DISTINCT VALUE LEFT(r.id, 1) FROM r", 2))
                .containsExactlyInAnyOrder("a", "b", "d", "o");
        assertThat(client.query("/dbs", "SELECT VALUE COUNT(1) FROM r").text())
                .contains("\"Databases\":[6]");
        assertThat(client.query("/dbs/d/colls", "SELECT COUNT(1) AS n FROM c").text())
                .contains("\"DocumentCollections\":[{\"n\":2}]");
        assertThat(
                        client.query(
                                        "/offers",
                                        "SELECT VALUE MAX(o.content.offerThroughput) FROM o")
                                .text())
                .contains("\"Offers\":[20000]");
        assertThat(
                        client.query("/dbs", "SELECT TOP 2 * FROM r", "x-ms-continuation", "junk")
                                .string("message"))
                .contains("Invalid Continuation Token");
        assertThat(client.query("/dbs", "SELECT * FROM r ORDER BY r.id").status()).isEqualTo(400);
    }

    /** All pages of a query over databases. */
    private List<String> answer(String query, int pageSize) {
        List<String> all = new ArrayList<>();
        String continuation = "";
        do {
            Reply reply =
                    client.query(
                            "/dbs",
                            query,
                            "x-ms-max-item-count",
                            Integer.toString(pageSize),
                            "x-ms-continuation",
                            continuation);
            assertThat(texts(reply, "Databases")).hasSizeLessThanOrEqualTo(pageSize);
            all.addAll(texts(reply, "Databases"));
            continuation = reply.header("x-ms-continuation");
        } while (!continuation.isEmpty());
        return all;
    }

    private static List<String> texts(Reply reply, String array) {
        assertThat(reply.status()).isEqualTo(200);
        return ((Value.Array) reply.member(array))
                .elements().stream().map(each -> ((Value.Text) each).value()).toList();
    }

    @Test
    void offersAreFoundByBothForms() {
        Reply container = client.get("/dbs/d/colls/c");
        Reply java =
                client.post(
                        "/offers",
                        "{\"query\":\"select * from c where c.offerResourceId = @resourceId\","
                                + "\"parameters\":[{\"name\":\"@resourceId\",\"value\":\""
                                + container.string("_rid")
                                + "\"}]}",
                        "Content-Type",
                        "application/query+json");
        Reply script =
                client.query(
                        "/offers",
                        "SELECT * from root where root.resource = \""
                                + container.string("_self")
                                + "\"");
        assertThat(ids(java, "Offers")).hasSize(1).isEqualTo(ids(script, "Offers"));
    }

    @Test
    void textThatIsNoQueryIsABadRequest() {
        for (String path : List.of("/dbs", DOCS)) {
            Reply reply = client.query(path, "selectttt * from c", CROSS, "true");
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.string("message")).contains("SC1001");
        }
        assertThat(client.post("/dbs", "{}", "Content-Type", "application/query+json").status())
                .isEqualTo(400);
    }

    @Test
    void aNumberThatJsonCannotWriteHasItsOwnSubstatus() {
        Reply reply = client.query(DOCS, "SELECT VALUE 1 / 0 FROM c", CROSS, "true");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.header("x-ms-substatus")).isEqualTo("4001");
        assertThat(reply.string("code")).isEqualTo("BadRequest");
        assertThat(reply.string("message"))
                .startsWith("Message: {\"errors\":[{\"severity\":\"Error\",\"code\":4001,");
    }

    @Test
    void aWholeScanIsAFeed() {
        Reply reply = client.query(DOCS, "SELECT * from c", CROSS, "true");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(ids(reply, "Documents")).hasSize(12);
        assertThat(reply.string("_rid")).isEqualTo(client.get("/dbs/d/colls/c").string("_rid"));
        Reply bare =
                client.post(DOCS, "SELECT * FROM c", "Content-Type", "application/sql", CROSS, "1");
        assertThat(bare.status()).isEqualTo(400);
        Reply page =
                client.query(DOCS, "SELECT * FROM c", CROSS, "True", "x-ms-max-item-count", "5");
        assertThat(ids(page, "Documents")).hasSize(5);
        assertThat(page.header("x-ms-continuation")).isEqualTo("5");
    }

    @Test
    void aScanSaysWhereOrAsksForAll() {
        Reply reply = client.query(DOCS, "SELECT * FROM c");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.string("message"))
                .contains("Cross partition query is required but disabled");
        assertThat(
                        ids(
                                client.query(
                                        DOCS,
                                        "SELECT * FROM c",
                                        "x-ms-documentdb-partitionkey",
                                        "[\"k1\"]"),
                                "Documents"))
                .containsExactlyInAnyOrder("1", "5", "9");
        int inRanges = 0;
        for (String range : List.of("0", "1")) {
            inRanges +=
                    ids(client.query(DOCS, "SELECT * FROM c", RANGE, range), "Documents").size();
        }
        assertThat(inRanges).isEqualTo(12);
    }

    @Test
    void aScanOfOneKeyReadsThatKeyOnly() {
        String query = "SELECT * FROM c WHERE c.pk = \"k2\"";
        assertThat(ids(client.query(DOCS, query), "Documents"))
                .containsExactlyInAnyOrder("2", "6", "10");
        int total = 0;
        for (String range : List.of("0", "1")) {
            total += ids(client.query(DOCS, query, RANGE, range), "Documents").size();
        }
        assertThat(total).isEqualTo(3);
        assertThat(
                        ids(
                                client.query(
                                        DOCS,
                                        query,
                                        RANGE,
                                        "1",
                                        "x-ms-start-epk",
                                        "3F00",
                                        "x-ms-end-epk",
                                        "FF"),
                                "Documents"))
                .isEmpty();
        assertThat(
                        ids(
                                client.query(
                                        DOCS, query, "x-ms-documentdb-partitionkey", "[\"k1\"]"),
                                "Documents"))
                .isEmpty();
    }

    @Test
    void rowsAreWhatTheQuerySelects() {
        Reply reply =
                client.query(
                        DOCS,
                        "SELECT VALUE c.id FROM c WHERE c.pk = 'k1' AND c.id > '3'",
                        CROSS,
                        "true");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text()).contains("\"Documents\":[").endsWith("\"_count\":2}");
        assertThat(((Value.Array) reply.member("Documents")).elements())
                .containsExactlyInAnyOrder(Value.of("5"), Value.of("9"));
        assertThat(reply.header("x-ms-item-count")).isEqualTo("2");
        assertThat(reply.header("x-ms-cosmos-query-execution-info"))
                .isEqualTo("{\"reverseRidEnabled\":false,\"reverseIndexScan\":false}");
        assertThat(reply.header("x-ms-documentdb-query-metrics")).isEmpty();
        assertThat(reply.header("x-ms-cosmos-index-utilization")).isEmpty();
        assertThat(reply.header("x-ms-cosmos-query-requiresdistribution")).isEmpty();
    }

    @Test
    void metricsComeInTheFormThatIsAskedFor() {
        String query = "SELECT c.id FROM c";
        assertThat(
                        client.query(
                                        DOCS,
                                        query,
                                        CROSS,
                                        "true",
                                        "x-ms-documentdb-populatequerymetrics",
                                        "True")
                                .header("x-ms-documentdb-query-metrics"))
                .isEqualTo(
                        "totalExecutionTimeInMs=2.50;queryCompileTimeInMs=1.00;"
                                + "queryLogicalPlanBuildTimeInMs=0.50;"
                                + "queryPhysicalPlanBuildTimeInMs=0.02;"
                                + "queryOptimizationTimeInMs=0.00;VMExecutionTimeInMs=1.00;"
                                + "indexLookupTimeInMs=0.12;documentLoadTimeInMs=0.31;"
                                + "systemFunctionExecuteTimeInMs=0.00;"
                                + "userFunctionExecuteTimeInMs=0.00;retrievedDocumentCount=3;"
                                + "retrievedDocumentSize=300;outputDocumentCount=12;"
                                + "outputDocumentSize=20;writeOutputTimeInMs=0.04;"
                                + "indexUtilizationRatio=0.67");
        String older =
                client.query(DOCS, query, CROSS, "true", "x-ms-cosmos-populateindexmetrics", "true")
                        .header("x-ms-cosmos-index-utilization");
        assertThat(new String(Base64.getDecoder().decode(older), StandardCharsets.UTF_8))
                .startsWith(
                        "{\"UtilizedSingleIndexes\":[{\"FilterExpression\":\"\",\"IndexSpec\":\"/pk/?\","
                                + "\"FilterPreciseSet\":true,\"IndexPreciseSet\":true,"
                                + "\"IndexImpactScore\":\"High\"}],\"PotentialSingleIndexes\":[")
                .endsWith(
                        "\"PotentialCompositeIndexes\":[{\"IndexSpecs\":[\"/a ASC\",\"/b ASC\"],"
                                + "\"IndexPreciseSet\":false,\"IndexImpactScore\":\"High\"}]}");
        String newer =
                client.query(
                                DOCS,
                                query,
                                CROSS,
                                "true",
                                "x-ms-cosmos-populateindexmetrics-V2",
                                "true")
                        .header("x-ms-cosmos-index-utilization");
        assertThat(newer).contains("a%20b");
        assertThat(URLDecoder.decode(newer, StandardCharsets.UTF_8))
                .isEqualTo(
                        "{\"UtilizedIndexes\":{\"SingleIndexes\":[{\"IndexSpec\":\"/pk/?\"}],"
                                + "\"CompositeIndexes\":[]},\"PotentialIndexes\":{\"SingleIndexes\":"
                                + "[{\"IndexSpec\":\"/a b/?\",\"IndexImpactScore\":\"High\"}],"
                                + "\"CompositeIndexes\":[{\"IndexSpecs\":[\"/a ASC\",\"/b ASC\"],"
                                + "\"IndexImpactScore\":\"High\"}]}}");
    }

    @Test
    void adviceIsGivenWhereThereIsAny() {
        String asking = "x-ms-cosmos-populatequeryadvice";
        String query =
                "SELECT c.id FROM c WHERE NOT CONTAINS(c.id, 'x') OR c.t > GetCurrentTicks()"
                        + " OR CONTAINS(c.id, 'y')";
        String advice =
                client.query(DOCS, query, CROSS, "true", asking, "True")
                        .header("x-ms-cosmos-query-advice");
        assertThat(URLDecoder.decode(advice, StandardCharsets.UTF_8))
                .isEqualTo("[{\"Id\":\"QA1002\",\"Params\":[]},{\"Id\":\"QA1008\",\"Params\":[]}]");
        assertThat(client.query(DOCS, query, CROSS, "true").has("x-ms-cosmos-query-advice"))
                .isFalse();
        assertThat(
                        client.query(
                                        DOCS,
                                        "SELECT c.id FROM c WHERE c.n = 1",
                                        CROSS,
                                        "true",
                                        asking,
                                        "True")
                                .has("x-ms-cosmos-query-advice"))
                .isFalse();
    }

    @Test
    void directExecutionGoesOnUnlessGroupsAreCutInTwo() {
        String direct = "x-ms-cosmos-query-optimisticdirectexecute";
        assertThat(
                        client.query(
                                        DOCS,
                                        "SELECT c.id FROM c",
                                        CROSS,
                                        "true",
                                        direct,
                                        "True",
                                        "x-ms-max-item-count",
                                        "5")
                                .header("x-ms-cosmos-query-requiresdistribution"))
                .isEqualTo("False");
        assertThat(
                        client.query(
                                        DOCS,
                                        "SELECT DISTINCT c.id FROM c",
                                        CROSS,
                                        "true",
                                        direct,
                                        "True",
                                        "x-ms-max-item-count",
                                        "5")
                                .header("x-ms-cosmos-query-requiresdistribution"))
                .isEqualTo("True");
        assertThat(
                        client.query(
                                        DOCS,
                                        "SELECT DISTINCT c.id FROM c",
                                        CROSS,
                                        "true",
                                        direct,
                                        "True")
                                .header("x-ms-cosmos-query-requiresdistribution"))
                .isEqualTo("False");
    }

    @Test
    void whatMustBeMergedIsRefusedWithItsPlan() {
        Reply reply = client.query(DOCS, "SELECT * FROM c ORDER BY c.id", CROSS, "true");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.header("x-ms-substatus")).isEqualTo("1004");
        assertThat(reply.string("code")).isEqualTo("BadRequest");
        assertThat(JsonText.parse(reply.string("additionalErrorInfo")))
                .isEqualTo(JsonText.parse(plan("SELECT * FROM c ORDER BY c.id").text()));
    }

    @Test
    void thePlanOfAScanSendsItEverywhere() {
        Reply plan = plan("SELECT * FROM c");
        assertThat(plan.text())
                .isEqualTo(
                        "{\"partitionedQueryExecutionInfoVersion\":2,\"queryInfo\":"
                                + "{\"distinctType\":\"None\",\"top\":null,\"offset\":null,"
                                + "\"limit\":null,\"orderBy\":[],\"orderByExpressions\":[],"
                                + "\"groupByExpressions\":[],\"groupByAliases\":[],"
                                + "\"aggregates\":[],\"groupByAliasToAggregateType\":{},"
                                + "\"rewrittenQuery\":\"\",\"hasSelectValue\":false,"
                                + "\"dCountInfo\":null,\"hasNonStreamingOrderBy\":false},"
                                + "\"queryRanges\":[{\"min\":\"\",\"max\":\"FF\","
                                + "\"isMinInclusive\":true,\"isMaxInclusive\":false}],"
                                + "\"hybridSearchQueryInfo\":null}");
    }

    @Test
    void aPlanThatCannotBeMadeSaysWhatFailed() {
        for (String query : List.of("SELECT COUNT(1) + 5 FROM c", "selectttt * FROM c")) {
            Reply reply =
                    client.post(
                            DOCS,
                            JsonText.write(Json.object("query", Value.of(query))),
                            "x-ms-cosmos-is-query-plan-request",
                            "True",
                            "Content-Type",
                            "application/query+json");
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.string("message"))
                    .startsWith("Gateway Failed to Retrieve Query Plan: Message: {\"");
        }
    }

    @Test
    void thePlanOfAKeyIsAPoint() {
        String epk = EffectiveKeys.of(KEY, PartitionKey.ofText("k2")).toHex();
        String point =
                "[{\"min\":\""
                        + epk
                        + "\",\"max\":\""
                        + epk
                        + "\",\"isMinInclusive\":true,\"isMaxInclusive\":true}]";
        assertThat(JsonText.write(plan("SELECT * FROM c WHERE c.pk = 'k2'").member("queryRanges")))
                .isEqualTo(point);
        assertThat(
                        JsonText.write(
                                plan("SELECT * FROM c", "x-ms-documentdb-partitionkey", "[\"k2\"]")
                                        .member("queryRanges")))
                .isEqualTo(point);
    }

    private Reply plan(String query, String... headers) {
        String[] all = java.util.Arrays.copyOf(headers, headers.length + 4);
        all[headers.length] = "x-ms-cosmos-is-query-plan-request";
        all[headers.length + 1] = "True";
        // Java sends its plan requests as plain JSON.
        all[headers.length + 2] = "Content-Type";
        all[headers.length + 3] = "application/json";
        Reply reply = client.post(DOCS, JsonText.write(Json.object("query", Value.of(query))), all);
        assertThat(reply.status()).isEqualTo(200);
        return reply;
    }

    @Test
    void aReadOnlyKeyMayQuery() {
        TestClient reader = new TestClient(endpoint, TestClient.READ_ONLY_2);
        assertThat(reader.query("/dbs", "SELECT * FROM r").status()).isEqualTo(200);
        assertThat(reader.query(DOCS, "SELECT * FROM c", CROSS, "true").status()).isEqualTo(200);
    }

    private static List<String> ids(Reply reply, String array) {
        assertThat(reply.status()).isEqualTo(200);
        return ((Value.Array) reply.member(array))
                .elements().stream()
                        .map(
                                row ->
                                        row instanceof Value.Obj object
                                                        && object.properties().get("id")
                                                                instanceof Value.Text(String id)
                                                ? id
                                                : "?")
                        .toList();
    }
}
