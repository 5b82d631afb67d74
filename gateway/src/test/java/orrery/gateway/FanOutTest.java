package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

final class FanOutTest {
    private static final List<Integer> INPUTS = List.of(1, 2, 3);

    /** The parts hear of it too, and none is left when the caller does. */
    @Test
    void allPartsEndWhenTheRequestIsCancelled() throws InterruptedException {
        Cancellation cancellation = new Cancellation();
        CountDownLatch begun = new CountDownLatch(INPUTS.size());
        AtomicInteger running = new AtomicInteger();
        CompletableFuture<OrreryException> failure = new CompletableFuture<>();
        Thread caller =
                Thread.ofVirtual()
                        .start(
                                () ->
                                        failure.complete(
                                                catchThrowableOfType(
                                                        OrreryException.class,
                                                        () ->
                                                                cancellation.during(
                                                                        () ->
                                                                                fanOut(
                                                                                        begun,
                                                                                        running)))));
        begun.await();
        cancellation.cancel();
        caller.join();

        assertThat(failure.join().code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(running.get()).isZero();
    }

    private static boolean fanOut(CountDownLatch begun, AtomicInteger running) {
        FanOut.run(INPUTS, _ -> computed(begun, running), _ -> {});
        return true;
    }

    /** Computes until it is told to stop, and is deaf to interrupts as computing is. */
    private static boolean computed(CountDownLatch begun, AtomicInteger running) {
        running.incrementAndGet();
        begun.countDown();
        while (!Cancellation.current().isOver()) {
            LockSupport.parkNanos(1000); // there may be fewer carriers than parts
        }
        running.decrementAndGet();
        return true;
    }
}
