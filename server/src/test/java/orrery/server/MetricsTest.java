package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import orrery.cluster.api.AccountSettings;

/** Checks the page that a scraper reads. */
final class MetricsTest {
    private ServerFixture server;

    @BeforeEach
    void start() {
        start(AccountSettings.DEFAULT.withStorage(10 << 20, 1 << 20));
    }

    private void start(AccountSettings settings) {
        server = ServerFixture.start(settings);
        server.createDatabase("food");
        server.createContainer("food", "items", "x-ms-offer-throughput", "400");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<String> metrics() throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(
                                    URI.create(
                                            "http://localhost:"
                                                    + server.server().statusPort()
                                                    + "/metrics"))
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    private double value(String series) throws IOException, InterruptedException {
        return metrics()
                .body()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .map(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no " + series));
    }

    @Test
    void isTheTextFormatOfPrometheus() throws Exception {
        HttpResponse<String> page = metrics();

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("content-type").orElseThrow())
                .startsWith("text/plain; version=0.0.4");
        assertThat(page.body().lines())
                .contains("# TYPE orrery_requests_total counter")
                .contains("# TYPE orrery_partition_bytes gauge");
        assertThat(value("jvm_memory_used_bytes{area=\"heap\"}")).isPositive();
    }

    @Test
    void countsRequestsAndWhatTheySpend() throws Exception {
        server.createItem("food", "items", "k", "1", "");
        assertThat(server.readItem("food", "items", "k", "no").statusCode()).isEqualTo(404);
        server.run("partitions", "food/items");

        assertThat(value("orrery_requests_total{api=\"sql\",status=\"201\"}")).isEqualTo(3);
        assertThat(value("orrery_requests_total{api=\"sql\",status=\"404\"}")).isEqualTo(1);
        assertThat(value("orrery_requests_total{api=\"operator\",status=\"200\"}")).isPositive();
        assertThat(value("orrery_request_units_total")).isGreaterThan(6).isLessThan(8);
        assertThat(value("orrery_throttled_requests_total")).isZero();
        String ofRange = "{container=\"items\",database=\"food\",range=\"0\"}";
        assertThat(value("orrery_partition_items" + ofRange)).isEqualTo(1);
        assertThat(value("orrery_partition_bytes" + ofRange)).isGreaterThan(100);
        assertThat(value("orrery_partition_budget_request_units" + ofRange)).isEqualTo(400);
    }

    @Test
    void countsRefusals() throws Exception {
        server.close();
        start(AccountSettings.DEFAULT);
        // A budget of 400 RU/s needs most of a minute to pay for this.
        assertThat(server.createLarge("food", "items", "k", 50_000).statusCode()).isEqualTo(201);
        assertThat(server.readItem("food", "items", "k", "large").statusCode()).isEqualTo(429);
        assertThat(value("orrery_throttled_requests_total")).isEqualTo(1);
        assertThat(value("orrery_requests_total{api=\"sql\",status=\"429\"}")).isEqualTo(1);
    }

    @Test
    void countsSplitsAndMerges() throws Exception {
        server.run("split", "food/items", "0");
        server.run("merge", "food/items", "1");
        server.run("split", "food/items", "3");

        assertThat(value("orrery_reshapes_total{reason=\"operator\"}")).isEqualTo(2);
        assertThat(value("orrery_reshapes_total{reason=\"merge\"}")).isEqualTo(1);
        assertThat(value("orrery_partitions")).isEqualTo(2);
    }

    @Test
    void warnsOfKeysNearTheirLimit() throws Exception {
        server.createItem("food", "items", "tenant-a", "1", "");
        server.createItem(
                "food", "items", "tenant-b", "1", ",\"t\":\"" + "x".repeat(900_000) + "\"");

        String ofRange = "{container=\"items\",database=\"food\",range=\"0\"}";
        assertThat(value("orrery_largest_key_bytes" + ofRange)).isGreaterThan(900_000);
        assertThat(value("orrery_largest_key_share_of_limit" + ofRange)).isBetween(0.8, 1.0);
        // Anybody may read the page, and what tenants are called is theirs.
        assertThat(metrics().body()).doesNotContain("tenant-a", "tenant-b");
    }
}
