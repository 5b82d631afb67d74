package orrery.gateway;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;

/** Waits for several things at once, each on a thread of its own, until one of them has come. */
final class FirstOf {
    private FirstOf() {}

    /**
     * Returns when the first of the waits has ended; the others are cancelled. Throws what the
     * first one threw, and TIMEOUT if nobody waits for the caller any more.
     *
     * @param patience the longest of the waits; they end by themselves
     */
    static void await(List<Runnable> waits, Duration patience) {
        Cancellation ours = new Cancellation();
        MemoryAccount account = MemoryAccount.current();
        CountDownLatch one = new CountDownLatch(1);
        AtomicReference<RuntimeException> failure = new AtomicReference<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                for (Runnable wait : waits) {
                    threads.execute(
                            () -> {
                                try {
                                    account.during(() -> ours.during(() -> ended(wait)));
                                } catch (RuntimeException failed) {
                                    failure.compareAndSet(null, failed);
                                } finally {
                                    one.countDown();
                                }
                            });
                }
                boolean hasCome =
                        Cancellation.current()
                                .waiting(() -> one.await(patience.toNanos(), TimeUnit.NANOSECONDS));
                if (hasCome && failure.get() != null) {
                    throw failure.get();
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new OrreryException(
                        ErrorCode.UNAVAILABLE, "The server is stopping.", stopped);
            } finally {
                ours.cancel();
            }
        }
    }

    private static boolean ended(Runnable wait) {
        wait.run();
        return true;
    }
}
