package orrery.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

final class CancellationTest {
    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void workThatNobodyCallsOffGoesOn() {
        assertThat(Cancellation.current()).isSameAs(Cancellation.NEVER);
        assertThat(Cancellation.NEVER.isOver()).isFalse();
        assertThatIllegalStateException().isThrownBy(Cancellation.NEVER::cancel);
    }

    @Test
    void itIsKnownWhereTheWorkIsDone() {
        Cancellation cancellation = new Cancellation();

        assertThat(cancellation.during(Cancellation::current)).isSameAs(cancellation);
        assertThat(cancellation.during(RequestScope::current).during(Cancellation::current))
                .isSameAs(cancellation);
    }

    @Test
    void theBoundsOfOneThatIsCancelledAreOver() {
        Cancellation cancellation = new Cancellation();
        Cancellation bounded = cancellation.within(LONG).within(LONG);
        bounded.check();

        cancellation.cancel();
        cancellation.cancel();

        assertThat(bounded.isOver()).isTrue();
        OrreryException failure = catchThrowableOfType(OrreryException.class, bounded::check);
        assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(failure.text()).contains("client left");
        assertThatIllegalStateException().isThrownBy(bounded::cancel);
    }

    @Test
    void theEarlierEndCounts() {
        Cancellation over = Cancellation.NEVER.within(Duration.ZERO);

        assertThat(over.isOver()).isTrue();
        assertThat(over.within(LONG).isOver()).isTrue();
        assertThat(Cancellation.NEVER.within(LONG).within(Duration.ZERO).isOver()).isTrue();
        assertThatThrownBy(over::check).hasMessageContaining("time was over");
    }

    @Test
    void aWaitEndsAndItsThreadIsNotInterruptedAfterwards() throws Exception {
        Cancellation cancellation = new Cancellation();
        CountDownLatch waiting = new CountDownLatch(1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        CompletableFuture<OrreryException> failure = new CompletableFuture<>();
        Thread thread =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    failure.complete(
                                            catchThrowableOfType(
                                                    OrreryException.class,
                                                    () ->
                                                            cancellation
                                                                    .within(LONG)
                                                                    .waiting(
                                                                            () ->
                                                                                    forEver(
                                                                                            waiting))));
                                    interrupted.complete(Thread.currentThread().isInterrupted());
                                });
        waiting.await();
        cancellation.cancel();
        thread.join();

        assertThat(failure.join().code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(interrupted.join()).isFalse();
    }

    private static String forEver(CountDownLatch waiting) throws InterruptedException {
        waiting.countDown();
        return new LinkedBlockingQueue<String>().take();
    }

    @Test
    void aWaitThatEndsByItselfLeavesNoInterrupt() throws Exception {
        Cancellation cancellation = new Cancellation();

        String value =
                cancellation.waiting(
                        () -> {
                            cancellation.cancel();
                            return "done";
                        });

        assertThat(value).isEqualTo("done");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThatThrownBy(() -> cancellation.waiting(() -> "never"))
                .isInstanceOf(OrreryException.class);
    }

    @Test
    void anInterruptByOthersIsTheirs() {
        Cancellation cancellation = new Cancellation();
        assertThatThrownBy(
                        () ->
                                cancellation.waiting(
                                        () -> {
                                            Thread.currentThread().interrupt();
                                            return forEver(new CountDownLatch(1));
                                        }))
                .isInstanceOf(InterruptedException.class);
    }
}
