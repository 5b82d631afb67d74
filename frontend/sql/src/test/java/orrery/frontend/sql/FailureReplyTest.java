package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.fake.FakeItems;
import orrery.gateway.fake.FakeResources;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;

/** Checks the replies to clients when the engine fails. */
class FailureReplyTest {
    private final FakeItems items = new FakeItems();
    private final TestClient client =
            new TestClient(TestClient.endpoint(items, new FakeResources()));

    @BeforeEach
    void makeContainer() {
        client.post("/dbs", "{\"id\":\"d\"}");
        client.post("/dbs/d/colls", "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}");
    }

    @Test
    void throttlingSaysWhenToRetry() {
        items.nextFailure =
                Optional.of(
                        new OrreryException(ErrorCode.TOO_MANY_REQUESTS, "slow down")
                                .withRetryAfter(Duration.ofMillis(7))
                                .withProgress(Charge.NONE, SessionToken.of(0, 5)));
        Reply reply = client.post("/dbs/d/colls/c/docs", "{\"id\":\"1\",\"pk\":\"a\"}");
        assertThat(reply.status()).isEqualTo(429);
        assertThat(reply.header("x-ms-substatus")).isEqualTo("3200");
        assertThat(reply.header("x-ms-retry-after-ms")).isEqualTo("7");
    }

    @Test
    void aBugIsAnsweredWithItsActivityId() {
        items.nextFailure = Optional.of(new IllegalStateException("a bug, thrown on purpose"));
        Reply reply = client.post("/dbs/d/colls/c/docs", "{\"id\":\"1\",\"pk\":\"a\"}");
        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.string("code")).isEqualTo("InternalServerError");
        assertThat(reply.string("message"))
                .contains(reply.header("x-ms-activity-id"))
                .doesNotContain("on purpose");
    }

    @Test
    void whatIsSaidAboutMeteringMustMakeSense() {
        String item = "{\"id\":\"1\",\"pk\":\"a\"}";

        assertThat(
                        client.post(
                                        "/dbs/d/colls/c/docs",
                                        item,
                                        "x-ms-cosmos-priority-level",
                                        "Mid")
                                .status())
                .isEqualTo(400);
        assertThat(
                        client.post(
                                        "/dbs/d/colls/c/docs",
                                        item,
                                        "x-ms-cosmos-throughput-bucket",
                                        "6")
                                .status())
                .isEqualTo(400);
        assertThat(
                        client.post(
                                        "/dbs/d/colls/c/docs",
                                        "{\"id\":\"2\",\"pk\":\"a\"}",
                                        "x-ms-cosmos-throughput-bucket",
                                        "5")
                                .status())
                .isEqualTo(201);
        assertThat(
                        client.post(
                                        "/dbs/d/colls/c/docs",
                                        item,
                                        "x-ms-cosmos-priority-level",
                                        "Low")
                                .status())
                .isEqualTo(201);
    }
}
