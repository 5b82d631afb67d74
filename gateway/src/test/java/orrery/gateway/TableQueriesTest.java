package orrery.gateway;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.edm.EdmValue;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.Etag;
import orrery.model.FileTime;
import orrery.model.IndexingPolicy;
import orrery.model.resource.PhysicalPartition;
import orrery.query.QueryCall;
import orrery.query.table.NaiveTable;
import orrery.query.table.TableDefinition;
import orrery.query.table.TableFilter;
import orrery.query.table.TableFilter.Operator;
import orrery.query.table.TableStatement;

/**
 * Queries over tables: whatever the index, the number of partitions and the size of pages, the
 * answer is that of looking at every entity, in the order of the keys.
 */
class TableQueriesTest {
    private static final int ENTITIES = 80;
    private static final int QUERIES = 25;
    private static final FeedScope EVERYWHERE = new FeedScope.Everything();
    private static final TableFilter TRUE = new TableFilter.Constant(true);

    private static final Map<String, IndexingPolicy> POLICIES =
            Map.of(
                    "table",
                    TableDefinition.INDEXING,
                    "default",
                    IndexingPolicy.DEFAULT,
                    "none",
                    new IndexingPolicy(
                            IndexingPolicy.Mode.NONE,
                            false,
                            List.of(),
                            List.of(),
                            List.of(),
                            List.of()));

    private EngineFixture fixture;

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new EngineFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static ContainerDefinition definition(IndexingPolicy policy) {
        ContainerDefinition table = TableDefinition.DEFAULT;
        return new ContainerDefinition(
                        table.partitionKey(),
                        policy,
                        table.conflictResolution(),
                        table.geospatial())
                .withKind(ContainerKind.TABLE);
    }

    /** Creates the same entities in a container; each has its own times. */
    private List<NaiveTable.Entity> fill(ContainerRef container, List<NaiveTable.Entity> entities) {
        return entities.stream()
                .map(
                        each ->
                                each.written(
                                        fixture.create(container, each.json())
                                                .item()
                                                .orElseThrow()
                                                .etag()))
                .toList();
    }

