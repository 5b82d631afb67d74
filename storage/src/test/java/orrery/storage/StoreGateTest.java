package orrery.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

class StoreGateTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int ROUNDS = 600;
    private static final int MANY_ROUNDS = 20_000;
    private static final int USERS = 6;

    /** Stands for native memory: nobody may be inside when it is released. */
    private static final class Resource {
        private final StoreGate gate = new StoreGate();
        private final AtomicInteger inside = new AtomicInteger();
        private volatile boolean isReleased;

        void useUntilShut() {
            try {
                for (int i = 0; ; i++) {
                    if (i % 3 == 0) {
                        gate.enter();
                        touch();
                        gate.leave();
                    } else {
                        StoreGate.Use outer = gate.hold();
                        touch();
                        StoreGate.Use inner = gate.holdInside();
                        outer.close();
                        touch();
                        inner.close();
                    }
                }
            } catch (OrreryException shut) {
                assertThat(shut.code()).isEqualTo(ErrorCode.UNAVAILABLE);
            }
        }

        private void touch() {
            inside.incrementAndGet();
            assertThat(isReleased).as("released while it was used").isFalse();
            inside.decrementAndGet();
        }

        void release() {
            assertThat(gate.shut(LONG)).isTrue();
            isReleased = true;
            assertThat(inside.get()).as("users when it was released").isZero();
        }
    }

    @Test
    void nobodyIsInsideWhenItIsShut() throws Exception {
        shutWhileUsed(ROUNDS);
    }

    @Test
    @Tag("long")
    void nobodyIsInsideHoweverOftenItIsShut() throws Exception {
        shutWhileUsed(MANY_ROUNDS);
    }

    private static void shutWhileUsed(int rounds) throws Exception {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int round = 0; round < rounds; round++) {
                Resource resource = new Resource();
                List<Future<?>> users = new ArrayList<>();
                for (int i = 0; i < USERS; i++) {
                    users.add(threads.submit(resource::useUntilShut));
                }
                resource.release();
                for (Future<?> user : users) {
                    user.get();
                }
            }
        }
    }

    @Test
    void aUseEndsOnceHoweverOftenItIsClosed() {
        StoreGate gate = new StoreGate();
        StoreGate.Use first = gate.hold();
        StoreGate.Use second = gate.hold();
        first.close();
        first.close();

        assertThat(gate.shut(Duration.ZERO)).isFalse();
        second.close();
        assertThat(gate.shut(Duration.ZERO)).isTrue();
    }

    @Test
    void anInterruptDoesNotEndTheWait() throws Exception {
        StoreGate gate = new StoreGate();
        StoreGate.Use use = gate.hold();
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<Boolean> interrupted =
                    threads.submit(
                            () -> {
                                Thread.currentThread().interrupt();
                                boolean allLeft = gate.shut(LONG);
                                return allLeft && Thread.interrupted();
                            });
            while (isOpen(gate)) {
                Thread.onSpinWait();
            }
            assertThat(interrupted.isDone()).isFalse();
            use.close();
            assertThat(interrupted.get()).isTrue();
        }
    }

    @Test
    void whoIsInsideMayFinish() {
        StoreGate gate = new StoreGate();
        StoreGate.Use outer = gate.hold();
        assertThat(gate.shut(Duration.ZERO)).isFalse();

        assertThatExceptionOfType(OrreryException.class).isThrownBy(gate::hold);
        StoreGate.Use inner = gate.holdInside();
        outer.close();
        assertThat(gate.shut(Duration.ZERO)).isFalse();
        inner.close();
        assertThat(gate.shut(Duration.ZERO)).isTrue();
    }

    private static boolean isOpen(StoreGate gate) {
        try {
            gate.hold().close();
            return true;
        } catch (OrreryException shut) {
            return false;
        }
    }
}
