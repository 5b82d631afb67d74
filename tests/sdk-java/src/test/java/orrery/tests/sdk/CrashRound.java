package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writers at work on a server that is killed under them. Each writes on a thread of its own, one
 * request at a time, so after the kill at most one request of each is in doubt.
 */
final class CrashRound {
    private static final int WAIT_SECONDS = 600;

    private final RunningServer server;
    private final String description;
    private final CosmosClient client;
    private final List<Thread> threads = new ArrayList<>();
    private final Semaphore acknowledged = new Semaphore(0);
    private final Queue<RuntimeException> unexpected = new ConcurrentLinkedQueue<>();
    private volatile boolean killing;
    private volatile boolean stopped;

    /**
     * @param description of the round and its seed, for failure messages
     */
    CrashRound(RunningServer server, String description) {
        this.server = server;
        this.description = description;
        this.client = Cosmos.newClient(server);
    }

    CosmosClient client() {
        return client;
    }

    /** Repeats a write until the kill; each time it returns counts as acknowledged. */
    void repeat(Consumer<CosmosClient> write) {
        once(
                () -> {
                    while (!stopped) {
                        write.accept(client);
                        acknowledged.release();
                    }
                });
    }

    /** Does something beside the writers that the kill may cut off. */
    void once(Runnable work) {
        threads.add(
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        work.run();
                                    } catch (RuntimeException failure) {
                                        explain(failure);
                                    }
                                }));
    }

    /** Waits for so many more writes. */
    void await(int writes) throws InterruptedException {
        boolean enough = acknowledged.tryAcquire(writes, WAIT_SECONDS, TimeUnit.SECONDS);
        assertExplained();
        assertThat(enough)
                .as("%s: the writers got on; the server said:\n%s", description, server.output())
                .isTrue();
    }

    /**
     * Kills the server and checks what is on its disk: index, changes and counters against a
     * recount of the items. Returns what the check found.
     */
    String kill() throws InterruptedException {
        killing = true;
        server.kill();
        return examine();
    }

    /** Stops the server under its load as an orchestrator does; checks its disk as well. */
    int stop() throws InterruptedException {
        killing = true;
        int exitCode = server.stop();
        examine();
        return exitCode;
    }

    private String examine() throws InterruptedException {
        // Nobody may go on against the restarted server: what it finds is what the kill left.
        stopped = true;
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            thread.join();
        }
        client.close();
        assertExplained();
        Distribution.Output check = Distribution.run("check", "--data", server.data().toString());
        assertThat(check.exitCode()).as("%s\n%s", description, check.all()).isZero();
        return check.out();
    }

    /**
     * A request may fail because the server was killed, but not because it was answered wrongly.
     */
    private void explain(RuntimeException failure) {
        boolean answered =
                failure instanceof CosmosException cosmos
                        && cosmos.getStatusCode() >= 400
                        && cosmos.getStatusCode() < 500
                        && cosmos.getStatusCode() != 408
                        && cosmos.getStatusCode() != 410;
        if (answered || !killing) {
            unexpected.add(failure);
        }
    }

    private void assertExplained() {
        assertThat(unexpected)
                .as("%s: failures that the kill does not explain", description)
                .isEmpty();
    }
}
