package orrery.frontend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.Value;
import orrery.frontend.mongo.MongoClient.Reply;
import orrery.gateway.EngineFixture;
import orrery.gateway.api.ContainerRef;

/**
 * Concurrent transactions, and reads and writes without one, over a collection that is split
 * meanwhile. Every write appends a number of its own to the list of a document. So the lists tell
 * the order of the writers, and each read tells which of them it has seen: the whole must be one
 * that could have happened one after the other.
 */
@Timeout(600)
final class TransactionHistoryTest {
    private static final int CLIENTS = 4;
    private static final int TURNS = 60;
    private static final int KEYS = 3;
    private static final int DOCUMENTS = 4;

    /** What one client has done at once: the lists that it saw before, and what it appended. */
    private static final class Work {
        private final Map<Integer, List<Long>> seen = new HashMap<>();
        private final Map<Integer, List<Long>> appended = new HashMap<>();
        private boolean isCommitted;

        void append(int document, long number) {
            appended.computeIfAbsent(document, _ -> new ArrayList<>()).add(number);
        }

        List<Long> expected(int document) {
            List<Long> list = new ArrayList<>(seen.getOrDefault(document, List.of()));
            list.addAll(appended.getOrDefault(document, List.of()));
            return list;
        }
    }

    private final Collection<Work> history = new ConcurrentLinkedQueue<>();
    private final AtomicInteger numbers = new AtomicInteger();

    /** One client, with a session and a node of its own. */
    private final class Client {
        private final MongoClient connection;
        private final Random random;
        private final String lsid;
        private int transaction;
        private String fields = "";

        Client(EngineFixture fixture, int number) {
            this.connection = MongoClient.ofAnybody(fixture, false);
            this.random = new Random(number);
            this.lsid =
                    "'lsid':{'id':{'$binary':{'base64':'AAAAAAAAAAAAAAAAAAAA"
                            + (char) ('A' + number)
                            + "A==','subType':'04'}}}";
        }

        void run() {
            for (int turn = 0; turn < TURNS; turn++) {
                switch (random.nextInt(4)) {
                    case 0 -> look();
                    case 1 -> write();
                    default -> transact();
                }
            }
        }

        private Reply send(String command) {
            return connection.call(command.substring(0, command.length() - 1) + fields + "}");
        }

        private Reply end(String command) {
            String last = fields;
            fields = "";
            return connection.call("admin", "{'" + command + "':1" + last + "}");
        }

        private Map<Integer, List<Long>> read(int key) {
            Map<Integer, List<Long>> lists = new LinkedHashMap<>();
            Reply reply = send("{'find':'c','filter':{'k':" + key + ",'g':1}}");
            if (!reply.isOk()) {
                return lists;
            }
            for (Value row : ((Value.Array) reply.at("cursor.firstBatch")).elements()) {
                Map<String, Value> document = ((Value.Obj) row).properties();
                List<Long> list =
                        ((Value.Array) document.getOrDefault("list", Value.Null.NULL))
                                .elements().stream()
                                        .map(element -> ((Value.Int) element).value())
                                        .toList();
                lists.put(
                        (int) ((Value.Int) document.getOrDefault("_id", Value.Null.NULL)).value(),
                        list);
            }
            return lists;
        }

        /** A read of one page is of one moment. */
        private void look() {
            Work work = new Work();
            work.seen.putAll(read(random.nextInt(KEYS)));
            work.isCommitted = true;
            history.add(work);
        }

        private void write() {
            int key = random.nextInt(KEYS);
            int document = key * DOCUMENTS + random.nextInt(DOCUMENTS);
            long number = numbers.incrementAndGet();
            Reply reply = push(key, "'_id':" + document, number, false);
            Work work = new Work();
            work.append(document, number);
            work.isCommitted = reply.isOk() && reply.number("nModified") == 1;
            history.add(work);
        }

        private Reply push(int key, String condition, long number, boolean isMany) {
            return send(
                    "{'update':'c','updates':[{'q':{'k':"
                            + key
                            + ","
                            + condition
                            + "},'u':{'$push':{'list':"
                            + number
                            + "}},'multi':"
                            + isMany
                            + "}]}");
        }

