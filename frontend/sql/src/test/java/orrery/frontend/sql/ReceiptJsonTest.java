package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.fake.FakeItems;
import orrery.gateway.fake.FakeResources;
import orrery.model.ConsistencyLevel;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;

final class ReceiptJsonTest {
    private static final String DETAIL = "x-ms-orrery-charge-detail";
    private static final String ITEM = "{\"id\":\"1\",\"pk\":\"a\"}";

    private final TestClient client =
            new TestClient(TestClient.endpoint(new FakeItems(), new FakeResources()));

    @BeforeEach
    void makeContainer() {
        client.post("/dbs", "{\"id\":\"d\"}");
        client.post("/dbs/d/colls", "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}");
    }

    @Test
    void isWrittenForThoseWhoAsk() {
        Reply created = client.post("/dbs/d/colls/c/docs", ITEM, DETAIL, "true");

        assertThat(created.status()).isEqualTo(201);
        assertThat(created.header("x-ms-request-charge")).isEqualTo("5.71");
        assertThat(created.header(DETAIL))
                .isEqualTo(
                        "{\"charge\":5.71,\"billedKb\":1,\"leavesAdded\":2,\"leavesRemoved\":0,"
                                + "\"rangesVisited\":1,\"documentsLoaded\":0,"
                                + "\"consistencyFactor\":1,\"parts\":{\"base\":0,\"size\":4.95,"
                                + "\"leaves\":0.76,\"consistency\":0}}");
        assertThat(client.get("/dbs/d", DETAIL, "false").has(DETAIL)).isFalse();
        assertThat(client.get("/dbs/d").has(DETAIL)).isFalse();
    }

    @Test
    void comesWithErrorsAndMetadataToo() {
        client.post("/dbs/d/colls/c/docs", ITEM);
        Reply conflict = client.post("/dbs/d/colls/c/docs", ITEM, DETAIL, "True");

        assertThat(conflict.status()).isEqualTo(409);
        assertThat(conflict.header(DETAIL))
                .startsWith("{\"charge\":1.24,")
                .endsWith("{\"base\":0.24,\"size\":1,\"leaves\":0,\"consistency\":0}}");
        assertThat(client.get("/dbs/d", DETAIL, "true").header(DETAIL))
                .startsWith("{\"charge\":1,")
                .contains("\"rangesVisited\":0,");
    }

    @Test
    void tellsTheSecondReplicaApart() {
        Charge read = RequestCharge.read(2560).readAt(ConsistencyLevel.STRONG);

        assertThat(ReceiptJson.write(read))
                .isEqualTo(
                        "{\"charge\":2.3,\"billedKb\":2.5,\"leavesAdded\":0,\"leavesRemoved\":0,"
                                + "\"rangesVisited\":1,\"documentsLoaded\":1,"
                                + "\"consistencyFactor\":2,\"parts\":{\"base\":0,\"size\":1.15,"
                                + "\"leaves\":0,\"consistency\":1.15}}");
    }
}
