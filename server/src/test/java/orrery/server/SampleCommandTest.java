package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.api.RuleSet;
import orrery.server.ServerFixture.Output;

/** {@code orrery sample}. */
@Timeout(900)
final class SampleCommandTest {
    private ServerFixture server;

    @BeforeEach
    void start() {
        server = ServerFixture.start(AccountSettings.DEFAULT);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String done(String... arguments) {
        Output output = server.run(arguments);
        assertThat(output.err()).isEmpty();
        assertThat(output.exitCode()).isZero();
        return output.out();
    }

    @Test
    void foodHasABadKeyAndAGoodOne() {
        assertThat(done("sample", "food").lines())
                .containsExactly(
                        "food/items is created: 1500 items, key /foodGroup",
                        "food/items-by-id is created: 1500 items, key /id");
        assertThat(done("ls", "food").replaceAll(" +", " "))
                .contains("items /foodGroup 18000 RU/s 3 1500 ")
                .contains("items-by-id /id 18000 RU/s 3 1500 ");
        assertThat(server.run("partitions", "food/items", "--fail-above", "1.5").exitCode())
                .isEqualTo(3);
        assertThat(server.run("partitions", "food/items-by-id", "--fail-above", "1.5").exitCode())
                .isZero();
        assertThat(
                        done(
                                "query",
                                "food/items",
                                "SELECT VALUE COUNT(1) FROM c WHERE c.foodGroup = 'Beef Products'",
                                "-o",
                                "json"))
                .contains("800");
        List<String> before = done("export", "food/items").lines().sorted().toList();

        assertThat(done("sample", "food"))
                .contains("food/items is there already", "Nothing is changed.");
        done("delete", "food/items", "-y");
        Output part = server.run("sample", "food");
        assertThat(part.exitCode()).isEqualTo(1);
        assertThat(part.err()).contains("food/items is missing or has fewer items", "--replace");
        assertThat(done("sample", "food", "--replace")).contains("food/items is created");
        assertThat(done("export", "food/items").lines().sorted().toList()).isEqualTo(before);
    }

    @Test
    void devicesAndFlights() {
        assertThat(done("sample", "devices", "--into", "iot"))
                .contains("iot/telemetry is created: 1200 items, key /deviceId");
        assertThat(
                        done(
                                "show",
                                "iot/telemetry",
                                "--id",
                                "XMS-001-FE24C",
                                "--partition-key",
                                "XMS-0001",
                                "-o",
                                "json"))
                .startsWith("{\"id\":\"XMS-001-FE24C\",\"deviceId\":\"XMS-0001\"");
        assertThat(done("sample", "flights", "-o", "json"))
                .startsWith("{\"sample\":\"flights\",\"database\":\"flights\",\"created\":true");
        assertThat(
                        done(
                                "query",
                                "flights/departures",
                                "SELECT VALUE COUNT(1) FROM c",
                                "--partition-key",
                                "LAX",
                                "-o",
                                "json"))
                .containsPattern("[1-9]");
        assertThat(
                        done(
                                "query",
                                "flights/routes",
                                "SELECT e.id, e._sink FROM e WHERE e._isEdge AND e._vertexId = 'Seattle'"
                                        + " AND e.label = 'road'",
                                "--partition-key",
                                "USA",
                                "-o",
                                "json"))
                .contains("{\"id\":\"I5\",\"_sink\":\"Los Angeles\"}");
    }

    /** Rules of other years demand more throughput of a container. */
    @Test
    void samplesFitTheRulesOfEveryYear() {
        for (RuleSet year : RuleSet.values()) {
            try (ServerFixture other = ServerFixture.start(AccountSettings.of(year))) {
                for (String name : List.of("food", "flights", "devices")) {
                    Output output = other.run("sample", name);
                    assertThat(output.err()).as(year + " " + name).isEmpty();
                    assertThat(output.exitCode()).isZero();
                }
            }
        }
    }

    @Test
    void theListNamesWhatTheyCreate() {
        assertThat(done("sample"))
                .contains(
                        "food: ",
                        "food/items  key /foodGroup, 1500 items, 18000 RU/s",
                        "flights/departures  key /airport",
                        "devices/telemetry  key /deviceId");
        assertThat(done("sample", "-o", "json")).startsWith("[{\"sample\":\"food\"");
        assertThat(server.run("sample", "--replace").exitCode()).isEqualTo(2);
        assertThat(server.run("sample", "no").exitCode()).isEqualTo(2);
        assertThat(server.run("sample", "food", "--into", "a/b").exitCode()).isEqualTo(2);
    }
}
