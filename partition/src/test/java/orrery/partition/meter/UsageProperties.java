package orrery.partition.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class UsageProperties {
    private record Added(long second, long ru) {}

    @Property
    void secondAndMinuteAreExactAndTheHourToAMinute(
            @ForAll @Size(max = 100) List<@LongRange(min = 0, max = 200_000) Long> pausesMillis) {
        FakeTime time = new FakeTime();
        Usage usage = new Usage(time.nanos());
        List<Added> history = new ArrayList<>();
        long ru = 0;
        for (long millis : pausesMillis) {
            time.passMillis(millis);
            long second = time.elapsedNanos() / 1_000_000_000;
            Usage.Snapshot seen = usage.snapshot(time.nanos());
            assertThat(seen.second().ru()).isEqualTo(sum(history, second - 1, second));
            assertThat(seen.minute().ru()).isEqualTo(sum(history, second - 60, second));
            assertThat(seen.hour().ru())
                    .isBetween(
                            sum(history, second - 3_540, second),
                            sum(history, second - 3_660, second));
            ru++;
            usage.add(1_000 * ru, time.nanos());
            history.add(new Added(second, ru));
        }
    }

    @Property(tries = 10)
    void threadsLoseNothing(@ForAll @IntRange(min = 2, max = 6) int threads) throws Exception {
        FakeTime time = new FakeTime();
        List<Long> heard = new ArrayList<>();
        // Heard under the lock of the usage.
        Usage usage = new Usage(time.nanos(), (milliRu, _) -> heard.add(milliRu));
        int each = 5_000;
        Threads.run(
                threads,
                () -> {
                    for (int i = 0; i < each; i++) {
                        usage.add(1_000, time.nanos());
                        usage.addRefused(time.nanos());
                        time.passMillis(1);
                    }
                });
        time.passSeconds(1);
        usage.advance(time.nanos());

        assertThat(usage.total())
                .isEqualTo(
                        new Usage.Window(
                                (double) each * threads,
                                2L * each * threads,
                                (long) each * threads));
        assertThat(heard.stream().mapToLong(Long::longValue).sum())
                .isEqualTo(1_000L * each * threads);
    }

    private static double sum(List<Added> history, long from, long to) {
        return history.stream()
                .filter(added -> added.second >= from && added.second < to)
                .mapToLong(Added::ru)
                .sum();
    }
}
