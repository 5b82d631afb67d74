package orrery.junit;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** A test class's time with a server of the pool. */
final class Lease implements AutoCloseable {
    private final ServerPool pool;
    private final List<String> options;
    private final Orrery server;
    private final Set<String> tests = ConcurrentHashMap.newKeySet();

    Lease(ServerPool pool, List<String> options) {
        this.pool = pool;
        this.options = options;
        this.server = pool.take(options);
    }

    Orrery server() {
        return server;
    }

    /** Empties the server for a test, which must be alone with it until {@link #endTest}. */
    void beginTest(String test) {
        tests.add(test);
        if (tests.size() > 1) {
            throw new ExtensionConfigurationException(
                    "Two tests of one class run at the same time, and each empties the server that"
                            + " they share. Put @Execution(ExecutionMode.SAME_THREAD) on the class,"
                            + " or keep what is on the server between tests"
                            + " (OrreryExtension.builder().keepBetweenTests()).");
        }
        server.reset();
    }

    void endTest(String test) {
        tests.remove(test);
    }

    @Override
    public void close() {
        pool.giveBack(options, server);
    }
}
