package orrery.query.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.query.syntax.BuiltIn;

final class RegexPatternTest {
    private static RegexPattern compile(String pattern) {
        return RegexPattern.compile(BuiltIn.REGEXMATCH, pattern, "");
    }

    private static boolean find(String pattern, String text) {
        return compile(pattern).finder(text, Bindings.empty()).next().getAsBoolean();
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
        Bindings row = Bindings.within(Value.Undefined.UNDEFINED, 0);
        PaidText text = PaidText.paidAtTheEnd("x".repeat(100_000), row, 1, 100_000);
        for (int i = 0; i < text.length(); i++) {
            assertThat(text.charAt(i)).isEqualTo('x');
        }
        assertThatThrownBy(() -> text.charAt(0)).hasMessageContaining("too much work for one");
        assertThatThrownBy(text::payRest).hasMessageContaining("too much work for a single item");
    }

    @Test
    void rowPaysForWhatIsLookedAt() {
        Bindings row = Bindings.within(Value.Undefined.UNDEFINED, 5_000_000);
        RegexPattern pattern = compile("(?<=x)y");
        assertThat(pattern.finder("z".repeat(1_000), row).next().getAsBoolean()).isFalse();
        assertThatThrownBy(() -> pattern.finder("z".repeat(1_000_000), row).next().getAsBoolean())
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("too much work for a single item");
    }
}
