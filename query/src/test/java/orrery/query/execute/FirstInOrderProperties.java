package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import orrery.model.memory.MemoryAccount;

class FirstInOrderProperties {
    @Property(tries = 1000)
    void keepsABeginningOfTheSortedListAndNoMoreThanFits(
            @ForAll @Size(max = 30) List<@AlphaChars @StringLength(max = 9) String> offered,
            @ForAll @IntRange(min = 1, max = 12) int maxCount,
            @ForAll @IntRange(min = 1, max = 40) int maxBytes) {
        List<String> different = offered.stream().distinct().toList();
        FirstInOrder<String> first =
                new FirstInOrder<>(
                        Comparator.naturalOrder(),
                        maxCount,
                        maxBytes,
                        String::length,
                        MemoryAccount.NONE.part());
        different.forEach(first::offer);
        List<String> kept = first.sorted();
        assertThat(kept).isEqualTo(different.stream().sorted().limit(kept.size()).toList());
        assertThat(first.hasLeftOut()).isEqualTo(kept.size() < different.size());
        assertThat(kept).hasSizeLessThanOrEqualTo(maxCount);
        if (kept.size() > 1) {
            assertThat(kept.stream().mapToInt(String::length).sum()).isLessThanOrEqualTo(maxBytes);
        }
        if (!different.isEmpty()) {
            assertThat(kept).isNotEmpty();
        }
    }
}
