package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.fake.FakeItems;
import orrery.gateway.fake.FakeResources;

class SqlEndpointProperties {
    /** Signed nonsense of every kind gets a reply that SDKs can read, and none of them is a 500. */
    @Property(tries = 3000)
    void everyRequestIsAnswered(
            @ForAll("methods") String method,
            @ForAll("paths") String path,
            @ForAll("bodies") String body,
            @ForAll("headers") List<String> headers) {
        TestClient client =
                new TestClient(TestClient.endpoint(new FakeItems(), new FakeResources()));
        client.post("/dbs", "{\"id\":\"d\"}");
        client.post("/dbs/d/colls", "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}");
        client.post("/dbs/d/colls/c/docs", "{\"id\":\"1\",\"pk\":\"a\"}");
        Reply reply = client.call(method, path, body, headers.toArray(new String[0]));
        assertThat(reply.status()).isBetween(200, 599).isNotEqualTo(500);
        assertThat(reply.header("x-ms-activity-id")).hasSize(36);
        if (reply.status() >= 400) {
            assertThat(reply.header("Content-Type")).isEqualTo("application/json");
            assertThat(reply.string("code")).isNotEmpty();
            // An item that is not there is told in plain words.
            assertThat(reply.string("message")).contains("\r\nActivityId: ");
        }
        if (reply.status() == 204 || reply.status() == 304) {
            assertThat(reply.text()).isEmpty();
        }
    }

    @Provide
    Arbitrary<String> methods() {
        return Arbitraries.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD");
    }

    @Provide
    Arbitrary<String> paths() {
        return Arbitraries.of(
                "/",
                "/dbs",
                "/dbs/d",
                "/dbs/AQAAAA==",
                "/dbs/d/colls",
                "/dbs/d/colls/c",
                "/dbs/AQAAAA==/colls/AQAAAIAAAAI=",
                "/dbs/d/colls/c/docs",
                "/dbs/AQAAAA==/colls/AQAAAIAAAAI=/docs",
                "/dbs/d/colls/c/docs/1",
                "/dbs/AQAAAA==/colls/AQAAAIAAAAI=/docs/x",
                "/dbs/d/colls/c/pkranges",
                "/dbs/d/colls/c/pkranges/0",
                "/offers",
                "/offers/AAAD",
                "/dbs/d/users",
                "/what");
    }

    @Provide
    Arbitrary<String> bodies() {
        return Arbitraries.oneOf(
                Arbitraries.of(
                        "",
                        "{}",
                        "[]",
                        "null",
                        "{\"id\":\"1\",\"pk\":\"a\"}",
                        "{\"id\":\"1\"}",
                        "{\"id\":1}",
                        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}",
                        "{\"content\":{\"offerThroughput\":500}}",
                        "[{\"op\":\"set\",\"path\":\"/v\",\"value\":1}]",
                        "{\"operations\":[{\"op\":\"set\"}]}",
                        "{\"id\":\"\\ud800\",\"pk\":1e400}",
                        "[".repeat(300)),
                Arbitraries.strings().all().ofMaxLength(10));
    }

    @Provide
    Arbitrary<List<String>> headers() {
        Arbitrary<List<String>> one =
                Arbitraries.of(
                        List.of("x-ms-documentdb-partitionkey", "[\"a\"]"),
                        List.of("x-ms-documentdb-partitionkey", "[]"),
                        List.of("x-ms-documentdb-partitionkey", "["),
                        List.of("x-ms-documentdb-partitionkey", "[\"a\",\"b\"]"),
                        List.of("x-ms-documentdb-is-upsert", "true"),
                        List.of("x-ms-max-item-count", "1"),
                        List.of("x-ms-max-item-count", "x"),
                        List.of("x-ms-continuation", "x"),
                        List.of("x-ms-documentdb-partitionkeyrangeid", "0"),
                        List.of("x-ms-documentdb-partitionkeyrangeid", "7"),
                        List.of("x-ms-start-epk", "05", "x-ms-end-epk", "06"),
                        List.of("x-ms-session-token", "0:-1#3"),
                        List.of("x-ms-session-token", "what"),
                        List.of("If-Match", "*"),
                        List.of("If-None-Match", "*"),
                        List.of("Prefer", "return=minimal"),
                        List.of("A-IM", "Incremental Feed"),
                        List.of("x-ms-version", "2015-01-01"),
                        List.of("x-ms-offer-throughput", "20000"),
                        List.of("x-ms-cosmos-migrate-offer-to-autopilot", "true"),
                        List.of("Origin", "https://x"));
        return one.list()
                .ofMaxSize(3)
                .map(
                        lists -> {
                            List<String> all = new ArrayList<>();
                            lists.forEach(all::addAll);
                            return all;
                        });
    }
}
