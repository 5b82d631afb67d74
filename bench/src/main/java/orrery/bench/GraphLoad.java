package orrery.bench;

import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import orrery.bench.graph.SocialGraph;
import orrery.bench.load.Reply;
import orrery.bench.load.SqlCaller;
import orrery.bench.load.SqlMessages;

/** Puts a graph into both servers, each by the way that is the fastest for it. */
final class GraphLoad {
    private static final int ITEMS_IN_BULK = 100;
    private static final int ROWS_IN_SCRIPT = 1000;
    private static final int BULKS_AT_ONCE = 16;

    private static final String ADD_VERTICES =
            "rows.each { g.addV('person').property(T.id, it.id).property('pk', it.pk)"
                    + ".property('name', it.name).property('team', it.team).iterate() }; null";

    private static final String ADD_EDGES =
            "rows.each { g.V(it.out).addE('follows').to(__.V(it.into)).property(T.id, it.id)"
                    + ".property('since', it.since).iterate() }; null";

    private GraphLoad() {}

    // ---- Orrery: bulks of items in the form that the Gremlin API stores

    /** Returns seconds. Edges are on disk when a bulk is answered. */
    static double bulks(SocialGraph graph, BenchServer server) throws Exception {
        long start = System.nanoTime();
        inBulks(graph.people(), GraphLoad::vertexItem, server);
        inBulks(graph.edges(), edge -> edgeItem(graph, edge), server);
        return seconds(start);
    }

    private static void inBulks(int count, IntFunction<String> operation, BenchServer server)
            throws Exception {
        AtomicInteger next = new AtomicInteger();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread[] threads = new Thread[BULKS_AT_ONCE];
        for (int i = 0; i < threads.length; i++) {
            threads[i] =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try (SqlCaller caller = server.caller()) {
                                            sendBulks(count, operation, next, caller);
                                        } catch (IOException | RuntimeException e) {
                                            failure.compareAndSet(null, e);
                                        }
                                    });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new IllegalStateException("a bulk failed", failure.get());
        }
    }

    private static void sendBulks(
            int count, IntFunction<String> operation, AtomicInteger next, SqlCaller caller)
            throws IOException {
        while (true) {
            int first = next.getAndAdd(ITEMS_IN_BULK);
            if (first >= count) {
                return;
            }
            String operations = array(first, Math.min(first + ITEMS_IN_BULK, count), operation);
            Reply reply = caller.call(SqlMessages.bulk(GraphHandle.GRAPH, operations));
            if (reply.status() != 200) {
                throw new IOException("a bulk was answered with " + reply);
            }
        }
    }

    private static String vertexItem(int person) {
        return operation(
                SocialGraph.city(person),
                "\"id\":\""
                        + SocialGraph.id(person)
                        + "\",\"label\":\"person\",\"name\":"
                        + values('"' + SocialGraph.name(person) + '"')
                        + ",\"team\":"
                        + values(Integer.toString(SocialGraph.team(person))));
    }

    private static String values(String value) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return "[{\"_value\":"
                + value
                + ",\"id\":\""
                + new UUID(random.nextLong(), random.nextLong())
                + "\"}]";
    }

    private static String edgeItem(SocialGraph graph, int edge) {
        int source = graph.source(edge);
        int sink = graph.sink(edge);
        return operation(
                SocialGraph.city(source),
                "\"id\":\""
                        + SocialGraph.edgeId(edge)
                        + "\",\"label\":\"follows\",\"_isEdge\":true,\"_vertexId\":\""
                        + SocialGraph.id(source)
                        + "\",\"_vertexLabel\":\"person\",\"_sink\":\""
                        + SocialGraph.id(sink)
                        + "\",\"_sinkLabel\":\"person\",\"_sinkPartition\":\""
                        + SocialGraph.city(sink)
                        + "\",\"since\":"
                        + SocialGraph.since(edge));
    }

    private static String operation(String city, String properties) {
        return "{\"operationType\":\"Create\",\"minimalReturnPreference\":true,\"partitionKey\":"
                + "\"[\\\""
                + city
                + "\\\"]\",\"resourceBody\":{\"pk\":\""
                + city
                + "\","
                + properties
                + "}}";
    }

    // ---- the peer: scripts that add one row after the other

    /** Returns seconds. A TinkerGraph is written by one thread at a time. */
    static double scripts(SocialGraph graph, GraphHandle peer) {
        long start = System.nanoTime();
        inScripts(graph.people(), ADD_VERTICES, GraphLoad::vertexRow, peer);
        inScripts(graph.edges(), ADD_EDGES, edge -> edgeRow(graph, edge), peer);
        return seconds(start);
    }

    private static void inScripts(
            int count, String script, IntFunction<String> row, GraphHandle peer) {
        for (int first = 0; first < count; first += ROWS_IN_SCRIPT) {
            int end = Math.min(first + ROWS_IN_SCRIPT, count);
            peer.call(script, "{\"rows\":" + array(first, end, row) + "}");
        }
    }

    private static String vertexRow(int person) {
        return "{\"id\":\""
                + SocialGraph.id(person)
                + "\",\"pk\":\""
                + SocialGraph.city(person)
                + "\",\"name\":\""
                + SocialGraph.name(person)
                + "\",\"team\":"
                + SocialGraph.team(person)
                + "}";
    }

    private static String edgeRow(SocialGraph graph, int edge) {
        return "{\"id\":\""
                + SocialGraph.edgeId(edge)
                + "\",\"out\":\""
                + SocialGraph.id(graph.source(edge))
                + "\",\"into\":\""
                + SocialGraph.id(graph.sink(edge))
                + "\",\"since\":"
                + SocialGraph.since(edge)
                + "}";
    }

    private static String array(int first, int end, IntFunction<String> element) {
        return IntStream.range(first, end)
                .mapToObj(element)
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
