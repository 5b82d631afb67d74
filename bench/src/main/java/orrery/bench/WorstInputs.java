package orrery.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import orrery.bench.load.Reply;
import orrery.bench.load.SampleItem;
import orrery.bench.load.SqlCaller;
import orrery.bench.load.SqlMessages;
import orrery.model.Bytes;

/**
 * Requests that cost a server most for the least that a client sends. They go to containers of the
 * neighbour, which may spend much.
 */
final class WorstInputs {
    private static final int RU_PER_SECOND = 10_000;
    private static final String SCANNED = "scanned";
    private static final String BATCHES = "batches";
    private static final String REINDEXED = "reindexed";
    private static final String GREEDY = "greedy";
    private static final String LOOP = "loop";

    /** Almost every filter has to look at every item. */
    private static final String NUMBERS_INDEXED =
            "{\"indexingMode\":\"consistent\",\"automatic\":true,\"includedPaths\":[{\"path\":"
                    + "\"/n/?\"}],\"excludedPaths\":[{\"path\":\"/*\"}]}";

    /** A page of 4 MB, and some more. */
    private static final int SCANNED_ITEMS = 2_500;

    private static final int REINDEXED_ITEMS = 2_000;
    private static final int LIST_LENGTH = 100;
    private static final int FILL_CHARS = 1_400;

    private static final int QUERY_TERMS = 48_000;
    private static final int BATCH_OPERATIONS = 100;

    /** A batch may have 2 MB. */
    private static final int BATCH_LIST_LENGTH = 3_000;

    private static final int UNFINISHED_BODY_BYTES = 1 << 20;

    /** A neighbour that is refused soon comes again, but does nothing else than that. */
    private static final long PAUSE_MILLIS = 5;

    /** With 16 connections ten times its budget, as reads of an item cost one request unit. */
    private static final int GREEDY_RU_PER_SECOND = 400;

    private static final int GREEDY_CONNECTIONS = 16;
    private static final long GREEDY_PAUSE_MILLIS = 4;

    private static final long RETRY_MILLIS = 20;

    private WorstInputs() {}

    /** Makes what the neighbours need. */
    static void prepare(SqlCaller caller, boolean isQuick)
            throws IOException, InterruptedException {
        container(caller, SCANNED, NUMBERS_INDEXED, RU_PER_SECOND);
        for (int i = 0; i < (isQuick ? SCANNED_ITEMS / 10 : SCANNED_ITEMS); i++) {
            String id = SampleItem.id(i);
            create(caller, SqlMessages.createItem(SCANNED, id, item(id, i)));
        }
        container(caller, REINDEXED, BenchServer.FULL_INDEX, RU_PER_SECOND);
        for (int i = 0; i < (isQuick ? REINDEXED_ITEMS / 10 : REINDEXED_ITEMS); i++) {
            create(caller, SqlMessages.createItem(REINDEXED, i));
        }
        container(caller, BATCHES, BenchServer.FULL_INDEX, RU_PER_SECOND);
        container(caller, GREEDY, BenchServer.FULL_INDEX, GREEDY_RU_PER_SECOND);
        create(caller, SqlMessages.createItem(GREEDY, 0));
        caller.expect(
                201, SqlMessages.createProcedure(SCANNED, LOOP, "function () { for (;;) { } }"));
    }

    private static void container(SqlCaller caller, String name, String indexing, int requestUnits)
            throws IOException {
        caller.expect(201, SqlMessages.createContainer(name, indexing, requestUnits));
    }

    /** The neighbour has a budget too. */
    private static void create(SqlCaller caller, byte[] message)
            throws IOException, InterruptedException {
        Reply reply = caller.call(message);
        while (reply.status() == 429) {
            Thread.sleep(RETRY_MILLIS);
            reply = caller.call(message);
        }
        if (reply.status() != 201) {
            throw new IOException("an item was answered with " + reply);
        }
    }

    private static String item(String id, int number) {
        // Backwards, so that the order of keys is no help to a sort.
        return "{\"id\":\"%s\",\"pk\":\"%s\",\"n\":%d,\"text\":\"%s\",\"list\":%s}"
                .formatted(
                        id,
                        id,
                        SCANNED_ITEMS - number,
                        "x".repeat(FILL_CHARS),
                        numbers(LIST_LENGTH, 0));
    }

