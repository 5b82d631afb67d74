package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.http.Headers;
import orrery.frontend.rest.Json;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.fake.FakeItems;
import orrery.gateway.fake.FakeResources;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext.Principal;
import orrery.model.security.KeyKind;

class SqlEndpointTest {
    private static final String KEY_A = "[\"a\"]";

    private final FakeItems items = new FakeItems();
    private final FakeResources resources = new FakeResources();
    private final SqlEndpoint endpoint = TestClient.endpoint(items, resources);
    private final TestClient client = new TestClient(endpoint);

    // ---- account

    @Test
    void theAccountPointsBackToWhereTheClientCameFrom() {
        Reply reply = client.get("/");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.string("id")).isEqualTo("orrery");
        assertThat(JsonText.write(reply.member("writableLocations")))
                .isEqualTo(
                        "[{\"name\":\"Local\",\"databaseAccountEndpoint\":"
                                + "\"https://db.example:8081/\"}]");
        assertThat(reply.member("readableLocations")).isEqualTo(reply.member("writableLocations"));
        assertThat(JsonText.write(reply.member("userConsistencyPolicy")))
                .isEqualTo("{\"defaultConsistencyLevel\":\"Session\"}");
        assertThat(
                        ((Value.Obj) JsonText.parse(reply.string("queryEngineConfiguration")))
                                .properties())
                .hasSize(26)
                .containsEntry("maxSqlQueryInputLength", Value.of(524288L));
        assertThat(reply.json().properties())
                .containsKeys(
                        "_self",
                        "_rid",
                        "media",
                        "addresses",
                        "_dbs",
                        "enableMultipleWriteLocations",
                        "continuousBackupEnabled",
                        "enableNRegionSynchronousCommit",
                        "enablePerPartitionFailoverBehavior",
                        "userReplicationPolicy",
                        "systemReplicationPolicy",
                        "readPolicy")
                .doesNotContainKey("thinClientWritableLocations");
    }

    @Test
    void anAdvertisedEndpointGoesFirst() {
        SqlEndpoint advertised =
                TestClient.endpoint(
                        items,
                        resources,
                        SqlConfig.standard().withAdvertise(URI.create("https://cosmos.example")));
        assertThat(JsonText.write(new TestClient(advertised).get("/").member("readableLocations")))
                .contains("\"https://cosmos.example/\"");
    }

    // ---- databases

    @Test
    void aDatabaseIsCreatedReadListedAndDeleted() {
        Reply created = client.post("/dbs", "{\"id\":\"db1\"}");
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.text())
                .isEqualTo(
                        "{\"id\":\"db1\",\"_rid\":\"AQAAAA==\",\"_self\":\"dbs/AQAAAA==/\","
                                + "\"_etag\":\"\\\"00000000-0000-0001-0000-000000000000\\\"\","
                                + "\"_colls\":\"colls/\",\"_users\":\"users/\",\"_ts\":1700000000}");
        assertThat(created.header("etag")).isEqualTo(created.string("_etag"));
        assertThat(created.header("x-ms-request-charge")).isNotEmpty();
        assertThat(created.header("x-ms-serviceversion")).isEqualTo("version=2.14.0.0");
        assertThat(client.post("/dbs", "{\"id\":\"db1\"}").status()).isEqualTo(409);
        assertThat(client.get("/dbs/db1").text()).isEqualTo(created.text());
        assertThat(client.get("/dbs/AQAAAA==").text()).isEqualTo(created.text());
        assertThat(client.get("/dbs/db1", "If-None-Match", created.header("etag")).status())
                .isEqualTo(304);
        Reply list = client.get("/dbs");
        assertThat(list.text())
                .isEqualTo("{\"_rid\":\"\",\"Databases\":[" + created.text() + "],\"_count\":1}");
        assertThat(list.header("x-ms-item-count")).isEqualTo("1");
        assertThat(list.has("x-ms-continuation")).isFalse();
        assertThat(client.call("DELETE", "/dbs/db1", "", "If-Match", "\"x\"").status())
                .isEqualTo(412);
        assertThat(client.call("DELETE", "/dbs/db1", "").status()).isEqualTo(204);
        assertThat(client.get("/dbs/db1").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"id\":\"a/b\"}", "{\"id\":\"a\",\"colour\":1}", "", "7"})
    void badDatabasesAreRefused(String body) {
        assertThat(client.post("/dbs", body).status()).isEqualTo(400);
    }

    @Test
    void namesHaveTheirLimits() {
        assertThat(client.post("/dbs", "{\"id\":\"" + "x".repeat(255) + "\"}").status())
                .isEqualTo(201);
        assertThat(client.post("/dbs", "{\"id\":\"" + "x".repeat(256) + "\"}").status())
                .isEqualTo(400);
        assertThat(client.post("/dbs", "{\"id\":\"\\ud800\"}").status()).isEqualTo(400);
    }

    @Test
    void listsGoOnWithAContinuation() {
        for (int i = 0; i < 5; i++) {
            client.post("/dbs", "{\"id\":\"db" + i + "\"}");
        }
        Reply first = client.get("/dbs", "x-ms-max-item-count", "2");
        assertThat(first.header("x-ms-item-count")).isEqualTo("2");
        Reply last = client.get("/dbs", "x-ms-max-item-count", "3", "x-ms-continuation", "2");
        assertThat(first.header("x-ms-continuation")).isEqualTo("2");
        assertThat(last.header("x-ms-item-count")).isEqualTo("3");
        assertThat(last.has("x-ms-continuation")).isFalse();
        assertThat(client.get("/dbs", "x-ms-continuation", "junk").status()).isEqualTo(400);
    }

    /** Else a path could mean either of two databases, and a delete hit the wrong one. */
    @Test
    void aDatabaseMayNotBeNamedLikeARid() {
        client.post("/dbs", "{\"id\":\"first\"}");
        Reply reply = client.post("/dbs", "{\"id\":\"AQAAAA==\"}");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.string("message")).contains("resource id");
        assertThat(client.get("/dbs/AQAAAA==").string("id")).isEqualTo("first");
    }

    // ---- containers

    private static String container(String id) {
        return "{\"id\":\"" + id + "\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}";
    }

    private void makeContainer(String... headers) {
        client.post("/dbs", "{\"id\":\"d\"}");
        assertThat(client.post("/dbs/d/colls", container("c"), headers).status()).isEqualTo(201);
    }

    @Test
    void aContainerIsCreatedReadReplacedAndDeleted() {
        makeContainer();
        Reply read = client.get("/dbs/d/colls/c");
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.header("x-ms-content-path")).isEqualTo("AQAAAA==");
        assertThat(read.header("x-ms-alt-content-path")).isEqualTo("dbs/d");
        assertThat(read.has("x-ms-resource-usage")).isFalse();
        String self = "/" + read.string("_self");
        assertThat(client.get(self).text()).isEqualTo(read.text());
        assertThat(client.get("/dbs/d/colls").text())
                .isEqualTo(
                        "{\"_rid\":\"AQAAAA==\",\"DocumentCollections\":["
                                + read.text()
                                + "],\"_count\":1}");
        String changed =
                read.text()
                        .replace("\"includedPaths\":[{\"path\":\"/*\"}]", "\"includedPaths\":[]")
                        .replace("\"excludedPaths\":[", "\"excludedPaths\":[{\"path\":\"/*\"},");
        assertThat(client.call("PUT", "/dbs/d/colls/c", changed, "If-Match", "\"x\"").status())
                .isEqualTo(412);
        Reply replaced = client.call("PUT", "/dbs/d/colls/c", changed);
        assertThat(replaced.status()).isEqualTo(200);
        assertThat(JsonText.write(replaced.member("indexingPolicy")))
                .contains("\"excludedPaths\":[{\"path\":\"/*\"},");
        assertThat(client.call("DELETE", "/dbs/d/colls/c", "").status()).isEqualTo(204);
        assertThat(client.get("/dbs/d/colls/c").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":\"other\",\"partitionKey\":{\"paths\":[\"/pk\"]}}",
                "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/other\"]}}",
                "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":1}}",
                "{\"id\":\"c\"}"
            })
    void idAndKeyOfAContainerStay(String body) {
        makeContainer();
        assertThat(client.call("PUT", "/dbs/d/colls/c", body).status()).isEqualTo(400);
    }

    @Test
    void quotaAndUsageComeWhenAskedFor() {
        makeContainer();
        client.post("/dbs/d/colls/c/docs", "{\"id\":\"1\",\"pk\":\"a\"}");
        Reply reply = client.get("/dbs/d/colls/c", "x-ms-documentdb-populatequotainfo", "True");
        assertThat(reply.header("x-ms-resource-usage")).contains("documentsCount=1;");
        assertThat(reply.header("x-ms-resource-quota")).contains("collectionSize=");
        assertThat(reply.header("x-ms-documentdb-collection-index-transformation-progress"))
                .isEqualTo("100");
        assertThat(reply.has("x-ms-documentdb-collection-lazy-indexing-progress")).isFalse();
    }

    @Test
    void lazyContainersTellTheirProgress() {
        client.post("/dbs", "{\"id\":\"d\"}");
        client.post(
                "/dbs/d/colls",
                "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},"
                        + "\"indexingPolicy\":{\"indexingMode\":\"Lazy\"}}");
        Reply reply = client.get("/dbs/d/colls/c", "x-ms-documentdb-populatequotainfo", "True");
        assertThat(reply.text()).contains("\"indexingMode\":\"lazy\"");
        assertThat(reply.header("x-ms-documentdb-collection-lazy-indexing-progress"))
                .isEqualTo("100");
    }

    @Test
    void fixedContainersAreForOldClients() {
        client.post("/dbs", "{\"id\":\"d\"}");
        assertThat(client.post("/dbs/d/colls", "{\"id\":\"f\"}").status()).isEqualTo(400);
        Reply created = client.post("/dbs/d/colls", "{\"id\":\"f\"}", "x-ms-version", "2017-11-15");
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.json().properties()).doesNotContainKey("partitionKey");
        assertThat(client.post("/dbs/d/colls/f/docs", "{\"id\":\"1\"}").status()).isEqualTo(201);
        assertThat(client.get("/dbs/d/colls/f/docs/1").status()).isEqualTo(200);
    }

    // ---- partition key ranges

    @Test
    void rangesArePolledUntilNothingChanged() {
        makeContainer("x-ms-offer-throughput", "20000");
        String byRid = "/" + client.get("/dbs/d/colls/c").string("_self") + "pkranges";
        Reply first = client.get(byRid, "A-IM", "Incremental Feed", "x-ms-max-item-count", "-1");
        assertThat(first.status()).isEqualTo(200);
        String etag = first.header("etag");
        assertThat(etag).startsWith("\"").endsWith("\"");
        Reply second = client.get(byRid, "A-IM", "Incremental feed", "If-None-Match", etag);
        assertThat(second.status()).isEqualTo(304);
        assertThat(second.header("etag")).isEqualTo(etag);
        assertThat(second.text()).isEmpty();
        assertThat(client.get(byRid, "If-None-Match", "\"0-0\"").status()).isEqualTo(200);
        Reply byName = client.get("/dbs/d/colls/c/pkranges");
        assertThat(byName.text()).isEqualTo(first.text());
        List<Value> ranges = ((Value.Array) byName.member("PartitionKeyRanges")).elements();
        assertThat(ranges).hasSize(2);
        Map<String, Value> low = ((Value.Obj) ranges.get(0)).properties();
        Map<String, Value> high = ((Value.Obj) ranges.get(1)).properties();
        assertThat(low)
                .containsEntry("id", Value.of("0"))
                .containsEntry("minInclusive", Value.of(""))
                .containsEntry("parents", Json.EMPTY_ARRAY)
                .containsEntry("status", Value.of("online"));
        assertThat(high)
                .containsEntry("maxExclusive", Value.of("FF"))
                .containsEntry("minInclusive", low.getOrDefault("maxExclusive", Value.of("?")));
        Reply one = client.get("/dbs/d/colls/c/pkranges/1");
        assertThat(one.json().properties()).isEqualTo(high);
        assertThat(client.get(byRid + "/" + one.string("_rid")).text()).isEqualTo(one.text());
        assertThat(client.get("/dbs/d/colls/c/pkranges/2").status()).isEqualTo(404);
        assertThat(client.post("/dbs/d/colls/c/pkranges", "{}").status()).isEqualTo(405);
    }

    @Test
    void anotherContainerOfTheNameHasAnotherEtag() {
        makeContainer();
        String etag = client.get("/dbs/d/colls/c/pkranges").header("etag");
        client.call("DELETE", "/dbs/d/colls/c", "");
        client.post("/dbs/d/colls", container("c"));
        assertThat(client.get("/dbs/d/colls/c/pkranges", "If-None-Match", etag).status())
                .isEqualTo(200);
    }

    // ---- offers

    @Test
    void anOfferIsReadAndReplaced() {
        makeContainer();
        Value.Obj listed =
                (Value.Obj)
                        ((Value.Array) client.get("/offers").member("Offers"))
                                .elements()
                                .getFirst();
        assertThat(JsonText.write(listed))
                .contains(
                        "\"resource\":\"dbs/AQAAAA==/colls/AQAAAIAAAAI=/\"",
                        "\"offerType\":\"Invalid\"",
                        "\"offerResourceId\":\"AQAAAIAAAAI=\"",
                        "\"offerVersion\":\"V2\"",
                        "\"content\":{\"offerThroughput\":400,"
                                + "\"offerIsRUPerMinuteThroughputEnabled\":false}");
        String path = "/offers/" + text(listed, "id");
        Reply read = client.get(path);
        assertThat(read.json()).isEqualTo(listed);
        assertThat(read.header("x-ms-cosmos-min-throughput")).isEqualTo("400");
        assertThat(read.header("x-ms-offer-replace-pending")).isEqualTo("false");
        resources.splitsTakeAWhile = true;
        Reply pending = client.get(path);
        assertThat(pending.header("x-ms-offer-replace-pending")).isEqualTo("true");
        assertThat(pending.text()).contains("\"isOfferReplacePending\":true");
        assertThat(client.get("/offers").text()).contains("\"isOfferReplacePending\":true");
        Reply replaced = client.call("PUT", path, pending.text().replace("400", "1000"));
        assertThat(replaced.status()).isEqualTo(200);
        assertThat(JsonText.write(replaced.member("content"))).contains("\"offerThroughput\":1000");
        Reply perMinute = client.call("PUT", path, read.text().replace("false", "true"));
        assertThat(JsonText.write(perMinute.member("content")))
                .contains("\"offerIsRUPerMinuteThroughputEnabled\":true");
    }

    @Test
    void bucketsAreSetWithTheOffer() {
        makeContainer();
        String path = "/offers/" + firstOffer();
        String buckets =
                "\"throughputBuckets\":[{\"id\":1,\"maxThroughputPercentage\":20},"
                        + "{\"id\":3,\"maxThroughputPercentage\":100,\"isDefaultBucket\":true}]";
        assertThat(client.get(path).text()).doesNotContain("throughputBuckets");
        Reply set =
                client.call("PUT", path, "{\"content\":{\"offerThroughput\":400," + buckets + "}}");
        assertThat(set.status()).isEqualTo(200);
        assertThat(set.text()).contains(buckets);
        assertThat(client.get(path).text()).contains(buckets);

        Reply kept = client.call("PUT", path, "{\"content\":{\"offerThroughput\":500}}");
        assertThat(kept.text()).contains(buckets, "\"offerThroughput\":500");
        Reply cleared =
                client.call(
                        "PUT",
                        path,
                        "{\"content\":{\"offerThroughput\":500,\"throughputBuckets\":[]}}");
        assertThat(cleared.text()).doesNotContain("throughputBuckets");
    }

    /** The service documents this way: a header, with a body of the present kind. */
    @Test
    void anOfferIsMigratedByAHeaderOnly() {
        makeContainer();
        String path = "/offers/" + firstOffer();
        String toAutoscale = "x-ms-cosmos-migrate-offer-to-autopilot";
        String toManual = "x-ms-cosmos-migrate-offer-to-manual-throughput";
        String scaling = "{\"content\":{\"offerAutopilotSettings\":{\"maxThroughput\":-1}}}";
        String set = "{\"content\":{\"offerThroughput\":-1}}";

        String wanted = scaling.replace("-1", "8000");
        assertThat(client.call("PUT", path, wanted).string("message"))
                .contains(toAutoscale + " must be supplied");
        assertThat(client.call("PUT", path, wanted, toAutoscale, "true").string("message"))
                .contains("must not contain autopilotSettings");
        Reply autoscale = client.call("PUT", path, set, toAutoscale, "true");
        assertThat(autoscale.status()).isEqualTo(200);
        assertThat(JsonText.write(autoscale.member("content")))
                .contains("\"offerThroughput\":400,", "{\"maxThroughput\":4000}");
        assertThat(JsonText.write(client.call("PUT", path, wanted).member("content")))
                .contains("\"offerThroughput\":800,", "{\"maxThroughput\":8000}");

        assertThat(client.call("PUT", path, set.replace("-1", "400")).string("message"))
                .contains("Please invoke migration API", toManual + " must be supplied");
        assertThat(client.call("PUT", path, set, toManual, "true").string("message"))
                .contains("must contain autopilotSettings");
        Reply both = client.call("PUT", path, scaling, toManual, "true", toAutoscale, "true");
        assertThat(both.string("message")).contains("exclude each other");
        Reply manual = client.call("PUT", path, client.get(path).text(), toManual, "true");
        assertThat(JsonText.write(manual.member("content"))).contains("\"offerThroughput\":8000");
        Reply again = client.call("PUT", path, manual.text(), toManual, "true");
        assertThat(again.status()).as("it is manual already").isEqualTo(200);
    }

    private String firstOffer() {
        return text(
                (Value.Obj)
                        ((Value.Array) client.get("/offers").member("Offers"))
                                .elements()
                                .getFirst(),
                "id");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"content\":{}}",
                "{\"content\":{\"offerThroughput\":\"x\"}}",
                "{\"content\":{\"offerThroughput\":400,\"offerMaximum\":500}}",
                "{\"content\":{\"offerThroughput\":400},\"offerType\":\"S2\"}",
                "{\"content\":{\"offerThroughput\":400},\"offerVersion\":\"V1\"}",
                "{\"content\":{\"offerThroughput\":400},\"offerResourceId\":\"AQAAAA==\"}",
                "{\"content\":{\"offerThroughput\":400},\"colour\":\"blue\"}",
                "{\"content\":{\"offerThroughput\":400,\"throughputBuckets\":{}}}",
                "{\"content\":{\"offerThroughput\":400,\"throughputBuckets\":[{\"id\":1}]}}",
                "{\"content\":{\"offerThroughput\":400,\"throughputBuckets\":"
                        + "[{\"id\":6,\"maxThroughputPercentage\":1}]}}",
                "{\"content\":{\"offerThroughput\":400,\"throughputBuckets\":"
                        + "[{\"id\":1,\"maxThroughputPercentage\":101}]}}",
                "{\"content\":{\"offerThroughput\":400,\"throughputBuckets\":"
                        + "[{\"id\":1,\"maxThroughputPercentage\":1,\"name\":\"x\"}]}}",
                "{\"content\":{\"offerThroughput\":400,\"throughputBuckets\":"
                        + "[{\"id\":1,\"maxThroughputPercentage\":1},"
                        + "{\"id\":1,\"maxThroughputPercentage\":2}]}}"
            })
    void badOffersAreRefused(String body) {
        makeContainer();
        Value.Obj listed =
                (Value.Obj)
                        ((Value.Array) client.get("/offers").member("Offers"))
                                .elements()
                                .getFirst();
        assertThat(client.call("PUT", "/offers/" + text(listed, "id"), body).status())
                .isEqualTo(400);
        assertThat(client.get("/offers/zzzz").status()).isEqualTo(404);
        assertThat(client.call("PUT", "/offers/offers/" + text(listed, "id") + "/", body).status())
                .isEqualTo(400);
        assertThat(client.get("/offers/toolongforanoffer").status()).isEqualTo(404);
        assertThat(client.post("/offers", "{}").status()).isEqualTo(405);
    }

    private static String text(Value.Obj object, String name) {
        return object.properties().get(name) instanceof Value.Text(String text) ? text : "";
    }

    // ---- items

    @Test
    void anItemIsCreatedReadReplacedPatchedAndDeleted() {
        makeContainer();
        String rid = client.get("/dbs/d/colls/c").string("_rid");
        Reply created =
                client.post(
                        "/dbs/d/colls/c/docs",
                        "{ \"id\" : \"1\", \"pk\":\"a\", \"v\":1.50 }",
                        "x-ms-documentdb-partitionkey",
                        KEY_A);
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.text()).startsWith("{ \"id\" : \"1\", \"pk\":\"a\", \"v\":1.50 ");
        assertThat(created.string("_self"))
                .isEqualTo("dbs/AQAAAA==/colls/" + rid + "/docs/" + created.string("_rid") + "/");
        assertThat(created.header("etag")).isEqualTo(created.string("_etag"));
        assertThat(created.header("x-ms-session-token")).isEqualTo("0:-1#11");
        assertThat(created.header("x-ms-request-charge")).isEqualTo("5.71");
        assertThat(created.header("x-ms-content-path")).isEqualTo(rid);
        assertThat(created.header("x-ms-alt-content-path")).isEqualTo("dbs/d/colls/c");
        assertThat(created.header("x-ms-documentdb-partitionkeyrangeid")).isEqualTo("0");
        assertThat(created.header("lsn")).isEqualTo("11");
        String item = "/dbs/d/colls/c/docs/1";
        Reply read = client.get(item, "x-ms-documentdb-partitionkey", KEY_A);
        assertThat(read.status()).isEqualTo(200);
        assertThat(read.text()).isEqualTo(created.text());
        Reply known =
                client.get(
                        item,
                        "x-ms-documentdb-partitionkey",
                        KEY_A,
                        "If-None-Match",
                        read.header("etag"));
        assertThat(known.status()).isEqualTo(304);
        assertThat(known.text()).isEmpty();
        assertThat(read.header("x-ms-request-charge")).isEqualTo("1.30");
        assertThat(known.header("x-ms-request-charge")).isEqualTo("1");
        assertThat(known.header("etag")).isEqualTo(read.header("etag"));
        assertThat(known.header("x-ms-session-token")).isNotEmpty();
        assertThat(
                        client.get(
                                        "/" + read.string("_self"),
                                        "x-ms-documentdb-partitionkey",
                                        KEY_A)
                                .text())
                .isEqualTo(read.text());
        assertThat(
                        client.call(
                                        "PUT",
                                        item,
                                        "{\"id\":\"1\",\"pk\":\"a\",\"v\":2}",
                                        "x-ms-documentdb-partitionkey",
                                        KEY_A,
                                        "If-Match",
                                        "\"x\"")
                                .status())
                .isEqualTo(412);
        assertThat(
                        client.call(
                                        "PUT",
                                        item,
                                        "{\"id\":\"1\",\"pk\":\"a\",\"v\":2}",
                                        "x-ms-documentdb-partitionkey",
                                        KEY_A,
                                        "If-Match",
                                        read.header("etag"))
                                .member("v"))
                .isEqualTo(Value.of(2L));
        Reply patched =
                client.call(
                        "PATCH",
                        item,
                        "{\"operations\":[{\"op\":\"incr\",\"path\":\"/v\",\"value\":5}]}",
                        "x-ms-documentdb-partitionkey",
                        KEY_A,
                        "Content-Type",
                        "application/json-patch+json");
        assertThat(patched.status()).isEqualTo(200);
        assertThat(patched.member("v")).isEqualTo(Value.of(7L));
        Reply deleted = client.call("DELETE", item, "", "x-ms-documentdb-partitionkey", KEY_A);
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(deleted.text()).isEmpty();
        assertThat(deleted.header("x-ms-session-token")).isNotEmpty();
        assertThat(deleted.has("etag")).isFalse();
    }

    @Test
    void anUpsertSaysWhetherItCreated() {
        makeContainer();
        String body = "{\"id\":\"1\",\"pk\":\"a\"}";
        assertThat(upsert(body).status()).isEqualTo(201);
        assertThat(upsert(body).status()).isEqualTo(200);
        assertThat(upsert(body, "If-Match", "\"x\"").status()).isEqualTo(412);
    }

    private Reply upsert(String body, String... headers) {
        String[] all = java.util.Arrays.copyOf(headers, headers.length + 2);
        all[headers.length] = "x-ms-documentdb-is-upsert";
        all[headers.length + 1] = "True";
        return client.post("/dbs/d/colls/c/docs", body, all);
    }

    @Test
    void minimalRepliesHaveHeadersOnly() {
        makeContainer();
        Reply created =
                client.post(
                        "/dbs/d/colls/c/docs",
                        "{\"id\":\"1\",\"pk\":\"a\"}",
                        "Prefer",
                        "return=minimal");
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.text()).isEmpty();
        assertThat(created.header("etag")).isNotEmpty();
        assertThat(created.header("x-ms-session-token")).isNotEmpty();
    }

    @Test
    void failuresOfItemsReportTheSession() {
        makeContainer();
        client.post("/dbs/d/colls/c/docs", "{\"id\":\"1\",\"pk\":\"a\"}");
        String rid = client.get("/dbs/d/colls/c").string("_rid");
        Reply conflict = client.post("/dbs/d/colls/c/docs", "{\"id\":\"1\",\"pk\":\"a\"}");
        assertThat(conflict.status()).isEqualTo(409);
        assertThat(conflict.header("x-ms-session-token")).isEqualTo("0:-1#11");
        assertThat(conflict.header("x-ms-content-path")).isEqualTo(rid);
        assertThat(conflict.header("x-ms-alt-content-path")).isEqualTo("dbs/d/colls/c");
        assertThat(conflict.header("x-ms-request-charge")).isEqualTo("1.24");
        Reply missing = client.get("/dbs/d/colls/c/docs/2", "x-ms-documentdb-partitionkey", KEY_A);
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.header("x-ms-substatus")).isEqualTo("0");
        assertThat(missing.header("x-ms-session-token")).isNotEmpty();
        assertThat(missing.string("message")).startsWith("no item\r\nActivityId: ");
        assertThat(missing.has("x-ms-content-path")).isFalse();
        assertThat(missing.header("x-ms-alt-content-path")).isEqualTo("dbs/d/colls/c");
    }

    @Test
    void answersAboutItemsSayWhereTheyWereAskedFor() {
        makeContainer();
        Reply created = client.post("/dbs/d/colls/c/docs", "{\"id\":\"1\",\"pk\":\"a\"}");
        assertThat(created.header("Content-Location"))
                .isEqualTo("https://db.example:8081/dbs/d/colls/c/docs");
        Reply read = client.get("/dbs/d/colls/c/docs/1", "x-ms-documentdb-partitionkey", KEY_A);
        assertThat(read.header("Content-Location"))
                .isEqualTo("https://db.example:8081/dbs/d/colls/c/docs/1");
    }

    @Test
    void linksAreLeftOutOnDemand() {
        makeContainer();
        Reply created =
                client.post(
                        "/dbs/d/colls/c/docs",
                        "{\"id\":\"1\",\"pk\":\"a\"}",
                        "x-ms-exclude-system-properties",
                        "true");
        assertThat(created.json().properties().keySet())
                .containsExactly("id", "pk", "_rid", "_etag", "_ts");
    }

    @Test
    void aPointOperationNeedsAKey() {
        makeContainer();
        Reply reply = client.get("/dbs/d/colls/c/docs/1");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.string("message"))
                .contains("PartitionKey value must be supplied for this operation.");
    }

    @Test
    void keysMustAgree() {
        makeContainer();
        Reply reply =
                client.post(
                        "/dbs/d/colls/c/docs",
                        "{\"id\":\"1\",\"pk\":\"b\"}",
                        "x-ms-documentdb-partitionkey",
                        KEY_A);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.header("x-ms-substatus")).isEqualTo("1001");
    }

    @Test
    void aContainerMadeAnewIsNoticed() {
        makeContainer();
        Reply reply =
                client.get(
                        "/dbs/d/colls/c/docs/1",
                        "x-ms-documentdb-partitionkey",
                        KEY_A,
                        "x-ms-cosmos-intended-collection-rid",
                        "AQAAAIAAAGM=");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.header("x-ms-substatus")).isEqualTo("1024");
    }

    @Test
    void oldClientsGetSessionTokensTheyCanRead() {
        makeContainer();
        Reply reply =
                client.post(
                        "/dbs/d/colls/c/docs",
                        "{\"id\":\"1\",\"pk\":\"a\"}",
                        "x-ms-version",
                        "2017-11-15");
        assertThat(reply.header("x-ms-session-token")).isEqualTo("0:11");
    }

    @Test
    void aNameThatFitsNoHeaderIsEscaped() {
        client.post("/dbs", "{\"id\":\"dä\"}");
        client.post("/dbs/d%C3%A4/colls", container("c"));
        Reply reply = client.post("/dbs/d%C3%A4/colls/c/docs", "{\"id\":\"1\",\"pk\":\"a\"}");
        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.header("x-ms-alt-content-path")).isEqualTo("dbs/d%C3%A4/colls/c");
        assertThat(reply.has("x-ms-content-path")).isTrue();
    }

    @Test
    void itemsAreReadAsAFeedInPages() {
        makeContainer("x-ms-offer-throughput", "20000");
        for (int i = 0; i < 7; i++) {
            client.post("/dbs/d/colls/c/docs", "{\"id\":\"" + i + "\",\"pk\":\"k" + i + "\"}");
        }
        Reply first = client.get("/dbs/d/colls/c/docs", "x-ms-max-item-count", "4");
        assertThat(first.status()).isEqualTo(200);
        assertThat(first.header("x-ms-item-count")).isEqualTo("4");
        assertThat(first.member("_count")).isEqualTo(Value.of(4L));
        assertThat(first.header("x-ms-session-token")).isEqualTo("0:-1#17,1:-1#17");
        assertThat(first.header("x-ms-request-charge")).isEqualTo("2.35");
        Reply rest =
                client.get(
                        "/dbs/d/colls/c/docs",
                        "x-ms-continuation",
                        first.header("x-ms-continuation"));
        assertThat(rest.header("x-ms-item-count")).isEqualTo("3");
        assertThat(rest.has("x-ms-continuation")).isFalse();
        Reply range0 =
                client.get("/dbs/d/colls/c/docs", "x-ms-documentdb-partitionkeyrangeid", "0");
        Reply range1 =
                client.get("/dbs/d/colls/c/docs", "x-ms-documentdb-partitionkeyrangeid", "1");
        assertThat(range0.header("x-ms-documentdb-partitionkeyrangeid")).isEqualTo("0");
        assertThat(count(range0) + count(range1)).isEqualTo(7);
        Reply gone = client.get("/dbs/d/colls/c/docs", "x-ms-documentdb-partitionkeyrangeid", "9");
        assertThat(gone.status()).isEqualTo(410);
        assertThat(gone.header("x-ms-substatus")).isEqualTo("1002");
        assertThat(
                        count(
                                client.get(
                                        "/dbs/d/colls/c/docs",
                                        "x-ms-documentdb-partitionkey",
                                        "[\"k3\"]")))
                .isEqualTo(1);
    }

    private static int count(Reply reply) {
        return ((Value.Array) reply.member("Documents")).elements().size();
    }

    @Test
    void anEmptyFeedIsAnEnvelopeToo() {
        makeContainer();
        assertThat(client.get("/dbs/d/colls/c/docs").text())
                .isEqualTo("{\"_rid\":\"AQAAAIAAAAI=\",\"Documents\":[],\"_count\":0}");
    }

    // ---- what is not built, not allowed, not there

    @Test
    void whatIsNotBuiltIsNamed() {
        Reply reply = client.get("//addresses/");
        assertThat(reply.status()).isEqualTo(501);
        assertThat(reply.string("code")).isEqualTo("NotImplemented");
        assertThat(reply.string("message")).contains("gateway mode");
    }

    @ParameterizedTest
    @CsvSource({"x-ms-indexing-directive,Exclude,indexing directive"})
    void headersThatWouldChangeAWriteAreNotPassedOver(String header, String value, String feature) {
        makeContainer();
        Reply reply =
                client.post("/dbs/d/colls/c/docs", "{\"id\":\"1\",\"pk\":\"a\"}", header, value);
        assertThat(reply.status()).isEqualTo(501);
        assertThat(reply.string("message")).contains(feature);
        assertThat(
                        client.post(
                                        "/dbs/d/colls/c/docs",
                                        "{\"id\":\"1\",\"pk\":\"a\"}",
                                        "x-ms-indexing-directive",
                                        "Default")
                                .status())
                .isEqualTo(201);
    }

    @ParameterizedTest
    @CsvSource({
        "PUT,/",
        "POST,/",
        "PUT,/dbs",
        "PUT,/dbs/d",
        "PATCH,/dbs/d/colls",
        "POST,/dbs/d/colls/c",
        "PUT,/dbs/d/colls/c/docs",
        "POST,/dbs/d/colls/c/docs/1",
        "DELETE,/offers",
        "BREW,/dbs"
    })
    void otherVerbsAreNotAllowed(String method, String path) {
        makeContainer();
        Reply reply = client.call(method, path, "{}");
        assertThat(reply.status()).isEqualTo(405);
        assertThat(reply.string("code")).isEqualTo("MethodNotAllowed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nothing", "/dbs/d/colls/c/docs/1/attachments", "/dbs/d/what"})
    void otherPathsAreNotFound(String path) {
        assertThat(client.get(path).status()).isEqualTo(404);
    }

    @Test
    void aBrokenPathIsABadRequest() {
        assertThat(client.send(TestClient.request("GET", "/dbs/%zz", Headers.EMPTY, "")).status())
                .isEqualTo(400);
    }

    // ---- keys

    /** The door decides what a key may do, so it has to hear whose key it is. */
    @Test
    void theDoorHearsWhichKeySigned() {
        makeContainer();
        TestClient reader = new TestClient(endpoint, TestClient.READ_ONLY);
        for (Reply reply :
                List.of(
                        reader.get("/dbs/d/colls/c"),
                        reader.post("/dbs/d/colls/c/docs", "{\"id\":\"1\",\"pk\":\"a\"}"),
                        reader.call("PUT", "/dbs/d/colls/c", container("c")))) {
            assertThat(reply.status()).isLessThan(300);
            assertThat(resources.lastContext.orElseThrow().principal())
                    .isEqualTo(new Principal.Account(KeyKind.PRIMARY_READONLY));
        }
        client.get("/dbs/d");
        assertThat(resources.lastContext.orElseThrow().principal())
                .isEqualTo(new Principal.Account(KeyKind.PRIMARY));
    }

    @Test
    void whatTheDoorForbidsIs403() {
        makeContainer();
        items.nextFailure =
                Optional.of(new OrreryException(ErrorCode.FORBIDDEN, "A read-only key cannot."));
        Reply refused = client.post("/dbs/d/colls/c/docs", "{\"id\":\"1\",\"pk\":\"a\"}");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.string("code")).isEqualTo("Forbidden");
        assertThat(refused.string("message")).contains("read-only");
    }

    @Test
    void withoutASignatureNothingIsAnswered() {
        Reply reply = client.send(TestClient.request("GET", "/dbs", Headers.EMPTY, ""));
        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.header("x-ms-substatus")).isEqualTo("5000");
        assertThat(reply.string("code")).isEqualTo("Unauthorized");
    }
}
