package orrery.partition.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import orrery.partition.meter.TopKeys.KeyRu;

class TopKeysProperties {
    private static final int CAPACITY = 5;
    private static final double ROUNDING = 1e-6;

    @Property
    void boundsHoldAndNoKeyWithItsShareIsMissed(
            @ForAll @Size(max = 300) List<@IntRange(min = 1, max = 5_000) Integer> requests) {
        FakeTime time = new FakeTime();
        TopKeys<Integer> keys =
                new TopKeys<>(CAPACITY, Duration.ofSeconds(20), time.nanos(), Integer.MAX_VALUE);
        Map<Integer, Double> model = new HashMap<>();
        for (int request : requests) {
            int key = request % 17;
            keys.add(key, request, time.nanos());
            model.merge(key, (double) request, Double::sum);
            if (request % 5 == 0) {
                time.passSeconds(1);
                keys.top(1, time.nanos());
                model.replaceAll((_, ru) -> ru * Math.pow(0.5, 1 / 20.0));
            }
        }
        double total = model.values().stream().mapToDouble(Double::doubleValue).sum();
        var seen = keys.top(CAPACITY, time.nanos());
        Map<Integer, Double> others = new HashMap<>(model);
        for (KeyRu<Integer> each : seen) {
            assertThat(others.remove(each.key()))
                    .isBetween(each.leastRu() - ROUNDING, each.mostRu() + ROUNDING);
        }
        assertThat(others.values())
                .allSatisfy(ru -> assertThat(ru).isLessThanOrEqualTo(total / CAPACITY + ROUNDING));
    }
}
