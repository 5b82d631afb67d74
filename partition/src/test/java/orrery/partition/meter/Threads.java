package orrery.partition.meter;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs the same in many threads that start together, for a bounded time. */
final class Threads {
    private static final int PATIENCE_SECONDS = 600;

    private Threads() {}

    interface Work {
        void run() throws Exception;
    }

    static void run(int threads, Work work)
            throws InterruptedException, ExecutionException, TimeoutException {
        try (var executor = Executors.newFixedThreadPool(threads)) {
            CyclicBarrier start = new CyclicBarrier(threads);
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(
                        executor.submit(
                                () -> {
                                    start.await();
                                    work.run();
                                    return null;
                                }));
            }
            try {
                for (Future<?> each : running) {
                    each.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                }
            } finally {
                executor.shutdownNow();
            }
        }
    }
}
