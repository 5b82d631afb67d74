package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;

/** Pages for which nobody waits any more, whatever they are at. */
final class AbandonedPageTest {
    private static final PageLimits LIMITS =
            new PageLimits(10_000, 1 << 20, 10_000_000, 1_000_000, Duration.ofHours(1));

    private final MemoryItems items = new MemoryItems(IndexingPolicy.DEFAULT);

    @BeforeEach
    void fill() {
        String list = IntStream.range(0, 20).boxed().toList().toString();
        for (int i = 0; i < 600; i++) {
            items.add(
                    "{\"id\":\"%d\",\"n\":%d,\"t\":\"%s%d\",\"a\":%s}"
                            .formatted(i, i % 50, "t".repeat(300), i, list));
        }
    }

    private OrreryException failure(String query, Cancellation cancellation, LongSupplier clock) {
        return catchThrowableOfType(
                OrreryException.class,
                () ->
                        cancellation.during(
                                () -> items.part(query, LIMITS, Optional.empty(), clock)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT * FROM c WHERE CONTAINS(c.t, 'x')",
                "SELECT * FROM c WHERE c.n > 3",
                "SELECT * FROM c ORDER BY c.n",
                "SELECT * FROM c ORDER BY c.t",
                "SELECT VALUE COUNT(1) FROM c JOIN x IN c.a JOIN y IN c.a",
                "SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n",
                "SELECT DISTINCT VALUE c.n FROM c"
            })
    void endWhenTheirClientLeavesOrTheirTimeIsOver(String query) {
        Cancellation cancellation = new Cancellation();
        LongSupplier leaving =
                () -> {
                    cancellation.cancel();
                    return 0;
                };

        OrreryException left = failure(query, cancellation, leaving);
        assertThat(left.code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(left.text()).contains("client left");

        Cancellation late = Cancellation.NEVER.within(Duration.ZERO);
        assertThat(failure(query, late, () -> 0).text()).contains("time was over");
        assertThat(failure(query, new Cancellation(), () -> 0)).isNull();
    }
}
