package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosUserDefinedFunctionProperties;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Queries that take one range several pages of work before it has an answer, while the others have
 * theirs at once. A page looks at 2,000 items if it calls a function of a user.
 */
@Tag("client")
final class LongQueryTest {
    private static final int HOT = 4500;
    private static final int OTHERS = 500;
    private static final int ODD = (HOT + OTHERS) / 2;
    private static final String IS_ODD = " FROM c WHERE udf.isOdd(c.n)";

    private static RunningServer server;
    private static CosmosClient client;
    private static CosmosContainer container;

    @BeforeAll
    static void fill() {
        server = RunningServer.start("--no-throttling");
        client = Cosmos.newClient(server);
        client.createDatabase("d");
        client.getDatabase("d")
                .createContainer(
                        properties("c", "/pk"),
                        ThroughputProperties.createManualThroughput(Cosmos.FIVE));
        container = client.getDatabase("d").getContainer("c");
        container
                .getScripts()
                .createUserDefinedFunction(
                        new CosmosUserDefinedFunctionProperties(
                                "isOdd", "function (n) { return n % 2 === 1; }"));
        List<CosmosItemOperation> creates = new ArrayList<>();
        for (int n = 0; n < HOT + OTHERS; n++) {
            String key = n < HOT ? "hot" : "k" + n;
            creates.add(
                    CosmosBulkOperations.getCreateItemOperation(
                            item("i" + n, key).put("n", n).put("g", n % 3), new PartitionKey(key)));
        }
        assertThat(container.executeBulkOperations(creates))
                .allSatisfy(each -> assertThat(each.getResponse().getStatusCode()).isEqualTo(201));
    }

    @AfterAll
    static void close() {
        client.close();
        server.close();
    }

    private static List<JsonNode> query(String text) {
        return query(text, new CosmosQueryRequestOptions());
    }

    private static List<JsonNode> query(String text, CosmosQueryRequestOptions options) {
        return container.queryItems(text, options, JsonNode.class).stream().toList();
    }

    private static CosmosQueryRequestOptions hot() {
        return new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey("hot"));
    }

    @Test
    void aggregates() {
        assertThat(query("SELECT VALUE COUNT(1)" + IS_ODD))
                .extracting(JsonNode::asInt)
                .containsExactly(ODD);
        assertThat(query("SELECT VALUE SUM(c.n)" + IS_ODD))
                .extracting(JsonNode::asInt)
                .containsExactly(ODD * ODD);
        assertThat(query("SELECT VALUE AVG(c.n)" + IS_ODD))
                .extracting(JsonNode::asInt)
                .containsExactly(ODD);
        assertThat(query("SELECT VALUE MAX(c.n)" + IS_ODD))
                .extracting(JsonNode::asInt)
                .containsExactly(HOT + OTHERS - 1);
        assertThat(query("SELECT COUNT(1) AS n, MIN(c.n) AS least" + IS_ODD))
                .extracting(JsonNode::toString)
                .containsExactly("{\"n\":2500,\"least\":1}");
    }

    @Test
    void aggregatesOfOneKey() {
        assertThat(query("SELECT VALUE COUNT(1)" + IS_ODD, hot()))
                .extracting(JsonNode::asInt)
                .containsExactly(HOT / 2);
        assertThat(query("SELECT VALUE SUM(c.n)" + IS_ODD, hot()))
                .extracting(JsonNode::asInt)
                .containsExactly(HOT / 2 * (HOT / 2));
    }

    @Test
    void groupsAndDistinctValues() {
        assertThat(query("SELECT c.g, COUNT(1) AS n" + IS_ODD + " GROUP BY c.g"))
                .extracting(group -> group.get("g").asInt() + ": " + group.get("n"))
                .containsExactlyInAnyOrder("0: 833", "1: 834", "2: 833");
        assertThat(query("SELECT DISTINCT VALUE c.g" + IS_ODD))
                .extracting(JsonNode::asInt)
                .containsExactlyInAnyOrder(0, 1, 2);
    }

    /** The matching items are at the end of the long range. */
    @Test
    void rows() {
        assertThat(query("SELECT VALUE c.n" + IS_ODD + " AND c.n > 4490 AND c.pk = 'hot'"))
                .extracting(JsonNode::asInt)
                .containsExactlyInAnyOrder(4491, 4493, 4495, 4497, 4499);
        assertThat(query("SELECT TOP 3 VALUE c.n" + IS_ODD + " ORDER BY c.n DESC"))
                .extracting(JsonNode::asInt)
                .containsExactly(4999, 4997, 4995);
        assertThat(query("SELECT VALUE c.n" + IS_ODD + " AND c.n < 0")).isEmpty();
        assertThat(query("SELECT VALUE COUNT(1)" + IS_ODD + " AND c.n < 0"))
                .extracting(JsonNode::asInt)
                .containsExactly(0);
    }
}