        private void transact() {
            Work work = new Work();
            int key = random.nextInt(KEYS);
            transaction++;
            String later = ",'txnNumber':{'$numberLong':'" + transaction + "'},'autocommit':false,";
            fields = later + lsid + ",'startTransaction':true";
            work.seen.putAll(read(key));
            fields = later + lsid;
            boolean isOpen = work.seen.size() == DOCUMENTS;
            for (int i = random.nextInt(3); isOpen && i >= 0; i--) {
                boolean isMany = random.nextInt(4) == 0;
                int document = key * DOCUMENTS + random.nextInt(DOCUMENTS);
                long number = numbers.incrementAndGet();
                isOpen = push(key, isMany ? "'g':1" : "'_id':" + document, number, isMany).isOk();
                IntStream.range(key * DOCUMENTS, (key + 1) * DOCUMENTS)
                        .filter(each -> isMany || each == document)
                        .forEach(each -> work.append(each, number));
                Map<Integer, List<Long>> now = isOpen ? read(key) : Map.of();
                isOpen = now.size() == DOCUMENTS;
                now.forEach((each, list) -> assertThat(list).isEqualTo(work.expected(each)));
            }
            if (isOpen && random.nextInt(5) > 0) {
                Reply reply = end("commitTransaction");
                work.isCommitted = reply.isOk();
                assertThat(reply.isOk() || reply.number("code") == 112)
                        .as(reply.document().toString())
                        .isTrue();
            } else if (isOpen) {
                assertThat(end("abortTransaction").isOk()).isTrue();
            }
            fields = "";
            history.add(work);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatHappensCouldHaveHappenedOneAfterTheOther(boolean isSharded, @TempDir Path directory)
            throws Exception {
        EngineFixture fixture = new EngineFixture(directory).withNewestLevel();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Client first = new Client(fixture, CLIENTS);
            if (isSharded) {
                first.send(
                        "{'customAction':'CreateCollection','collection':'c','shardKey':'k',"
                                + "'offerThroughput':400}");
            }
            first.send("{'create':'c'}");
            first.send("{'createIndexes':'c','indexes':[{'key':{'g':1},'name':'g_1'}]}");
            for (int id = 0; id < KEYS * DOCUMENTS; id++) {
                first.send(
                        "{'insert':'c','documents':[{'_id':"
                                + id
                                + ",'k':"
                                + id / DOCUMENTS
                                + ",'g':1,'list':[]}]}");
            }
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Client client = new Client(fixture, i);
                running.add(threads.submit(client::run));
            }
            if (isSharded) {
                ContainerRef container = ContainerRef.Addressed.byName("d", "c");
                for (int split = 0; split < 2; split++) {
                    var map =
                            fixture.engine
                                    .operations()
                                    .splitPartition(
                                            EngineFixture.context(), container, split == 0 ? 0 : 1);
                    assertThat(map.partitions()).hasSize(split + 2);
                }
            }
            for (Future<?> each : running) {
                each.get();
            }
            Map<Integer, List<Long>> last = new HashMap<>();
            for (int key = 0; key < KEYS; key++) {
                last.putAll(first.read(key));
            }
            check(last);
        } finally {
            fixture.close();
        }
    }

    /** A number in the list of a document. */
    private record Written(int document, long number) {}

    private static Work writer(Map<Written, Work> writers, int document, long number) {
        return Objects.requireNonNull(writers.get(new Written(document, number)));
    }

    private static List<Long> list(Map<Integer, List<Long>> last, int document) {
        return last.getOrDefault(document, List.of());
    }

    private void check(Map<Integer, List<Long>> last) {
        assertThat(last).hasSize(KEYS * DOCUMENTS);
        Map<Written, Work> writers = new HashMap<>();
        int written = 0;
        for (Work work : history) {
            for (Map.Entry<Integer, List<Long>> each : work.appended.entrySet()) {
                for (long number : each.getValue()) {
                    assertThat(list(last, each.getKey()).contains(number))
                            .as("number %s of a write that says %s", number, work.isCommitted)
                            .isEqualTo(work.isCommitted);
                    writers.put(new Written(each.getKey(), number), work);
                    written += work.isCommitted ? 1 : 0;
                }
            }
        }
        assertThat(last.values().stream().mapToInt(List::size).sum()).isEqualTo(written);
        assertThat(written).isPositive();
        Map<Work, Set<Work>> before = new HashMap<>();
        last.forEach(
                (document, list) -> {
                    for (int i = 1; i < list.size(); i++) {
                        precedes(
                                before,
                                writer(writers, document, list.get(i - 1)),
                                writer(writers, document, list.get(i)));
                    }
                });
        for (Work work : history) {
            work.seen.forEach(
                    (document, list) -> {
                        List<Long> whole = list(last, document);
                        assertThat(whole.subList(0, Math.min(list.size(), whole.size())))
                                .isEqualTo(list);
                        if (!work.isCommitted) {
                            return;
                        }
                        if (!list.isEmpty()) {
                            precedes(before, writer(writers, document, list.getLast()), work);
                        }
                        if (list.size() < whole.size()) {
                            precedes(
                                    before,
                                    work,
                                    writer(writers, document, whole.get(list.size())));
                        }
                    });
        }
        assertThat(hasCycle(before)).isFalse();
    }

    private static void precedes(Map<Work, Set<Work>> before, Work earlier, Work later) {
        if (earlier != later) {
            before.computeIfAbsent(later, _ -> new HashSet<>()).add(earlier);
        }
    }

    /**
     * Takes away what nothing precedes, until nothing is left or all that is left is in a circle.
     */
    private static boolean hasCycle(Map<Work, Set<Work>> before) {
        Map<Work, Integer> waiting = new HashMap<>();
        Map<Work, List<Work>> after = new HashMap<>();
        before.forEach(
                (later, all) -> {
                    waiting.merge(later, all.size(), Integer::sum);
                    for (Work earlier : all) {
                        waiting.merge(earlier, 0, Integer::sum);
                        after.computeIfAbsent(earlier, _ -> new ArrayList<>()).add(later);
                    }
                });
        Deque<Work> free = new ArrayDeque<>();
        waiting.forEach(
                (work, count) -> {
                    if (count == 0) {
                        free.add(work);
                    }
                });
        int taken = 0;
        while (!free.isEmpty()) {
            Work work = free.poll();
            taken++;
            for (Work later : after.getOrDefault(work, List.of())) {
                if (waiting.merge(later, -1, Integer::sum) == 0) {
                    free.add(later);
                }
            }
        }
        return taken < waiting.size();
    }
}
