package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Queries that order by strings whose first difference lies beyond the part that the index holds.
 * The SDK merges the partitions by whole values, and its tokens say after which value each goes on.
 */
@Tag("client")
@Timeout(900)
final class LongTextOrderTest {
    private static final int ITEMS = 50;

    private static SmallPartitions lab;

    @BeforeAll
    static void start() {
        lab = SmallPartitions.start();
    }

    @AfterAll
    static void stop() {
        lab.close();
    }

    /** Texts are all different and unordered; 90 Chinese characters or 1,200 letters are alike. */
    private static String text(int number) {
        String beginning = number % 2 == 0 ? "漢".repeat(90) : "l".repeat(1200);
        return beginning + (number * 37 % 101 + 100);
    }

    private static CosmosContainer filled(int partitions) {
        CosmosContainerProperties properties = Cosmos.properties(Cosmos.uniqueName("long"), "/pk");
        SmallPartitions.indexTogether(properties, "/a", "/n");
        CosmosContainer container = lab.create(properties, partitions);
        for (int i = 0; i < ITEMS; i++) {
            ObjectNode item = Cosmos.JSON.createObjectNode();
            item.put("id", "i" + i).put("pk", "k" + i % 12).put("n", i).put("a", text(i));
            container.createItem(item);
        }
        return container;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void rowsComeInOrderFromAnyToken(int partitions) {
        CosmosContainer container = filled(partitions);
        List<Integer> rising =
                IntStream.range(0, ITEMS)
                        .boxed()
                        .sorted(Comparator.comparing(LongTextOrderTest::text))
                        .toList();
        check(container, "SELECT VALUE c.n FROM c ORDER BY c.a", rising);
        check(container, "SELECT VALUE c.n FROM c ORDER BY c.a DESC", rising.reversed());
        check(container, "SELECT VALUE c.n FROM c ORDER BY c.a ASC, c.n DESC", rising);
        check(container, "SELECT VALUE c.n FROM c ORDER BY c.a DESC, c.n ASC", rising.reversed());
        check(container, "SELECT TOP 9 VALUE c.n FROM c ORDER BY c.a", rising.subList(0, 9));
        container.delete();
    }

    private static void check(CosmosContainer container, String query, List<Integer> expected) {
        List<Integer> rows = new ArrayList<>();
        container
                .queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)
                .iterableByPage(3)
                .forEach(page -> page.getResults().forEach(row -> rows.add(row.asInt())));
        assertThat(rows).as(query).isEqualTo(expected);
        List<Integer> resumed = new ArrayList<>();
        String token = null;
        do {
            FeedResponse<JsonNode> page =
                    container
                            .queryItems(query, new CosmosQueryRequestOptions(), JsonNode.class)
                            .iterableByPage(token, 3)
                            .iterator()
                            .next();
            page.getResults().forEach(row -> resumed.add(row.asInt()));
            token = page.getContinuationToken();
            assertThat(resumed).hasSizeLessThanOrEqualTo(expected.size());
        } while (token != null);
        assertThat(resumed).as("from tokens: " + query).isEqualTo(expected);
    }
}
