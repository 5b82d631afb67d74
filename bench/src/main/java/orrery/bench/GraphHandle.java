package orrery.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import orrery.bench.graph.GremlinAnswer;
import orrery.bench.graph.GremlinCaller;
import orrery.bench.load.SqlMessages;
import orrery.model.security.AccountKeys;

/** A server that speaks Gremlin, and as many connections to it as there are clients. */
final class GraphHandle implements AutoCloseable {
    /** Clients of a graph: traversals are longer than requests of other measurements. */
    static final int CLIENTS = 8;

    /** The container of Orrery's graph. */
    static final String GRAPH = "people";

    private final String name;
    private final ProcessHandle process;
    private final List<GremlinCaller> callers = new ArrayList<>();
    private final BlockingQueue<GremlinCaller> idle = new ArrayBlockingQueue<>(CLIENTS);

    private GraphHandle(String name, ProcessHandle process, int port) throws IOException {
        this.name = name;
        this.process = process;
        String user = "/dbs/" + SqlMessages.DATABASE + "/colls/" + GRAPH;
        try {
            for (int i = 0; i < CLIENTS; i++) {
                callers.add(new GremlinCaller(port, user, AccountKeys.WELL_KNOWN_KEY));
            }
        } catch (IOException e) {
            close();
            throw e;
        }
        idle.addAll(callers);
    }

    static GraphHandle of(BenchServer server) throws IOException {
        return new GraphHandle("Orrery", server.handle(), server.gremlinPort());
    }

    static GraphHandle of(GremlinPeer peer) throws IOException {
        return new GraphHandle("TinkerGraph", peer.handle(), peer.port());
    }

    String name() {
        return name;
    }

    ProcessHandle process() {
        return process;
    }

    private interface Request<T> {
        T send(GremlinCaller caller) throws IOException;
    }

    GremlinAnswer call(String script, String bindings) {
        return with(caller -> caller.call(script, bindings));
    }

    /** Returns an answer of one message as it came. */
    String callForText(String script, String bindings) {
        return with(caller -> caller.callForText(script, bindings));
    }

    private <T> T with(Request<T> request) {
        GremlinCaller caller = idle.remove();
        try {
            return request.send(caller);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " does not answer", e);
        } finally {
            idle.add(caller);
        }
    }

    @Override
    public void close() {
        callers.forEach(GremlinCaller::close);
    }
}
