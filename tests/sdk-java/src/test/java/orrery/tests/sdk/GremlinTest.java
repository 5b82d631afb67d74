package orrery.tests.sdk;

import static org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource.traversal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.models.ThroughputProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.Result;
import org.apache.tinkerpop.gremlin.driver.ResultSet;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV2;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONMessageSerializerV3;
import org.apache.tinkerpop.gremlin.util.ser.GraphSONUntypedMessageSerializerV1;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Graphs with the unmodified {@code org.apache.tinkerpop:gremlin-driver}. */
@Tag("client")
@Timeout(300)
final class GremlinTest {
    private static final String DATABASE = "graphs";

    /** Made when a test first asks. The driver does not wait for a busy partition. */
    private static final class Shared {
        static final RunningServer SERVER = RunningServer.start("--no-throttling");
        static final CosmosClient SQL = Cosmos.newClient(SERVER);

        static {
            SQL.createDatabase(DATABASE);
        }
    }

    /** Makes a graph and returns the name under which a driver logs in to it. */
    private static String newGraph(int throughput) {
        String id = Cosmos.uniqueName("graph");
        Shared.SQL
                .getDatabase(DATABASE)
                .createContainer(
                        Cosmos.properties(id, "/pk"),
                        ThroughputProperties.createManualThroughput(throughput));
        return "/dbs/" + DATABASE + "/colls/" + id;
    }

    private static Cluster cluster(String graph, String key, MessageSerializer<?> form) {
        return Cluster.build("localhost")
                .port(Shared.SERVER.gremlinPort())
                .credentials(graph, key)
                .serializer(form)
                .create();
    }

    private static Cluster cluster(String graph, MessageSerializer<?> form) {
        return cluster(graph, Shared.SERVER.key(), form);
    }

    private static List<MessageSerializer<?>> forms() {
        return List.of(
                new GraphSONUntypedMessageSerializerV1(),
                new GraphSONMessageSerializerV2(),
                new GraphSONMessageSerializerV3(),
                new GraphBinaryMessageSerializerV1());
    }

    private static List<Object> results(Client client, String script) throws Exception {
        return results(client, script, Map.of());
    }

    private static List<Object> results(Client client, String script, Map<String, Object> bindings)
            throws Exception {
        return client.submit(script, bindings).all().get().stream().map(Result::getObject).toList();
    }

    private static ResponseException failure(Client client, String script) {
        Throwable failure = catchThrowable(() -> client.submit(script).all().get());
        assertThat(failure)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(ResponseException.class);
        return (ResponseException) Objects.requireNonNull(failure.getCause());
    }

    @OnOneAndFivePartitions
    void everyFormWritesAndReadsAGraph(int throughput) throws Exception {
        for (MessageSerializer<?> form : forms()) {
            Cluster cluster = cluster(newGraph(throughput), form);
            try {
                Client client = cluster.connect();
                for (String id : List.of("a", "b", "c")) {
                    assertThat(
                                    results(
                                            client,
                                            "g.addV('n').property('id', vid).property('pk', key)"
                                                    + ".property('x', 5)",
                                            Map.of("vid", id, "key", "p" + id)))
                            .hasSize(1);
                }
                results(
                        client,
                        "g.V(['pa','a']).addE('knows').to(g.V(['pb','b'])).property('id','e')");
                assertThat(results(client, "g.V(['pa','a']).out().values('id')"))
                        .containsExactly("b");
                assertThat(results(client, "g.V(['pb','b']).in('knows').id()"))
                        .containsExactly("a");
                assertThat(results(client, "g.E(['pa','e']).label()")).containsExactly("knows");
                assertThat(results(client, "g.V().has('x',5).count()").toString()).isEqualTo("[3]");
            } finally {
                cluster.close();
            }
        }
    }

    @Test
    void attributesAreThoseOfTheService() throws Exception {
        Cluster cluster = cluster(newGraph(Cosmos.ONE), new GraphSONMessageSerializerV2());
        try {
            Client client = cluster.connect();
            ResultSet answer = client.submit("g.V().count()");
            answer.all().get();
            Map<String, Object> attributes = answer.statusAttributes().get();
            // The casts of the vendor's sample.
            assertThat((Integer) attributes.get("x-ms-status-code")).isEqualTo(200);
            assertThat((Double) attributes.get("x-ms-total-request-charge")).isPositive();
            ResponseException failed = failure(client, "g.V().foo()");
            assertThat(failed.getResponseStatusCode().getValue()).isEqualTo(597);
            assertThat((Integer) failed.getStatusAttributes().orElseThrow().get("x-ms-status-code"))
                    .isEqualTo(1000);
        } finally {
            cluster.close();
        }
    }

    @Test
    void aWrongKeyIsRefused() {
        Cluster cluster =
                cluster(
                        newGraph(Cosmos.ONE),
                        "d3Jvbmcgd3Jvbmcgd3Jvbmc=",
                        new GraphSONMessageSerializerV2());
        try {
            Throwable failure = catchThrowable(() -> cluster.connect().submit("g.V()").all().get());
            assertThat(failure).hasStackTraceContaining("Invalid credentials provided");
        } finally {
            cluster.close();
        }
    }

    /** The driver opens several connections, and sends several requests ahead on each. */
    @Test
    void requestsOfManyThreadsAreAnsweredEach() throws Exception {
        Cluster cluster = cluster(newGraph(Cosmos.ONE), new GraphBinaryMessageSerializerV1());
        try {
            Client client = cluster.connect();
            List<CompletableFuture<List<Result>>> all = new ArrayList<>();
            for (int n = 0; n < 200; n++) {
                all.add(client.submitAsync("g.inject(" + n + ")").thenCompose(ResultSet::all));
            }
            for (int n = 0; n < 200; n++) {
                assertThat(all.get(n).get().getFirst().getInt()).isEqualTo(n);
            }
        } finally {
            cluster.close();
        }
    }

    @OnOneAndFivePartitions
    void compiledTraversalsGiveElements(int throughput) throws Exception {
        for (MessageSerializer<?> form :
                List.of(new GraphSONMessageSerializerV3(), new GraphBinaryMessageSerializerV1())) {
            Cluster cluster = cluster(newGraph(throughput), form);
            try {
                GraphTraversalSource g =
                        traversal().with(DriverRemoteConnection.using(cluster, "g"));
                for (int n : IntStream.range(0, 100).toArray()) {
                    g.addV("n")
                            .property(T.id, "v" + n)
                            .property("pk", "p" + n % 7)
                            .property("n", n)
                            .iterate();
                }
                assertThat(g.V().has("n", P.gte(90)).count().next()).isEqualTo(10);
                assertThat(g.V().values("n").toList()).hasSize(100);
                Vertex vertex = g.V().has("pk", "p3").has("n", 3).next();
                assertThat(vertex.id()).isEqualTo("v3");
                assertThat(vertex.<Integer>value("n")).isEqualTo(3);
            } finally {
                cluster.close();
            }
        }
    }
}
