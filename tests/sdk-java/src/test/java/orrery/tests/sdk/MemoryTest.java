package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server with a heap of half a gigabyte, and two hundred clients at once that each ask for more
 * than a two-hundredth of it. Nobody may end the server, nor keep others from small reads.
 */
@Tag("client")
@Timeout(900)
final class MemoryTest {
    private static final int CLIENTS = 200;

    /**
     * The answers that an attacker may get; any other is a fault of the server. A page of groups or
     * a script that came to no end in its time is refused with 400, 403 or 408.
     */
    private static final Set<Integer> ANSWERS = Set.of(200, 201, 400, 403, 408, 429, 503);

    private static final Set<Integer> RETRIABLE = Set.of(429, 503);

    private static final Rest.Target ITEMS = Rest.Target.items("d", "c");
    private static final Rest.Target OTHER = Rest.Target.items("d", "other");
    private static final Rest.Target SCRIPTS =
            new Rest.Target("dbs/d/colls/c/sprocs", "sprocs", "dbs/d/colls/c");
    private static final Rest.Target SCRIPT =
            new Rest.Target("dbs/d/colls/c/sprocs/eat", "sprocs", "dbs/d/colls/c/sprocs/eat");

    private static final Pattern RESERVED =
            Pattern.compile("(?m)^orrery_memory_reserved_bytes (\\S+)$");

    private static final Pattern KEPT = Pattern.compile("(?m)^orrery_memory_kept_bytes (\\S+)$");

    /** One of many requests of a kind. */
    private record Ask(
            String method, Rest.Target target, Map<String, String> headers, String body) {}

    @Test
    void twoHundredOfEachKindLeaveTheServerAlive() {
        attack(150);
    }

    @Test
    @Tag("long")
    void twoHundredOfEachKindOnMoreDataLeaveTheServerAlive() {
        for (int round = 0; round < 3; round++) {
            attack(1500);
        }
    }

    private static void attack(int items) {
        try (RunningServer server = RunningServer.startWith("-Xmx512m", "--no-throttling");
                Rest rest = new Rest("http://localhost:" + server.port(), server.key())) {
            load(rest, items);
            Map<String, IntFunction<Ask>> kinds = kinds();
            for (String kind : kinds.keySet()) {
                Map<Integer, Integer> answers = sendAll(server, rest, kinds.get(kind));
                assertThat(ANSWERS).as("%s: %s", kind, answers).containsAll(answers.keySet());
                assertUnharmed(server, rest, kind);
                if (!kind.equals("scripts")) {
                    int alone = answer(rest, kinds.get(kind).apply(0));
                    assertThat(alone).as("one of %s alone", kind).isIn(200, 201);
                }
            }
            readSlowly(server, rest);
            assertUnharmed(server, rest, "slow readers");
        }
    }

    private static Map<String, IntFunction<Ask>> kinds() {
        Map<String, IntFunction<Ask>> kinds = new LinkedHashMap<>();
        kinds.put("sorts", _ -> query("SELECT * FROM c WHERE c.n >= 0 ORDER BY c.pk"));
        kinds.put("groups", _ -> query("SELECT c.big, COUNT(1) AS k FROM c GROUP BY c.big"));
        kinds.put("distinct", _ -> query("SELECT DISTINCT VALUE c.big FROM c"));
        kinds.put(
                "joins", _ -> query("SELECT a, b, c.big FROM c JOIN a IN c.list JOIN b IN c.list"));
        kinds.put(
                "subqueries",
                _ ->
                        query(
                                "SELECT ARRAY(SELECT a, b FROM a IN c.list JOIN b IN c.list) AS x FROM c"));
        kinds.put("pages", _ -> query("SELECT * FROM c"));
        kinds.put(
                "changes",
                _ ->
                        new Ask(
                                "GET",
                                ITEMS,
                                Map.of("A-IM", "Incremental Feed", "x-ms-max-item-count", "1000"),
                                ""));
        // Few different ones, so that the disk and this process have little to do.
        String numbers = "\"list\":[" + "[1,2],".repeat(300_000) + "0]";
        List<Ask> bodies = IntStream.range(0, 4).mapToObj(i -> upsert(OTHER, i, numbers)).toList();
        kinds.put("bodies", i -> bodies.get(i % 4));
        List<Ask> batches = IntStream.range(4, 8).mapToObj(MemoryTest::batch).toList();
        kinds.put("batches", i -> batches.get(i % 4));
        kinds.put(
                "scripts",
                _ ->
                        new Ask(
                                "POST",
                                SCRIPT,
                                Map.of("x-ms-documentdb-partitionkey", key("p1")),
                                "[]"));
        return kinds;
    }

