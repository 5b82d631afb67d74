package orrery.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Everything that the server does by time goes by the clock that a test sets. */
@ExtendWith(OrreryExtension.class)
final class MovedClockTest {
    /** Far from the time of the machine: whoever looks at that shows. */
    private static final Instant START = Instant.parse("2035-01-01T00:00:00Z");

    private static final String START_IN_QUERIES = "2035-01-01T00:00:00.0000000Z";

    private final Orrery orrery;
    private final OrreryClock clock;
    private final Rest rest;

    MovedClockTest(Orrery orrery) {
        this.orrery = orrery;
        this.clock = orrery.clock();
        this.rest = new Rest(orrery);
    }

    @BeforeEach
    void stopTheClock() {
        clock.stop();
        clock.set(START);
    }

    @AfterEach
    void close() {
        rest.close();
    }

    @Test
    void stampsAreOfTheClock() {
        rest.createContainer("c", "");
        assertThat(Rest.timestamp(rest.get("dbs/d/colls/c"))).isEqualTo(START);
        assertThat(Rest.timestamp(rest.createItem("c", "1", ""))).isEqualTo(START);

        clock.advance(Duration.ofHours(1));

        assertThat(Rest.timestamp(rest.createItem("c", "2", "")))
                .isEqualTo(START.plus(Duration.ofHours(1)));
    }

    @Test
    void itemsExpireAtOnceAndAreThenRemoved() {
        double before = purged();
        rest.createContainer("c", ",\"defaultTtl\":3600");
        Rest.expect(201, rest.createItem("c", "1", ""));
        Rest.expect(201, rest.createItem("c", "2", ",\"ttl\":7200"));
        clock.advance(Duration.ofMinutes(59));
        Rest.expect(200, rest.readItem("c", "1"));

        clock.advance(Duration.ofMinutes(1));

        Rest.expect(404, rest.readItem("c", "1"));
        Rest.expect(200, rest.readItem("c", "2"));
        Await.until("the sweep", () -> purged() == before + 1);
    }

