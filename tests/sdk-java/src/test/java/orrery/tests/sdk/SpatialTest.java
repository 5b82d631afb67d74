package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.SpatialSpec;
import com.azure.cosmos.models.SpatialType;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Containers with a spatial index, and the queries that it serves. */
@Tag("client")
@Timeout(900)
final class SpatialTest {
    private static final int ITEMS = 120;

    private final int throughput;

    SpatialTest(int throughput) {
        this.throughput = throughput;
    }

    private CosmosContainer filled() {
        CosmosContainerProperties properties =
                Cosmos.properties(Cosmos.uniqueName("places"), "/pk");
        IndexingPolicy policy = new IndexingPolicy();
        policy.setSpatialIndexes(
                List.of(
                        new SpatialSpec()
                                .setPath("/at/*")
                                .setSpatialTypes(List.of(SpatialType.POINT, SpatialType.POLYGON))));
        properties.setIndexingPolicy(policy);
        Cosmos.database()
                .createContainer(
                        properties, ThroughputProperties.createManualThroughput(throughput));
        CosmosContainer container = Cosmos.database().getContainer(properties.getId());
        for (int i = 0; i < ITEMS; i++) {
            container.createItem(
                    Cosmos.json(
                            "{\"id\":\"%d\",\"pk\":\"k%d\",\"at\":{\"type\":\"Point\",\"coordinates\":[%s,52]}}"
                                    .formatted(i, i % 30, i / 10.0)));
        }
        return container;
    }

    private static List<String> ids(CosmosContainer container, SqlQuerySpec query) {
        List<String> ids = new ArrayList<>();
        CosmosQueryRequestOptions options =
                new CosmosQueryRequestOptions().setIndexMetricsEnabled(true);
        for (FeedResponse<JsonNode> page :
                container.queryItems(query, options, JsonNode.class).iterableByPage(4)) {
            page.getResults().forEach(row -> ids.add(row.get("id").asText()));
            assertThat(page.getCosmosDiagnostics().toString()).contains("/at/? (spatial)");
        }
        return ids;
    }

    @OnOneAndFivePartitions
    void thePolicyIsKept() {
        CosmosContainer container = filled();
        List<SpatialSpec> kept =
                container.read().getProperties().getIndexingPolicy().getSpatialIndexes();
        assertThat(kept).hasSize(1);
        assertThat(kept.getFirst().getPath()).isEqualTo("/at/*");
        assertThat(kept.getFirst().getSpatialTypes())
                .containsExactly(SpatialType.POINT, SpatialType.POLYGON);
    }

    @OnOneAndFivePartitions
    void distanceAndWithin() {
        CosmosContainer container = filled();
        JsonNode place = Cosmos.json("{\"type\":\"Point\",\"coordinates\":[5.0,52]}");
        SqlQuerySpec near =
                new SqlQuerySpec(
                        "SELECT c.id FROM c WHERE ST_DISTANCE(c.at, @place) < 15000",
                        new SqlParameter("@place", place));
        assertThat(ids(container, near)).containsExactlyInAnyOrder("48", "49", "50", "51", "52");
        SqlQuerySpec within =
                new SqlQuerySpec(
                        "SELECT c.id FROM c WHERE ST_WITHIN(c.at, {'type':'Polygon','coordinates':"
                                + "[[[0.95,51],[1.25,51],[1.25,53],[0.95,53],[0.95,51]]]})");
        assertThat(ids(container, within)).containsExactlyInAnyOrder("10", "11", "12");
    }
}