    private static String numbers(int count, long first) {
        return IntStream.range(0, count)
                .mapToObj(i -> Long.toString(first + i))
                .collect(Collectors.joining(",", "[", "]"));
    }

    /** Returns the neighbours that are not tenants like any other. */
    static List<Neighbour> neighbours(boolean isQuick) {
        int scale = isQuick ? 10 : 1;
        AtomicLong count = new AtomicLong();
        List<Neighbour> all = new ArrayList<>();
        all.add(query("a long query", 4, () -> longQuery(count.incrementAndGet())));
        all.add(
                query(
                        "a regular expression",
                        4,
                        () ->
                                "SELECT VALUE COUNT(1) FROM c WHERE RegexMatch(c.text,"
                                        + " '^(x+x+)+y$')"));
        all.add(
                query(
                        "a cross join",
                        4,
                        () ->
                                "SELECT VALUE COUNT(1) FROM c JOIN x IN c.list JOIN y IN c.list"
                                        + " JOIN z IN c.list"));
        all.add(query("sorts without index", 8, () -> sort(count.incrementAndGet())));
        all.add(
                new RequestFlood(
                        "a script that loops",
                        8,
                        PAUSE_MILLIS,
                        () -> SqlMessages.execute(SCANNED, LOOP, "k")));
        all.add(
                new RequestFlood(
                        "huge batches",
                        4,
                        PAUSE_MILLIS,
                        () ->
                                SqlMessages.batch(
                                        BATCHES, "k", batch(isQuick, count.incrementAndGet()))));
        all.add(new SlowReaders("slow readers", 64, () -> SqlMessages.readItems(SCANNED)));
        all.add(new StaleConnections("idle connections", 4_000 / scale, Bytes.EMPTY));
        all.add(new StaleConnections("unfinished bodies", 200 / scale, unfinished()));
        all.add(
                new RequestFlood(
                        "changes of an index policy",
                        1,
                        PAUSE_MILLIS,
                        () ->
                                SqlMessages.replaceContainer(
                                        REINDEXED,
                                        count.incrementAndGet() % 2 == 0
                                                ? BenchServer.FULL_INDEX
                                                : NUMBERS_INDEXED)));
        return all;
    }

    /** A tenant who asks for ten times what he pays for. */
    static Neighbour greedyTenant() {
        return new RequestFlood(
                "a greedy tenant",
                GREEDY_CONNECTIONS,
                GREEDY_PAUSE_MILLIS,
                () -> SqlMessages.readItem(GREEDY, 0));
    }

    private static Neighbour query(String name, int connections, Text text) {
        return new RequestFlood(
                name, connections, PAUSE_MILLIS, () -> SqlMessages.query(SCANNED, text.next()));
    }

    /** The text of the next query. */
    private interface Text {
        String next();
    }

    /** Another one each time, so that none has been parsed before. */
    private static String longQuery(long number) {
        return "SELECT VALUE 1 FROM c WHERE c.n=-" + number + " OR c.n".repeat(QUERY_TERMS - 1);
    }

    /**
     * By what no index has, which may be refused, and by an index where no other finds the items.
     */
    private static String sort(long number) {
        return number % 2 == 0
                ? "SELECT * FROM c ORDER BY c.text"
                : "SELECT * FROM c WHERE c.list[0] = -1 ORDER BY c.n";
    }

    private static String batch(boolean isQuick, long number) {
        int operations = isQuick ? BATCH_OPERATIONS / 10 : BATCH_OPERATIONS;
        return IntStream.range(0, operations)
                .mapToObj(
                        i ->
                                "{\"operationType\":\"Upsert\",\"resourceBody\":{\"id\":\"%d\","
                                                .formatted(i)
                                        + "\"pk\":\"k\",\"list\":"
                                        + numbers(BATCH_LIST_LENGTH, 10_000 + number)
                                        + "}}")
                .collect(Collectors.joining(",", "[", "]"));
    }

    /** The head of a request, and the first half of its body. */
    private static Bytes unfinished() {
        byte[] head = SqlMessages.unsignedCreate(SCANNED, UNFINISHED_BODY_BYTES);
        byte[] message = new byte[head.length + UNFINISHED_BODY_BYTES / 2];
        System.arraycopy(head, 0, message, 0, head.length);
        return Bytes.wrap(message);
    }
}
