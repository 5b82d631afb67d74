package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Value;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.fake.FakeItems;

/** Users, permissions and client encryption keys over REST. */
final class SqlAccessTest {
    private static final String USERS = "/dbs/d/users";
    private static final String PERMISSIONS = "/dbs/d/users/u/permissions";
    private static final String KEYS = "/dbs/d/clientencryptionkeys";
    private static final String UPSERT = "x-ms-documentdb-is-upsert";
    private static final String EXPIRY = "x-ms-documentdb-expiry-seconds";
    private static final String PERMISSION =
            """
            {"id":"p","permissionMode":"Read","resource":"dbs/d/colls/c"}""";
    private static final String KEY =
            """
            {"id":"k","encryptionAlgorithm":"AEAD_AES_256_CBC_HMAC_SHA256",\
            "wrappedDataEncryptionKey":"AQID","keyWrapMetadata":{"type":"custom","name":"key1",\
            "value":"place","algorithm":"RSA-OAEP"}}""";

    private final TestClient client = TestClient.withContainer(new FakeItems());

    @Test
    void aUserIsWrittenAsTheServiceWritesIt() {
        Reply created = client.post(USERS, "{\"id\":\"u\"}");

        assertThat(created.status()).isEqualTo(201);
        assertThat(created.text())
                .isEqualTo(
                        "{\"id\":\"u\",\"_rid\":\"AQAAAAAAAAE=\","
                                + "\"_self\":\"dbs/AQAAAA==/users/AQAAAAAAAAE=/\","
                                + "\"_etag\":\"\\\"00000000-0000-0001-0000-000000000000\\\"\","
                                + "\"_permissions\":\"permissions/\",\"_ts\":1700000000}");
        assertThat(created.header("etag")).isEqualTo(created.string("_etag"));
        assertThat(created.header("x-ms-content-path")).isEqualTo("AQAAAA==");
        assertThat(client.get(USERS + "/u").text()).isEqualTo(created.text());
        assertThat(client.get("/" + created.string("_self")).text()).isEqualTo(created.text());
        assertThat(client.post(USERS, "{\"id\":\"u\"}").status()).isEqualTo(409);
    }

    @Test
    void aUserGetsAnotherName() {
        Reply created = client.post(USERS, "{\"id\":\"u\"}");

        Reply replaced = client.call("PUT", USERS + "/u", created.text().replace("\"u\"", "\"v\""));

        assertThat(replaced.status()).isEqualTo(200);
        assertThat(replaced.string("id")).isEqualTo("v");
        assertThat(replaced.string("_rid")).isEqualTo(created.string("_rid"));
        assertThat(client.get(USERS + "/u").status()).isEqualTo(404);
        assertThat(client.get(USERS + "/v").status()).isEqualTo(200);
    }

    @Test
    void upsertsTellWhetherTheyCreate() {
        assertThat(client.post(USERS, "{\"id\":\"u\"}", UPSERT, "true").status()).isEqualTo(201);
        assertThat(client.post(USERS, "{\"id\":\"u\"}", UPSERT, "true").status()).isEqualTo(200);
        assertThat(client.post(PERMISSIONS, PERMISSION, UPSERT, "true").status()).isEqualTo(201);
        assertThat(client.post(PERMISSIONS, PERMISSION, UPSERT, "true").status()).isEqualTo(200);
        assertThat(client.post(KEYS, KEY, UPSERT, "true").status()).isEqualTo(400);
    }

    @Test
    void conditionsHold() {
        String etag = client.post(USERS, "{\"id\":\"u\"}").string("_etag");
        client.call("PUT", USERS + "/u", "{\"id\":\"u\"}");

        assertThat(client.call("PUT", USERS + "/u", "{\"id\":\"u\"}", "If-Match", etag).status())
                .isEqualTo(412);
        assertThat(client.call("DELETE", USERS + "/u", "", "If-Match", etag).status())
                .isEqualTo(412);
        String present = client.get(USERS + "/u").string("_etag");
        assertThat(client.get(USERS + "/u", "If-None-Match", present).status()).isEqualTo(304);
        assertThat(client.call("DELETE", USERS + "/u", "", "If-Match", present).status())
                .isEqualTo(204);
        assertThat(client.get(USERS + "/u").status()).isEqualTo(404);
    }

    @Test
    void usersAreListedAndFound() {
        for (String id : List.of("a", "b", "c")) {
            client.post(USERS, "{\"id\":\"" + id + "\"}");
        }

        Reply first = client.get(USERS, "x-ms-max-item-count", "2");
        Reply second =
                client.get(
                        USERS,
                        "x-ms-max-item-count",
                        "2",
                        "x-ms-continuation",
                        first.header("x-ms-continuation"));

        assertThat(first.string("_rid")).isEqualTo("AQAAAA==");
        assertThat(ids(first, "Users")).containsExactly("a", "b");
        assertThat(ids(second, "Users")).containsExactly("c");
        assertThat(second.has("x-ms-continuation")).isFalse();
        Reply found =
                client.post(
                        USERS,
                        """
                        {"query":"SELECT * FROM root r WHERE r.id=@id",
                         "parameters":[{"name":"@id","value":"b"}]}""",
                        "x-ms-documentdb-isquery",
                        "true");
        assertThat(ids(found, "Users")).containsExactly("b");
    }

