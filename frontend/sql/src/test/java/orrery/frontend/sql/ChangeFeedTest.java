package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.rest.Json;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.api.ChangeRequest;
import orrery.gateway.fake.FakeItems;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.Encoding;
import orrery.model.Etag;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.ItemVersion;
import orrery.model.KeyComponent;
import orrery.model.PartitionKey;
import orrery.model.RowKey;

class ChangeFeedTest {
    private static final String DOCS = "/dbs/d/colls/c/docs";
    private static final String FEED = "Incremental Feed";

    private final FakeItems items = new FakeItems();
    private final TestClient client = TestClient.withContainer(items);

    @BeforeEach
    void makeItems() {
        client.post(DOCS, "{\"id\":\"1\",\"pk\":\"a\",\"_lsn\":\"mine\"}");
        client.post(DOCS, "{\"id\":\"2\",\"pk\":\"a\"}");
    }

    private static Value member(Value.Obj object, String name) {
        return Objects.requireNonNull(object.properties().get(name));
    }

    private ChangeRequest asked() {
        return items.lastChangeRequest.orElseThrow();
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
        // The Go client writes it so.
        client.get(DOCS, "A-IM", FEED, "If-Modified-Since", "Mon, 07 Nov 1994 08:49:37 UTC");
        assertThat(asked().since()).contains(Instant.parse("1994-11-07T08:49:37Z"));
    }

    @Test
    void allVersionsComeWithTheirMetadataAndDeletesWithWhatWasThere() {
        ItemKey key =
                new ItemKey(
                        EffectiveKey.MIN,
                        new PartitionKey(List.of(KeyComponent.TRUE)),
                        RowKey.ofText("1"));
        Item item =
                new Item(1, new Etag(1, 1), 1000, 7, Encoding.JSON, Bytes.ofUtf8("{\"id\":\"1\"}"));
        Item before =
                new Item(1, new Etag(0, 1), 1000, 6, Encoding.JSON, Bytes.ofUtf8("{\"id\":\"0\"}"));
        items.versions =
                List.of(
                        new ItemVersion(
                                ItemVersion.Operation.REPLACE,
                                false,
                                7,
                                5000,
                                6,
                                key,
                                item,
                                Optional.of(before)),
                        new ItemVersion(
                                ItemVersion.Operation.DELETE,
                                true,
                                9,
                                6000,
                                7,
                                key,
                                item,
                                Optional.empty()));

        Reply page =
                client.get(
                        DOCS,
                        "A-IM",
                        "Full-Fidelity Feed",
                        "If-None-Match",
                        "*",
                        "x-ms-cosmos-changefeed-wire-format-version",
                        "2021-09-15");

        assertThat(page.status()).isEqualTo(200);
        List<Value> documents = ((Value.Array) page.member("Documents")).elements();
        Value.Obj replaced = (Value.Obj) documents.getFirst();
        assertThat(replaced.properties().keySet())
                .containsExactly("current", "previous", "metadata");
        assertThat(((Value.Obj) member(replaced, "previous")).properties())
                .containsEntry("id", Value.of("0"))
                .containsEntry("_lsn", Value.of(6L));
        assertThat(JsonText.write(member(replaced, "metadata")))
                .isEqualTo(
                        "{\"lsn\":7,\"crts\":5,\"operationType\":\"replace\","
                                + "\"previousImageLSN\":6}");
        Value.Obj deleted = (Value.Obj) documents.getLast();
        assertThat(member(deleted, "current")).isEqualTo(Json.EMPTY_OBJECT);
        assertThat(((Value.Obj) member(deleted, "previous")).properties())
                .containsEntry("id", Value.of("1"))
                .containsEntry("_lsn", Value.of(7L));
        assertThat(JsonText.write(member(deleted, "metadata")))
                .isEqualTo(
                        "{\"lsn\":9,\"crts\":6,\"operationType\":\"delete\",\"previousImageLSN\":7,"
                                + "\"timeToLiveExpired\":true,\"id\":\"1\","
                                + "\"partitionKey\":{\"pk\":true}}");
    }

    /** A page on which nothing was wanted does not say that nothing is new. */
    @Test
    void anEmptyPageThatHasMoreIsNotTheEnd() {
        items.hasMoreChanges = true;

        Reply page = client.get(DOCS, "A-IM", FEED, "If-None-Match", "*");

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.has("etag")).isTrue();
        assertThat(page.member("Documents")).isEqualTo(Json.EMPTY_ARRAY);
    }

    @ParameterizedTest
    @CsvSource({
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
