package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.Value;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.fake.FakeItems;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/** Stored procedures, triggers and user-defined functions over REST. */
final class SqlScriptTest {
    private static final String CONTAINER = "/dbs/d/colls/c";
    private static final String PROCEDURE = "{\"id\":\"s\",\"body\":\"function () {}\"}";

    private final FakeItems items = new FakeItems();
    private final TestClient client = TestClient.withContainer(items);

    @Test
    void procedureIsWrittenAsTheServiceWritesIt() {
        Reply created = client.post(CONTAINER + "/sprocs", PROCEDURE);

        assertThat(created.status()).isEqualTo(201);
        assertThat(created.text())
                .isEqualTo(
                        "{\"id\":\"s\",\"body\":\"function () {}\","
                                + "\"_rid\":\"AQAAAIAAAAIBAAAAAAAAgA==\","
                                + "\"_self\":\"dbs/AQAAAA==/colls/AQAAAIAAAAI=/sprocs/"
                                + "AQAAAIAAAAIBAAAAAAAAgA==/\","
                                + "\"_etag\":\"\\\"00000000-0000-0064-0000-000000000000\\\"\","
                                + "\"_ts\":1700000000}");
        assertThat(created.header("etag")).isEqualTo(created.string("_etag"));
        assertThat(created.header("x-ms-alt-content-path")).isEqualTo("dbs/d/colls/c");
        assertThat(created.header("x-ms-content-path")).isEqualTo("AQAAAIAAAAI=");
        assertThat(client.get(CONTAINER + "/sprocs/s").text()).isEqualTo(created.text());
        assertThat(client.get("/" + created.string("_self")).text()).isEqualTo(created.text());
        assertThat(client.post(CONTAINER + "/sprocs", PROCEDURE).status()).isEqualTo(409);
    }

