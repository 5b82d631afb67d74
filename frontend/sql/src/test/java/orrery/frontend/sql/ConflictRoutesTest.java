package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import orrery.frontend.rest.Json;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.fake.FakeItems;

class ConflictRoutesTest {
    private final TestClient client = TestClient.withContainer(new FakeItems());

    @Test
    void thereAreNoConflicts() {
        Reply feed = client.get("/dbs/d/colls/c/conflicts");
        assertThat(feed.status()).isEqualTo(200);
        assertThat(feed.member("Conflicts")).isEqualTo(Json.EMPTY_ARRAY);
        assertThat(feed.string("_rid")).isEqualTo(client.get("/dbs/d/colls/c").string("_rid"));
        Reply queried =
                client.post(
                        "/dbs/d/colls/c/conflicts",
                        "{\"query\":\"SELECT * FROM c WHERE c.id = '1'\"}",
                        "x-ms-documentdb-isquery",
                        "true",
                        "x-ms-documentdb-partitionkey",
                        "[\"p\"]",
                        "Content-Type",
                        "application/query+json");
        assertThat(queried.status()).isEqualTo(200);
        assertThat(queried.member("Conflicts")).isEqualTo(Json.EMPTY_ARRAY);
        assertThat(client.get("/dbs/d/colls/c/conflicts/1").status()).isEqualTo(404);
        assertThat(client.get("/dbs/d/colls/gone/conflicts").status()).isEqualTo(404);
    }

    /** The Python SDK names no key for None, and its users are told so. */
    @Test
    void aQueryOverAllKeysHasToSaySo() {
        String query = "{\"query\":\"SELECT * FROM c WHERE c.resourceType = 'document'\"}";
        Reply refused =
                client.post(
                        "/dbs/d/colls/c/conflicts",
                        query,
                        "x-ms-documentdb-isquery",
                        "true",
                        "Content-Type",
                        "application/query+json");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.string("message")).contains("Cross partition query is required");
        Reply everywhere =
                client.post(
                        "/dbs/d/colls/c/conflicts",
                        query,
                        "x-ms-documentdb-isquery",
                        "true",
                        "x-ms-documentdb-query-enablecrosspartition",
                        "true",
                        "Content-Type",
                        "application/query+json");
        assertThat(everywhere.status()).isEqualTo(200);
    }
}
