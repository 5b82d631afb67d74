package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.frontend.sql.TestClient.Reply;
import orrery.model.PartitionKey;
import orrery.model.resource.Permission;
import orrery.model.resource.PermissionMode;
import orrery.model.security.AccountKeys;

/**
 * Every route of the API with every kind of principal, over a whole engine. A route that no request
 * here is for fails the test.
 */
final class AccessMatrixTest {
    private static final String C = "/dbs/d/colls/c";
    private static final String A = "[\"a\"]";
    private static final String B = "[\"b\"]";
    private static final String CONTAINER =
            "{\"id\":\"%s\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2},"
                    + "\"changeFeedPolicy\":{\"retentionDuration\":10}}";
    private static final String PROCEDURE =
            "{\"id\":\"p\",\"body\":\"function p() { getContext().getResponse().setBody(1); }\"}";
    private static final String TRIGGER =
            "{\"id\":\"t\",\"body\":\"function t() {}\",\"triggerType\":\"Pre\","
                    + "\"triggerOperation\":\"All\"}";
    private static final String FUNCTION = "{\"id\":\"f\",\"body\":\"function f() { return 1; }\"}";

    private static final String PERMISSION =
            "{\"id\":\"%s\",\"permissionMode\":\"Read\",\"resource\":\"dbs/d/colls/%s\"}";
    private static final String ENCRYPTION_KEY =
            "{\"id\":\"%s\",\"encryptionAlgorithm\":\"AEAD_AES_256_CBC_HMAC_SHA256\","
                    + "\"wrappedDataEncryptionKey\":\"AQID\",\"keyWrapMetadata\":"
                    + "{\"type\":\"custom\",\"name\":\"n\",\"value\":\"v\","
                    + "\"algorithm\":\"RSA-OAEP\"}}";

    /** The kinds of principals. */
    private enum Who {
        NOBODY,
        WRONG_KEY,
        MALFORMED_TOKEN,
        FORGED_TOKEN,
        EXPIRED_TOKEN,
        DELETED_PERMISSION,
        MASTER,
        SECONDARY,
        READ_ONLY,
        SECONDARY_READ_ONLY,
        CONTAINER_READ,
        CONTAINER_ALL,
        KEY_READ,
        KEY_ALL,
        OTHER_KEY_ALL,
        ITEM_READ,
        ITEM_ALL,
        PROCEDURE_READ,
        PROCEDURE_ALL,
        OTHER_CONTAINER_ALL,
        MISSING_CONTAINER_ALL
    }

    private static final Set<Who> STRANGERS =
            EnumSet.of(Who.NOBODY, Who.WRONG_KEY, Who.MALFORMED_TOKEN, Who.FORGED_TOKEN);
    private static final Set<Who> ENDED = EnumSet.of(Who.EXPIRED_TOKEN, Who.DELETED_PERMISSION);
    private static final Set<Who> KEYS = EnumSet.range(Who.MASTER, Who.SECONDARY_READ_ONLY);
    private static final Set<Who> READERS = EnumSet.of(Who.READ_ONLY, Who.SECONDARY_READ_ONLY);

