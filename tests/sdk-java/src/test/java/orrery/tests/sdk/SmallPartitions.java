package orrery.tests.sdk;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CompositePath;
import com.azure.cosmos.models.CompositePathSortOrder;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.ThroughputProperties;
import java.util.List;
import java.util.stream.Stream;

/** A server whose partitions deliver little, so that a test has many of them, and its client. */
record SmallPartitions(RunningServer server, CosmosClient client, CosmosDatabase database)
        implements AutoCloseable {
    /** Request units a second that one partition delivers. */
    static final int THROUGHPUT = 1000;

    /**
     * Starts the server with an empty database.
     *
     * @param options more options of the server
     */
    static SmallPartitions start(String... options) {
        String throughput = Integer.toString(THROUGHPUT);
        Stream<String> small =
                Stream.of("--partition-max-throughput", throughput, "--no-throttling");
        RunningServer server =
                RunningServer.start(
                        Stream.concat(small, Stream.of(options)).toArray(String[]::new));
        CosmosClient client = Cosmos.newClient(server);
        client.createDatabase("db");
        return new SmallPartitions(server, client, client.getDatabase("db"));
    }

    CosmosContainer create(CosmosContainerProperties properties, int partitions) {
        database.createContainer(
                properties, ThroughputProperties.createManualThroughput(THROUGHPUT * partitions));
        return database.getContainer(properties.getId());
    }

    /** Lets queries of a container order by the first path ascending and the second descending. */
    static void indexTogether(
            CosmosContainerProperties properties, String ascending, String descending) {
        IndexingPolicy policy = new IndexingPolicy();
        policy.setCompositeIndexes(
                List.of(
                        List.of(
                                path(ascending, CompositePathSortOrder.ASCENDING),
                                path(descending, CompositePathSortOrder.DESCENDING))));
        properties.setIndexingPolicy(policy);
    }

    private static CompositePath path(String path, CompositePathSortOrder order) {
        return new CompositePath().setPath(path).setOrder(order);
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
