package orrery.server.startup;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Ends this process, and all that it has started, when another process ends. */
public final class SharedEnd {
    private static final Duration LOOK = Duration.ofMillis(100);

    private SharedEnd() {}

    public static void with(long pid) {
        // One that is gone already has ended, too.
        CompletableFuture<?> end =
                ProcessHandle.of(pid)
                        .<CompletableFuture<?>>map(ProcessHandle::onExit)
                        .orElseGet(() -> CompletableFuture.completedFuture(0));
        var _ = end.thenRun(SharedEnd::now);
    }

    /**
     * A JVM in training takes seconds to end, in which it writes down what it has learnt and starts
     * another one. So it is killed. Where there is no shell to do that, it ends what it starts for
     * as long as it lives.
     */
    private static void now() {
        endChildren();
        kill();
        Thread.ofPlatform()
                .daemon()
                .name("end-children")
                .start(
                        () -> {
                            while (true) {
                                endChildren();
                                LockSupport.parkNanos(LOOK.toNanos());
                            }
                        });
        Runtime.getRuntime().halt(1);
    }

    private static void kill() {
        try {
            new ProcessBuilder("/bin/sh", "-c", "kill -KILL " + ProcessHandle.current().pid())
                    .start()
                    .waitFor();
        } catch (IOException noShell) {
            // There is another way, which takes longer.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void endChildren() {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    }
}
