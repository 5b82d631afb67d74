package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

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
import orrery.model.PartitionKey;

/** Groups and distinct results are gathered once, however many pages they come in. */
class GatheredAnswerTest {
    private static final FeedScope EVERYWHERE = new FeedScope.Everything();
    private static final FeedScope KEY = new FeedScope.Key(PartitionKey.ofText("k1"));
    private static final int ITEMS = 240;
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong nanos = new AtomicLong();

    /** The time that passes between two looks at the clock. */
    private final AtomicLong step = new AtomicLong();

    @TempDir private Path directory;
    private EngineFixture fixture;
    private ContainerRef container;

    @BeforeEach
    void open() {
        fixture =
                new EngineFixture(
                        directory, AccountSettings.DEFAULT, () -> nanos.addAndGet(step.get()));
        container = fixture.container("c", 30_000, "/pk");
        for (int i = 0; i < ITEMS; i++) {
            create(i, i % 120);
        }
    }

    private void create(int id, int value) {
        fixture.create(
                container,
                "{\"id\":\"%d\",\"pk\":\"k%d\",\"n\":%d,\"x\":%d,\"list\":[%d,%d]}"
                        .formatted(id, id % 5, value, id % 7, value, value + 1000));
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private QueryPage page(FeedScope scope, String query, int rows, Optional<String> token) {
        return fixture.page(container, scope, query, rows, token);
    }

    private static List<String> rows(QueryPage page) {
        return page.rows().stream().map(Bytes::toUtf8).toList();
    }

    private List<QueryPage> pages(FeedScope scope, String query, int rows) {
        List<QueryPage> pages = new ArrayList<>();
        Optional<String> token = Optional.empty();
        do {
            pages.add(page(scope, query, rows, token));
            token = pages.getLast().continuation();
        } while (token.isPresent());
        return pages;
    }

    private List<String> all(FeedScope scope, String query, int rows) {
        return pages(scope, query, rows).stream().flatMap(page -> rows(page).stream()).toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT DISTINCT VALUE c.n FROM c",
                "SELECT DISTINCT VALUE c.n FROM c WHERE c.x >= 0",
                "SELECT VALUE c.n FROM c GROUP BY c.n",
                "SELECT c.n, COUNT(1) AS k, SUM(c.x) AS s FROM c GROUP BY c.n",
                "SELECT DISTINCT VALUE COUNT(1) + c.n FROM c GROUP BY c.n",
                "SELECT VALUE d FROM (SELECT DISTINCT VALUE c.n FROM c) d"
            })
    void itemsAreReadOnceHoweverManyPagesThereAre(String query) {
        for (FeedScope scope : List.of(EVERYWHERE, KEY)) {
            List<QueryPage> one = pages(scope, query, 1000);
            List<QueryPage> many = pages(scope, query, 7);
            assertThat(many.size()).isGreaterThan(3);
            assertThat(many.stream().flatMap(page -> rows(page).stream()).toList())
                    .containsExactlyInAnyOrderElementsOf(
                            one.stream().flatMap(page -> rows(page).stream()).toList())
                    .doesNotHaveDuplicates();
            long whole = one.stream().mapToLong(page -> page.metrics().documents()).sum();
            long paged = many.stream().mapToLong(page -> page.metrics().documents()).sum();
            // Each page of a partition may read a bit further, to know whether another follows.
            assertThat(paged).isLessThan(2 * whole);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT DISTINCT VALUE c.n FROM c",
                "SELECT DISTINCT VALUE c.n FROM c ORDER BY c.x",
                "SELECT DISTINCT VALUE c.n FROM c ORDER BY c.n",
                "SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n",
                "SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n ORDER BY c.n DESC",
                "SELECT DISTINCT VALUE COUNT(1) + c.n FROM c GROUP BY c.n OFFSET 3 LIMIT 50",
                "SELECT VALUE d FROM (SELECT DISTINCT VALUE c.n FROM c) d",
                "SELECT DISTINCT VALUE l FROM c JOIN l IN c.list OFFSET 5 LIMIT 70"
            })
    void aTokenWorksWithoutWhatWasKept(String query) {
        List<String> expected = all(EVERYWHERE, query, 9);
        assertThat(expected).doesNotHaveDuplicates();
        List<String> found = new ArrayList<>();
        Optional<String> token = Optional.empty();
        do {
            QueryPage page = page(EVERYWHERE, query, 9, token);
            found.addAll(rows(page));
            token = page.continuation();
            nanos.addAndGet(61 * SECOND);
        } while (token.isPresent());
        assertThat(found).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT DISTINCT VALUE c.n FROM c",
                "SELECT DISTINCT VALUE c.n FROM c ORDER BY c.x",
                "SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n",
                "SELECT DISTINCT VALUE COUNT(1) + c.n FROM c GROUP BY c.n",
                "SELECT DISTINCT VALUE d FROM (SELECT DISTINCT VALUE c.n FROM c) d"
            })
    void aPageCanBeAskedForAgain(String query) {
        List<String> expected = all(EVERYWHERE, query, 30);
        Optional<String> token = page(EVERYWHERE, query, 30, Optional.empty()).continuation();
        QueryPage second = page(EVERYWHERE, query, 30, token);
        page(EVERYWHERE, query, 30, second.continuation());
        assertThat(rows(page(EVERYWHERE, query, 30, token))).isEqualTo(rows(second));
        assertThat(rows(second)).isEqualTo(expected.subList(30, 60));
    }

    @Test
    void noGroupComesTwiceOrIsLostWhenOthersComeMeanwhile() {
        String query = "SELECT VALUE c.n FROM c GROUP BY c.n";
        List<String> found = new ArrayList<>();
        Optional<String> token = Optional.empty();
        int id = ITEMS;
        do {
            QueryPage page = page(EVERYWHERE, query, 10, token);
            found.addAll(rows(page));
            token = page.continuation();
            // Those below what was given are not seen any more; those above are.
            create(id, -id);
            create(id + 1, id);
            id += 2;
            nanos.addAndGet(61 * SECOND);
        } while (token.isPresent() && id < ITEMS + 40);
        assertThat(found).doesNotHaveDuplicates();
        for (int i = 0; i < 120; i++) {
            assertThat(found).contains(Integer.toString(i));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT VALUE c.id FROM c ORDER BY c.n DESC OFFSET 200 LIMIT 20",
                "SELECT DISTINCT VALUE c.n FROM c ORDER BY c.n OFFSET 100 LIMIT 10",
                "SELECT DISTINCT VALUE c.n FROM c ORDER BY c.x OFFSET 100 LIMIT 10",
                "SELECT DISTINCT VALUE c.n FROM c",
                "SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.n FROM c) d"
            })
    void anAnswerThatTakesLongComesInShortPages(String query) {
        List<String> expected = all(EVERYWHERE, query, 1000);
        step.set(16 * SECOND);
        List<QueryPage> pages = pages(EVERYWHERE, query, 1000);
        assertThat(pages.size()).isGreaterThan(1);
        assertThat(pages.stream().flatMap(page -> rows(page).stream()).toList())
                .isEqualTo(expected);
    }

    @Test
    void moreDistinctValuesAreCountedThanAPageHolds() {
        ContainerRef lists = fixture.container("lists", 400, "/pk");
        for (int i = 0; i < 101; i++) {
            nanos.addAndGet(20 * SECOND);
            StringBuilder list = new StringBuilder();
            for (int j = 0; j < 1000; j++) {
                list.append(j == 0 ? "" : ",").append(i * 1000 + j);
            }
            fixture.create(lists, "{\"id\":\"%d\",\"pk\":\"k\",\"l\":[%s]}".formatted(i, list));
        }
        String query =
                "SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE l FROM c JOIN l IN c.l) d";
        List<String> found = new ArrayList<>();
        Optional<String> token = Optional.empty();
        do {
            nanos.addAndGet(20 * SECOND);
            QueryPage page = fixture.page(lists, EVERYWHERE, query, 100, token);
            found.addAll(rows(page));
            token = page.continuation();
        } while (token.isPresent());
        assertThat(found).containsExactly("101000");
    }

    /** A partition looks at 200,000 rows of joins for a page. */
    @Test
    void aSelectiveSortGoesOnWhereItWasInEachRange() {
        ContainerRef lists = fixture.container("zeros", 20_000, "/pk");
        String zeros = "0,".repeat(999) + "0";
        for (int i = 0; i < 520; i++) {
            nanos.addAndGet(SECOND);
            fixture.create(
                    lists,
                    "{\"id\":\"%d\",\"pk\":\"k%d\",\"n\":%d,\"one\":%d,\"l\":[%s]}"
                            .formatted(i, i % 16, i, i < 510 ? 1 : 0, zeros));
        }
        String query =
                "SELECT VALUE c.id FROM c JOIN l IN c.l WHERE l + c.one = 0 ORDER BY c.n OFFSET"
                        + " 1000 LIMIT 1001";
        step.set(4 * SECOND);
        List<String> found = new ArrayList<>();
        Optional<String> token = Optional.empty();
        int empty = 0;
        do {
            QueryPage page = fixture.page(lists, EVERYWHERE, query, 1000, token);
            found.addAll(rows(page));
            empty += page.rows().isEmpty() ? 1 : 0;
            token = page.continuation();
        } while (token.isPresent());
        assertThat(empty).isPositive();
        assertThat(found).hasSize(1001).startsWith("\"511\"").endsWith("\"512\"");
    }

    /** Each page of a partition costs something, however few rows it has. */
    @Test
    void rowsThatAreLeftOutAreReadInPagesOfTheirOwnSize() {
        QueryPage leftOut =
                page(
                        EVERYWHERE,
                        "SELECT VALUE c.id FROM c ORDER BY c.n OFFSET 200 LIMIT 1",
                        1000,
                        Optional.empty());
        QueryPage given =
                page(
                        EVERYWHERE,
                        "SELECT VALUE c.id FROM c ORDER BY c.n OFFSET 0 LIMIT 201",
                        1000,
                        Optional.empty());
        assertThat(rows(leftOut)).containsExactly(rows(given).getLast());
        assertThat(leftOut.charge().ru()).isLessThan(1.5 * given.charge().ru());
    }

    /** A page that has room for one more would ask for one row after the other, all known. */
    @Test
    void valuesThatAreKnownAreReadInLargePages() {
        String query = "SELECT DISTINCT VALUE c.n % 5 FROM c";
        QueryPage large = page(EVERYWHERE, query, 1000, Optional.empty());
        for (int size : List.of(2, 6)) {
            List<QueryPage> small = pages(EVERYWHERE, query, size);
            assertThat(small.stream().flatMap(page -> rows(page).stream()).toList())
                    .containsExactlyInAnyOrderElementsOf(rows(large));
            assertThat(small.stream().mapToDouble(page -> page.charge().ru()).sum())
                    .isLessThan(6 * large.charge().ru());
        }
    }

    /** Groups of 40 KB do not come in one page of a partition. */
    @Test
    void groupsAreKeptWhileTheyAreGathered() {
        ContainerRef wide = fixture.container("wide", 20_000, "/pk");
        String pad = "x".repeat(20_000);
        for (int i = 0; i < 140; i++) {
            nanos.addAndGet(SECOND);
            fixture.create(
                    wide,
                    "{\"id\":\"%d\",\"pk\":\"k%d\",\"g\":\"%s%d\"}".formatted(i, i % 2, pad, i));
        }
        String query = "SELECT VALUE LENGTH(c.g) FROM c GROUP BY c.g";
        step.set(16 * SECOND);
        List<QueryPage> pages = new ArrayList<>();
        Optional<String> token = Optional.empty();
        do {
            pages.add(fixture.page(wide, EVERYWHERE, query, 1000, token));
            token = pages.getLast().continuation();
        } while (token.isPresent());
        assertThat(pages.size()).isGreaterThan(1);
        assertThat(pages.getFirst().rows()).isEmpty();
        assertThat(pages.stream().mapToInt(page -> page.rows().size()).sum()).isEqualTo(140);
        assertThat(pages.stream().mapToLong(page -> page.metrics().documents()).sum())
                .isEqualTo(140);
    }

    @Test
    void aRangeGivesTheGroupsAndResultsOfEachPage() {
        FeedScope range = new FeedScope.Range(0, Optional.empty());
        List<QueryPage> groups = pages(range, "SELECT VALUE c.n FROM c GROUP BY c.n", 10);
        List<QueryPage> distinct = pages(range, "SELECT DISTINCT VALUE c.n FROM c", 10);
        for (List<QueryPage> pages : List.of(groups, distinct)) {
            assertThat(pages.size()).isGreaterThan(2);
            pages.forEach(page -> assertThat(rows(page)).hasSizeLessThanOrEqualTo(10));
            pages.forEach(page -> assertThat(rows(page)).doesNotHaveDuplicates());
        }
        assertThat(groups.stream().flatMap(page -> rows(page).stream()).distinct())
                .containsExactlyInAnyOrderElementsOf(
                        distinct.stream().flatMap(page -> rows(page).stream()).distinct().toList());
    }
}
