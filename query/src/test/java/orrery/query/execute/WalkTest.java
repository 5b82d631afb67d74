package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.model.IndexingPolicy;

/** Walks in the order of creation over what a query finds, however the index has it. */
final class WalkTest {
    private static final int ITEMS = 6000;
    private static final PageLimits PAGE = PageLimits.of(1000, 4 << 20);

    private final MemoryItems items = new MemoryItems(IndexingPolicy.DEFAULT);

    /** The values of n fall as the docids rise. */
    @BeforeEach
    void fill() {
        for (int i = 0; i < ITEMS; i++) {
            items.add("{\"id\":\"%d\",\"n\":%d,\"m\":%d}".formatted(i, ITEMS - i, i % 7));
        }
    }

    private List<Long> walk(String query, long before, int ofPage) {
        List<Long> found = new ArrayList<>();
        OptionalLong next = OptionalLong.of(0);
        while (next.isPresent()) {
            int end = found.size() + ofPage;
            next =
                    items.execution(query, PAGE)
                            .walk(
                                    next.getAsLong(),
                                    before,
                                    (_, item) -> found.size() < end && found.add(item.docid()));
        }
        return found;
    }

    /** More match than a page takes from an index that has them in another order. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT * FROM c WHERE c.n > 10 | 5990",
                "SELECT * FROM c WHERE c.n > 5900 | 100",
                "SELECT * FROM c WHERE c.m = 3 | 857",
                "SELECT * FROM c WHERE c.m IN (1, 3) | 1714",
                "SELECT * FROM c WHERE c.n > 3000 AND c.n + c.m > 3100 | 2901",
                "SELECT * FROM c | 6000",
                "SELECT * FROM c WHERE false | 0"
            })
    void eachMatchComesOnceInTheOrderOfCreation(String query, int matches) {
        for (int ofPage : new int[] {700, 5000, ITEMS}) {
            List<Long> found = walk(query, Long.MAX_VALUE, ofPage);

            assertThat(found).isSorted().doesNotHaveDuplicates();
            assertThat(found.size()).isBetween(matches - 6, matches + 6);
            assertThat(found).isEqualTo(walk(query, Long.MAX_VALUE, 311));
        }
    }

    @Test
    void theWalkEndsBeforeWhatCameLater() {
        List<Long> all = walk("SELECT * FROM c WHERE c.n > 10", Long.MAX_VALUE, 1000);

        assertThat(walk("SELECT * FROM c WHERE c.n > 10", all.get(4500), 1000))
                .isEqualTo(all.subList(0, 4500));
    }
}
