package orrery.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class HistogramProperties {
    @Property
    void percentilesAreNeverTooLowAndHardlyTooHigh(
            @ForAll @Size(min = 1, max = 200)
                    List<@LongRange(min = 0, max = 100_000_000_000L) Long> times) {
        Histogram histogram = new Histogram();
        times.forEach(histogram::add);
        List<Long> sorted = times.stream().sorted().toList();
        for (double share : new double[] {0.01, 0.5, 0.99, 1}) {
            int rank = (int) Math.max(1, Math.ceil(share * sorted.size()));
            long exact = sorted.get(rank - 1);
            assertThat(histogram.percentile(share)).isBetween(exact, exact + exact / 64 + 1);
        }
        assertThat(histogram.max()).isEqualTo(Collections.max(times));
    }
}
