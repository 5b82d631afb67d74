package orrery.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private final List<String> calls = new ArrayList<>();

    private Rounds.Contestant contestant(String name, IntToDoubleFunction rates) {
        return new Rounds.Contestant() {
            private int run;

            @Override
            public String name() {
                return name;
            }

            @Override
            public ProcessHandle process() {
                return ProcessHandle.current();
            }

            @Override
            public double run(double seconds) {
                calls.add(name);
                return rates.applyAsDouble(run++);
            }
        };
    }

    @Test
    void contestantsTakeTurnsAndMediansCount() throws Exception {
        double[] rates = {10, 30, 20};
        List<Rounds.Score> scores =
                new Rounds(new Rounds.WarmUp(1, 0, 0), 3, 1)
                        .run(
                                List.of(
                                        contestant("a", run -> rates[run]),
                                        contestant("b", _ -> 5)),
                                new Progress("test"));
        assertThat(calls).containsExactly("a", "b", "a", "b", "a", "b");
        assertThat(scores.getFirst().perSecond()).isEqualTo(20);
        assertThat(scores.getFirst().spread()).isEqualTo(1);
        assertThat(scores.getLast().perSecond()).isEqualTo(5);
    }

    @Test
    void warmUpEndsWhenNothingIsGained() throws Exception {
        new Rounds.WarmUp(1, 2, 100).run(contestant("a", run -> Math.min(run, 5) + 1));
        // Six that get faster, and two that do not.
        assertThat(calls).hasSize(8);
    }

    @Test
    void warmUpEndsInAnyCase() throws Exception {
        new Rounds.WarmUp(1, 2, 10).run(contestant("a", run -> Math.pow(2, run)));
        assertThat(calls).hasSize(10);
    }

    @Test
    void medianOfAnEvenNumberIsBetweenTheMiddleTwo() {
        assertThat(Rounds.median(new double[] {4, 1, 3, 2})).isEqualTo(2.5);
    }
}
