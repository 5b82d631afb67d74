package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
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
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.memory.MemoryAccount;
import orrery.model.memory.MemoryBudget;
import orrery.model.resource.PhysicalPartition;

/** Gathered answers when partitions move between their pages, and when memory is short. */
class KeptAnswerTest {
    private static final FeedScope EVERYWHERE = new FeedScope.Everything();
    private static final int ITEMS = 240;
    private static final int VALUES = 120;
    private static final long SECOND = 1_000_000_000L;
    private static final long MB = 1 << 20;

    /** The time that passes between two looks at the clock. */
    private final AtomicLong step = new AtomicLong();

    private final AtomicLong nanos = new AtomicLong();

    @TempDir private Path directory;
    private EngineFixture fixture;
    private ContainerRef container;

    @BeforeEach
    void open() {
        AccountSettings settings = AccountSettings.DEFAULT.withMetering(false, false, false);
        fixture = new EngineFixture(directory, settings, () -> nanos.addAndGet(step.get()));
        container = fixture.container("c", 400, "/pk");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void fill() {
        for (int i = 0; i < ITEMS; i++) {
            fixture.create(
                    container,
                    "{\"id\":\"%d\",\"pk\":\"k%d\",\"n\":%d,\"x\":%d}"
                            .formatted(i, i % 40, i % VALUES, i % 7));
        }
    }

    private static List<String> rows(QueryPage page) {
        return page.rows().stream().map(Bytes::toUtf8).toList();
    }

    private List<PhysicalPartition> partitions() {
        return fixture.engine
                .resources()
                .readPartitionMap(EngineFixture.context(), container)
                .partitions();
    }

    /** Splits the first partition, and merges the first two behind every third page. */
    private void reshape(int page) {
        int first = partitions().getFirst().range();
        if (page % 3 == 2) {
            fixture.engine.operations().mergePartitions(EngineFixture.context(), container, first);
        } else {
            fixture.engine.operations().splitPartition(EngineFixture.context(), container, first);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT c.n, COUNT(1) AS k, SUM(c.x) AS s FROM c GROUP BY c.n",
                "SELECT DISTINCT VALUE COUNT(1) + c.n FROM c GROUP BY c.n OFFSET 3 LIMIT 90",
                "SELECT DISTINCT VALUE c.n FROM c",
                "SELECT DISTINCT VALUE c.n FROM c ORDER BY c.x",
                "SELECT DISTINCT VALUE c.n FROM c OFFSET 10 LIMIT 80",
                "SELECT VALUE d FROM (SELECT DISTINCT VALUE c.n FROM c) d"
            })
    void partitionsMaySplitAndMergeWhileAStateIsKept(String query) {
        fill();
        List<String> expected = fixture.all(container, EVERYWHERE, query, 1000);
        List<String> found = new ArrayList<>();
        Optional<String> token = Optional.empty();
        int pages = 0;
        do {
            QueryPage page = fixture.page(container, EVERYWHERE, query, 17, token);
            found.addAll(rows(page));
            token = page.continuation();
            if (token.isPresent() && pages < 4) {
                reshape(pages);
            }
            pages++;
        } while (token.isPresent());
        assertThat(pages).isGreaterThan(4);
        assertThat(found).containsExactlyInAnyOrderElementsOf(expected).doesNotHaveDuplicates();
    }

    /** The order of the inner results changes with each split, so a count of them tells nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE d FROM (SELECT DISTINCT VALUE c.n FROM c) d",
                "SELECT VALUE d FROM (SELECT DISTINCT VALUE c.n FROM c WHERE c.x > 2) d",
                "SELECT VALUE d FROM (SELECT DISTINCT VALUE c.n FROM c) d WHERE d % 3 = 0",
                "SELECT VALUE d FROM (SELECT DISTINCT VALUE c.n FROM c) d OFFSET 10 LIMIT 80",
                "SELECT DISTINCT VALUE d FROM (SELECT DISTINCT VALUE c.n FROM c WHERE c.x > 2) d",
                "SELECT DISTINCT VALUE d % 60 FROM"
                        + " (SELECT DISTINCT VALUE c.n FROM c WHERE c.x > 2) d",
                "SELECT DISTINCT VALUE d % 60 FROM (SELECT DISTINCT VALUE c.n FROM c"
                        + " WHERE c.x >= 0) d OFFSET 5 LIMIT 50",
                "SELECT VALUE d.n FROM (SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n) d"
            })
    void partitionsMaySplitAndMergeWhenNothingWasKept(String query) {
        fill();
        List<String> expected = fixture.all(container, EVERYWHERE, query, 1000);
        List<String> found = new ArrayList<>();
        Optional<String> token = Optional.empty();
        int pages = 0;
        do {
            QueryPage page = fixture.page(container, EVERYWHERE, query, 7, token);
            found.addAll(rows(page));
            token = page.continuation();
            if (token.isPresent() && pages < 4) {
                reshape(pages);
            }
            nanos.addAndGet(61 * SECOND);
            pages++;
        } while (token.isPresent());
        assertThat(pages).isGreaterThan(4);
        assertThat(found).doesNotHaveDuplicates().hasSameSizeAs(expected);
        if (!query.contains("OFFSET")) {
            assertThat(found).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    /** Each page gathers a bit, and the partitions that it has read are others on the next. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void partitionsMaySplitWhileGroupsAreGathered(boolean isForgotten) {
        String pad = "x".repeat(30_000);
        for (int i = 0; i < 300; i++) {
            fixture.create(
                    container,
                    "{\"id\":\"%d\",\"pk\":\"k%d\",\"g\":\"%d%s\"}"
                            .formatted(i, i % 40, i % 150, pad));
        }
        String query = "SELECT LEFT(c.g, 3) AS g, COUNT(1) AS n FROM c GROUP BY c.g";
        List<String> expected = fixture.all(container, EVERYWHERE, query, 1000);
        assertThat(expected).hasSize(150).allMatch(row -> row.endsWith("\"n\":2}"));
        step.set(16 * SECOND);
        List<String> found = new ArrayList<>();
        Optional<String> token = Optional.empty();
        int pages = 0;
        do {
            QueryPage page = fixture.page(container, EVERYWHERE, query, 1000, token);
            found.addAll(rows(page));
            token = page.continuation();
            if (token.isPresent() && pages == 0) {
                reshape(pages);
                nanos.addAndGet(isForgotten ? 61 * SECOND : 0);
                // Without what was kept the next page has to come to the end by itself.
                step.set(isForgotten ? 0 : step.get());
            }
            pages++;
        } while (token.isPresent());
        assertThat(pages).isGreaterThan(1);
        assertThat(found).isEqualTo(expected);
    }

    /** SDKs send the token of a range that was split to both halves, and add up what they get. */
    @Test
    void eachHalfOfASplitRangeGoesOnWithItsOwnGroups() {
        fill();
        String query = "SELECT VALUE COUNT(1) FROM c GROUP BY c.n OFFSET 0 LIMIT 1000";
        FeedScope whole = new FeedScope.Range(0, Optional.empty());
        QueryPage first = fixture.page(container, whole, query, 17, Optional.empty());
        long counted = sum(rows(first));
        reshape(0);
        for (PhysicalPartition half : partitions()) {
            FeedScope scope = new FeedScope.Range(half.range(), Optional.empty());
            Optional<String> token = first.continuation();
            while (token.isPresent()) {
                QueryPage page = fixture.page(container, scope, query, 17, token);
                counted += sum(rows(page));
                token = page.continuation();
            }
        }
        assertThat(counted).isEqualTo(ITEMS);
    }

    private static long sum(List<String> rows) {
        return rows.stream().mapToLong(Long::parseLong).sum();
    }

    /** Clients that merge by themselves can, where the gateway cannot. */
    @Test
    void moreGroupsThanARequestMayHoldAreLeftToClientsThatMerge() {
        String pad = "x".repeat(100_000);
        for (int i = 0; i < 200; i++) {
            fixture.create(
                    container, "{\"id\":\"%d\",\"pk\":\"k\",\"g\":\"%d%s\"}".formatted(i, i, pad));
        }
        String query = "SELECT VALUE LENGTH(c.g) FROM c GROUP BY c.g";
        // A request may hold 16 MB, and the groups have 20.
        MemoryBudget budget = new MemoryBudget(64 * MB);
        assertThat(refusal(budget, EVERYWHERE, query))
                .isEqualTo(ErrorCode.CROSS_PARTITION_QUERY_NOT_SERVABLE);
        FeedScope key = new FeedScope.Key(PartitionKey.ofText("k"));
        assertThat(refusal(budget, key, query)).isEqualTo(ErrorCode.TOO_LARGE);
        String derived = "SELECT VALUE COUNT(1) FROM (SELECT VALUE c.g FROM c GROUP BY c.g) d";
        assertThat(refusal(budget, EVERYWHERE, derived)).isEqualTo(ErrorCode.TOO_LARGE);
        assertThat(budget.reserved()).isZero();
        // A client that merges reads the range in pages, and each of them fits.
        FeedScope range = new FeedScope.Range(0, Optional.empty());
        try (MemoryAccount account = budget.open()) {
            account.during(
                    () -> {
                        QueryPage page =
                                fixture.page(container, range, query, 1000, Optional.empty());
                        assertThat(page.rows()).isNotEmpty();
                        assertThat(page.continuation()).isPresent();
                        return page;
                    });
        }
    }

    private ErrorCode refusal(MemoryBudget budget, FeedScope scope, String query) {
        try (MemoryAccount account = budget.open()) {
            return catchThrowableOfType(
                            OrreryException.class,
                            () ->
                                    account.during(
                                            () ->
                                                    fixture.page(
                                                            container,
                                                            scope,
                                                            query,
                                                            1000,
                                                            Optional.empty())))
                    .code();
        }
    }
}