    private static String key(String value) {
        return "[\"" + value + "\"]";
    }

    private static Ask query(String text) {
        return new Ask(
                "POST",
                ITEMS,
                Map.of(
                        "x-ms-documentdb-isquery",
                        "True",
                        "Content-Type",
                        "application/query+json",
                        "x-ms-documentdb-query-enablecrosspartition",
                        "True",
                        "x-ms-max-item-count",
                        "1000"),
                "{\"query\":\"" + text + "\",\"parameters\":[]}");
    }

    private static Ask upsert(Rest.Target items, int number, String members) {
        String key = "p" + number % 16;
        return new Ask(
                "POST",
                items,
                Map.of(
                        "x-ms-documentdb-partitionkey",
                        key(key),
                        "x-ms-documentdb-is-upsert",
                        "True"),
                "{\"id\":\"i" + number + "\",\"pk\":\"" + key + "\"," + members + "}");
    }

    /** A hundred items of 18 KB. */
    private static Ask batch(int number) {
        String key = "p" + number;
        String list = "1,".repeat(9000) + "2";
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            lines.append(i == 0 ? "[" : ",")
                    .append("{\"operationType\":\"Upsert\",\"resourceBody\":{\"id\":\"" + i)
                    .append("\",\"pk\":\"" + key + "\",\"list\":[" + list + "]}}");
        }
        return new Ask(
                "POST",
                OTHER,
                Map.of(
                        "x-ms-documentdb-partitionkey",
                        key(key),
                        "x-ms-cosmos-is-batch-request",
                        "True",
                        "x-ms-cosmos-batch-atomic",
                        "True"),
                lines.append("]").toString());
    }

    private static void load(Rest rest, int items) {
        create(rest, new Ask("POST", Rest.Target.databases(), Map.of(), "{\"id\":\"d\"}"));
        for (String container : List.of("c", "other")) {
            create(rest, container(container));
        }
        String list =
                String.join(",", IntStream.range(0, 200).mapToObj(i -> "" + i * 7919).toList());
        for (int i = 0; i < items; i++) {
            String big = i + "x".repeat(12_000);
            create(
                    rest,
                    upsert(
                            ITEMS,
                            i,
                            "\"n\":" + i + ",\"big\":\"" + big + "\",\"list\":[" + list + "]"));
        }
        create(
                rest,
                new Ask(
                        "POST",
                        SCRIPTS,
                        Map.of(),
                        "{\"id\":\"eat\",\"body\":\"function () { var all = []; while (true) {"
                                + " all.push({ a: all.length, b: [1, 2] }); } }\"}"));
    }

    /** Creates a container of five partitions, so that answers are merged. */
    private static Ask container(String id) {
        return new Ask(
                "POST",
                Rest.Target.containers("d"),
                Map.of("x-ms-offer-throughput", "50000"),
                "{\"id\":\""
                        + id
                        + "\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\"},"
                        + "\"indexingPolicy\":{\"includedPaths\":[{\"path\":\"/*\"}],"
                        + "\"excludedPaths\":[{\"path\":\"/big/?\"},{\"path\":\"/list/*\"}]}}");
    }

    private static void create(Rest rest, Ask ask) {
        assertThat(answer(rest, ask)).isEqualTo(201);
    }

    private static int answer(Rest rest, Ask ask) {
        try {
            return rest.status(ask.method(), ask.target(), ask.headers(), ask.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All at once, and one who reads a small item again and again. */
    private static Map<Integer, Integer> sendAll(
            RunningServer server, Rest rest, IntFunction<Ask> asks) {
        AtomicBoolean isOver = new AtomicBoolean();
        Map<Integer, Integer> answers = new TreeMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> sent = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int number = i;
                sent.add(threads.submit(() -> refusedOr(rest, asks.apply(number))));
            }
            Future<Map<Integer, Integer>> reads = threads.submit(() -> readUntil(rest, isOver));
            try {
                for (Future<Integer> each : sent) {
                    answers.merge(each.get(), 1, Integer::sum);
                }
            } finally {
                isOver.set(true);
            }
            Map<Integer, Integer> read = reads.get();
            assertThat(Set.of(200, 429, 503)).containsAll(read.keySet());
            assertThat(read.getOrDefault(200, 0))
                    .as("small reads meanwhile: %s", read)
                    .isPositive();
        } catch (ExecutionException e) {
            throw new AssertionError(server.output(), e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return answers;
    }

    /** A client that is refused while it sends may hear of it only that the connection ends. */
    private static int refusedOr(Rest rest, Ask ask) {
        try {
            return rest.status(ask.method(), ask.target(), ask.headers(), ask.body());
        } catch (IOException cut) {
            return 503;
        }
    }

    private static int readSmall(Rest rest) {
        return answer(
                rest,
                new Ask(
                        "GET",
                        Rest.Target.item("d", "c", "i1"),
                        Map.of("x-ms-documentdb-partitionkey", key("p1")),
                        ""));
    }

    /** At least once. */
    private static Map<Integer, Integer> readUntil(Rest rest, AtomicBoolean isOver) {
        Map<Integer, Integer> answers = new HashMap<>();
        do {
            answers.merge(readSmall(rest), 1, Integer::sum);
        } while (!isOver.get() || !answers.containsKey(200));
        return answers;
    }

    private static void assertUnharmed(RunningServer server, Rest rest, String kind) {
        assertThat(server.isRunning()).as("after %s:\n%s", kind, server.output()).isTrue();
        int status = readSmall(rest);
        while (RETRIABLE.contains(status)) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            status = readSmall(rest);
        }
        assertThat(status).as("a read after %s", kind).isEqualTo(200);
        Instant limit = Instant.now().plus(Duration.ofMinutes(2));
        while (heldByRequests(server) != 0) {
            assertThat(Instant.now()).as("what %s held is given back", kind).isBefore(limit);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /** What is kept for later pages goes after a minute, for which no test waits. */
    private static double heldByRequests(RunningServer server) {
        String page = server.status("/metrics").body();
        return metric(page, RESERVED) - metric(page, KEPT);
    }

    private static double metric(String page, Pattern name) {
        Matcher metric = name.matcher(page);
        assertThat(metric.find()).isTrue();
        return Double.parseDouble(metric.group(1));
    }

    /** Clients that ask for large pages, take nothing, and go. */
    private static void readSlowly(RunningServer server, Rest rest) {
        Ask page = query("SELECT * FROM c");
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                Socket socket = new Socket();
                sockets.add(socket);
                socket.setReceiveBufferSize(4096);
                socket.connect(new InetSocketAddress("localhost", server.port()));
                socket.getOutputStream()
                        .write(
                                rest.text(page.method(), page.target(), page.headers(), page.body())
                                        .getBytes(StandardCharsets.UTF_8));
            }
            for (Socket socket : sockets) {
                // One byte: each has been answered, or refused.
                assertThat(socket.getInputStream().read()).isEqualTo('H');
            }
            assertThat(readUntil(rest, new AtomicBoolean(true))).containsKey(200);
        } catch (IOException e) {
            throw new UncheckedIOException(server.output(), e);
        } finally {
            sockets.forEach(MemoryTest::close);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
