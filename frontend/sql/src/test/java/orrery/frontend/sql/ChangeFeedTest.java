package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Objects;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.ChangeRequest;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

class ChangeFeedTest {
    private static final String DOCS = "/dbs/d/colls/c/docs";
    private static final String FEED = "Incremental Feed";

    private final FakeEngine engine = new FakeEngine();
    private final TestClient client =
            new TestClient(
                    new SqlEndpoint(
                            engine,
                            TestClient.config(),
                            _ -> {
                                throw new OrreryException(ErrorCode.NOT_FOUND, "no page");
                            }));

    @BeforeEach
    void makeContainer() {
        client.post("/dbs", "{\"id\":\"d\"}");
        client.post(
                "/dbs/d/colls",
                "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\","
                        + "\"version\":2}}");
        client.post(DOCS, "{\"id\":\"1\",\"pk\":\"a\",\"_lsn\":\"mine\"}");
        client.post(DOCS, "{\"id\":\"2\",\"pk\":\"a\"}");
    }

    private static Value member(Value.Obj object, String name) {
        return Objects.requireNonNull(object.properties().get(name));
    }

    private ChangeRequest asked() {
        return engine.lastChangeRequest.orElseThrow();
    }

    @Test
    void changesComeWithTheirLsnAndAnEtagToGoOnWith() {
        Reply page = client.get(DOCS, "A-IM", FEED, "x-ms-max-item-count", "1");
        assertThat(page.status()).isEqualTo(200);
        Value.Obj first =
                (Value.Obj) ((Value.Array) page.member("Documents")).elements().getFirst();
        String lsn = JsonText.write(member(first, "_lsn"));
        assertThat(page.header("etag")).isEqualTo("\"" + lsn + "\"");
        assertThat(page.text()).doesNotContain("mine");
        assertThat(page.has("x-ms-continuation")).isFalse();
        assertThat(page.header("x-ms-item-count")).isEqualTo("1");
        assertThat(page.header("x-ms-session-token")).startsWith("0:-1#");

        Reply rest = client.get(DOCS, "A-IM", FEED, "If-None-Match", page.header("etag"));
        assertThat(rest.member("_count")).isEqualTo(Value.of(1L));
        Reply none = client.get(DOCS, "A-IM", FEED, "If-None-Match", rest.header("etag"));
        assertThat(none.status()).isEqualTo(304);
        assertThat(none.text()).isEmpty();
        assertThat(none.header("etag")).isEqualTo(rest.header("etag"));
    }

    @Test
    void theProcessorOfJavaGetsItsMetadata() {
        Reply page =
                client.get(
                        DOCS,
                        "A-IM",
                        FEED,
                        "x-ms-cosmos-changefeed-wire-format-version",
                        "2021-09-15");
        Value.Obj first =
                (Value.Obj) ((Value.Array) page.member("Documents")).elements().getFirst();
        assertThat(first.properties().keySet()).containsExactly("current", "metadata");
        Value.Obj metadata = (Value.Obj) member(first, "metadata");
        assertThat(metadata.properties())
                .containsKeys("lsn", "crts")
                .containsEntry("operationType", Value.of("create"))
                .doesNotContainKey("previousImageLSN");
    }

    @Test
    void headersSayWhereToStart() {
        client.get(DOCS, "A-IM", FEED);
        assertThat(asked().start()).isEqualTo(new ChangeRequest.Start.Beginning());
        assertThat(asked().maxItems()).isEqualTo(OptionalInt.of(1000));
        Reply now = client.get(DOCS, "A-IM", "Incremental feed", "If-None-Match", "*");
        assertThat(now.status()).isEqualTo(304);
        assertThat(now.has("etag")).isTrue();
        assertThat(asked().start()).isEqualTo(new ChangeRequest.Start.Now());
        client.get(
                DOCS,
                "A-IM",
                FEED,
                "If-None-Match",
                "7",
                "If-Modified-Since",
                "Sun, 06 Nov 1994 08:49:37 GMT");
        assertThat(asked().start()).isEqualTo(new ChangeRequest.Start.After("7"));
        assertThat(asked().since()).contains(Instant.parse("1994-11-06T08:49:37Z"));
    }

    @ParameterizedTest
    @CsvSource({
        "A-IM,Full-Fidelity Feed,501,all versions and deletes",
        "A-IM,feed,400,A-IM",
        "If-Modified-Since,yesterday,400,If-Modified-Since",
        "x-ms-cosmos-changefeed-wire-format-version,2020-01-01,400,2021-09-15",
        "x-ms-max-item-count,many,400,page size"
    })
    void whatIsNotThereOrNotUnderstoodIsRefused(
            String header, String value, int status, String text) {
        Reply reply =
                header.equals("A-IM")
                        ? client.get(DOCS, header, value)
                        : client.get(DOCS, "A-IM", FEED, header, value);
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.string("message")).contains(text);
    }
}
