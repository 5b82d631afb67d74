package orrery.junit.sample;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import orrery.junit.OrreryExtension;

/** Two tests of one class run at the same time: one of them has to fail. */
@ExtendWith(TestsAtOnce.Order.class)
@ExtendWith(OrreryExtension.class)
@Execution(ExecutionMode.CONCURRENT)
final class TestsAtOnce {
    private static final CountDownLatch RUNNING = new CountDownLatch(1);
    private static final CountDownLatch REFUSED = new CountDownLatch(1);

    /** Lets the second test begin when the first one is running, and tells when it has ended. */
    static final class Order implements BeforeEachCallback, AfterEachCallback {
        @Override
        public void beforeEach(ExtensionContext context) throws InterruptedException {
            if (context.getDisplayName().startsWith("second")) {
                await(RUNNING);
            }
        }

        @Override
        public void afterEach(ExtensionContext context) {
            if (context.getDisplayName().startsWith("second")) {
                REFUSED.countDown();
            }
        }
    }

    /** The limit ends only what would hang. */
    private static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(2, TimeUnit.MINUTES)) {
            throw new AssertionError("the other test did not come");
        }
    }

    @BeforeEach
    void begin() {
        RUNNING.countDown();
    }

    @AfterEach
    void end() throws InterruptedException {
        await(REFUSED);
    }

    @Test
    void first() {}

    @Test
    void second() {}
}
