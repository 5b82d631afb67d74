package orrery.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import orrery.document.Value;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

final class PlanningThreadsTest {
    private static final int CONTAINER = 1;
    private static final int NEIGHBOUR = 2;

    private final CountDownLatch released = new CountDownLatch(1);
    private final LinkedBlockingQueue<String> begun = new LinkedBlockingQueue<>();

    @AfterEach
    void release() {
        released.countDown();
    }

    private static PlanningThreads patient(int threads, int waiting) {
        return new PlanningThreads(threads, waiting, Duration.ofHours(1));
    }

    private static <T> CompletableFuture<T> start(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, task -> Thread.ofVirtual().start(task));
    }

    private CompletableFuture<String> hold(PlanningThreads threads, int container, String name)
            throws InterruptedException {
        CompletableFuture<String> held = start(() -> threads.plan(container, () -> held(name)));
        assertThat(begun.take()).isEqualTo(name);
        return held;
    }

    private String held(String name) {
        begun.add(name);
        try {
            released.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
        return name;
    }

    private static QueryRequest text(int length) {
        return new QueryRequest(" ".repeat(length), Map.of());
    }

    @Test
    void longQueriesHaveThreadsOfThePlatform() {
        PlanningThreads threads = patient(1, 1);
        Thread itself = Thread.currentThread();
        assertThat(threads.plan(CONTAINER, text(4096), Thread::currentThread)).isSameAs(itself);
        Thread other = threads.plan(CONTAINER, text(4097), Thread::currentThread);
        assertThat(other).isNotSameAs(itself);
        assertThat(other.isVirtual()).isFalse();
    }

    @Test
    void manyValuesMakeAQueryLong() {
        PlanningThreads threads = patient(1, 1);
        Value array = new Value.Array(Collections.nCopies(50_000, Value.of(1)));
        Value object = new Value.Obj(Map.of("a", new Value.Array(List.of(array))));
        Thread itself = Thread.currentThread();
        for (Value each : List.of(array, object, Value.of("x".repeat(5000)))) {
            QueryRequest request = new QueryRequest("SELECT 1", Map.of("@p", each));
            assertThat(threads.plan(CONTAINER, request, Thread::currentThread)).isNotSameAs(itself);
        }
        QueryRequest few = new QueryRequest("SELECT 1", Map.of("@p", Value.of("x")));
        assertThat(threads.plan(CONTAINER, few, Thread::currentThread)).isSameAs(itself);
    }

    @Test
    void shortQueriesDoNotWaitForLongOnes() throws InterruptedException {
        PlanningThreads threads = patient(1, 1);
        CompletableFuture<String> held = hold(threads, CONTAINER, "long");
        assertThat(threads.plan(CONTAINER, text(100), () -> 1)).isEqualTo(1);
        assertThat(held).isNotDone();
        released.countDown();
        assertThat(held.join()).isEqualTo("long");
    }

    @Test
    void whoMakesTooManyWaitIsRefusedAlone() throws InterruptedException {
        PlanningThreads threads = patient(1, 1);
        CompletableFuture<String> held = hold(threads, CONTAINER, "first");
        // One of these two waits, and the other is refused.
        var one = start(() -> refusal(threads));
        var other = start(() -> refusal(threads));
        var refused = (OrreryException) CompletableFuture.anyOf(one, other).join();
        assertThat(refused.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
        assertThat(refused.retryAfter()).isPresent();

        CompletableFuture<Integer> neighbour = start(() -> threads.plan(NEIGHBOUR, () -> 1));
        released.countDown();
        assertThat(neighbour.join()).isEqualTo(1);
        assertThat(held.join()).isEqualTo("first");
    }

    private static OrreryException refusal(PlanningThreads threads) {
        return catchThrowableOfType(OrreryException.class, () -> threads.plan(CONTAINER, () -> 1));
    }

    @Test
    void whoWouldWaitTooLongIsToldToComeAgain() throws InterruptedException {
        PlanningThreads threads = new PlanningThreads(1, 2, Duration.ZERO);
        CompletableFuture<String> held = hold(threads, CONTAINER, "first");
        CountDownLatch ran = new CountDownLatch(1);
        assertThatThrownBy(
                        () ->
                                threads.plan(
                                        NEIGHBOUR,
                                        () -> {
                                            ran.countDown();
                                            return 1;
                                        }))
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        failure -> {
                            assertThat(failure.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
                            assertThat(failure.retryAfter()).isPresent();
                        });
        released.countDown();
        assertThat(held.join()).isEqualTo("first");
        // Work that was given up is not done later.
        assertThat(ran.getCount()).isEqualTo(1);
    }

    @Test
    void failuresReachTheCaller() {
        PlanningThreads threads = patient(1, 1);
        OrreryException failure = new OrreryException(ErrorCode.BAD_REQUEST, "no query");
        assertThatThrownBy(
                        () ->
                                threads.plan(
                                        CONTAINER,
                                        () -> {
                                            throw failure;
                                        }))
                .isSameAs(failure);
        assertThat(threads.plan(CONTAINER, () -> 1)).isEqualTo(1);
    }

    @Test
    void aQueryWhoseClientLeavesWaitsNoLonger() throws InterruptedException {
        PlanningThreads threads = patient(1, 1);
        CompletableFuture<String> held = hold(threads, CONTAINER, "first");
        Cancellation cancellation = new Cancellation();
        CompletableFuture<OrreryException> left =
                start(
                        () ->
                                catchThrowableOfType(
                                        OrreryException.class,
                                        () ->
                                                cancellation.during(
                                                        () ->
                                                                threads.plan(
                                                                        CONTAINER,
                                                                        () -> held("never")))));
        cancellation.cancel();
        assertThat(left.join().code()).isEqualTo(ErrorCode.TIMEOUT);

        OrreryException late =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                Cancellation.NEVER
                                        .within(Duration.ofMillis(1))
                                        .during(() -> threads.plan(CONTAINER, () -> "late")));
        assertThat(late.code()).isEqualTo(ErrorCode.TIMEOUT);

        // Its place in the queue is free again.
        CompletableFuture<String> next = start(() -> threads.plan(CONTAINER, () -> "next"));
        released.countDown();
        assertThat(held.join()).isEqualTo("first");
        assertThat(next.join()).isEqualTo("next");
        assertThat(begun).isEmpty();
    }
}
