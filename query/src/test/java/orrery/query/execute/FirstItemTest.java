package orrery.query.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;

/** Searches for the item of the first row: they may take several pages, and each gets further. */
final class FirstItemTest {
    private static final int ITEMS = 300;

    /** Eleven items end a page. */
    private static final PageLimits FEW =
            new PageLimits(1, 4 << 20, 200_000, 11, Duration.ofSeconds(60));

    private final MemoryItems items = new MemoryItems(IndexingPolicy.DEFAULT);

    @BeforeEach
    void fill() {
        for (int i = 0; i < ITEMS; i++) {
            items.add("{\"id\":\"%d\",\"n\":%d,\"list\":[%d]}".formatted(i, ITEMS - i, i));
        }
    }

    private record Search(Optional<Bytes> key, int pages, int documents) {}

    private Search search(String text, PageLimits limits) {
        Optional<Bytes> token = Optional.empty();
        int documents = 0;
        for (int pages = 1; pages <= ITEMS; pages++) {
            QueryExecution execution = items.execution(text, limits);
            FirstItem first = execution.first(token);
            documents += execution.documents();
            if (first.next().isEmpty()) {
                return new Search(first.key(), pages, documents);
            }
            assertThat(first.key()).isEmpty();
            token = first.next();
        }
        throw new AssertionError("the search never ends: " + text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT * FROM c WHERE LENGTH(c.id) = 3 | 100",
                "SELECT VALUE c.id FROM c WHERE c.n + 0 = 50 | 250",
                "SELECT * FROM c WHERE c.n = 50 | 250",
                "SELECT * FROM c ORDER BY c.n | 299",
                "SELECT * FROM c WHERE LENGTH(c.id) = 2 ORDER BY c.n | 99",
                "SELECT VALUE x FROM c JOIN x IN c.list WHERE x = 120 | 120",
                "SELECT * FROM c OFFSET 40 LIMIT 1 | 40",
                "SELECT * FROM c WHERE LENGTH(c.id) = 3 OFFSET 40 LIMIT 1 | 140"
            })
    void pagesLeadToTheItemOfTheFirstRow(String text, String id) {
        for (PageLimits limits : new PageLimits[] {FEW, PageLimits.of(1, 4 << 20)}) {
            Search search = search(text, limits);
            assertThat(items.load(search.key().orElseThrow()).body().toUtf8())
                    .contains("\"id\":\"" + id + "\"");
        }
    }

    @Test
    void aSearchThatEndsAtItsWorkGoesOnBehindIt() {
        Search search = search("SELECT * FROM c WHERE c.n + LENGTH(c.id) < 0", FEW);

        assertThat(search.key()).isEmpty();
        assertThat(search.pages()).isGreaterThan(ITEMS / 12);
        assertThat(search.documents()).as("each item is read once").isEqualTo(ITEMS);
    }

    @Test
    void aLimitOfNoneFindsNothing() {
        assertThat(search("SELECT TOP 0 * FROM c", FEW).key()).isEmpty();
    }

    @Test
    void groupsHaveNoItem() {
        OrreryException refusal =
                catchThrowableOfType(
                        OrreryException.class, () -> search("SELECT c.n FROM c GROUP BY c.n", FEW));
        assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
    }
}
