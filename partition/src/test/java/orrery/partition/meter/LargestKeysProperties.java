package orrery.partition.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import orrery.partition.meter.LargestKeys.KeyBytes;

class LargestKeysProperties {
    private static final int CAPACITY = 4;

    @Property
    void whatItListsIsExactAndWhatItDoesNotIsNoLargerThanItSays(
            @ForAll @Size(max = 200) List<@LongRange(min = 0, max = 1_999) Long> updates) {
        LargestKeys<Long> keys = new LargestKeys<>(CAPACITY);
        Map<Long, Long> model = new HashMap<>();
        for (long update : updates) {
            long key = update % 10;
            long bytes = update / 10;
            keys.update(key, bytes);
            if (bytes == 0) {
                model.remove(key);
            } else {
                model.put(key, bytes);
            }
            var seen = keys.top(CAPACITY);
            Map<Long, Long> others = new HashMap<>(model);
            for (KeyBytes<Long> each : seen.keys()) {
                assertThat(each.bytes()).isEqualTo(others.remove(each.key()));
            }
            assertThat(seen.keys()).hasSizeLessThanOrEqualTo(CAPACITY);
            assertThat(others.values())
                    .allSatisfy(
                            size -> assertThat(size).isLessThanOrEqualTo(seen.othersAtMostBytes()));
        }
    }

    @Property
    void keysThatOnlyGrowAreListedAsASortWould(
            @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 9) Integer> writes) {
        LargestKeys<Integer> keys = new LargestKeys<>(CAPACITY);
        Map<Integer, Long> model = new HashMap<>();
        for (int key : writes) {
            keys.update(key, model.merge(key, 100L, Long::sum));
        }
        List<Long> sorted =
                model.values().stream().sorted(Comparator.reverseOrder()).limit(CAPACITY).toList();
        assertThat(keys.top(CAPACITY).keys())
                .extracting(KeyBytes::bytes)
                .containsExactlyElementsOf(sorted);
    }
}