    @Test
    void aPermissionIsWrittenAsTheServiceWritesIt() {
        client.post(USERS, "{\"id\":\"u\"}");

        Reply created =
                client.post(
                        PERMISSIONS,
                        """
                        {"id":"p","permissionMode":"Read","resource":"dbs/d/colls/c",
                         "resourcePartitionKey":["tenant",1,true,null]}""");

        assertThat(created.status()).isEqualTo(201);
        assertThat(created.text())
                .isEqualTo(
                        "{\"id\":\"p\",\"permissionMode\":\"Read\",\"resource\":\"dbs/d/colls/c\","
                                + "\"resourcePartitionKey\":[\"tenant\",1,true,null],"
                                + "\"_rid\":\"AQAAAAAAAAEBAAAAAAAAAA==\","
                                + "\"_self\":\"dbs/AQAAAA==/users/AQAAAAAAAAE=/permissions/"
                                + "AQAAAAAAAAEBAAAAAAAAAA==/\","
                                + "\"_etag\":\"\\\"00000000-0000-0001-0000-000000000000\\\"\","
                                + "\"_ts\":1700000000,"
                                + "\"_token\":\"type=resource&ver=1.0&sig=3600;\"}");
        assertThat(client.get(PERMISSIONS + "/p").text()).isEqualTo(created.text());
        assertThat(client.get("/" + created.string("_self")).text()).isEqualTo(created.text());
        assertThat(ids(client.get(PERMISSIONS), "Permissions")).containsExactly("p");
        assertThat(client.get(PERMISSIONS).string("_rid")).isEqualTo("AQAAAAAAAAE=");
    }

    /** SDKs send back what they have read, and let a key of one level stand by itself. */
    @Test
    void whatWasReadIsTakenBack() {
        client.post(USERS, "{\"id\":\"u\"}");
        Reply created =
                client.post(
                        PERMISSIONS,
                        """
                        {"id":"p","permissionMode":"read","resource":"/dbs/d/colls/c/",
                         "resourcePartitionKey":"tenant"}""");
        assertThat(created.string("permissionMode")).isEqualTo("read");
        String all = created.text().replace("\"read\"", "\"All\"").replace("\"p\"", "\"q\"");

        Reply replaced = client.call("PUT", PERMISSIONS + "/p", all);

        assertThat(replaced.status()).isEqualTo(200);
        assertThat(replaced.string("id")).isEqualTo("q");
        assertThat(replaced.string("permissionMode")).isEqualTo("All");
        assertThat(replaced.string("resource")).isEqualTo("/dbs/d/colls/c/");
        assertThat(replaced.text()).contains("\"resourcePartitionKey\":[\"tenant\"]");
    }

