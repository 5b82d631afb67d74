package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.model.Bytes;
import orrery.query.QueryCall;
import orrery.query.sql.SqlStatement;

/** Pages that end where a range of keys ends, as clients that merge by themselves are used to. */
class RangePagesTest {
    private static final FeedScope EVERYWHERE = new FeedScope.Everything();
    private static final int RANGES = 5;
    private static final int ITEMS = 40;

    @TempDir private Path directory;
    private EngineFixture fixture;
    private ContainerRef container;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
        container = fixture.container("c", RANGES * 10_000, "/pk");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void create(String key) {
        for (int i = 0; i < ITEMS; i++) {
            fixture.create(
                    container, "{\"id\":\"%d\",\"pk\":\"%s\"}".formatted(i, key.formatted(i)));
        }
    }

    private List<QueryPage> pages(String query, int size) {
        List<QueryPage> pages = new ArrayList<>();
        Optional<String> continuation = Optional.empty();
        do {
            QueryPage page =
                    fixture.engine
                            .items()
                            .query(
                                    EngineFixture.context(),
                                    container,
                                    EVERYWHERE,
                                    QueryCall.of(SqlStatement.parse(query, Map.of())),
                                    new PageRequest(OptionalInt.of(size), continuation)
                                            .endingWithRange());
            pages.add(page);
            continuation = page.continuation();
        } while (continuation.isPresent());
        return pages;
    }

    private static List<String> rows(List<QueryPage> pages) {
        return pages.stream()
                .flatMap(page -> page.rows().stream())
                .map(Bytes::toUtf8)
                .sorted()
                .toList();
    }

    @Test
    void everyRangeHasAPage() {
        create("k%d");
        String query = "SELECT VALUE c.id FROM c";
        List<QueryPage> pages = pages(query, 1000);
        assertThat(pages).hasSize(RANGES);
        assertThat(pages).allSatisfy(page -> assertThat(page.range()).isPresent());
        assertThat(rows(pages))
                .isEqualTo(
                        fixture.all(container, EVERYWHERE, query, 1000).stream().sorted().toList());
        assertThat(rows(pages(query, 3))).isEqualTo(rows(pages));
    }

    @Test
    void anEmptyRangeHasAnEmptyOne() {
        create("one");
        List<QueryPage> pages = pages("SELECT VALUE c.id FROM c", 1000);
        assertThat(pages).hasSize(RANGES);
        assertThat(pages.stream().filter(page -> !page.rows().isEmpty())).hasSize(1);
        assertThat(rows(pages)).hasSize(ITEMS);
    }

    @Test
    void onlyRangesThatAreAskedHaveOne() {
        create("k%d");
        assertThat(pages("SELECT * FROM c WHERE c.pk = 'k7'", 1000)).hasSize(1);
        assertThat(pages("SELECT VALUE 1", 1000)).hasSize(1);
    }

    @Test
    void countedRowsGoOnInTheNextRange() {
        create("k%d");
        List<QueryPage> pages = pages("SELECT VALUE c.id FROM c OFFSET 5 LIMIT 20", 1000);
        assertThat(rows(pages)).hasSize(20).doesNotHaveDuplicates();
        assertThat(pages.size()).isBetween(2, RANGES);
    }
}
