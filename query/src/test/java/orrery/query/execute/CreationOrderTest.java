package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.Bytes;
import orrery.model.IndexingPolicy;

/** Results without ORDER BY come in the order in which their items were created. */
class CreationOrderTest {
    private static final int MOST = CandidateFinder.MAX_GATHERED;
    private static final PageLimits LARGE = PageLimits.of(4000, 4 << 20);
    private static final String BY_VALUE = "SELECT VALUE c.id FROM c WHERE c.n < 0";

    /** Values fall while docids rise. */
    private static MemoryItems items(int count) {
        MemoryItems items = new MemoryItems(IndexingPolicy.DEFAULT);
        for (int i = 0; i < count; i++) {
            add(items, i);
        }
        return items;
    }

    private static void add(MemoryItems items, int number) {
        items.add("{\"id\":%d,\"n\":%d,\"e\":%b}".formatted(number, -1 - number, number % 2 == 0));
    }

    private static List<String> numbers(int from, int to, int step) {
        List<String> numbers = new ArrayList<>();
        for (int i = from; i < to; i += step) {
            numbers.add(Integer.toString(i));
        }
        return numbers;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "WHERE c.n < 0",
                "WHERE c.n IN (-1, -5, -2, -300) OR c.n < 0",
                "WHERE c.e OR c.n < 0",
                "WHERE c.id >= 0 AND c.n != 0"
            })
    void ofAScanAndOfAnyIndex(String filter) {
        MemoryItems items = items(300);
        String text = "SELECT VALUE c.id FROM c " + filter;

        assertThat(items.all(text, PageLimits.of(7, 4 << 20))).isEqualTo(numbers(0, 300, 1));
        assertThat(items.all(text, LARGE)).isEqualTo(numbers(0, 300, 1));
    }

    @Test
    void ofOneValue() {
        MemoryItems items = items(300);
        assertThat(items.all("SELECT VALUE c.id FROM c WHERE c.e", PageLimits.of(7, 4 << 20)))
                .isEqualTo(numbers(0, 300, 2));
    }

    /** A few items that are loaded end a page, and the rest comes behind them. */
    @Test
    void ofPagesThatEndBeforeTheyAreFull() {
        MemoryItems items = items(300);
        PageLimits few = new PageLimits(100, 4 << 20, 200_000, 11, Duration.ofSeconds(60));
        assertThat(items.all(BY_VALUE, few)).isEqualTo(numbers(0, 300, 1));
    }

    @Test
    void ofAsManyMatchesAsAreSorted() {
        assertThat(items(MOST).all(BY_VALUE, LARGE)).isEqualTo(numbers(0, MOST, 1));
    }

    @Test
    void ofMoreMatchesTheIndexShowsItsOwnOrderAndLosesNothing() {
        List<String> found = items(MOST + 1).all(BY_VALUE, LARGE);

        assertThat(found).isEqualTo(numbers(0, MOST + 1, 1).reversed());
    }

    @Test
    void whatWasBegunInThatOrderGoesOnAlthoughMoreMatchNow() {
        MemoryItems items = items(MOST);
        Optional<Bytes> token = items.page(BY_VALUE, LARGE, Optional.empty()).next();
        for (int i = MOST; i < 2 * MOST + 1; i++) {
            add(items, i);
        }

        // The first pages sort them still; then there are too many, and every item is looked at.
        assertThat(items.all(BY_VALUE, LARGE, Optional.empty(), token))
                .isEqualTo(numbers(4000, 2 * MOST + 1, 1));
    }
}