    private static List<NaiveTable.Entity> entities(Random random) {
        List<NaiveTable.Entity> entities = new ArrayList<>();
        for (int i = 0; i < ENTITIES; i++) {
            entities.add(NaiveTable.entity(i, random));
        }
        return entities;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void generatedQueries(long seed) {
        Random random = new Random(seed);
        List<NaiveTable.Entity> entities = entities(random);
        Map<ContainerRef, List<NaiveTable.Entity>> containers = new LinkedHashMap<>();
        POLICIES.forEach(
                (name, policy) -> {
                    for (int partitions : new int[] {1, 5}) {
                        ContainerRef container =
                                fixture.container(
                                        name + partitions, partitions * 10_000, definition(policy));
                        containers.put(container, fill(container, entities));
                    }
                });
        for (int i = 0; i < QUERIES; i++) {
            long query = random.nextLong();
            containers.forEach(
                    (container, written) -> {
                        TableStatement statement = NaiveTable.query(written, new Random(query));
                        for (int page : new int[] {3, 1000}) {
                            NaiveTable.check(
                                    statement,
                                    written,
                                    fixture.all(container, EVERYWHERE, statement, page));
                        }
                    });
        }
    }

    private QueryPage page(
            ContainerRef container, TableStatement query, int size, Optional<String> token) {
        return fixture.engine
                .items()
                .query(
                        EngineFixture.context(),
                        container,
                        EVERYWHERE,
                        QueryCall.of(query),
                        new PageRequest(OptionalInt.of(size), token));
    }

    private void split(ContainerRef container) {
        int range =
                fixture
                        .engine
                        .resources()
                        .readPartitionMap(EngineFixture.context(), container)
                        .partitions()
                        .stream()
                        .map(PhysicalPartition::range)
                        .findFirst()
                        .orElseThrow();
        fixture.engine.operations().splitPartition(EngineFixture.context(), container, range);
    }

    @Test
    void splitsBetweenPagesLoseAndRepeatNothing() {
        Random random = new Random(5);
        ContainerRef container = fixture.container("t", 400, TableDefinition.DEFAULT);
        List<NaiveTable.Entity> written = fill(container, entities(random));
        for (TableStatement query :
                List.of(
                        new TableStatement(TRUE, Optional.empty()),
                        new TableStatement(
                                new TableFilter.Comparison("p", Operator.NE, new EdmValue.Int64(7)),
                                Optional.of(List.of("q"))))) {
            List<String> rows = new ArrayList<>();
            Optional<String> token = Optional.empty();
            int pages = 0;
            do {
                QueryPage page = page(container, query, 5, token);
                page.rows().forEach(row -> rows.add(row.toUtf8()));
                token = page.continuation();
                if (pages++ % 2 == 0 && pages < 5) {
                    split(container);
                }
            } while (token.isPresent());
            NaiveTable.check(query, written, rows);
        }
    }

    /** The index has seconds, the timestamp has steps of 100 nanoseconds. */
    @Test
    void aFilterByTimeReadsWhatWasWrittenThen(@TempDir Path other) {
        AtomicLong now = new AtomicLong(1_700_000_000_000L);
        try (EngineFixture slow = new EngineFixture(other, () -> Instant.ofEpochMilli(now.get()))) {
            ContainerRef container = slow.container("t", 400, TableDefinition.DEFAULT);
            Etag last = null;
            for (int i = 0; i < 103; i++) {
                if (i == 100) {
                    now.addAndGet(3_600_000);
                }
                String json =
                        "{\"id\":\"%d\",\"$id\":\"%d\",\"$pk\":\"%d\"}".formatted(i, i, i % 7);
                last = slow.create(container, json).item().orElseThrow().etag();
            }
            EdmValue.Moment time =
                    EdmValue.Moment.of(FileTime.ofEtag(requireNonNull(last)).orElseThrow());
            for (Map.Entry<Operator, Integer> each :
                    Map.of(Operator.GE, 1, Operator.EQ, 1, Operator.GT, 0, Operator.LT, 102)
                            .entrySet()) {
                QueryPage page =
                        slow.engine
                                .items()
                                .query(
                                        EngineFixture.context(),
                                        container,
                                        EVERYWHERE,
                                        QueryCall.of(
                                                new TableStatement(
                                                        new TableFilter.Comparison(
                                                                "Timestamp", each.getKey(), time),
                                                        Optional.empty())),
                                        new PageRequest(OptionalInt.of(1000), Optional.empty()));
                assertThat(page.rows()).hasSize(each.getValue());
                if (each.getKey() != Operator.LT) {
                    assertThat(page.metrics().documents()).isEqualTo(3);
                }
            }
        }
    }

    private static final int KEYS = 5;
    private static final int ROWS = 100;

    /** Five partition keys of a hundred rows each. */
    private ContainerRef rows(int partitions) {
        ContainerRef container =
                fixture.container("t", partitions * 10_000, TableDefinition.DEFAULT);
        for (int i = 0; i < KEYS * ROWS; i++) {
            fixture.create(
                    container,
                    "{\"id\":\"r%02d\",\"$id\":\"r%02d\",\"$pk\":\"p%d\",\"n\":{\"$t\":16,\"$v\":%d}}"
                            .formatted(i % ROWS, i % ROWS, i / ROWS, i));
        }
        return container;
    }

    private static TableFilter compare(String property, Operator operator, String constant) {
        return new TableFilter.Comparison(property, operator, new EdmValue.Text(constant));
    }

    /** A page of each partition is read to merge one, and none reads what lies before. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void everyPageOfAScanCostsAPage(int partitions) {
        ContainerRef container = rows(partitions);
        Optional<String> token = Optional.empty();
        int rows = 0;
        do {
            QueryPage page = page(container, new TableStatement(TRUE, Optional.empty()), 10, token);
            rows += page.rows().size();
            assertThat(page.metrics().documents()).isLessThanOrEqualTo(11L * partitions + 10);
            token = page.continuation();
        } while (token.isPresent());
        assertThat(rows).isEqualTo(KEYS * ROWS);
    }

    /** The items of one key are few, but a page of them need not read them all. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void aRangeOfRowsOfOneKeyCostsWhatItReturns(int partitions) {
        ContainerRef container = rows(partitions);
        TableStatement range =
                new TableStatement(
                        new TableFilter.And(
                                List.of(
                                        compare("PartitionKey", Operator.EQ, "p3"),
                                        compare("RowKey", Operator.GT, "r50"),
                                        compare("RowKey", Operator.LE, "r55"))),
                        Optional.empty());
        QueryPage page = page(container, range, 1000, Optional.empty());
        assertThat(page.rows()).hasSize(5);
        assertThat(page.metrics().documents()).isEqualTo(5);
        assertThat(page.range()).isPresent();

        TableStatement key =
                new TableStatement(compare("PartitionKey", Operator.EQ, "p3"), Optional.empty());
        QueryPage first = page(container, key, 10, Optional.empty());
        QueryPage second = page(container, key, 10, first.continuation());
        assertThat(second.rows().getFirst().toUtf8()).contains("\"$id\":\"r10\"");
        assertThat(first.metrics().documents()).isLessThanOrEqualTo(11);
        assertThat(second.metrics().documents()).isLessThanOrEqualTo(11);
    }

    /** Such a key could be sorted quickly, but its entities lie together in the order. */
    @Test
    void aKeyWithFewRowsIsNotReadAsAWhole() {
        ContainerRef container = rows(1);
        for (int i = 0; i < 20; i++) {
            fixture.create(
                    container,
                    "{\"id\":\"r%02d\",\"$id\":\"r%02d\",\"$pk\":\"few\"}".formatted(i, i));
        }
        TableStatement few =
                new TableStatement(compare("PartitionKey", Operator.EQ, "few"), Optional.empty());
        QueryPage page = page(container, few, 10, Optional.empty());
        assertThat(page.rows()).hasSize(10);
        assertThat(page.metrics().documents()).isLessThanOrEqualTo(11);
    }
}
