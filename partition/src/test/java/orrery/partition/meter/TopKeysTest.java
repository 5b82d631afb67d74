package orrery.partition.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import orrery.partition.meter.TopKeys.KeyRu;

final class TopKeysTest {
    private static final Duration HALF_LIFE = Duration.ofMinutes(5);

    private final FakeTime time = new FakeTime();
    private final TopKeys<String> keys = new TopKeys<>(4, HALF_LIFE, time.nanos());

    @Test
    void isExactWhileThereAreFewKeysAndRequests() {
        keys.add("a", 10, time.nanos());
        keys.add("b", 25, time.nanos());
        keys.add("a", 5, time.nanos());

        assertThat(keys.top(10, time.nanos()))
                .containsExactly(new KeyRu<>("b", 25, 25, 0.625), new KeyRu<>("a", 15, 15, 0.375));
        assertThat(keys.top(1, time.nanos())).hasSize(1);
    }

    @Test
    void fades() {
        keys.add("yesterday", 100_000, time.nanos());
        time.pass(HALF_LIFE);
        assertThat(keys.top(1, time.nanos()).getFirst().leastRu()).isEqualTo(50_000);
        time.pass(Duration.ofHours(1));
        keys.add("today", 1_000, time.nanos());
        assertThat(names(1)).containsExactly("today");
        time.pass(Duration.ofDays(1));
        assertThat(keys.top(10, time.nanos())).isEmpty();
    }

    @Test
    void findsAHotKeyAmongMoreKeysThanItCanHold() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20_000; i++) {
            time.pass(Duration.ofNanos(random.nextInt(20_000_000)));
            String key = i % 3 == 0 ? "hot" : "cold " + random.nextInt(10_000);
            keys.add(key, 1, time.nanos());
        }
        KeyRu<String> first = keys.top(1, time.nanos()).getFirst();
        assertThat(first.key()).isEqualTo("hot");
        assertThat(first.share()).isEqualTo(1 / 3.0, within(0.02));
    }

    @Test
    void aSampleIsRightOnAverage() {
        // 100,000 requests per second, far more than are counted: cheap ones, dear ones, and ones
        // dearer than a step, in a fixed order that a sample must not fall in step with.
        TopKeys<String> busy = new TopKeys<>(8, Duration.ofDays(1000), time.nanos());
        List<String> order = List.of("one", "five", "one", "five");
        for (int i = 0; i < 1_000_000; i++) {
            time.pass(Duration.ofNanos(10_000));
            String key = order.get(i % order.size());
            busy.add(key, key.equals("one") ? 1 : 5, time.nanos());
            if (i % 10_000 == 0) {
                busy.add("query", 5_000, time.nanos());
            }
        }
        var seen = busy.top(8, time.nanos());
        // 256 samples a second for 10 s: a key with a sixth of them is off by some 5 %.
        assertThat(ruOf("five", seen)).isEqualTo(2_500_000, within(250_000.0));
        assertThat(ruOf("one", seen)).isEqualTo(500_000, within(100_000.0));
        assertThat(ruOf("query", seen)).isEqualTo(500_000, within(0.5));
    }

    @Test
    void aSampleEndsWithTheRush() {
        for (int i = 0; i < 100_000; i++) {
            time.pass(Duration.ofNanos(10_000));
            keys.add("busy", 1, time.nanos());
        }
        time.passSeconds(2);
        keys.add("busy", 1, time.nanos());
        time.passSeconds(2);
        for (int i = 0; i < 10; i++) {
            keys.add("quiet", 1, time.nanos());
            time.passMillis(100);
        }
        assertThat(ruOf("quiet", keys.top(4, time.nanos()))).isEqualTo(10, within(0.1));
    }

    @Test
    void whatIsFreeTakesNoPlace() {
        keys.add("free", 0, time.nanos());
        assertThat(keys.top(10, time.nanos())).isEmpty();
    }

    @Test
    void childrenKnowTheKeysOfTheirParent() {
        keys.add("a", 10, time.nanos());
        keys.add("b", 30, time.nanos());
        TopKeys<String> child = new TopKeys<>(4, HALF_LIFE, time.nanos());
        child.takeOver(keys, "a"::equals, time.nanos());

        assertThat(child.top(10, time.nanos())).containsExactly(new KeyRu<>("a", 10, 10, 1));
    }

    @Test
    void threadsLoseNothingThatIsNotLeftOutOnPurpose() throws Exception {
        TopKeys<String> exact = new TopKeys<>(4, HALF_LIFE, time.nanos(), Integer.MAX_VALUE);
        Threads.run(
                4,
                () -> {
                    for (int i = 0; i < 5_000; i++) {
                        exact.add(i % 2 == 0 ? "even" : "odd", 1, time.nanos());
                    }
                });
        assertThat(exact.top(10, time.nanos()))
                .containsExactlyInAnyOrder(
                        new KeyRu<>("even", 10_000, 10_000, 0.5),
                        new KeyRu<>("odd", 10_000, 10_000, 0.5));
    }

    private List<String> names(int limit) {
        return keys.top(limit, time.nanos()).stream().map(KeyRu::key).toList();
    }

    private static double ruOf(String key, List<KeyRu<String>> keys) {
        return keys.stream()
                .filter(each -> each.key().equals(key))
                .mapToDouble(KeyRu::leastRu)
                .sum();
    }
}
