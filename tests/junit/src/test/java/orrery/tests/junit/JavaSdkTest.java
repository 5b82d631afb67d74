package orrery.tests.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.ThrottlingRetryOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import orrery.junit.Orrery;
import orrery.junit.OrreryExtension;

/** The unmodified Java SDK in one process with the server. */
@ExtendWith(OrreryExtension.class)
final class JavaSdkTest {
    private static final PartitionKey KEY = new PartitionKey("a");

    private record Thing(String id, String pk, int n) {
        Thing(String id) {
            this(id, "a", 5);
        }
    }

    private final Orrery orrery;
    private final CosmosClient client;

    JavaSdkTest(Orrery orrery) {
        this.orrery = orrery;
        this.client =
                new CosmosClientBuilder()
                        .endpoint(orrery.endpoint().toString())
                        .key(orrery.key())
                        .gatewayMode()
                        .throttlingRetryOptions(
                                new ThrottlingRetryOptions()
                                        .setMaxRetryAttemptsOnThrottledRequests(0))
                        .buildClient();
    }

    @AfterEach
    void close() {
        client.close();
    }

    private CosmosContainer create(CosmosContainerProperties properties) {
        client.createDatabaseIfNotExists("d");
        client.getDatabase("d")
                .createContainer(properties, ThroughputProperties.createManualThroughput(400));
        return client.getDatabase("d").getContainer(properties.getId());
    }

    @Test
    void writesReadsAndQueries() {
        CosmosContainer container = create(new CosmosContainerProperties("c", "/pk"));
        container.createItem(new Thing("1"));
        assertThat(container.readItem("1", KEY, Thing.class).getItem()).isEqualTo(new Thing("1"));
        assertThat(
                        container
                                .queryItems(
                                        "SELECT VALUE c.n FROM c",
                                        new CosmosQueryRequestOptions(),
                                        Integer.class)
                                .stream())
                .containsExactly(5);
    }

    /** Its caches remember what a name stood for, and its sessions how far a container had come. */
    @Test
    void aClientIsKeptOverAReset() {
        CosmosContainer container = create(new CosmosContainerProperties("c", "/pk"));
        for (int i = 0; i < 20; i++) {
            container.createItem(new Thing("before-" + i));
        }

        orrery.reset();

        CosmosContainer again = create(new CosmosContainerProperties("c", "/pk"));
        again.createItem(new Thing("1"));
        assertThat(again.readItem("1", KEY, Thing.class).getItem()).isEqualTo(new Thing("1"));
        assertThat(
                        again
                                .queryItems(
                                        "SELECT VALUE COUNT(1) FROM c",
                                        new CosmosQueryRequestOptions(),
                                        Integer.class)
                                .stream())
                .containsExactly(1);
        assertThatExceptionOfType(CosmosException.class)
                .isThrownBy(() -> again.readItem("before-1", KEY, Thing.class))
                .satisfies(e -> assertThat(e.getStatusCode()).isEqualTo(404));
    }

    /** It signs with the time of the machine, years away from that of the data. */
    @Test
    void itemsExpireWhenTheClockIsMoved() {
        CosmosContainerProperties properties = new CosmosContainerProperties("c", "/pk");
        properties.setDefaultTimeToLiveInSeconds(3600);
        CosmosContainer container = create(properties);
        container.createItem(new Thing("1"));

        orrery.clock().advance(Duration.ofDays(1000));

        assertThatExceptionOfType(CosmosException.class)
                .isThrownBy(() -> container.readItem("1", KEY, Thing.class))
                .satisfies(e -> assertThat(e.getStatusCode()).isEqualTo(404));
        container.createItem(new Thing("1"));
    }

    @Test
    void tooManyRequestsAreRefusedUntilTheClockIsMoved() {
        CosmosContainer container = create(new CosmosContainerProperties("c", "/pk"));
        orrery.clock().stop();
        assertThatExceptionOfType(CosmosException.class)
                .isThrownBy(
                        () -> {
                            for (int i = 0; i < 1000; i++) {
                                container.createItem(new Thing("x" + i));
                            }
                        })
                .satisfies(e -> assertThat(e.getStatusCode()).isEqualTo(429));

        orrery.clock().advance(Duration.ofSeconds(1));

        container.createItem(new Thing("later"));
    }
}