    @Test
    void theValidityOfATokenIsTheClientsToSay() {
        client.post(USERS, "{\"id\":\"u\"}");
        client.post(PERMISSIONS, PERMISSION);

        assertThat(client.get(PERMISSIONS + "/p", EXPIRY, "600").string("_token"))
                .isEqualTo("type=resource&ver=1.0&sig=600;");
        assertThat(client.get(PERMISSIONS + "/p", EXPIRY, "").string("_token"))
                .isEqualTo("type=resource&ver=1.0&sig=3600;");
        Reply refused = client.get(PERMISSIONS + "/p", EXPIRY, "an hour");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.string("message")).contains("number of seconds");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"id\":\"p\"}",
                "{\"id\":\"p\",\"permissionMode\":\"Read\"}",
                "{\"id\":\"p\",\"resource\":\"dbs/d/colls/c\"}",
                "{\"id\":\"p\",\"permissionMode\":\"Write\",\"resource\":\"dbs/d/colls/c\"}",
                "{\"id\":\"p\",\"permissionMode\":\"Read\",\"resource\":\"dbs/d\"}",
                "{\"id\":\"p\",\"permissionMode\":\"Read\",\"resource\":\"dbs/d/users/u\"}",
                "{\"id\":\"p\",\"permissionMode\":\"Read\",\"resource\":\"dbs/d/colls/c\","
                        + "\"resourcePartitionKey\":[]}",
                "{\"id\":\"p\",\"permissionMode\":\"Read\",\"resource\":\"dbs/d/colls/c\","
                        + "\"resourcePartitionKey\":[[1]]}",
                "{\"id\":\"p\",\"permissionMode\":\"Read\",\"resource\":\"dbs/d/colls/c\",\"x\":1}",
                "{\"id\":\"p/q\",\"permissionMode\":\"Read\",\"resource\":\"dbs/d/colls/c\"}"
            })
    void otherPermissionsAreRefused(String body) {
        client.post(USERS, "{\"id\":\"u\"}");

        assertThat(client.post(PERMISSIONS, body).status()).isEqualTo(400);
    }

    /** Null is what a variable has that was not set; it must not open the whole container. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"null|is null. Leave it out", "[[1]]|must be an array of strings"})
    void aKeyThatIsNoneIsRefusedByItsName(String key, String reason) {
        client.post(USERS, "{\"id\":\"u\"}");

        Reply refused =
                client.post(
                        PERMISSIONS,
                        """
                        {"id":"p","permissionMode":"Read","resource":"dbs/d/colls/c",
                         "resourcePartitionKey":%s}"""
                                .formatted(key));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.string("message"))
                .contains("'resourcePartitionKey' " + reason)
                .doesNotContain("header");
    }

    @Test
    void aKeyIsWrittenAsTheServiceWritesIt() {
        Reply created = client.post(KEYS, KEY);

        assertThat(created.status()).isEqualTo(201);
        assertThat(created.text())
                .isEqualTo(
                        KEY.substring(0, KEY.length() - 1)
                                + ",\"_rid\":\"AQAAAAAAAAABAAAAAgAAAA==\","
                                + "\"_self\":\"dbs/AQAAAA==/clientencryptionkeys/"
                                + "AQAAAAAAAAABAAAAAgAAAA==/\","
                                + "\"_etag\":\"\\\"00000000-0000-0001-0000-000000000000\\\"\","
                                + "\"_ts\":1700000000}");
        assertThat(client.get(KEYS + "/k").text()).isEqualTo(created.text());
        assertThat(client.get("/" + created.string("_self")).text()).isEqualTo(created.text());
        assertThat(ids(client.get(KEYS), "ClientEncryptionKeys")).containsExactly("k");
        assertThat(client.post(KEYS, KEY).status()).isEqualTo(409);
        Reply rewrapped =
                client.call(
                        "PUT",
                        KEYS + "/k",
                        KEY.replace("AQID", "BAUG"),
                        "If-Match",
                        created.string("_etag"));
        assertThat(rewrapped.status()).isEqualTo(200);
        assertThat(rewrapped.string("wrappedDataEncryptionKey")).isEqualTo("BAUG");
        assertThat(client.call("DELETE", KEYS + "/k", "").status()).isEqualTo(405);
    }

    @Test
    void earlyClientsDoNotSayHowAKeyWasWrapped() {
        String early = KEY.replace(",\"algorithm\":\"RSA-OAEP\"", "");

        assertThat(client.post(KEYS, early).text())
                .startsWith(early.substring(0, early.length() - 1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "AQID|AQI",
                "AQID|AQJ=",
                "\"type\":\"custom\",|",
                "\"value\":\"place\"|\"value\":1",
                "\"id\":\"k\",|",
                "\"id\":\"k\"|\"id\":\"k\",\"x\":1"
            })
    void otherKeysAreRefused(String present, String wanted) {
        String body = KEY.replace(present, wanted == null ? "" : wanted);

        assertThat(client.post(KEYS, body).status()).isEqualTo(400);
    }

    @Test
    void aContainerReturnsItsPolicyOfEncryption() {
        String policy =
                """
                {"includedPaths":[{"path":"/ssn","clientEncryptionKeyId":"k",\
                "encryptionType":"Randomized",\
                "encryptionAlgorithm":"AEAD_AES_256_CBC_HMAC_SHA256"}],"policyFormatVersion":2}""";

        Reply created =
                client.post(
                        "/dbs/d/colls",
                        "{\"id\":\"e\",\"partitionKey\":{\"paths\":[\"/pk\"]},"
                                + "\"clientEncryptionPolicy\":"
                                + policy
                                + "}");

        assertThat(created.status()).isEqualTo(201);
        assertThat(created.text()).contains("\"clientEncryptionPolicy\":" + policy);
        assertThat(client.get("/dbs/d/colls/e").text())
                .contains("\"clientEncryptionPolicy\":" + policy);
    }

    @ParameterizedTest
    @ValueSource(strings = {USERS, PERMISSIONS, KEYS, USERS + "/u", KEYS + "/k"})
    void whatIsNotThereIsNotFound(String path) {
        assertThat(client.get(path.replace("/d/", "/nowhere/")).status()).isEqualTo(404);
        assertThat(client.call("PATCH", path, "{}").status()).isEqualTo(405);
    }

    private static List<String> ids(Reply reply, String array) {
        return ((Value.Array) reply.member(array))
                .elements().stream()
                        .map(each -> ((Value.Obj) each).properties().get("id"))
                        .map(id -> ((Value.Text) id).value())
                        .toList();
    }
}
