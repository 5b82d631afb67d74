package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.fake.FakeItems;
import orrery.model.PartitionKey;
import orrery.model.security.AccountKeys;

class KeyDeleteTest {
    private static final String PATH = "/dbs/d/colls/c/operations/partitionkeydelete";

    private final FakeItems items = new FakeItems();
    private final TestClient client = TestClient.withContainer(items);

    /** JavaScript signs the container. */
    private Reply call(String method, String... headers) {
        String signed =
                TestClient.sign(
                        AccountKeys.WELL_KNOWN_KEY, method, "/dbs/d/colls/c", TestClient.DATE);
        String[] all = Arrays.copyOf(headers, headers.length + 2);
        all[headers.length] = "authorization";
        all[headers.length + 1] = signed;
        return client.call(method, PATH, "", all);
    }

    @Test
    void theKeyOfTheHeaderIsDeleted() {
        Reply reply = call("POST", "x-ms-documentdb-partitionkey", "[\"a\"]");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text()).isEmpty();
        assertThat(reply.header("x-ms-request-charge")).isEqualTo("4.95");
        assertThat(reply.header("x-ms-session-token")).startsWith("0:-1#");
        assertThat(items.deletedKeys).containsExactly(PartitionKey.ofText("a"));
    }

    @Test
    void withoutAKeyOrByAnotherVerbNothingIsDeleted() {
        assertThat(call("POST").status()).isEqualTo(400);
        assertThat(call("DELETE", "x-ms-documentdb-partitionkey", "[\"a\"]").status())
                .isEqualTo(405);
        assertThat(items.deletedKeys).isEmpty();
    }
}
