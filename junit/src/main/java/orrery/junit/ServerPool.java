package orrery.junit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The servers of this JVM. Test classes that run one after the other share one; those that run at
 * the same time, or want other options, have one each. All are closed when the last test is over.
 */
final class ServerPool implements AutoCloseable {
    private final Map<List<String>, Deque<Orrery>> idle = new HashMap<>();
    private final List<Orrery> all = new ArrayList<>();

    /** Returns a server that nobody else has, as it is after a start. */
    Orrery take(List<String> options) {
        Optional<Orrery> known = idle(options);
        known.ifPresent(Orrery::reset);
        return known.orElseGet(() -> started(options));
    }

    private synchronized Optional<Orrery> idle(List<String> options) {
        return Optional.ofNullable(idle.get(options)).map(Deque::poll);
    }

    private Orrery started(List<String> options) {
        Orrery server = Orrery.start(options.toArray(String[]::new));
        synchronized (this) {
            all.add(server);
        }
        return server;
    }

    synchronized void giveBack(List<String> options, Orrery server) {
        // A test may have closed it.
        if (!server.isClosed()) {
            idle.computeIfAbsent(options, _ -> new ArrayDeque<>()).push(server);
        }
    }

    @Override
    public synchronized void close() {
        all.forEach(Orrery::close);
    }
}
