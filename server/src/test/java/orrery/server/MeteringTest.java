package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.api.RuleSet;

/** Checks what clients are told about their spending. */
final class MeteringTest {
    private static final String USED = "x-ms-documentdb-is-ru-per-minute-used";
    private static final String LINK = "dbs/food/colls/items";

    @SuppressWarnings("NullAway.Init") // every test starts its own
    private ServerFixture server;

    private double spent;

    private void start(AccountSettings settings, String... containerHeaders) {
        server = ServerFixture.start(settings);
        server.createDatabase("food");
        server.createContainer("food", "items", containerHeaders);
        HttpResponse<String> created =
                server.sqlReply(
                        "POST",
                        "docs",
                        LINK,
                        LINK + "/docs",
                        "{\"id\":\"1\",\"pk\":\"k\",\"text\":\"" + "x".repeat(60_000) + "\"}",
                        "x-ms-documentdb-partitionkey",
                        "[\"k\"]");
        assertThat(created.statusCode()).isEqualTo(201);
        spent = charge(created);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<String> read(String... headers) {
        String[] all = new String[headers.length + 2];
        System.arraycopy(headers, 0, all, 0, headers.length);
        all[headers.length] = "x-ms-documentdb-partitionkey";
        all[headers.length + 1] = "[\"k\"]";
        String link = LINK + "/docs/1";
        return server.sqlReply("GET", "docs", link, link, "", all);
    }

    private static double charge(HttpResponse<String> response) {
        return Double.parseDouble(
                response.headers().firstValue("x-ms-request-charge").orElseThrow());
    }

    @Test
    void saysWhenTheMinutePaid() {
        start(
                AccountSettings.of(RuleSet.RULES_2017),
                "x-ms-offer-throughput",
                "400",
                "x-ms-offer-is-ru-per-minute-throughput-enabled",
                "True");
        HttpResponse<String> unpaid = read();
        assertThat(unpaid.statusCode()).isEqualTo(200);
        assertThat(unpaid.headers().firstValue(USED)).isEmpty();

        // More than a second has, and less than a minute.
        HttpResponse<String> paid = server.createLarge("food", "items", "k", 5000);

        assertThat(paid.statusCode()).isEqualTo(201);
        assertThat(charge(paid)).isBetween(400.0, 4000.0);
        assertThat(paid.headers().firstValue(USED)).contains("1");
        HttpResponse<String> refusing = read("x-ms-documentdb-disable-ru-per-minute-usage", "true");
        assertThat(refusing.headers().firstValue(USED)).isEmpty();
    }

    @Test
    void aFlagOfThroughputThatIsNoneIsRefused() {
        start(AccountSettings.DEFAULT);

        HttpResponse<String> answer =
                server.sqlReply(
                        "POST",
                        "colls",
                        "dbs/food",
                        "dbs/food/colls",
                        "{\"id\":\"x\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\"}}",
                        "x-ms-offer-throughput",
                        "400",
                        "x-ms-offer-is-ru-per-minute-throughput-enabled",
                        "maybe");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("is true or false, not 'maybe'");
    }

    /** The budget pays what the client is told. */
    @Test
    void whatTheClientHasAlreadyIsMeteredAsItIsTold() {
        start(AccountSettings.DEFAULT);
        HttpResponse<String> first = read();
        String etag = first.headers().firstValue("etag").orElseThrow();
        spent += charge(first);
        for (int i = 0; i < 20; i++) {
            HttpResponse<String> answer = read("If-None-Match", etag);
            assertThat(answer.statusCode()).isEqualTo(304);
            assertThat(charge(answer)).isEqualTo(1);
            spent += 1;
        }

        assertThat(ru(spent - 0.1)).isEqualTo(spent, within(0.1));
    }

    /** Waits until this much was used in this hour, and returns the use. */
    private double ru(double atLeast) {
        while (true) {
            double ru =
                    Double.parseDouble(
                            server.operator(server.keys().primary(), "GET", LINK, "partitions", "")
                                    .body()
                                    .replaceFirst(".*\"lastHour\":\\{\"ru\":([0-9.]+).*", "$1"));
            if (ru >= atLeast) {
                return ru;
            }
            Thread.onSpinWait();
        }
    }
}