    private static final Set<Who> NONE = EnumSet.noneOf(Who.class);
    private static final Set<Who> TOKENS =
            EnumSet.range(Who.CONTAINER_READ, Who.MISSING_CONTAINER_ALL);
    private static final Set<Who> IN_CONTAINER =
            EnumSet.range(Who.CONTAINER_READ, Who.PROCEDURE_ALL);
    private static final Set<Who> OF_CONTAINER = EnumSet.of(Who.CONTAINER_READ, Who.CONTAINER_ALL);
    private static final Set<Who> OF_CONTAINER_ALL = EnumSet.of(Who.CONTAINER_ALL);
    private static final Set<Who> OF_KEY =
            EnumSet.of(Who.CONTAINER_READ, Who.CONTAINER_ALL, Who.KEY_READ, Who.KEY_ALL);
    private static final Set<Who> OF_KEY_ALL = EnumSet.of(Who.CONTAINER_ALL, Who.KEY_ALL);
    private static final Set<Who> OF_OTHER_KEY =
            EnumSet.of(Who.CONTAINER_READ, Who.CONTAINER_ALL, Who.OTHER_KEY_ALL);
    private static final Set<Who> OF_OTHER_KEY_ALL =
            EnumSet.of(Who.CONTAINER_ALL, Who.OTHER_KEY_ALL);
    private static final Set<Who> OF_ITEM = with(OF_KEY, Who.ITEM_READ, Who.ITEM_ALL);
    private static final Set<Who> OF_ITEM_ALL = with(OF_KEY_ALL, Who.ITEM_ALL);
    private static final Set<Who> OF_PROCEDURE =
            with(OF_CONTAINER, Who.PROCEDURE_READ, Who.PROCEDURE_ALL);
    private static final Set<Who> OF_PROCEDURE_ALL = with(OF_CONTAINER_ALL, Who.PROCEDURE_ALL);

    private static Set<Who> with(Set<Who> some, Who... more) {
        Set<Who> all = EnumSet.copyOf(some);
        all.addAll(List.of(more));
        return all;
    }

    /**
     * A request and its rule.
     *
     * @param path with names in braces for what the engine chose
     * @param status of the answer to those who may
     * @param tokens those that may
     */
    private record Case(
            Class<? extends SqlRoute> route,
            String method,
            String path,
            String body,
            Map<String, String> headers,
            boolean changes,
            int status,
            Set<Who> tokens) {
        @Override
        public String toString() {
            return method + " " + path + " " + headers + " " + body;
        }

        Case with(String... more) {
            Map<String, String> all = new LinkedHashMap<>(headers);
            for (int i = 0; i < more.length; i += 2) {
                all.put(more[i], more[i + 1]);
            }
            return new Case(route, method, path, body, all, changes, status, tokens);
        }

        Case key(String key) {
            return with("x-ms-documentdb-partitionkey", key);
        }
    }

    private static Case read(Class<? extends SqlRoute> route, String path, Set<Who> tokens) {
        return new Case(route, "GET", path, "", Map.of(), false, 200, tokens);
    }

    private static Case query(Class<? extends SqlRoute> route, String path, Set<Who> tokens) {
        return new Case(
                route,
                "POST",
                path,
                "{\"query\":\"SELECT * FROM c\"}",
                Map.of(
                        "Content-Type",
                        "application/query+json",
                        "x-ms-documentdb-query-enablecrosspartition",
                        "true"),
                false,
                200,
                tokens);
    }

    private static Case change(
            Class<? extends SqlRoute> route,
            String method,
            String path,
            String body,
            int status,
            Set<Who> tokens) {
        return new Case(route, method, path, body, Map.of(), true, status, tokens);
    }

    private static Case batch(String body, boolean changes, boolean isAtomic, Set<Who> tokens) {
        return new Case(
                SqlRoute.Items.class,
                "POST",
                C + "/docs",
                body,
                Map.of(
                        "x-ms-cosmos-is-batch-request",
                        "true",
                        "x-ms-cosmos-batch-atomic",
                        Boolean.toString(isAtomic)),
                changes,
                200,
                tokens);
    }

    private static String item(String id, String key) {
        return "{\"id\":\"" + id + "\",\"pk\":\"" + key + "\"}";
    }

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        cases.add(read(SqlRoute.Account.class, "/", TOKENS));

        cases.add(read(SqlRoute.Databases.class, "/dbs", NONE));
        cases.add(query(SqlRoute.Databases.class, "/dbs", NONE));
        cases.add(change(SqlRoute.Databases.class, "POST", "/dbs", "{\"id\":\"n\"}", 201, NONE));
        cases.add(read(SqlRoute.Database.class, "/dbs/d", NONE));
        cases.add(read(SqlRoute.Database.class, "/dbs/{d}", NONE));
        cases.add(change(SqlRoute.Database.class, "DELETE", "/dbs/spare", "", 204, NONE));

