package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionId;

/** Those who wait for changes of partitions. */
@Timeout(300)
final class HeadWatchTest {
    private static final PartitionId ONE = new PartitionId(7, 1);
    private static final PartitionId OTHER = new PartitionId(7, 2);
    private static final Duration LONG = Duration.ofHours(1);

    private final HeadWatch watch = new HeadWatch();

    @Test
    void whatHasHappenedIsNotWaitedFor() {
        watch.await(ONE, () -> true, LONG);
        assertThat(watch.waiting(ONE)).isZero();
    }

    @Test
    void theEndOfTheTimeEndsTheWait() {
        watch.await(ONE, () -> false, Duration.ofMillis(1));
        assertThat(watch.waiting(ONE)).isZero();
    }

    /** A change that is not the one looks like none: the condition decides. */
    @Test
    void aChangeOfThePartitionEndsTheWait() {
        AtomicBoolean hasHappened = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<Void> wait =
                    CompletableFuture.runAsync(
                            () -> watch.await(ONE, hasHappened::get, LONG), threads);
            awaitWaiting();
            watch.changed(OTHER);
            watch.changed(ONE);
            awaitWaiting();
            assertThat(wait).isNotDone();

            hasHappened.set(true);
            watch.changed(ONE);
            wait.join();
        }
        assertThat(watch.waiting(ONE)).isZero();
    }

    @Test
    void whoIsCancelledDoesNotWait() {
        Cancellation request = new Cancellation();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<ErrorCode> wait =
                    CompletableFuture.supplyAsync(
                            () ->
                                    catchThrowableOfType(
                                                    OrreryException.class,
                                                    () ->
                                                            request.during(
                                                                    () -> {
                                                                        watch.await(
                                                                                ONE,
                                                                                () -> false,
                                                                                LONG);
                                                                        return ONE;
                                                                    }))
                                            .code(),
                            threads);
            awaitWaiting();
            request.cancel();

            assertThat(wait.join()).isEqualTo(ErrorCode.TIMEOUT);
        }
        assertThat(watch.waiting(ONE)).isZero();
    }

    private void awaitWaiting() {
        while (watch.waiting(ONE) == 0) {
            Thread.onSpinWait();
        }
    }
}
