package orrery.partition.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
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
        long lsn = 0;
        for (long update : updates) {
            long key = update % 10;
            long bytes = update / 10;
            keys.update(key, bytes, ++lsn);
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
    void writersAreHeardInAnyOrder(
            @ForAll @Size(max = 30) List<@LongRange(min = 1, max = 99) Long> sizes,
            @ForAll Random random) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, sizes.size()).boxed().toList());
        Collections.shuffle(order, random);
        LargestKeys<Integer> keys = new LargestKeys<>(CAPACITY);
        Map<Integer, Long> model = new HashMap<>();
        for (int lsn = 0; lsn < sizes.size(); lsn++) {
            model.put(lsn % CAPACITY, sizes.get(lsn));
        }
        order.forEach(lsn -> keys.update(lsn % CAPACITY, sizes.get(lsn), lsn));

        assertThat(keys.top(CAPACITY).keys())
                .containsExactlyInAnyOrderElementsOf(
                        model.entrySet().stream()
                                .map(entry -> new KeyBytes<>(entry.getKey(), entry.getValue()))
                                .toList());
    }

    @Property
    void keysThatOnlyGrowAreListedAsASortWould(
            @ForAll @Size(max = 200) List<@IntRange(min = 0, max = 9) Integer> writes) {
        LargestKeys<Integer> keys = new LargestKeys<>(CAPACITY);
        Map<Integer, Long> model = new HashMap<>();
        long lsn = 0;
        for (int key : writes) {
            keys.update(key, model.merge(key, 100L, Long::sum), ++lsn);
        }
        List<Long> sorted =
                model.values().stream().sorted(Comparator.reverseOrder()).limit(CAPACITY).toList();
        assertThat(keys.top(CAPACITY).keys())
                .extracting(KeyBytes::bytes)
                .containsExactlyElementsOf(sorted);
    }
}
