package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import orrery.cluster.api.AccountSettings;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

final class ServiceQuotasTest {
    private static final AccountSettings OFF = AccountSettings.DEFAULT;
    private static final AccountSettings ON = OFF.withServiceQuotas(true);

    private final AtomicLong nanos = new AtomicLong(5);
    private final ServiceQuotas quotas = new ServiceQuotas(nanos::get);

    @Test
    void metadataHas240RequestsPerSecond() {
        assertHolds(240, Duration.ofSeconds(1), () -> quotas.countMetadata(ON));
    }

    @Test
    void throughputChangesFiveTimesPerMinute() {
        assertHolds(5, Duration.ofMinutes(1), () -> quotas.countThroughputChange(ON));
    }

    @Test
    void aHundredAreCreatedPerMinute() {
        assertHolds(100, Duration.ofMinutes(1), () -> quotas.countCreate(ON));
    }

    @Test
    void bucketsOfAContainerChangeOnceInTenMinutes() {
        assertHolds(
                1,
                Duration.ofMinutes(10),
                ErrorCode.BUCKETS_JUST_CHANGED,
                () -> quotas.countBucketChange(ON, 1));
        quotas.countBucketChange(ON, 2);
    }

    @Test
    void nothingIsCountedUnlessAsked() {
        for (int i = 0; i < 1000; i++) {
            quotas.countMetadata(OFF);
            quotas.countThroughputChange(OFF);
            quotas.countCreate(OFF);
            quotas.countBucketChange(OFF, 1);
        }
    }

    /** Asserts that the limit holds until the window is over, and then holds again. */
    private void assertHolds(int limit, Duration window, Runnable count) {
        assertHolds(limit, window, ErrorCode.TOO_MANY_REQUESTS, count);
    }

    private void assertHolds(int limit, Duration window, ErrorCode code, Runnable count) {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < limit; i++) {
                count.run();
            }
            nanos.addAndGet(window.toNanos() / 4);
            OrreryException refusal = catchThrowableOfType(OrreryException.class, count::run);
            assertThat(refusal.code()).isEqualTo(code);
            assertThat(refusal.retryAfter()).contains(window.multipliedBy(3).dividedBy(4));
            nanos.addAndGet(refusal.retryAfter().orElseThrow().toNanos());
        }
    }
}