    private double purged() {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> metrics =
                    http.send(
                            HttpRequest.newBuilder(orrery.statusEndpoint().resolve("metrics"))
                                    .build(),
                            BodyHandlers.ofString());
            Matcher count =
                    Pattern.compile("(?m)^orrery_purged_items_total ([0-9.]+)")
                            .matcher(metrics.body());
            assertThat(count.find()).as(metrics.body()).isTrue();
            return Double.parseDouble(count.group(1));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The shortest time that a token may be asked for, an hour without a wish, and the longest. */
    @ParameterizedTest
    @CsvSource({"10,10", "'',3600", "86400,86400"})
    void tokensExpire(String wanted, int seconds) {
        rest.createContainer("c", "");
        Rest.expect(201, rest.createItem("c", "1", ""));
        Rest.expect(201, rest.post("dbs/d", "users", "{\"id\":\"u\"}"));
        HttpResponse<String> permission =
                rest.post(
                        "dbs/d/users/u",
                        "permissions",
                        """
                        {"id":"p","permissionMode":"Read","resource":"dbs/d/colls/c"}""",
                        wanted.isEmpty()
                                ? new String[0]
                                : new String[] {"x-ms-documentdb-expiry-seconds", wanted});
        Rest.expect(201, permission);
        String token = Rest.property("_token", permission);
        String item = "dbs/d/colls/c/docs/1";
        clock.advance(Duration.ofSeconds(seconds).minusMillis(1));
        Rest.expect(200, rest.readWith(token, item));

        clock.advance(Duration.ofMillis(1));

        HttpResponse<String> late = rest.readWith(token, item);
        Rest.expect(403, late);
        assertThat(late.body()).contains("not valid at the current time");
        String fresh = Rest.property("_token", rest.get("dbs/d/users/u/permissions/p"));
        Rest.expect(200, rest.readWith(fresh, item));
    }

    @Test
    void throughputComesBackWithTheClockOnly() {
        rest.createContainer("c", "", "x-ms-offer-throughput", "400");
        int written = 0;
        HttpResponse<String> answer = rest.createItem("c", "0", "");
        while (answer.statusCode() == 201) {
            assertThat(++written).isLessThan(1000);
            answer = rest.createItem("c", Integer.toString(written), "");
        }
        Rest.expect(429, answer);
        Duration wait =
                Duration.ofMillis(
                        Long.parseLong(
                                answer.headers().firstValue("x-ms-retry-after-ms").orElseThrow()));
        // However long this takes, no time passes.
        Rest.expect(429, rest.readItem("c", "0"));

        clock.advance(wait);

        Rest.expect(200, rest.readItem("c", "0"));
    }

    @Test
    void useIsCountedByTheHoursOfTheClock() {
        rest.createContainer("c", "");
        Rest.expect(201, rest.createItem("c", "1", ""));
        // A second counts when it is over.
        clock.advance(Duration.ofSeconds(1));
        assertThat(requestsOfLastHour()).isEqualTo(1);

        clock.advance(Duration.ofHours(2));

        assertThat(requestsOfLastHour()).isZero();
    }

    private int requestsOfLastHour() {
        HttpResponse<String> partitions = rest.operator("dbs/d/colls/c", "partitions");
        Matcher hour =
                Pattern.compile("\"lastHour\":\\{[^}]*\"requests\":(\\d+)")
                        .matcher(partitions.body());
        assertThat(hour.find()).as(partitions.body()).isTrue();
        return Integer.parseInt(hour.group(1));
    }

    @Test
    void versionsAreForgottenWhenTheirTimeIsOver() {
        rest.createContainer("c", ",\"changeFeedPolicy\":{\"retentionDuration\":60}");
        String[] allVersions = {
            "A-IM", "Full-Fidelity Feed", "x-ms-cosmos-changefeed-wire-format-version", "2021-09-15"
        };
        Rest.expect(201, rest.createItem("c", "0", ""));
        String from =
                rest.list("dbs/d/colls/c", "docs", with(allVersions, "If-None-Match", "*"))
                        .headers()
                        .firstValue("etag")
                        .orElseThrow();
        Rest.expect(201, rest.createItem("c", "1", ""));
        HttpResponse<String> changes =
                rest.list("dbs/d/colls/c", "docs", with(allVersions, "If-None-Match", from));
        assertThat(changes.body()).contains("\"id\":\"1\"");

        // They are forgotten by the minute of a later write.
        clock.advance(Duration.ofHours(3));
        Rest.expect(201, rest.createItem("c", "2", ""));
        clock.advance(Duration.ofHours(3));

        Await.until(
                "the versions to be forgotten",
                () ->
                        rest.list("dbs/d/colls/c", "docs", with(allVersions, "If-None-Match", from))
                                        .statusCode()
                                == 400);
    }

    private static String[] with(String[] headers, String name, String value) {
        String[] more = Arrays.copyOf(headers, headers.length + 2);
        more[headers.length] = name;
        more[headers.length + 1] = value;
        return more;
    }

    @Test
    void queriesAskTheClock() {
        rest.createContainer("c", "");
        Rest.expect(201, rest.createItem("c", "1", ""));
        assertThat(rest.query("c", "SELECT VALUE GetCurrentDateTime() FROM c").body())
                .contains(START_IN_QUERIES);
    }

    /** The SELECT list of a grouped query is evaluated where the groups are put together. */
    @Test
    void groupedQueriesAskTheClock() {
        rest.createContainer("c", "", "x-ms-offer-throughput", "20000");
        Rest.expect(201, rest.createItem("c", "1", ""));
        assertThat(rest.query("c", "SELECT COUNT(1) AS n, GetCurrentDateTime() AS t FROM c").body())
                .contains("\"n\":1", START_IN_QUERIES);
    }

    @Test
    void conditionsOfPatchesAskTheClock() {
        rest.createContainer("c", "");
        Rest.expect(201, rest.createItem("c", "1", ""));
        String patch =
                """
                {"condition":"FROM c WHERE GetCurrentDateTime() = '%s'",
                 "operations":[{"op":"add","path":"/x","value":1}]}"""
                        .formatted(START_IN_QUERIES);
        Rest.expect(200, rest.patchItem("c", "1", patch));

        clock.advance(Duration.ofSeconds(1));

        Rest.expect(412, rest.patchItem("c", "1", patch));
    }

    @Test
    void queriesOfScriptsAskTheClock() {
        rest.createContainer("c", "");
        Rest.expect(201, rest.createItem("c", "1", ""));
        String body =
                "function () { var c = getContext().getCollection();"
                        + " c.queryDocuments(c.getSelfLink(),"
                        + " 'SELECT VALUE GetCurrentDateTime() FROM c', function (e, items) {"
                        + " getContext().getResponse().setBody(items); }); }";
        Rest.expect(
                201,
                rest.post("dbs/d/colls/c", "sprocs", "{\"id\":\"p\",\"body\":\"" + body + "\"}"));
        assertThat(rest.execute("dbs/d/colls/c/sprocs/p").body()).contains(START_IN_QUERIES);
    }

    /** Stamps stay as they are; everything else begins with the new time. */
    @Test
    void aClockThatIsSetBackFindsOldContainersAheadAndNewOnesWithIt() {
        rest.createContainer("old", "");
        clock.advance(Duration.ofHours(10));
        Rest.expect(201, rest.createItem("old", "1", ""));

        clock.set(START);

        rest.createContainer("new", "");
        assertThat(Rest.timestamp(rest.createItem("new", "1", ""))).isEqualTo(START);
        assertThat(Rest.timestamp(rest.createItem("old", "2", "")))
                .isEqualTo(START.plus(Duration.ofHours(10)));
        // Half pace, until the clock has caught up.
        clock.advance(Duration.ofHours(2));
        assertThat(Rest.timestamp(rest.createItem("old", "3", "")))
                .isEqualTo(START.plus(Duration.ofHours(11)));
        clock.advance(Duration.ofHours(20));
        assertThat(Rest.timestamp(rest.createItem("old", "4", "")))
                .isEqualTo(START.plus(Duration.ofHours(22)));
    }
}
