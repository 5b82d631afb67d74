package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.QueryPage;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.resource.PartitionMap;

/** Queries of clients that go on asking for a range which has been split. */
class LineageTest {
    private static final int ITEMS = 60;
    private static final FeedScope FIRST = new FeedScope.Lineage(0, Optional.empty());

    @TempDir private Path directory;
    private EngineFixture fixture;
    private ContainerRef container;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
        container = fixture.container("c", 400, "/pk");
        for (int i = 0; i < ITEMS; i++) {
            fixture.create(
                    container,
                    "{\"id\":\"%d\",\"pk\":\"k%d\",\"n\":%d,\"x\":%d}".formatted(i, i, i, i % 5));
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private PartitionMap split(int range) {
        return fixture.engine
                .operations()
                .splitPartition(EngineFixture.context(), container, range);
    }

    /** Reads a page, splits the range twice, and goes on with the token of that page. */
    private List<String> across(String query) {
        QueryPage first = fixture.page(container, FIRST, query, 7, Optional.empty());
        List<String> rows = new ArrayList<>();
        first.rows().forEach(row -> rows.add(row.toUtf8()));
        int left = split(0).partitions().getFirst().range();
        Optional<String> continuation = first.continuation();
        while (continuation.isPresent()) {
            QueryPage page = fixture.page(container, FIRST, query, 7, continuation);
            page.rows().forEach(row -> rows.add(row.toUtf8()));
            continuation = page.continuation();
            if (left >= 0) {
                split(left);
                left = -1;
            }
        }
        return rows;
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toList();
    }

    @Test
    void sortedRowsStaySorted() {
        assertThat(across("SELECT VALUE c.n FROM c ORDER BY c.n")).isEqualTo(numbers(0, ITEMS));
    }

    /** The client tells rows with equal values apart by their rids. */
    @Test
    void rowsWithEqualValuesComeInTheOrderOfTheRange() {
        String query = "SELECT VALUE c.n FROM c ORDER BY c.x DESC";
        List<String> before = fixture.all(container, FIRST, query, 100);
        assertThat(across(query)).isEqualTo(before);
    }

    @Test
    void rowsComeOnce() {
        assertThat(across("SELECT VALUE c.n FROM c"))
                .containsExactlyInAnyOrderElementsOf(numbers(0, ITEMS));
    }

    /** The client counts by itself, so that more than it wants does no harm. */
    @Test
    void noWantedRowIsMissing() {
        assertThat(across("SELECT TOP 20 VALUE c.n FROM c ORDER BY c.n"))
                .startsWith(numbers(0, 20).toArray(String[]::new));
    }

    @Test
    void distinctResultsAreThoseThatAClientMerges() {
        assertThat(new HashSet<>(across("SELECT DISTINCT VALUE c.n FROM c")))
                .containsExactlyInAnyOrderElementsOf(numbers(0, ITEMS));
    }

    /** Each heir gives the groups of its own items. */
    @Test
    void groupsAreThoseThatAClientMerges() {
        split(0);
        List<String> rows =
                fixture.all(container, FIRST, "SELECT c.x, COUNT(1) AS n FROM c GROUP BY c.x", 100);
        assertThat(rows).hasSizeGreaterThan(5);
        assertThat(
                        rows.stream()
                                .mapToInt(
                                        row ->
                                                Integer.parseInt(
                                                        row.replaceFirst(".*\"n\":(\\d+).*", "$1")))
                                .sum())
                .isEqualTo(ITEMS);
    }

    @Test
    void onlyTheKeysOfTheRangeAreRead() {
        int left = split(0).partitions().getFirst().range();
        String query = "SELECT VALUE c.n FROM c";
        List<String> before =
                fixture.all(container, new FeedScope.Range(left, Optional.empty()), query, ITEMS);
        split(left);
        List<String> after =
                fixture.all(container, new FeedScope.Lineage(left, Optional.empty()), query, ITEMS);
        assertThat(after).containsExactlyInAnyOrderElementsOf(before).hasSizeLessThan(ITEMS);
    }

    /** The keys that a merged range had are not written down. */
    @Test
    void aRangeThatWasMergedIsGone() {
        int left = split(0).partitions().getFirst().range();
        fixture.engine.operations().mergePartitions(EngineFixture.context(), container, left);
        for (int range : new int[] {0, left, 99}) {
            FeedScope gone = new FeedScope.Lineage(range, Optional.empty());
            assertThatThrownBy(() -> fixture.all(container, gone, "SELECT VALUE c.n FROM c", 100))
                    .isInstanceOfSatisfying(
                            OrreryException.class,
                            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.RANGE_GONE));
        }
    }
}
