package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestScope;

/** Does one thing for each of many, several at a time. */
final class FanOut {
    /** More at once would only wait for each other: for processors, and for the disk. */
    private static final int AT_ONCE = 16;

    private FanOut() {}

    /**
     * Hands the outcomes to a consumer in the order of the inputs, each as soon as it is its turn.
     * Returns when all work has ended; throws the first failure in that order.
     */
    static <T, R> void run(List<T> inputs, Function<T, R> work, Consumer<R> outcome) {
        if (inputs.size() == 1) {
            outcome.accept(work.apply(inputs.getFirst()));
            return;
        }
        Semaphore turns = new Semaphore(AT_ONCE);
        RequestScope scope = RequestScope.current();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<R>> pending = new ArrayList<>();
            for (T input : inputs) {
                pending.add(
                        threads.submit(
                                () -> {
                                    turns.acquire();
                                    try {
                                        return scope.during(() -> work.apply(input));
                                    } finally {
                                        turns.release();
                                    }
                                }));
            }
            try {
                for (Future<R> each : pending) {
                    outcome.accept(get(scope.cancellation(), each));
                }
            } finally {
                // The caller no longer waits for these tasks, so they need not finish.
                pending.forEach(each -> each.cancel(true));
            }
        }
    }

    private static <R> R get(Cancellation cancellation, Future<R> future) {
        try {
            return cancellation.waiting(future::get);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof OrreryException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
