package orrery.model.sharing;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestScope;

/**
 * Work of a request that waits for a thread of another kind, has one, or is done. The request's own
 * thread waits for it.
 */
public final class QueuedWork<T> {
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final RequestScope scope = RequestScope.current();

    /** Returns the scope of the request, for the thread that does the work. */
    public RequestScope scope() {
        return scope;
    }

    public void complete(T value) {
        result.complete(value);
    }

    /** The thread that waits throws it. */
    public void fail(Throwable failure) {
        result.completeExceptionally(failure);
    }

    /**
     * Waits for a thread, no longer than the given time, and then for the result. Work that has
     * begun is waited for in any case: it holds what the request has to give back, and looks itself
     * whether it should go on.
     *
     * @param withdraw takes the work out of its queue; false if it is not there any more
     * @param tooLate the failure of work that did not begin in time
     * @throws OrreryException that of the work, or TIMEOUT if the request was over before it began
     */
    public T await(Duration wait, BooleanSupplier withdraw, Supplier<OrreryException> tooLate) {
        try {
            if (!begunInTime(wait, withdraw)) {
                scope.cancellation().check();
                throw tooLate.get();
            }
            return result.get();
        } catch (ExecutionException failed) {
            throw cause(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.", stopped);
        }
    }

    private boolean begunInTime(Duration wait, BooleanSupplier withdraw)
            throws InterruptedException {
        try {
            return scope.cancellation()
                            .waiting(() -> hasEndedWithin(scope.cancellation().bounded(wait)))
                    || !withdraw.getAsBoolean();
        } catch (OrreryException cancelled) {
            if (withdraw.getAsBoolean()) {
                throw cancelled;
            }
            return true;
        }
    }

    private boolean hasEndedWithin(Duration wait) throws InterruptedException {
        try {
            result.get(wait.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException failed) {
            return true;
        } catch (TimeoutException late) {
            return false;
        }
    }

    private static RuntimeException cause(ExecutionException failed) {
        return failed.getCause() instanceof RuntimeException known
                ? known
                : new IllegalStateException(failed.getCause());
    }
}
