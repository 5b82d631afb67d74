package orrery.server.client;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for a server that cannot say when it is ready, or that said for how long. */
public final class Pause {
    private Pause() {}

    public static void millis(long millis) {
        try {
            boolean never = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
            assert !never;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClientException("Interrupted; the server goes on with what it began.", e);
        }
    }
}
