package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;

/** Checks who waits for whom, and that no waiter is kept or remembered for ever. */
@Timeout(900)
class KeyLatchesTest {
    private static final int CONTAINER = 7;
    private static final PartitionKey NORTH = PartitionKey.ofText("north");
    private static final PartitionKey SOUTH = PartitionKey.ofText("south");
    private static final Duration LONG = Duration.ofMinutes(1);

    private final KeyLatches latches = new KeyLatches();
    private final List<Thread> started = new ArrayList<>();

    /** Nothing of what a test did stays behind. */
    @AfterEach
    void nobodyIsLeft() throws InterruptedException {
        for (Thread thread : started) {
            thread.join();
        }
        assertThat(latches.size()).isZero();
    }

    private Thread start(Runnable work) {
        Thread thread = Thread.ofPlatform().start(work);
        started.add(thread);
        return thread;
    }

    private Thread holds(PartitionKey key, Runnable work) {
        return start(() -> latches.holding(CONTAINER, key, LONG, () -> done(work)));
    }

    private Thread passes(PartitionKey key, Runnable work) {
        return start(() -> latches.passing(CONTAINER, key, LONG, () -> done(work)));
    }

    private static boolean done(Runnable work) {
        work.run();
        return true;
    }

    /** Holds a key until told. */
    private CountDownLatch held(PartitionKey key) throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        holds(
                key,
                () -> {
                    inside.countDown();
                    await(release);
                });
        inside.await();
        return release;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void whatNobodyHoldsIsPassed() {
        assertThat(latches.<String>passing(CONTAINER, NORTH, Duration.ZERO, () -> "through"))
                .isEqualTo("through");
    }

    @Test
    void otherKeysAndOtherContainersAreFree() throws InterruptedException {
        CountDownLatch release = held(NORTH);

        Supplier<String> through = () -> "through";
        assertThat(latches.passing(CONTAINER, SOUTH, Duration.ZERO, through)).isEqualTo("through");
        assertThat(latches.holding(CONTAINER, SOUTH, Duration.ZERO, through)).isEqualTo("through");
        assertThat(latches.passing(CONTAINER + 1, NORTH, Duration.ZERO, through))
                .isEqualTo("through");
        release.countDown();
    }

    @Test
    void whoHoldsMayPass() {
        assertThat(
                        latches.<String>holding(
                                CONTAINER,
                                NORTH,
                                LONG,
                                () ->
                                        latches.passing(
                                                CONTAINER, NORTH, Duration.ZERO, () -> "own")))
                .isEqualTo("own");
    }

    @Test
    void whoWaitsTooLongIsToldToRetry() throws InterruptedException {
        CountDownLatch release = held(NORTH);

        assertRefused(
                ErrorCode.RETRY_WITH,
                () -> latches.passing(CONTAINER, NORTH, Duration.ofNanos(1), () -> "no"));
        assertRefused(
                ErrorCode.RETRY_WITH,
                () -> latches.holding(CONTAINER, NORTH, Duration.ofNanos(1), () -> "no"));
        release.countDown();
    }

    @Test
    void thoseWhoWaitComeInOrder() throws InterruptedException {
        CountDownLatch release = held(NORTH);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int number = i;
            Runnable note = () -> order.add(number);
            awaitWaiting(i % 2 == 0 ? holds(NORTH, note) : passes(NORTH, note));
        }

        release.countDown();
        for (Thread thread : started) {
            thread.join();
        }
        assertThat(order).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void whoIsInterruptedLeavesAndLetsTheOthersOn() throws Exception {
        CountDownLatch release = held(NORTH);
        CompletableFuture<OrreryException> refusal = new CompletableFuture<>();
        AtomicBoolean isStillInterrupted = new AtomicBoolean();
        Thread interrupted =
                start(
                        () -> {
                            try {
                                latches.holding(CONTAINER, NORTH, LONG, () -> "no");
                            } catch (OrreryException refused) {
                                isStillInterrupted.set(Thread.currentThread().isInterrupted());
                                refusal.complete(refused);
                            }
                        });
        awaitWaiting(interrupted);
        CountDownLatch passed = new CountDownLatch(1);
        awaitWaiting(passes(NORTH, passed::countDown));

        interrupted.interrupt();
        assertThat(refusal.get().code()).isEqualTo(ErrorCode.UNAVAILABLE);
        assertThat(isStillInterrupted).isTrue();
        assertThat(passed.getCount()).isOne();
        release.countDown();
        passed.await();
    }

    @Test
    void aFailureLetsGo() {
        assertThatThrownBy(
                        () ->
                                latches.holding(
                                        CONTAINER,
                                        NORTH,
                                        LONG,
                                        () -> {
                                            throw new IllegalStateException("failed inside");
                                        }))
                .hasMessage("failed inside");
        assertThat(latches.<String>passing(CONTAINER, NORTH, Duration.ZERO, () -> "through"))
                .isEqualTo("through");
    }

    /** Holders of one key are alone, whatever comes and goes; no key is remembered afterwards. */
    @Test
    void holdersOfManyKeysExcludeEachOther() throws InterruptedException, ExecutionException {
        int keys = 50;
        AtomicInteger[] inside = new AtomicInteger[keys];
        for (int i = 0; i < keys; i++) {
            inside[i] = new AtomicInteger();
        }
        AtomicInteger times = new AtomicInteger();
        List<Future<?>> work = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int t = 0; t < 32; t++) {
                SplittableRandom random = new SplittableRandom(t);
                work.add(
                        threads.submit(
                                () -> {
                                    for (int i = 0; i < 500; i++) {
                                        // Few of them are in demand, so that they are waited for.
                                        int key = random.nextInt(1 + random.nextInt(keys));
                                        latches.holding(
                                                CONTAINER,
                                                PartitionKey.ofText("k" + key),
                                                LONG,
                                                () -> alone(inside[key], times));
                                    }
                                }));
            }
            for (Future<?> each : work) {
                each.get();
            }
        }
        assertThat(times).hasValue(32 * 500);
    }

    private static int alone(AtomicInteger inside, AtomicInteger times) {
        assertThat(inside.incrementAndGet()).isOne();
        Thread.onSpinWait();
        assertThat(inside.decrementAndGet()).isZero();
        return times.incrementAndGet();
    }

    private static void assertRefused(ErrorCode code, Supplier<String> work) {
        assertThatThrownBy(work::get)
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        refused -> assertThat(refused.code()).isEqualTo(code));
    }

    @Test
    void whoHasLeftWaitsNoLonger() throws InterruptedException {
        CountDownLatch release = held(NORTH);
        Cancellation cancellation = new Cancellation();
        CompletableFuture<OrreryException> failure = new CompletableFuture<>();
        start(
                () ->
                        failure.complete(
                                catchThrowableOfType(
                                        OrreryException.class,
                                        () ->
                                                cancellation.during(
                                                        () ->
                                                                latches.passing(
                                                                        CONTAINER,
                                                                        NORTH,
                                                                        LONG,
                                                                        () -> true)))));
        cancellation.cancel();
        assertThat(failure.join().code()).isEqualTo(ErrorCode.TIMEOUT);
        release.countDown();
    }
}
