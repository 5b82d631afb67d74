package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under which name, port and scheme the server is reached, and what it then tells clients. */
@Tag("client")
final class EndpointTest {
    @Test
    void endpointsFollowTheRequest() {
        RunningServer server = Cosmos.server();

        for (String endpoint :
                new String[] {
                    "https://localhost:" + server.port() + "/",
                    "https://127.0.0.1:" + server.port() + "/",
                    "http://localhost:" + server.port() + "/",
                    "http://127.0.0.1:" + server.port() + "/"
                }) {
            assertThat(AccountDocument.writableEndpoint(endpoint, server.key()))
                    .isEqualTo(endpoint);
        }
    }

    @Test
    void sdkWorksThroughAForwarderOnAnotherNameAndPort() {
        RunningServer server = Cosmos.server();
        try (Forwarder forwarder = new Forwarder()) {
            forwarder.to(server.port());
            String endpoint = "https://127.0.0.1:" + forwarder.port() + "/";
            assertThat(AccountDocument.writableEndpoint(endpoint, server.key()))
                    .isEqualTo(endpoint);
            int before = forwarder.connections();
            try (CosmosClient client = Cosmos.builder(server).endpoint(endpoint).buildClient()) {
                CosmosItemResponse<ObjectNode> read = writeAndRead(client);
                assertThat(read.getDiagnostics().toString()).contains(servedBy(endpoint));
            }
            assertThat(forwarder.connections()).isGreaterThan(before);
        }
    }

    @Test
    void advertisedEndpointIsGivenToEverybody() {
        try (Forwarder forwarder = new Forwarder()) {
            String advertised = "https://localhost:" + forwarder.port() + "/";
            try (RunningServer server = RunningServer.start("--advertise", advertised)) {
                forwarder.to(server.port());
                assertThat(server.endpoint()).isEqualTo(advertised);
                String direct = "https://127.0.0.1:" + server.port() + "/";
                assertThat(AccountDocument.writableEndpoint(direct, server.key()))
                        .isEqualTo(advertised);
                try (CosmosClient client = Cosmos.builder(server).endpoint(direct).buildClient()) {
                    assertThat(writeAndRead(client).getDiagnostics().toString())
                            .contains(servedBy(advertised));
                }
                assertThat(forwarder.connections()).isPositive();
            }
        }
    }

    /**
     * The build sets COSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED, which the SDK reads when it loads.
     */
    @Test
    void sdkWorksOverPlainHttp() {
        RunningServer server = Cosmos.server();
        try (CosmosClient client =
                Cosmos.builder(server)
                        .endpoint("http://localhost:" + server.port() + "/")
                        .buildClient()) {
            assertThat(writeAndRead(client).getDiagnostics().toString())
                    .contains(servedBy("http://localhost:" + server.port() + "/"));
        }
    }

    /** Diagnostics list the endpoints of all clients; this is the part about the request. */
    private static String servedBy(String endpoint) {
        return "\"endpoint\":\"" + endpoint + "dbs/";
    }

    private static CosmosItemResponse<ObjectNode> writeAndRead(CosmosClient client) {
        String database = uniqueName("endpoint");
        client.createDatabase(database);
        client.getDatabase(database).createContainer(properties("c", "/pk"));
        CosmosContainer container = client.getDatabase(database).getContainer("c");
        container.createItem(item("1", "k"));
        return container.readItem("1", new PartitionKey("k"), ObjectNode.class);
    }
}
