package orrery.server;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Opens a part of the server on a thread of its own while the rest goes on: a start has two cores.
 */
final class Alongside<T extends Alongside.Part> implements AutoCloseable {
    /** A resource that can be opened this way: it closes without a checked exception. */
    interface Part extends AutoCloseable {
        @Override
        void close();
    }

    private final FutureTask<T> task;

    private Alongside(FutureTask<T> task) {
        this.task = task;
    }

    static <T extends Part> Alongside<T> start(String name, Callable<T> open) {
        FutureTask<T> task = new FutureTask<>(open);
        Thread.ofPlatform().name("open-" + name).daemon(true).start(task);
        return new Alongside<>(task);
    }

    /** Waits for the part; what it failed with is thrown here. */
    T get() {
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("a part of the server could not open", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException("The start was interrupted.", e);
        }
    }

    @Override
    public void close() {
        try {
            task.get().close();
        } catch (ExecutionException neverOpened) {
            // Every caller that waited for the part has seen the failure; there is nothing to
            // close.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