        cases.add(read(SqlRoute.Containers.class, "/dbs/d/colls", NONE));
        cases.add(query(SqlRoute.Containers.class, "/dbs/d/colls", NONE));
        cases.add(
                change(
                        SqlRoute.Containers.class,
                        "POST",
                        "/dbs/d/colls",
                        CONTAINER.formatted("n"),
                        201,
                        NONE));
        cases.add(read(SqlRoute.Container.class, C, IN_CONTAINER));
        cases.add(read(SqlRoute.Container.class, "/dbs/{d}/colls/{c}", IN_CONTAINER));
        cases.add(
                read(SqlRoute.Container.class, C, OF_CONTAINER)
                        .with("x-ms-documentdb-populatequotainfo", "true"));
        cases.add(
                read(SqlRoute.Container.class, C, OF_CONTAINER)
                        .with("x-ms-documentdb-populatepartitionstatistics", "true"));
        cases.add(
                change(
                        SqlRoute.Container.class,
                        "PUT",
                        C,
                        "{\"id\":\"c\",\"defaultTtl\":1000,\"partitionKey\":{\"paths\":[\"/pk\"],"
                                + "\"version\":2},\"changeFeedPolicy\":{\"retentionDuration\":10}}",
                        200,
                        OF_CONTAINER_ALL));
        cases.add(change(SqlRoute.Container.class, "DELETE", C, "", 204, OF_CONTAINER_ALL));

        cases.addAll(items());
        cases.addAll(scripts());
        cases.addAll(besideContainers());

        cases.add(read(SqlRoute.PartitionRanges.class, C + "/pkranges", IN_CONTAINER));
        cases.add(
                read(SqlRoute.PartitionRanges.class, "/dbs/{d}/colls/{c}/pkranges", IN_CONTAINER));
        cases.add(read(SqlRoute.PartitionRange.class, C + "/pkranges/0", IN_CONTAINER));
        cases.add(read(SqlRoute.Conflicts.class, C + "/conflicts", IN_CONTAINER));
        cases.add(
                new Case(
                        SqlRoute.Conflict.class,
                        "GET",
                        C + "/conflicts/x",
                        "",
                        Map.of(),
                        false,
                        404,
                        IN_CONTAINER));

