package orrery.bench.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SocialGraphTest {
    private static final SocialGraph GRAPH = new SocialGraph(10_000);

    @Test
    void nobodyFollowsThemselves() {
        assertThat(GRAPH.edges()).isEqualTo(10_000 * SocialGraph.FOLLOWS);
        assertThat(IntStream.range(0, GRAPH.edges()))
                .noneMatch(edge -> GRAPH.source(edge) == GRAPH.sink(edge))
                .allMatch(edge -> GRAPH.sink(edge) >= 0 && GRAPH.sink(edge) < GRAPH.people());
    }

    @Test
    void aFewArePopular() {
        int[] followers = new int[GRAPH.people()];
        IntStream.range(0, GRAPH.edges()).forEach(edge -> followers[GRAPH.sink(edge)]++);
        Arrays.sort(followers);
        assertThat(followers[GRAPH.people() - 1]).isGreaterThan(500);
        assertThat(followers[GRAPH.people() / 2]).isLessThan(SocialGraph.FOLLOWS);
    }

    @Test
    void aPathLeadsToSomebodyElse() {
        SplittableRandom random = new SplittableRandom(1);
        SocialGraph two = new SocialGraph(2);
        assertThat(two.reached(0, 3, random)).isEqualTo(1);
        assertThat(IntStream.range(0, 1000)).noneMatch(p -> GRAPH.reached(p, 3, random) == p);
    }

    @Test
    void theSameNumbersGiveTheSameGraph() {
        SocialGraph again = new SocialGraph(GRAPH.people());
        assertThat(IntStream.range(0, GRAPH.edges()))
                .allMatch(edge -> again.sink(edge) == GRAPH.sink(edge));
    }
}
