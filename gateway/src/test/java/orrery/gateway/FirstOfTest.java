package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

class FirstOfTest {
    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void theFirstThatEndsEndsTheOthers() {
        CountDownLatch ended = new CountDownLatch(1);
        FirstOf.await(List.of(() -> {}, () -> untilCancelled(ended)), LONG);
        assertThat(ended.getCount()).isZero();
    }

    /** A fault of ours is heard as well: the caller would else ask again at once, and for ever. */
    @Test
    void theFailureOfOneIsThatOfAll() {
        CountDownLatch ended = new CountDownLatch(1);
        for (RuntimeException failure :
                List.of(
                        new OrreryException(ErrorCode.UNAVAILABLE, "gone"),
                        new IllegalStateException("a fault"))) {
            Runnable failing =
                    () -> {
                        throw failure;
                    };
            assertThatThrownBy(
                            () ->
                                    FirstOf.await(
                                            List.of(failing, () -> untilCancelled(ended)), LONG))
                    .isSameAs(failure);
        }
        assertThat(ended.getCount()).isZero();
    }

    /** Waits for an hour, unless somebody gives up. */
    private static void untilCancelled(CountDownLatch ended) {
        try {
            Cancellation.current().waiting(() -> new CountDownLatch(1).await(1, TimeUnit.HOURS));
        } catch (InterruptedException | OrreryException cancelled) {
            ended.countDown();
        }
    }
}