        cases.add(read(SqlRoute.Offers.class, "/offers", NONE));
        cases.add(query(SqlRoute.Offers.class, "/offers", NONE));
        cases.add(read(SqlRoute.Offer.class, "/offers/{offer}", NONE));
        cases.add(
                change(SqlRoute.Offer.class, "PUT", "/offers/{offer}", "{offer json}", 200, NONE));
        return cases;
    }

    private static List<Case> items() {
        Class<SqlRoute.Items> feed = SqlRoute.Items.class;
        Class<SqlRoute.Item> entity = SqlRoute.Item.class;
        String docs = C + "/docs";
        String byRid = "/dbs/{d}/colls/{c}/docs";
        List<Case> cases = new ArrayList<>();
        for (String path : List.of(docs, byRid)) {
            cases.add(read(feed, path, OF_CONTAINER));
            cases.add(read(feed, path, OF_KEY).key(A));
            cases.add(read(feed, path, OF_OTHER_KEY).key(B));
            cases.add(read(feed, path, OF_CONTAINER).with("A-IM", "Incremental feed"));
            cases.add(
                    read(feed, path, OF_CONTAINER)
                            .with(
                                    "A-IM",
                                    "Incremental feed",
                                    "x-ms-documentdb-partitionkeyrangeid",
                                    "0"));
            cases.add(read(feed, path, OF_KEY).key(A).with("A-IM", "Incremental feed"));
            cases.add(read(feed, path, OF_OTHER_KEY).key(B).with("A-IM", "Incremental feed"));
            cases.add(query(feed, path, OF_CONTAINER));
            cases.add(
                    query(feed, path, OF_CONTAINER)
                            .with("x-ms-documentdb-partitionkeyrangeid", "0"));
            cases.add(
                    query(feed, path, OF_CONTAINER)
                            .with("x-ms-start-epk", "", "x-ms-end-epk", "FF"));
            cases.add(query(feed, path, OF_KEY).key(A));
            cases.add(query(feed, path, OF_OTHER_KEY).key(B));
            cases.add(
                    query(feed, path, IN_CONTAINER)
                            .with("x-ms-cosmos-is-query-plan-request", "True"));
            cases.add(change(feed, "POST", path, item("n", "a"), 201, OF_KEY_ALL).key(A));
            cases.add(change(feed, "POST", path, item("n", "b"), 201, OF_OTHER_KEY_ALL).key(B));
            cases.add(change(feed, "POST", path, item("n", "a"), 201, OF_CONTAINER_ALL));
            cases.add(
                    change(feed, "POST", path, item("1", "a"), 200, OF_KEY_ALL)
                            .key(A)
                            .with("x-ms-documentdb-is-upsert", "true"));
        }
        Case versions =
                new Case(
                        feed,
                        "GET",
                        docs,
                        "",
                        Map.of("A-IM", "Full-Fidelity Feed", "If-None-Match", "*"),
                        false,
                        304,
                        OF_CONTAINER);
        cases.add(versions);
        cases.add(new Case(feed, "GET", docs, "", versions.headers(), false, 304, OF_KEY).key(A));

        String reads = "[{\"operationType\":\"Read\",\"id\":\"1\"%s}]";
        String writes =
                "[{\"operationType\":\"Create\",\"resourceBody\":" + item("n", "a") + "%s}]";
        String own = ",\"partitionKey\":\"[\\\"a\\\"]\"";
        cases.add(batch(reads.formatted(""), false, true, OF_KEY).key(A));
        cases.add(batch(writes.formatted(""), true, true, OF_KEY_ALL).key(A));
        cases.add(batch(reads.formatted(own), false, false, OF_KEY));
        cases.add(batch(writes.formatted(own), true, false, OF_KEY_ALL));

        for (String path : List.of(docs + "/1", byRid + "/{1}")) {
            cases.add(read(entity, path, OF_ITEM).key(A));
            cases.add(change(entity, "PUT", path, item("1", "a"), 200, OF_ITEM_ALL).key(A));
            cases.add(change(entity, "PUT", path, item("other", "a"), 200, OF_KEY_ALL).key(A));
            cases.add(
                    change(
                                    entity,
                                    "PATCH",
                                    path,
                                    "{\"operations\":[{\"op\":\"add\",\"path\":\"/x\",\"value\":1}]}",
                                    200,
                                    OF_ITEM_ALL)
                            .key(A));
            cases.add(change(entity, "DELETE", path, "", 204, OF_ITEM_ALL).key(A));
        }
        cases.add(
                change(entity, "PUT", docs + "/1", item("1", "a"), 200, OF_KEY_ALL)
                        .key(A)
                        .with("x-ms-documentdb-pre-trigger-include", "t"));
        cases.add(read(entity, docs + "/2", OF_OTHER_KEY).key(B));
        cases.add(read(entity, byRid + "/{2}", OF_OTHER_KEY).key(B));
        // Nothing is there: who may know that hears it, and nobody else learns it.
        cases.add(new Case(entity, "GET", docs + "/none", "", Map.of(), false, 404, OF_KEY).key(A));
        cases.add(new Case(entity, "GET", docs + "/2", "", Map.of(), false, 404, OF_KEY).key(A));
        cases.add(new Case(entity, "GET", byRid + "/{2}", "", Map.of(), false, 404, OF_KEY).key(A));
        cases.add(
                new Case(entity, "GET", "/dbs/d/colls/none/docs/1", "", Map.of(), false, 404, NONE)
                        .key(A));
        cases.add(
                new Case(entity, "GET", "/dbs/none/colls/c/docs/1", "", Map.of(), false, 404, NONE)
                        .key(A));
        cases.add(
                change(
                                SqlRoute.KeyDelete.class,
                                "POST",
                                C + "/operations/partitionkeydelete",
                                "",
                                200,
                                OF_KEY_ALL)
                        .key(A));
        cases.add(
                change(
                                SqlRoute.KeyDelete.class,
                                "POST",
                                C + "/operations/partitionkeydelete",
                                "",
                                200,
                                OF_OTHER_KEY_ALL)
                        .key(B));
        return cases;
    }

    private static List<Case> scripts() {
        Class<SqlRoute.Scripts> feed = SqlRoute.Scripts.class;
        Class<SqlRoute.Script> entity = SqlRoute.Script.class;
        List<Case> cases = new ArrayList<>();
        Map<String, String> bodies =
                Map.of("sprocs", PROCEDURE, "triggers", TRIGGER, "udfs", FUNCTION);
        bodies.forEach(
                (kind, body) -> {
                    String path = C + "/" + kind;
                    cases.add(read(feed, path, OF_CONTAINER));
                    cases.add(query(feed, path, OF_CONTAINER));
                    cases.add(
                            change(
                                    feed,
                                    "POST",
                                    path,
                                    body.replaceFirst("\"id\":\".\"", "\"id\":\"n\""),
                                    201,
                                    OF_CONTAINER_ALL));
                });
        for (String path : List.of(C + "/sprocs/p", "/dbs/{d}/colls/{c}/sprocs/{p}")) {
            cases.add(read(entity, path, OF_PROCEDURE));
            cases.add(change(entity, "PUT", path, PROCEDURE, 200, OF_PROCEDURE_ALL));
            cases.add(change(entity, "DELETE", path, "", 204, OF_PROCEDURE_ALL));
            cases.add(change(entity, "POST", path, "[]", 200, OF_KEY_ALL).key(A));
            cases.add(change(entity, "POST", path, "[]", 200, OF_OTHER_KEY_ALL).key(B));
        }
        cases.add(read(entity, C + "/triggers/t", OF_CONTAINER));
        cases.add(change(entity, "PUT", C + "/triggers/t", TRIGGER, 200, OF_CONTAINER_ALL));
        cases.add(change(entity, "DELETE", C + "/triggers/t", "", 204, OF_CONTAINER_ALL));
        cases.add(read(entity, C + "/udfs/f", OF_CONTAINER));
        cases.add(change(entity, "PUT", C + "/udfs/f", FUNCTION, 200, OF_CONTAINER_ALL));
        cases.add(change(entity, "DELETE", C + "/udfs/f", "", 204, OF_CONTAINER_ALL));
        cases.add(
                new Case(
                        entity, "GET", C + "/sprocs/none", "", Map.of(), false, 404, OF_CONTAINER));
        return cases;
    }

    /** What lies in a database is for holders of account keys, whatever it is. */
    private static List<Case> besideContainers() {
        String users = "/dbs/d/users";
        String permissions = users + "/u/permissions";
        String keys = "/dbs/d/clientencryptionkeys";
        List<Case> cases = new ArrayList<>();
        cases.add(read(SqlRoute.Users.class, users, NONE));
        cases.add(query(SqlRoute.Users.class, users, NONE));
        cases.add(change(SqlRoute.Users.class, "POST", users, "{\"id\":\"n\"}", 201, NONE));
        cases.add(read(SqlRoute.User.class, users + "/u", NONE));
        cases.add(change(SqlRoute.User.class, "PUT", users + "/u", "{\"id\":\"u\"}", 200, NONE));
        cases.add(change(SqlRoute.User.class, "DELETE", users + "/u", "", 204, NONE));
        // A permission comes with a token, so that to read one needs what to change one needs.
        cases.add(change(SqlRoute.Permissions.class, "GET", permissions, "", 200, NONE));
        cases.add(
                change(
                        SqlRoute.Permissions.class,
                        "POST",
                        permissions,
                        PERMISSION.formatted("n", "o"),
                        201,
                        NONE));
        String own = permissions + "/q";
        cases.add(change(SqlRoute.Permission.class, "GET", own, "", 200, NONE));
        cases.add(
                change(
                        SqlRoute.Permission.class,
                        "PUT",
                        own,
                        PERMISSION.formatted("q", "c"),
                        200,
                        NONE));
        cases.add(change(SqlRoute.Permission.class, "DELETE", own, "", 204, NONE));
        cases.add(read(SqlRoute.ClientEncryptionKeys.class, keys, NONE));
        cases.add(
                change(
                        SqlRoute.ClientEncryptionKeys.class,
                        "POST",
                        keys,
                        ENCRYPTION_KEY.formatted("{unique}"),
                        201,
                        NONE));
        cases.add(read(SqlRoute.ClientEncryptionKey.class, keys + "/k", NONE));
        cases.add(
                change(
                        SqlRoute.ClientEncryptionKey.class,
                        "PUT",
                        keys + "/k",
                        ENCRYPTION_KEY.formatted("k"),
                        200,
                        NONE));
        return cases;
    }

    @TempDir private static Path directory;
    private static AccessFixture fixture;
    private static final Map<String, String> VALUES = new HashMap<>();

    @BeforeAll
    static void open() {
        fixture = new AccessFixture(directory);
        restore();
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    /** Brings everything back that a request may have changed. */
    private static void restore() {
        TestClient master = fixture.master;
        master.call("DELETE", "/dbs/n", "");
        master.post("/dbs", "{\"id\":\"d\"}");
        master.post("/dbs", "{\"id\":\"spare\"}");
        master.call("DELETE", "/dbs/d/colls/n", "");
        for (String name : List.of("c", "o")) {
            String container = CONTAINER.formatted(name);
            if (master.post("/dbs/d/colls", container).status() == 409) {
                master.call("PUT", "/dbs/d/colls/" + name, container);
            }
        }
        for (String key : List.of("a", "b")) {
            for (String id : List.of("n", "other")) {
                master.call(
                        "DELETE",
                        C + "/docs/" + id,
                        "",
                        "x-ms-documentdb-partitionkey",
                        "[\"" + key + "\"]");
            }
        }
        upsert(C + "/docs", item("1", "a"));
        upsert(C + "/docs", item("2", "b"));
        for (String kind : List.of("sprocs", "triggers", "udfs")) {
            master.call("DELETE", C + "/" + kind + "/n", "");
        }
        upsert(C + "/sprocs", PROCEDURE);
        upsert(C + "/triggers", TRIGGER);
        upsert(C + "/udfs", FUNCTION);
        master.call("DELETE", "/dbs/d/users/n", "");
        upsert("/dbs/d/users", "{\"id\":\"u\"}");
        master.call("DELETE", "/dbs/d/users/u/permissions/n", "");
        upsert("/dbs/d/users/u/permissions", PERMISSION.formatted("q", "c"));
        master.post("/dbs/d/clientencryptionkeys", ENCRYPTION_KEY.formatted("k"));
        // These cannot be deleted.
        VALUES.merge("unique", "k", String::concat);
        Reply container = master.get(C);
        VALUES.put("d", master.get("/dbs/d").string("_rid"));
        VALUES.put("c", container.string("_rid"));
        VALUES.put("1", rid(C + "/docs/1", A));
        VALUES.put("2", rid(C + "/docs/2", B));
        VALUES.put("p", master.get(C + "/sprocs/p").string("_rid"));
        Reply offer =
                master.query(
                        "/offers",
                        "SELECT * FROM c WHERE c.offerResourceId = '" + VALUES.get("c") + "'");
        String json = offer.text().replaceFirst(".*\"Offers\":\\[", "").replaceFirst("\\].*", "");
        VALUES.put("offer json", json);
        VALUES.put("offer", json.replaceFirst(".*\"_rid\":\"", "").replaceFirst("\".*", ""));
    }

    private static String rid(String path, String key) {
        return fixture.master.get(path, "x-ms-documentdb-partitionkey", key).string("_rid");
    }

    private static void upsert(String path, String body) {
        assertThat(fixture.master.post(path, body, "x-ms-documentdb-is-upsert", "true").status())
                .as(path)
                .isIn(200, 201);
    }

    private static String filled(String text) {
        String filled = text;
        for (Map.Entry<String, String> value : VALUES.entrySet()) {
            filled = filled.replace("{" + value.getKey() + "}", value.getValue());
        }
        return filled;
    }

    private static Optional<String> authorization(Who who, Case request, String path) {
        String resource = C.substring(1);
        Optional<PartitionKey> none = Optional.empty();
        Optional<PartitionKey> a = Optional.of(PartitionKey.ofText("a"));
        Optional<PartitionKey> b = Optional.of(PartitionKey.ofText("b"));
        return switch (who) {
            case NOBODY -> Optional.empty();
            case WRONG_KEY ->
                    signed("d3JvbmcgLXNlY29uZG93bi1zZWNvbmRvd24tc2Vjb25kb3c=", request, path);
            case MALFORMED_TOKEN -> Optional.of("type=resource&ver=1.0&sig=abc;def;");
            case FORGED_TOKEN -> {
                String token = fixture.token(PermissionMode.ALL, resource, none);
                char last = token.charAt(token.length() - 2);
                yield Optional.of(
                        token.substring(0, token.length() - 2) + (last == 'A' ? 'E' : 'A') + ";");
            }
            case EXPIRED_TOKEN ->
                    Optional.of(
                            fixture.issue(
                                    fixture.grant(PermissionMode.ALL, resource, none),
                                    Duration.ZERO));
            case DELETED_PERMISSION -> {
                Permission permission = fixture.grant(PermissionMode.ALL, resource, none);
                String token = fixture.issue(permission, AccessFixture.HOUR);
                fixture.delete(permission);
                yield Optional.of(token);
            }
            case MASTER -> signed(AccountKeys.WELL_KNOWN_KEY, request, path);
            case SECONDARY -> signed(TestClient.SECOND, request, path);
            case READ_ONLY -> signed(TestClient.READ_ONLY, request, path);
            case SECONDARY_READ_ONLY -> signed(TestClient.READ_ONLY_2, request, path);
            case CONTAINER_READ -> token(PermissionMode.READ, resource, none);
            case CONTAINER_ALL -> token(PermissionMode.ALL, resource, none);
            case KEY_READ -> token(PermissionMode.READ, resource, a);
            case KEY_ALL -> token(PermissionMode.ALL, resource, a);
            case OTHER_KEY_ALL -> token(PermissionMode.ALL, resource, b);
            case ITEM_READ -> token(PermissionMode.READ, resource + "/docs/1", a);
            case ITEM_ALL -> token(PermissionMode.ALL, resource + "/docs/1", a);
            case PROCEDURE_READ -> token(PermissionMode.READ, resource + "/sprocs/p", none);
            case PROCEDURE_ALL -> token(PermissionMode.ALL, resource + "/sprocs/p", none);
            case OTHER_CONTAINER_ALL -> token(PermissionMode.ALL, "dbs/d/colls/o", none);
            case MISSING_CONTAINER_ALL -> token(PermissionMode.ALL, "dbs/d/colls/none", none);
        };
    }

    private static Optional<String> token(
            PermissionMode mode, String resource, Optional<PartitionKey> key) {
        return Optional.of(fixture.token(mode, resource, key));
    }

    private static Optional<String> signed(String key, Case request, String path) {
        return Optional.of(
                URLDecoder.decode(
                        TestClient.sign(
                                key,
                                request.method(),
                                // Deleting a key is a verb on the container, which clients sign.
                                path.replace("/operations/partitionkeydelete", ""),
                                TestClient.DATE),
                        StandardCharsets.UTF_8));
    }

    private static Reply send(Case request, Who who) {
        String path = filled(request.path());
        Map<String, String> headers = new LinkedHashMap<>(request.headers());
        headers.put("x-ms-date", TestClient.DATE);
        return fixture.call(
                authorization(who, request, path),
                request.method(),
                path,
                filled(request.body()),
                headers);
    }

    /** All that there is, as the holder of a key sees it. */
    private static String state() {
        return Stream.of(
                        "/dbs",
                        "/dbs/d/colls",
                        C + "/docs",
                        C + "/sprocs",
                        C + "/triggers",
                        C + "/udfs",
                        "/dbs/d/colls/o/docs",
                        "/dbs/d/users",
                        "/dbs/d/users/u/permissions",
                        "/dbs/d/clientencryptionkeys",
                        "/offers")
                .map(path -> fixture.master.get(path).text())
                // Each answer has a token of its own.
                .map(text -> text.replaceAll("\"_token\":\"[^\"]*\"", ""))
                .collect(Collectors.joining("\n"));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyPrincipalHearsWhatTheRuleSays(Case request) {
        String before = state();
        Map<Who, String> wrong = new LinkedHashMap<>();
        for (Who who : Who.values()) {
            if (!isAllowed(request, who)) {
                Reply reply = send(request, who);
                int expected = STRANGERS.contains(who) ? 401 : 403;
                if (!isRefused(reply, expected)) {
                    wrong.put(who, reply.status() + " " + reply.text());
                } else if (isTelling(reply, who)) {
                    wrong.put(who, "tells: " + reply.text());
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(state()).isEqualTo(before);
        for (Who who : Who.values()) {
            if (isAllowed(request, who)) {
                Reply reply = send(request, who);
                if (reply.status() != request.status()) {
                    wrong.put(who, reply.status() + " " + reply.text());
                }
                if (request.changes()) {
                    restore();
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static boolean isAllowed(Case request, Who who) {
        if (STRANGERS.contains(who) || ENDED.contains(who)) {
            return false;
        }
        return KEYS.contains(who)
                ? !request.changes() || !READERS.contains(who)
                : request.tokens().contains(who);
    }

    /** The operations of a bulk are refused one by one. */
    private static boolean isRefused(Reply reply, int expected) {
        return reply.status() == expected
                || (expected == 403
                        && reply.status() == 207
                        && reply.text().contains("\"statusCode\":403")
                        && !reply.text().contains("\"statusCode\":2"));
    }

    /** Holders of tokens hear the same about what exists and what does not. */
    private static boolean isTelling(Reply reply, Who who) {
        return TOKENS.contains(who)
                && reply.status() == 403
                && !reply.string("message").contains("Insufficient permissions provided");
    }

    @Test
    void everyRouteHasARule() {
        Set<String> known =
                cases().stream()
                        .map(request -> request.route().getSimpleName())
                        .collect(Collectors.toCollection(TreeSet::new));
        // This one answers everybody alike: that there is nothing behind it yet.
        known.add(SqlRoute.Replicas.class.getSimpleName());
        assertThat(known).isEqualTo(leaves(SqlRoute.class));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyRequestIsForItsRoute(Case request) {
        assertThat(SqlRoute.of(SqlPath.parse(filled(request.path()))).orElseThrow())
                .isInstanceOf(request.route());
    }

    private static Set<String> leaves(Class<?> type) {
        Set<String> leaves = new TreeSet<>();
        for (Class<?> permitted : type.getPermittedSubclasses()) {
            if (permitted.isInterface()) {
                leaves.addAll(leaves(permitted));
            } else {
                leaves.add(permitted.getSimpleName());
            }
        }
        return leaves;
    }
}