    @Test
    void triggersSayWhenTheyRun() {
        Reply created =
                client.post(
                        CONTAINER + "/triggers",
                        """
                        {"id":"t","body":"function () {}","triggerType":"pre",
                         "triggerOperation":"create"}""");

        assertThat(created.status()).isEqualTo(201);
        assertThat(created.string("triggerType")).isEqualTo("pre");
        assertThat(created.string("triggerOperation")).isEqualTo("create");
        assertThat(created.string("_rid")).endsWith("cA==");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "sprocs|{'body':'f'}|'id; '",
                "sprocs|{'id':'s'}|'body; '",
                "sprocs|{'id':'s','body':' '}|'body; '",
                "sprocs|{'id':'s','body':'f','triggerType':'Pre'}|triggerType",
                "udfs|{'id':'s/t','body':'f'}|illegal character",
                "triggers|{'id':'t','body':'f','triggerType':'Pre'}|'triggerOperation; '",
                "triggers|{'id':'t','body':'f','triggerOperation':'All'}|'triggerType; '",
                "triggers|{'id':'t','body':'f','triggerType':'In','triggerOperation':'All'}|post"
            })
    void malformedScriptsAreRefused(String feed, String body, String complaint) {
        Reply reply = client.post(CONTAINER + "/" + feed, body.replace('\'', '"'));

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.string("message")).contains(complaint);
    }

    @ParameterizedTest
    @CsvSource({"sprocs,StoredProcedures", "udfs,UserDefinedFunctions", "triggers,Triggers"})
    void feedsArePagedAndQueried(String feed, String array) {
        for (int i = 1; i <= 3; i++) {
            String more =
                    feed.equals("triggers")
                            ? ",\"triggerType\":\"Post\",\"triggerOperation\":\"All\""
                            : "";
            client.post(
                    CONTAINER + "/" + feed,
                    "{\"id\":\"s" + i + "\",\"body\":\"function () {}\"" + more + "}");
        }
        Reply first = client.get(CONTAINER + "/" + feed, "x-ms-max-item-count", "2");
        Reply second =
                client.get(
                        CONTAINER + "/" + feed,
                        "x-ms-max-item-count",
                        "2",
                        "x-ms-continuation",
                        first.header("x-ms-continuation"));
        Reply queried =
                client.post(
                        CONTAINER + "/" + feed,
                        "{\"query\":\"SELECT * FROM root r WHERE r.id = 's2'\"}",
                        "Content-Type",
                        "application/query+json",
                        "x-ms-documentdb-isquery",
                        "True");

        assertThat(first.member(array)).extracting(SqlScriptTest::size).isEqualTo(2);
        assertThat(first.header("x-ms-item-count")).isEqualTo("2");
        assertThat(first.string("_rid")).isEqualTo("AQAAAIAAAAI=");
        assertThat(second.member(array)).extracting(SqlScriptTest::size).isEqualTo(1);
        assertThat(second.has("x-ms-continuation")).isFalse();
        assertThat(queried.text()).contains("\"id\":\"s2\"", "\"_count\":1");
    }

    @Test
    void replacesAndDeletesObserveIfMatch() {
        Reply created = client.post(CONTAINER + "/sprocs", PROCEDURE);
        String path = CONTAINER + "/sprocs/s";
        String etag = created.header("etag");
        String changed = "{\"id\":\"s\",\"body\":\"function () { return 1; }\"}";

        Reply replaced = client.call("PUT", path, changed, "If-Match", etag);
        assertThat(replaced.status()).isEqualTo(200);
        assertThat(replaced.string("body")).contains("return 1");
        assertThat(client.call("PUT", path, changed, "If-Match", etag).status()).isEqualTo(412);
        assertThat(client.call("DELETE", path, "", "If-Match", etag).status()).isEqualTo(412);
        assertThat(client.get(path, "If-None-Match", replaced.header("etag")).status())
                .isEqualTo(304);
        assertThat(client.call("DELETE", path, "").status()).isEqualTo(204);
        assertThat(client.get(path).status()).isEqualTo(404);
    }

    @Test
    void oldClientsUpsert() {
        String upsert = "x-ms-documentdb-is-upsert";
        assertThat(client.post(CONTAINER + "/sprocs", PROCEDURE, upsert, "true").status())
                .isEqualTo(201);
        assertThat(client.post(CONTAINER + "/sprocs", PROCEDURE, upsert, "true").status())
                .isEqualTo(200);
    }

    @Test
    void missingContainerIsTheOwners() {
        Reply reply = client.get("/dbs/d/colls/none/sprocs");

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.header("x-ms-substatus")).isEqualTo("1003");
    }

    @Test
    void proceduresAreRunByPost() {
        client.post(CONTAINER + "/sprocs", PROCEDURE);
        Reply reply =
                client.post(
                        CONTAINER + "/sprocs/s",
                        "[1,\"x\"]",
                        "x-ms-documentdb-partitionkey",
                        "[\"a\"]",
                        "x-ms-documentdb-script-enable-logging",
                        "true");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.text()).isEqualTo("[1,\"x\"]");
        assertThat(reply.header("x-ms-documentdb-script-log-results"))
                .isEqualTo("a%2Bb%20%25%0A%C3%A9");
        assertThat(reply.header("x-ms-request-charge")).isEqualTo("1");
        assertThat(reply.header("x-ms-session-token")).startsWith("0:");
        assertThat(items.lastRun.orElseThrow()).contains("name=s", "with [1,\"x\"]");
    }

    @Test
    void proceduresNeedAKeyAndNoArguments() {
        client.post(CONTAINER + "/sprocs", PROCEDURE);
        String path = CONTAINER + "/sprocs/s";

        assertThat(client.post(path, "").status()).isEqualTo(400);
        Reply bare = client.post(path, "", "x-ms-documentdb-partitionkey", "[\"a\"]");
        assertThat(bare.status()).isEqualTo(200);
        assertThat(bare.text()).isEmpty();
        assertThat(bare.has("x-ms-documentdb-script-log-results")).isFalse();
        assertThat(client.post(CONTAINER + "/udfs/f", "[]").status()).isEqualTo(405);
    }

    @Test
    void failuresOfScriptsAreBadRequests() {
        client.post(CONTAINER + "/sprocs", PROCEDURE);
        items.nextFailure =
                Optional.of(
                        new OrreryException(
                                ErrorCode.SCRIPT_FAILED,
                                "Encountered exception while executing function. Exception ="
                                        + " Error: no"));
        Reply reply =
                client.post(
                        CONTAINER + "/sprocs/s", "[]", "x-ms-documentdb-partitionkey", "[\"a\"]");

        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.header("x-ms-substatus")).isEqualTo("400");
        assertThat(reply.string("code")).isEqualTo("BadRequest");
        assertThat(reply.string("message")).contains("Exception = Error: no");
    }

    @Test
    void writesNameTheirTriggers() {
        Reply created =
                client.post(
                        CONTAINER + "/docs",
                        "{\"id\":\"1\",\"pk\":\"a\"}",
                        "x-ms-documentdb-pre-trigger-include",
                        "stamp, check",
                        "x-ms-documentdb-post-trigger-include",
                        "sum");
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.string("id")).isEqualTo("1");
        assertThat(items.lastRun).contains("[stamp, check] before, [sum] after");

        Reply answered =
                client.post(
                        CONTAINER + "/docs",
                        "{\"id\":\"2\",\"pk\":\"a\"}",
                        "x-ms-documentdb-post-trigger-include",
                        "answer",
                        "x-ms-documentdb-script-enable-logging",
                        "true");
        assertThat(answered.text()).isEqualTo("{\"by\":\"trigger\"}");
        assertThat(answered.header("x-ms-documentdb-script-log-results")).isEqualTo("done");
    }

    @Test
    void longLogsAreCutToWhatClientsTake() {
        String encoded = ScriptLog.encoded("\u00e9".repeat(5000));

        assertThat(encoded.length()).isBetween(8000, 8192);
        assertThat(encoded).endsWith("%C3%A9");
    }

    private static int size(Value array) {
        return array instanceof Value.Array(var elements) ? elements.size() : -1;
    }
}
