package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.frontend.sql.TestClient.Reply;
import orrery.gateway.EngineFixture;
import orrery.gateway.api.ContainerRef;
import orrery.model.PartitionKey;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PermissionMode;

/**
 * Many tenants share a container, each with a token for its own key, and all of them work at once
 * while partitions split. None sees or changes a byte of another.
 */
final class TenantsTest {
    private static final String DOCS = "/dbs/d/colls/c/docs";
    private static final int TENANTS = 8;
    private static final int STEPS = 120;
    private static final Pattern SECRET = Pattern.compile("secret-of-(\\d+)");

    /** Returns all that a script can see. */
    private static final String READ_ALL =
            "{\"id\":\"all\",\"body\":\"function all() { var c = getContext().getCollection();"
                    + " c.queryDocuments(c.getSelfLink(), 'SELECT * FROM c', {pageSize: 1000},"
                    + " function (e, docs) { if (e) throw e;"
                    + " getContext().getResponse().setBody(docs); }); }\"}";

    @TempDir private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {400, 50_000})
    void noTenantSeesOrChangesAByteOfAnother(int throughput) throws Exception {
        long seed = Long.getLong("seed", ThreadLocalRandom.current().nextLong());
        try (AccessFixture fixture = new AccessFixture(directory);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            ContainerRef c = fixture.engine.container("c", throughput, "/pk");
            fixture.master.post("/dbs/d/colls/c/sprocs", READ_ALL);
            List<Tenant> tenants = new ArrayList<>();
            List<Future<?>> work = new ArrayList<>();
            for (int i = 0; i < TENANTS; i++) {
                Tenant tenant = new Tenant(fixture, i, new Random(seed + i));
                tenants.add(tenant);
                work.add(threads.submit(tenant::work));
            }
            split(fixture, c);
            for (Future<?> each : work) {
                each.get();
            }
            for (Tenant tenant : tenants) {
                assertThat(tenant.stored()).isEqualTo(tenant.model);
            }
        } catch (ExecutionException failure) {
            throw new AssertionError("with -Dseed=" + seed, failure.getCause());
        }
    }

    /** Splits each partition of the first map once, while the tenants work. */
    private static void split(AccessFixture fixture, ContainerRef c) {
        PartitionMap map =
                fixture.engine.engine.resources().readPartitionMap(EngineFixture.context(), c);
        map.partitions()
                .forEach(
                        partition ->
                                fixture.engine
                                        .engine
                                        .operations()
                                        .splitPartition(
                                                EngineFixture.context(), c, partition.range()));
    }

    /** One tenant, and what it knows to have stored. */
    private static final class Tenant {
        private final AccessFixture fixture;
        private final int number;
        private final Random random;
        private final String token;
        private final Map<String, String> model = new TreeMap<>();

        Tenant(AccessFixture fixture, int number, Random random) {
            this.fixture = fixture;
            this.number = number;
            this.random = random;
            this.token =
                    fixture.token(
                            PermissionMode.ALL,
                            "dbs/d/colls/c",
                            Optional.of(PartitionKey.ofText(name(number))));
        }

        private static String name(int tenant) {
            return "tenant-" + tenant;
        }

        private static String key(int tenant) {
            return "[\"" + name(tenant) + "\"]";
        }

        void work() {
            for (int i = 0; i < STEPS; i++) {
                step();
            }
            assertThat(read(key(number))).isEqualTo(model);
        }

        private void step() {
            String id = "i" + random.nextInt(5);
            switch (random.nextInt(14)) {
                case 0, 1, 2 -> upsert(id);
                case 3 -> {
                    int status = send("DELETE", DOCS + "/" + id, "", own()).status();
                    assertThat(status).isEqualTo(model.remove(id) == null ? 404 : 204);
                }
                case 4 -> {
                    Reply reply = send("GET", DOCS + "/" + id, "", own());
                    assertThat(reply.status()).isEqualTo(model.containsKey(id) ? 200 : 404);
                    assertThat(reply.string("v")).isEqualTo(model.getOrDefault(id, ""));
                }
                case 5 -> assertThat(read(key(number))).isEqualTo(model);
                case 6 -> assertThat(values(query(own()))).hasSize(model.size());
                case 7 -> {
                    Reply all = send("POST", "/dbs/d/colls/c/sprocs/all", "[]", own());
                    assertThat(all.status()).isEqualTo(200);
                    assertThat(values(all)).hasSize(model.size());
                }
                case 8 -> {
                    Map<String, String> headers = own();
                    headers.put("A-IM", "Incremental feed");
                    assertThat(send("GET", DOCS, "", headers).status()).isIn(200, 304);
                }
                case 9 -> batch(id);
                default -> trespass(id);
            }
        }

        private void upsert(String id) {
            String value = value();
            Map<String, String> headers = own();
            headers.put("x-ms-documentdb-is-upsert", "true");
            assertThat(send("POST", DOCS, item(id, number, value), headers).status())
                    .isIn(200, 201);
            model.put(id, value);
        }

        private void batch(String id) {
            String value = value();
            Map<String, String> headers = own();
            headers.put("x-ms-cosmos-is-batch-request", "true");
            headers.put("x-ms-cosmos-batch-atomic", "true");
            Reply reply =
                    send(
                            "POST",
                            DOCS,
                            "[{\"operationType\":\"Upsert\",\"resourceBody\":"
                                    + item(id, number, value)
                                    + "},{\"operationType\":\"Read\",\"id\":\""
                                    + id
                                    + "\"}]",
                            headers);
            assertThat(reply.status()).isEqualTo(200);
            model.put(id, value);
        }

        /** Tries to get at what another tenant has, in one of many ways. */
        private void trespass(String id) {
            int other = (number + 1 + random.nextInt(TENANTS - 1)) % TENANTS;
            Map<String, String> foreign = header(key(other));
            Map<String, String> ranged = new TreeMap<>();
            ranged.put("x-ms-documentdb-partitionkeyrangeid", "0");
            Reply reply =
                    switch (random.nextInt(10)) {
                        case 0 -> send("GET", DOCS + "/" + id, "", foreign);
                        case 1 -> send("POST", DOCS, item(id, other, value()), foreign);
                        case 2 -> send("DELETE", DOCS + "/" + id, "", foreign);
                        case 3 -> send("GET", DOCS, "", foreign);
                        case 4 -> query(random.nextBoolean() ? foreign : new TreeMap<>());
                        case 5 -> send("POST", "/dbs/d/colls/c/sprocs/all", "[]", foreign);
                        case 6 -> {
                            Map<String, String> headers =
                                    random.nextBoolean() ? foreign : new TreeMap<>();
                            headers.put("A-IM", "Incremental feed");
                            yield send("GET", DOCS, "", headers);
                        }
                        case 7 ->
                                send(
                                        "POST",
                                        "/dbs/d/colls/c/operations/partitionkeydelete",
                                        "",
                                        foreign);
                        case 8 -> query(header("[]"));
                        default -> mixed(id, other);
                    };
            assertThat(reply.status()).isIn(403, 207);
            // A range may be gone by now, which is all that a request for it may learn.
            assertThat(query(ranged).status()).isIn(403, 410);
            // A key that is named and one in the body: the engine compares them.
            assertThat(send("POST", DOCS, item(id, other, value()), own()).status()).isEqualTo(400);
        }

        private Reply mixed(String id, int other) {
            Map<String, String> headers = new TreeMap<>();
            headers.put("x-ms-cosmos-is-batch-request", "true");
            headers.put("x-ms-cosmos-batch-continue-on-error", "true");
            String foreign = ",\"partitionKey\":\"[\\\"" + name(other) + "\\\"]\"}";
            Reply reply =
                    send(
                            "POST",
                            DOCS,
                            "[{\"operationType\":\"Upsert\",\"resourceBody\":"
                                    + item(id, other, value())
                                    + foreign
                                    + ",{\"operationType\":\"Read\",\"id\":\""
                                    + id
                                    + "\""
                                    + foreign
                                    + "]",
                            headers);
            assertThat(reply.status()).isEqualTo(207);
            assertThat(reply.text()).doesNotContain("\"statusCode\":2");
            return reply;
        }

        private String value() {
            return "secret-of-" + number + "-" + random.nextInt(1000);
        }

        private static String item(String id, int tenant, String value) {
            return "{\"id\":\""
                    + id
                    + "\",\"pk\":\""
                    + name(tenant)
                    + "\",\"v\":\""
                    + value
                    + "\"}";
        }

        private Map<String, String> own() {
            return header(key(number));
        }

        private static Map<String, String> header(String key) {
            Map<String, String> headers = new TreeMap<>();
            headers.put("x-ms-documentdb-partitionkey", key);
            return headers;
        }

        private Reply query(Map<String, String> headers) {
            Map<String, String> all = new TreeMap<>(headers);
            all.put("Content-Type", "application/query+json");
            all.put("x-ms-documentdb-query-enablecrosspartition", "true");
            return send("POST", DOCS, "{\"query\":\"SELECT * FROM c\"}", all);
        }

        private Map<String, String> read(String key) {
            Reply feed = send("GET", DOCS, "", header(key));
            assertThat(feed.status()).isEqualTo(200);
            return items(feed);
        }

        private static Map<String, String> items(Reply feed) {
            Map<String, String> items = new TreeMap<>();
            Matcher each =
                    Pattern.compile("\"id\":\"(i\\d)\",\"pk\":\"[^\"]*\",\"v\":\"([^\"]*)\"")
                            .matcher(feed.text());
            while (each.find()) {
                items.put(each.group(1), each.group(2));
            }
            return items;
        }

        private static List<String> values(Reply reply) {
            assertThat(reply.status()).isEqualTo(200);
            return SECRET.matcher(reply.text()).results().map(found -> found.group()).toList();
        }

        /** The items of the tenant, as the owner of the account sees them. */
        Map<String, String> stored() {
            return items(fixture.master.get(DOCS, "x-ms-documentdb-partitionkey", key(number)));
        }

        /** Sends a request; whatever the answer is, it holds no secret of another tenant. */
        private Reply send(String method, String path, String body, Map<String, String> headers) {
            Reply reply = fixture.call(Optional.of(token), method, path, body, headers);
            String text = reply.text();
            Matcher secret = SECRET.matcher(text);
            while (secret.find()) {
                assertThat(secret.group(1)).as(text).isEqualTo(Integer.toString(number));
            }
            return reply;
        }
    }
}
