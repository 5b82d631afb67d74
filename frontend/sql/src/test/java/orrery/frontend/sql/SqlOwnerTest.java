package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.fake.FakeItems;
import orrery.gateway.fake.FakeResources;

/** Checks the database, the container and the range that a request names as owners. */
final class SqlOwnerTest {
    private static final String KEY_A = "[\"a\"]";
    private static final String ITEM = "/dbs/d/colls/c/docs/1";

    private final FakeResources resources = new FakeResources();
    private final TestClient client =
            new TestClient(TestClient.endpoint(new FakeItems(), resources));

    @BeforeEach
    void makeTwoRanges() {
        client.post("/dbs", "{\"id\":\"d\"}");
        client.post(
                "/dbs/d/colls",
                "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}",
                "x-ms-offer-throughput",
                "20000");
        client.post("/dbs/d/colls/c/docs", "{\"id\":\"1\",\"pk\":\"a\"}");
    }

    /** The owner is what stands before the subject; only that is said to be missing as an owner. */
    @ParameterizedTest
    @CsvSource({
        "GET,/dbs/no,0",
        "DELETE,/dbs/no,0",
        "GET,/dbs/no/colls,1003",
        "POST,/dbs/no/colls,1003",
        "GET,/dbs/no/colls/c,1003",
        "PUT,/dbs/no/colls/c,1003",
        "DELETE,/dbs/no/colls/c,1003",
        "GET,/dbs/d/colls/no,0",
        "PUT,/dbs/d/colls/no,0",
        "DELETE,/dbs/d/colls/no,0",
        "GET,/dbs/no/colls/c/pkranges,1003",
        "GET,/dbs/d/colls/no/pkranges,1003",
        "GET,/dbs/d/colls/no/pkranges/0,1003",
        "GET,/dbs/d/colls/c/pkranges/9,0",
        "GET,/dbs/d/colls/no/docs,1003",
        "POST,/dbs/d/colls/no/docs,1003",
        "GET,/dbs/d/colls/no/docs/1,1003",
        "GET,/dbs/d/colls/c/docs/no,0"
    })
    void missingOwnersAreToldFromMissingSubjects(String method, String path, String substatus) {
        String item = "{\"id\":\"c\",\"pk\":\"a\"}";
        String container = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}";
        Reply reply =
                path.contains("/docs")
                        ? client.call(method, path, item, "x-ms-documentdb-partitionkey", KEY_A)
                        : client.call(method, path, container);
        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.header("x-ms-substatus")).isEqualTo(substatus);
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/dbs/d",
        "GET,/dbs/AQAAAA==",
        "DELETE,/dbs/AQAAAA==",
        "GET,/dbs/d/colls",
        "GET,/dbs/AQAAAA==/colls",
        "POST,/dbs/d/colls",
        "POST,/dbs/AQAAAA==/colls",
        "GET,/dbs/AQAAAA==/colls/AQAAAIAAAAI=",
        "GET,/dbs/AQAAAA==/colls/AQAAAIAAAAI=/docs"
    })
    void theDatabaseIsLookedUpOnce(String method, String path) {
        resources.databasesSought = 0;
        Reply reply =
                client.call(
                        method,
                        path,
                        "{\"id\":\"new\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}");
        assertThat(reply.status()).isBetween(200, 204);
        assertThat(resources.databasesSought).isEqualTo(1);
    }

    /** SQL gives no database such a name, but another API may. */
    @Test
    void aDatabaseWithANameLikeARidIsFoundWhereNoRidIsMeant() {
        resources.createDatabase(resources.lastContext.orElseThrow(), "BQAAAA==", Optional.empty());

        assertThat(client.get("/dbs/BQAAAA==").string("id")).isEqualTo("BQAAAA==");
        assertThat(client.get("/dbs/BQAAAA==/colls").status()).isEqualTo(200);
        assertThat(client.get("/dbs/CQAAAA==").status()).isEqualTo(404);
        assertThat(client.call("DELETE", "/dbs/BQAAAA==", "").status()).isEqualTo(204);
        assertThat(client.get("/dbs/BQAAAA==").status()).isEqualTo(404);
    }

    @Test
    void aQueryHasAnOwnerToo() {
        for (String header : new String[] {"isquery", "query"}) {
            Reply reply =
                    client.post(
                            "/dbs/d/colls/no/docs",
                            "{\"query\":\"SELECT * FROM c\"}",
                            "x-ms-documentdb-" + header,
                            "true");
            assertThat(reply.status()).isEqualTo(404);
            assertThat(reply.header("x-ms-substatus")).isEqualTo("1003");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1"})
    void aRangeThatDoesNotOwnTheKeyIsNoFault(String range) {
        assertThat(named(range, "GET", ITEM, "").status()).isEqualTo(200);
        assertThat(named(range, "PUT", ITEM, "{\"id\":\"1\",\"pk\":\"a\"}").status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/docs/1",
        "PUT,/docs/1",
        "PATCH,/docs/1",
        "DELETE,/docs/1",
        "POST,/docs",
        "GET,/docs"
    })
    void aRangeThatIsGoneIsSaidToBe(String method, String path) {
        String body =
                method.equals("PATCH")
                        ? "[{\"op\":\"set\",\"path\":\"/n\",\"value\":1}]"
                        : "{\"id\":\"1\",\"pk\":\"a\"}";
        Reply reply = named("2", method, "/dbs/d/colls/c" + path, method.equals("GET") ? "" : body);
        assertThat(reply.status()).isEqualTo(410);
        assertThat(reply.header("x-ms-substatus")).isEqualTo("1002");
    }

    @Test
    void whatIsNoRangeIsRefused() {
        assertThat(named("first", "GET", ITEM, "").status()).isEqualTo(400);
    }

    /** A client that refreshes its ranges may still name a range that is gone. */
    @Test
    void rangesAreReadWhateverRangeIsNamed() {
        assertThat(named("2", "GET", "/dbs/d/colls/c/pkranges", "").status()).isEqualTo(200);
    }

    @Test
    void databasesAndContainersAreNotUpserted() {
        for (String path : new String[] {"/dbs", "/dbs/d/colls"}) {
            String body = "{\"id\":\"x\",\"partitionKey\":{\"paths\":[\"/pk\"]}}";
            String database = "{\"id\":\"x\"}";
            Reply reply =
                    client.post(
                            path,
                            path.equals("/dbs") ? database : body,
                            "x-ms-documentdb-is-upsert",
                            "True");
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.string("message")).contains("cannot be upserted");
            assertThat(client.get(path + "/x").status()).isEqualTo(404);
        }
    }

    private Reply named(String range, String method, String path, String body) {
        return client.call(
                method,
                path,
                body,
                "x-ms-documentdb-partitionkey",
                KEY_A,
                "x-ms-documentdb-partitionkeyrangeid",
                range);
    }
}
