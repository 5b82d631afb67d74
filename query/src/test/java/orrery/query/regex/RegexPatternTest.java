package orrery.query.regex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

final class RegexPatternTest {
    private static final RegexOwner OWNER =
            new RegexOwner(
                    "the test", message -> new OrreryException(ErrorCode.BAD_REQUEST, message));

    /** Allows some steps and fails after them. */
    private static LongConsumer atMost(long steps) {
        AtomicLong left = new AtomicLong(steps);
        return more -> {
            if (left.addAndGet(-more) < 0) {
                throw new OrreryException(ErrorCode.BAD_REQUEST, "too much work for a single item");
            }
        };
    }

    private static RegexPattern compile(String pattern) {
        return RegexPattern.compile(OWNER, pattern, "");
    }

    private static boolean find(String pattern, String text) {
        return compile(pattern).finder(text, atMost(Long.MAX_VALUE)).next().getAsBoolean();
    }

    @Test
    void onlyPatternsThatNeedItBacktrack() {
        assertThat(compile("^(a|aa)+$")).isInstanceOf(RegexPattern.Linear.class);
        assertThat(compile("(?=a)b")).isInstanceOf(RegexPattern.Backtracking.class);
        assertThat(compile("(a)\\1")).isInstanceOf(RegexPattern.Backtracking.class);
    }

    @Test
    void patternThatRunsAwayIsStopped() {
        assertThatThrownBy(() -> find("^(a|aa)+\\1$", "a".repeat(1_000) + "!"))
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("too much work for one of the texts");
    }

    /** A repeated group takes stack for each time. */
    @Test
    void patternThatWouldOverflowTheStackIsRefused() throws Exception {
        FutureTask<Boolean> search =
                new FutureTask<>(() -> find("(?=a)(?:a|b)*c", "ab".repeat(500_000)));
        Thread.ofPlatform().stackSize(256 << 10).start(search);
        assertThatThrownBy(() -> search.get(1, TimeUnit.MINUTES))
                .cause()
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("too much work for one of the texts");
    }

    /** Others may wait for a lock that a row takes when it pays. */
    @Test
    void theEngineThatMayOverflowCallsNobody() {
        LongConsumer pay = atMost(0);
        PaidText text = PaidText.paidAtTheEnd("x".repeat(100_000), pay, OWNER, 1, 100_000);
        for (int i = 0; i < text.length(); i++) {
            assertThat(text.charAt(i)).isEqualTo('x');
        }
        assertThatThrownBy(() -> text.charAt(0)).hasMessageContaining("too much work for one");
        assertThatThrownBy(text::payRest).hasMessageContaining("too much work for a single item");
    }

    @Test
    void rowPaysForWhatIsLookedAt() {
        LongConsumer pay = atMost(5_000_000);
        RegexPattern pattern = compile("(?<=x)y");
        assertThat(pattern.finder("z".repeat(1_000), pay).next().getAsBoolean()).isFalse();
        assertThatThrownBy(() -> pattern.finder("z".repeat(1_000_000), pay).next().getAsBoolean())
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("too much work for a single item");
    }
}
