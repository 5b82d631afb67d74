package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.cluster.api.AccountSettings;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.QueryPage;
import orrery.model.Bytes;
import orrery.model.resource.PhysicalPartition;

/** Queries over the results of others, page by page, while partitions move. */
class DerivedAnswerTest {
    private static final FeedScope EVERYWHERE = new FeedScope.Everything();
    private static final int ITEMS = 240;
    private static final int VALUES = 120;
    private static final long SECOND = 1_000_000_000L;
    private static final int MANY_PARTITIONS = 50_000;
    private static final int ONE_PARTITION = 400;

    /** The time that passes between two looks at the clock. */
    private final AtomicLong step = new AtomicLong();

    private final AtomicLong nanos = new AtomicLong();

    @TempDir private Path directory;
    private EngineFixture fixture;

    @BeforeEach
    void open() {
        AccountSettings settings = AccountSettings.DEFAULT.withMetering(false, false, false);
        fixture = new EngineFixture(directory, settings, () -> nanos.addAndGet(step.get()));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** Two items have each value, and those of one value the same list, of up to five elements. */
    private ContainerRef filled(int throughput) {
        ContainerRef container = fixture.container("c" + throughput, throughput, "/pk");
        for (int i = 0; i < ITEMS; i++) {
            int n = i % VALUES;
            List<String> list = new ArrayList<>();
            for (int j = 0; j < n % 6; j++) {
                list.add(Integer.toString((n * 7 + j) % 200));
            }
            fixture.create(
                    container,
                    "{\"id\":\"%d\",\"pk\":\"k%d\",\"n\":%d,\"x\":%d,\"list\":%s}"
                            .formatted(i, i % 40, n, i % 7, list));
        }
        return container;
    }

    /** Splits the last or the first partition, and merges the first two behind every third page. */
    private void reshape(ContainerRef container, int page) {
        List<PhysicalPartition> partitions =
                fixture.engine
                        .resources()
                        .readPartitionMap(EngineFixture.context(), container)
                        .partitions();
        PhysicalPartition first = partitions.getFirst();
        if (page % 3 == 2) {
            fixture.engine
                    .operations()
                    .mergePartitions(EngineFixture.context(), container, first.range());
        } else {
            fixture.engine
                    .operations()
                    .splitPartition(
                            EngineFixture.context(),
                            container,
                            page % 3 == 1 ? partitions.getLast().range() : first.range());
        }
    }

    private static List<String> rows(QueryPage page) {
        return page.rows().stream().map(Bytes::toUtf8).toList();
    }

    private List<String> paged(
            ContainerRef container, String query, int size, boolean isMoved, boolean isForgotten) {
        List<String> found = new ArrayList<>();
        Optional<String> token = Optional.empty();
        int pages = 0;
        do {
            QueryPage page = fixture.page(container, EVERYWHERE, query, size, token);
            found.addAll(rows(page));
            token = page.continuation();
            // Clients and proxies refuse headers of some kilobytes.
            assertThat(token.map(String::length).orElse(0)).isLessThan(2500);
            if (isMoved && token.isPresent() && pages < 12) {
                reshape(container, pages);
            }
            nanos.addAndGet(isForgotten ? 61 * SECOND : 0);
            pages++;
        } while (token.isPresent());
        assertThat(pages).isGreaterThan(size < 24 ? 1 : 0);
        return found;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE d FROM (SELECT DISTINCT VALUE c.n FROM c) d",
                "SELECT DISTINCT VALUE d FROM (SELECT DISTINCT VALUE c.n FROM c WHERE c.x >= 0) d",
                "SELECT DISTINCT VALUE d % 40 FROM (SELECT DISTINCT VALUE c.n FROM c"
                        + " WHERE c.x >= 0) d",
                "SELECT DISTINCT VALUE d % 40 FROM (SELECT DISTINCT VALUE c.n FROM c"
                        + " WHERE c.n >= 0) d WHERE d > 9",
                "SELECT VALUE x FROM (SELECT DISTINCT c.n, c.list FROM c WHERE c.x >= 0) d"
                        + " JOIN x IN d.list",
                "SELECT d.n, x FROM (SELECT DISTINCT c.n, c.list FROM c WHERE c.x >= 0) d"
                        + " JOIN x IN d.list WHERE x % 3 > 0",
                "SELECT VALUE x FROM x IN (SELECT DISTINCT VALUE c.list FROM c WHERE c.x >= 0)",
                "SELECT DISTINCT VALUE x FROM (SELECT DISTINCT c.n, c.list FROM c"
                        + " WHERE c.x >= 0) d JOIN x IN d.list",
                "SELECT DISTINCT VALUE x % 40 FROM (SELECT DISTINCT c.n, c.list FROM c"
                        + " WHERE c.x >= 0) d JOIN x IN d.list WHERE x % 9 > 0",
                "SELECT d.n, x FROM (SELECT c.n, c.list, COUNT(1) AS k FROM c"
                        + " GROUP BY c.n, c.list) d JOIN x IN d.list",
                "SELECT DISTINCT VALUE x % 150 FROM (SELECT c.n, c.list, COUNT(1) AS k FROM c"
                        + " GROUP BY c.n, c.list) d JOIN x IN d.list",
                "SELECT VALUE e FROM (SELECT VALUE d FROM (SELECT DISTINCT VALUE c.n FROM c"
                        + " WHERE c.x >= 0) d) e",
                "SELECT DISTINCT VALUE e % 50 FROM (SELECT VALUE x FROM"
                        + " (SELECT DISTINCT c.n, c.list FROM c WHERE c.x >= 0) d"
                        + " JOIN x IN d.list) e",
                "SELECT f.n, x FROM (SELECT DISTINCT d.n, d.list FROM"
                        + " (SELECT DISTINCT c.n, c.list, c.x FROM c WHERE c.x >= 0) d) f"
                        + " JOIN x IN f.list",
                "SELECT DISTINCT VALUE x FROM (SELECT DISTINCT VALUE d.list FROM"
                        + " (SELECT DISTINCT c.n, c.list, c.x FROM c WHERE c.x >= 0) d) f"
                        + " JOIN x IN f",
                "SELECT d.k, x FROM (SELECT e.n % 60 AS k, e.list, COUNT(1) AS s FROM"
                        + " (SELECT DISTINCT c.n, c.x, c.list FROM c) e GROUP BY e.n % 60, e.list)"
                        + " d JOIN x IN d.list",
                "SELECT DISTINCT VALUE x FROM (SELECT e.n % 60 AS k, e.list, COUNT(1) AS s FROM"
                        + " (SELECT DISTINCT c.n, c.x, c.list FROM c) e GROUP BY e.n % 60, e.list)"
                        + " d JOIN x IN d.list"
            })
    void tokensAreExactWhenNothingWasKept(String query) {
        for (int throughput : List.of(ONE_PARTITION, MANY_PARTITIONS)) {
            ContainerRef container = filled(throughput);
            List<String> expected = fixture.all(container, EVERYWHERE, query, 1000);
            // A page that finds nothing kept does again what those before it did, so pages are few.
            int size = throughput == ONE_PARTITION ? 7 : 11;
            assertThat(paged(container, query, size, false, true)).isEqualTo(expected);
            assertThat(paged(container, query, 23, true, true))
                    .containsExactlyInAnyOrderElementsOf(expected);
            assertThat(paged(container, query, 9, true, false))
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void theInnermostResultsMayBeOfAllItems() {
        ContainerRef container = filled(MANY_PARTITIONS);
        String distinct = "(SELECT DISTINCT VALUE c.n FROM c)";
        String middle = "(SELECT VALUE d FROM " + distinct + " d)";
        assertThat(fixture.all(container, EVERYWHERE, "SELECT VALUE e FROM " + middle + " e", 9))
                .hasSize(VALUES)
                .doesNotHaveDuplicates();
        assertThat(
                        fixture.all(
                                container,
                                EVERYWHERE,
                                "SELECT VALUE COUNT(1) FROM " + middle + " e",
                                9))
                .containsExactly(Integer.toString(VALUES));
    }

    /** What was given is found out again in many steps, and kept between them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT DISTINCT VALUE x FROM (SELECT DISTINCT c.n, c.list FROM c"
                        + " WHERE c.x >= 0) d JOIN x IN d.list",
                "SELECT DISTINCT VALUE e % 50 FROM (SELECT VALUE x FROM"
                        + " (SELECT DISTINCT c.n, c.list FROM c WHERE c.x >= 0) d"
                        + " JOIN x IN d.list) e",
                "SELECT DISTINCT VALUE x FROM (SELECT DISTINCT VALUE d.list FROM"
                        + " (SELECT DISTINCT c.n, c.list, c.x FROM c WHERE c.x >= 0) d) f"
                        + " JOIN x IN f",
                "SELECT DISTINCT VALUE x FROM (SELECT e.n % 60 AS k, e.list FROM"
                        + " (SELECT DISTINCT c.n, c.x, c.list FROM c) e GROUP BY e.n % 60, e.list)"
                        + " d JOIN x IN d.list"
            })
    void findingOutWhatWasGivenMayTakeLong(String query) {
        ContainerRef container = filled(MANY_PARTITIONS);
        List<String> expected = fixture.all(container, EVERYWHERE, query, 1000);
        List<String> found = new ArrayList<>();
        Optional<String> token = Optional.empty();
        int pages = 0;
        int empty = 0;
        do {
            QueryPage page = fixture.page(container, EVERYWHERE, query, 7, token);
            found.addAll(rows(page));
            token = page.continuation();
            pages++;
            empty += pages > 5 && page.rows().isEmpty() ? 1 : 0;
            if (pages == 5) {
                reshape(container, 0);
                nanos.addAndGet(61 * SECOND);
                step.set(16 * SECOND);
            }
        } while (token.isPresent());
        assertThat(empty).isPositive();
        assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
    }

    /** One inner result makes more rows than many pages hold, and more bytes than one does. */
    @ParameterizedTest
    @ValueSource(strings = {"", "DISTINCT "})
    void oneInnerResultMayFillManyPages(String distinct) {
        ContainerRef container = fixture.container("wide", MANY_PARTITIONS, "/pk");
        for (int i = 0; i < 4; i++) {
            List<Integer> list = IntStream.range(i * 900, i * 900 + 1000).boxed().toList();
            for (int j = 0; j < 5; j++) {
                fixture.create(
                        container,
                        "{\"id\":\"%d\",\"pk\":\"k%d\",\"x\":%d,\"list\":%s}"
                                .formatted(5 * i + j, j, j, list));
            }
        }
        String inner = "(SELECT DISTINCT VALUE c.list FROM c WHERE c.x >= 0)";
        String query = "SELECT " + distinct + "VALUE x FROM x IN " + inner;
        List<String> expected = fixture.all(container, EVERYWHERE, query, 1000);
        assertThat(expected).hasSize(distinct.isEmpty() ? 4000 : 3700);
        assertThat(paged(container, query, 170, true, true))
                .containsExactlyInAnyOrderElementsOf(expected);
        String wide =
                "SELECT "
                        + distinct
                        + "VALUE CONCAT(REPLICATE('y', 9000), ToString(x)) FROM x IN "
                        + inner;
        assertThat(paged(container, wide, 1000, true, true))
                .containsExactlyInAnyOrderElementsOf(
                        expected.stream().map(x -> "\"" + "y".repeat(9000) + x + "\"").toList());
    }
}
