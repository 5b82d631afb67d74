package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBulkItemRequestOptions;
import com.azure.cosmos.models.CosmosBulkOperationResponse;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bulk execution: many operations in few requests, each with a result of its own. */
@Tag("client")
final class BulkTest {
    @OnOneAndFivePartitions
    void everyOperationHasAResultOfItsOwn(int throughput) {
        CosmosContainer container = Cosmos.container(throughput, "/pk");
        String prefix = uniqueName("bulk");
        List<CosmosItemOperation> creates = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            creates.add(create(prefix, i));
        }
        assertThat(statuses(container, creates).values()).hasSize(250).containsOnly(201);

        List<CosmosItemOperation> mixed = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String id = prefix + "-" + i;
            PartitionKey key = key(prefix, i);
            mixed.add(
                    switch (i % 6) {
                        case 0 -> create(prefix, i);
                        case 1 -> CosmosBulkOperations.getReadItemOperation(id, key);
                        case 2 ->
                                CosmosBulkOperations.getUpsertItemOperation(
                                        item(id, prefix + "-" + i % 20).put("v", 2), key);
                        case 3 ->
                                CosmosBulkOperations.getPatchItemOperation(
                                        id, key, CosmosPatchOperations.create().set("/v", 3));
                        case 4 -> CosmosBulkOperations.getDeleteItemOperation(id, key);
                        default ->
                                CosmosBulkOperations.getReplaceItemOperation(
                                        id,
                                        item(id, prefix + "-" + i % 20),
                                        key,
                                        new CosmosBulkItemRequestOptions()
                                                .setIfMatchETag("\"0-0\""));
                    });
        }
        Map<CosmosItemOperation, Integer> results = statuses(container, mixed);
        List<Integer> expected = List.of(409, 200, 200, 200, 204, 412);
        for (int i = 0; i < mixed.size(); i++) {
            assertThat(results.get(mixed.get(i)))
                    .as("operation %s", i)
                    .isEqualTo(expected.get(i % 6));
        }
    }

    /** Not one operation may be lost, done twice or refused because ranges were split meanwhile. */
    @Test
    void aSplitUnderLoadLosesNothing() throws Exception {
        try (RunningServer server = RunningServer.start("--no-throttling");
                CosmosClient client = Cosmos.newClient(server);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            client.createDatabase("d");
            client.getDatabase("d")
                    .createContainer(
                            properties("c", "/pk"),
                            ThroughputProperties.createManualThroughput(Cosmos.ONE));
            CosmosContainer container = client.getDatabase("d").getContainer("c");
            CountDownLatch begun = new CountDownLatch(3);
            AtomicBoolean isSplit = new AtomicBoolean();
            AtomicInteger created = new AtomicInteger();
            List<Callable<Set<Integer>>> loads = new ArrayList<>();
            for (int load = 0; load < 3; load++) {
                String prefix = "load" + load;
                loads.add(
                        () -> {
                            Set<Integer> statuses = new HashSet<>();
                            boolean isLast = false;
                            for (int round = 0; !isLast; round++) {
                                isLast = isSplit.get();
                                List<CosmosItemOperation> creates = new ArrayList<>();
                                for (int i = 0; i < 100; i++) {
                                    creates.add(create(prefix, round * 100 + i));
                                }
                                statuses.addAll(statuses(container, creates).values());
                                created.addAndGet(creates.size());
                                begun.countDown();
                            }
                            return statuses;
                        });
            }
            List<Future<Set<Integer>>> running = loads.stream().map(threads::submit).toList();
            assertThat(begun.await(600, TimeUnit.SECONDS)).isTrue();
            container.replaceThroughput(ThroughputProperties.createManualThroughput(Cosmos.FIVE));
            while (container.readThroughput().isReplacePending()) {
                Thread.onSpinWait();
            }
            isSplit.set(true);
            for (Future<Set<Integer>> load : running) {
                assertThat(load.get()).containsExactly(201);
            }
            Set<String> ids = new HashSet<>();
            int[] count = {0};
            container
                    .queryItems("SELECT * FROM c", null, ObjectNode.class)
                    .forEach(
                            item -> {
                                ids.add(item.get("id").asText());
                                count[0]++;
                            });
            assertThat(ids).hasSize(created.get());
            assertThat(count[0]).isEqualTo(ids.size());
            KeyRange.await(container, 5);
        }
    }

    private static CosmosItemOperation create(String prefix, int number) {
        return CosmosBulkOperations.getCreateItemOperation(
                item(prefix + "-" + number, prefix + "-" + number % 20), key(prefix, number));
    }

    private static PartitionKey key(String prefix, int number) {
        return new PartitionKey(prefix + "-" + number % 20);
    }

    private static Map<CosmosItemOperation, Integer> statuses(
            CosmosContainer container, List<CosmosItemOperation> operations) {
        Map<CosmosItemOperation, Integer> statuses = new HashMap<>();
        for (CosmosBulkOperationResponse<Object> response :
                container.executeBulkOperations(operations)) {
            assertThat(response.getException()).isNull();
            statuses.put(response.getOperation(), response.getResponse().getStatusCode());
        }
        return statuses;
    }
}
