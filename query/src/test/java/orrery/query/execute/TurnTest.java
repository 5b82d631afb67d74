package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import orrery.model.IndexingPolicy;

final class TurnTest {
    private static final String SLOW =
            "SELECT VALUE COUNT(1) FROM c JOIN x IN c.a JOIN y IN c.a JOIN z IN c.a WHERE x > y";

    /** More pages than there are processors, each with seconds of work. */
    @Test
    @Timeout(900)
    void pagesThatComputeForLongDoNotHoldUpOthers() throws InterruptedException {
        // A server has carriers to spare however few processors there are; this JVM may not.
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1);
        MemoryItems items = new MemoryItems(IndexingPolicy.DEFAULT);
        items.add("{\"id\":\"1\",\"a\":" + IntStream.range(0, 300).boxed().toList() + "}");
        AtomicBoolean isOver = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8 * Runtime.getRuntime().availableProcessors(); i++) {
            threads.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        while (!isOver.get()) {
                                            items.part(
                                                    SLOW,
                                                    PageLimits.of(1, 1 << 20),
                                                    Optional.empty(),
                                                    System::nanoTime);
                                            begun.countDown();
                                        }
                                    }));
        }
        begun.await();
        CountDownLatch served = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            Thread.ofVirtual().start(served::countDown);
        }
        boolean isServed = served.await(10, TimeUnit.MINUTES);
        isOver.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(isServed).isTrue();
    }
}
