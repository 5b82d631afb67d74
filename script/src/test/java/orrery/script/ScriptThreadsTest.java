package orrery.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/** Scripts that do not end although they were stopped, and those that wait for them. */
class ScriptThreadsTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int CONTAINER = 1;
    private static final int NEIGHBOUR = 2;

    private final ScriptThreads threads = new ScriptThreads(1, 1, 1);
    private final BlockingQueue<Thread> started = new LinkedBlockingQueue<>();
    private final CountDownLatch released = new CountDownLatch(1);

    @AfterEach
    void close() {
        released.countDown();
        threads.close();
    }

    /** Holds its thread whoever interrupts it. */
    private boolean deaf() {
        started.add(Thread.currentThread());
        while (released.getCount() > 0) {
            try {
                released.await();
            } catch (InterruptedException ignored) {
                // A built-in function of the engine would ignore it too.
            }
        }
        return true;
    }

    private CompletableFuture<OrreryException> failureOf(Runnable call) {
        return CompletableFuture.supplyAsync(
                () -> catchThrowableOfType(OrreryException.class, call::run),
                task -> Thread.ofVirtual().start(task));
    }

    private void lose() throws InterruptedException {
        var failure = failureOf(() -> threads.call(CONTAINER, LONG, this::deaf));
        Thread thread = started.take();
        OrreryException stopped = ScriptErrors.stopped(Watchdog.Reason.TIME);
        threads.lose(thread, stopped);
        threads.lose(thread, stopped);
        assertThat(failure.join()).isSameAs(stopped);
    }

    @Test
    void anotherThreadTakesThePlaceOfALostOne() throws InterruptedException {
        lose();
        assertThat(threads.call(CONTAINER, LONG, () -> 1)).isEqualTo(1);
        assertThat(threads.lost()).isEqualTo(1);
    }

    @Test
    void whenAllAreLostNothingIsStartedUntilOneEnds() throws InterruptedException {
        lose();
        var running = failureOf(() -> threads.call(CONTAINER, LONG, this::deaf));
        Thread last = started.take();
        var waiting = failureOf(() -> threads.call(CONTAINER, LONG, () -> 1));
        threads.lose(last, ScriptErrors.stopped(Watchdog.Reason.MEMORY));
        assertThat(running.join().code()).isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(waiting.join().code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(waiting.join().text()).contains("2 scripts did not end");

        released.countDown();
        while (threads.lost() > 0) {
            Thread.onSpinWait();
        }
        assertThat(threads.call(CONTAINER, LONG, () -> 1)).isEqualTo(1);
    }

    @Test
    void oneThatEndedIsNotLost() {
        Thread thread = threads.call(CONTAINER, LONG, Thread::currentThread);
        threads.lose(thread, ScriptErrors.stopped(Watchdog.Reason.TIME));
        assertThat(threads.lost()).isZero();
        assertThat(threads.call(CONTAINER, LONG, () -> 1)).isEqualTo(1);
    }

    @Test
    void whatWaitsHearsThatTheServerStops() throws InterruptedException {
        var running = failureOf(() -> threads.call(CONTAINER, LONG, this::deaf));
        started.take();
        var waiting = failureOf(() -> threads.call(CONTAINER, LONG, () -> 1));
        threads.close();
        assertThat(waiting.join().code()).isEqualTo(ErrorCode.UNAVAILABLE);
        released.countDown();
        assertThat(running.join()).isNull();
    }

    @Test
    void scriptsOfOthersDoNotWaitForThoseOfOneContainer() throws InterruptedException {
        var running = failureOf(() -> threads.call(CONTAINER, LONG, this::deaf));
        started.take();
        var waiting = failureOf(() -> threads.call(CONTAINER, LONG, () -> 1));

        assertThat(threads.call(NEIGHBOUR, LONG, () -> 1)).isEqualTo(1);
        assertThat(threads.call(NEIGHBOUR, LONG, () -> 2)).isEqualTo(2);
        assertThat(waiting).isNotDone();

        released.countDown();
        assertThat(running.join()).isNull();
        assertThat(waiting.join()).isNull();
    }

    @Test
    void theContainerThatFillsItsQueueIsRefusedAlone() throws InterruptedException {
        var running = failureOf(() -> threads.call(CONTAINER, LONG, this::deaf));
        started.take();
        // One of these two waits, and the other is refused.
        var one = failureOf(() -> threads.call(CONTAINER, LONG, () -> 1));
        var other = failureOf(() -> threads.call(CONTAINER, LONG, () -> 1));
        var refused = (OrreryException) CompletableFuture.anyOf(one, other).join();
        assertThat(refused.code()).isEqualTo(ErrorCode.TOO_MANY_SCRIPTS);
        assertThat(refused.retryAfter()).isPresent();

        assertThat(threads.call(NEIGHBOUR, LONG, () -> 1)).isEqualTo(1);

        released.countDown();
        assertThat(running.join()).isNull();
    }

    @Test
    void whatWaitedTooLongIsToldSoAtOnce() throws InterruptedException {
        var running = failureOf(() -> threads.call(CONTAINER, LONG, this::deaf));
        started.take();
        var waiting = failureOf(() -> threads.call(CONTAINER, Duration.ZERO, () -> 1));
        assertThat(waiting.join().code()).isEqualTo(ErrorCode.TOO_MANY_SCRIPTS);

        released.countDown();
        assertThat(running.join()).isNull();
    }

    @Test
    void whatNobodyWaitsForDoesNotBegin() throws InterruptedException {
        var running = failureOf(() -> threads.call(CONTAINER, LONG, this::deaf));
        started.take();
        Cancellation cancellation = new Cancellation();
        var left =
                failureOf(
                        () -> cancellation.during(() -> threads.call(CONTAINER, LONG, this::deaf)));
        cancellation.cancel();
        assertThat(left.join().code()).isEqualTo(ErrorCode.TIMEOUT);

        released.countDown();
        assertThat(running.join()).isNull();
        assertThat(threads.call(CONTAINER, LONG, () -> 1)).isEqualTo(1);
        assertThat(started).isEmpty();
    }
}
