package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static orrery.gateway.EngineFixture.context;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.query.QueryCall;
import orrery.query.execute.ResumePoint;
import orrery.query.sql.SqlStatement;

/**
 * Orders over strings that are alike for longer than the index and a token hold them, on one
 * partition and on five.
 */
final class LongTextQueryTest {
    private static final int ITEMS = 90;
    private static final int PER_PARTITION = 10_000;
    private static final FeedScope EVERYWHERE = new FeedScope.Everything();

    private static final List<String> BEGINNINGS =
            List.of(
                    "",
                    "l".repeat(255),
                    "l".repeat(256),
                    "漢".repeat(86),
                    "l".repeat(1100),
                    "l".repeat(4000));

    private static final Comparator<Item> BY_A = Comparator.comparing(Item::a);
    private static final Comparator<Item> BY_B = Comparator.comparing(Item::b);

    private record Item(int number, String a, String b) {
        String key() {
            return "k" + number % 15;
        }

        String json() {
            return JsonText.write(
                    new Value.Obj(
                            Map.of(
                                    "id", Value.of("" + number),
                                    "pk", Value.of(key()),
                                    "n", Value.of(number),
                                    "a", Value.of(a),
                                    "b", Value.of(b))));
        }

        String values() {
            return JsonText.write(new Value.Array(List.of(Value.of(a), Value.of(b))));
        }
    }

    @TempDir private Path directory;
    private EngineFixture fixture;
    private final List<Item> items = new ArrayList<>();

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private ContainerRef filled(int partitions) {
        ContainerDefinition plain = EngineFixture.definition("/pk");
        ContainerRef container =
                fixture.container(
                        "c",
                        partitions * PER_PARTITION,
                        new ContainerDefinition(
                                plain.partitionKey(),
                                new IndexingPolicy(
                                        IndexingPolicy.Mode.CONSISTENT,
                                        true,
                                        List.of("/*"),
                                        List.of(),
                                        List.of(
                                                List.of(path("/a", false), path("/b", false)),
                                                List.of(path("/a", false), path("/b", true))),
                                        List.of()),
                                plain.conflictResolution(),
                                plain.geospatial()));
        Random random = new Random(7);
        for (int i = 0; i < ITEMS; i++) {
            items.add(new Item(i, text(random), text(random)));
        }
        items.forEach(item -> fixture.create(container, item.json()));
        return container;
    }

    private static String text(Random random) {
        return BEGINNINGS.get(random.nextInt(BEGINNINGS.size()))
                + Integer.toString(random.nextInt(40), 5);
    }

    private static IndexingPolicy.CompositePath path(String path, boolean descending) {
        return new IndexingPolicy.CompositePath(path, descending);
    }

    private record Order(String text, Comparator<Item> comparator) {}

    private static final List<Order> ORDERS =
            List.of(
                    new Order("c.a ASC", BY_A),
                    new Order("c.a DESC", BY_A.reversed()),
                    new Order("c.a ASC, c.b ASC", BY_A.thenComparing(BY_B)),
                    new Order("c.a DESC, c.b DESC", BY_A.thenComparing(BY_B).reversed()),
                    new Order("c.a ASC, c.b DESC", BY_A.thenComparing(BY_B.reversed())),
                    new Order("c.a DESC, c.b ASC", BY_A.reversed().thenComparing(BY_B)));

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void everyRowComesOnceAndInItsPlace(int partitions) {
        ContainerRef container = filled(partitions);
        for (Order order : ORDERS) {
            for (int pageSize : new int[] {11, 1000}) {
                checkOrder(container, order, "c.n >= 0", items, pageSize);
            }
            String bound = items.get(3).a();
            checkOrder(
                    container,
                    order,
                    "c.a >= " + JsonText.write(Value.of(bound)),
                    items.stream().filter(item -> item.a().compareTo(bound) >= 0).toList(),
                    40);
        }
    }

    private void checkOrder(
            ContainerRef container, Order order, String filter, List<Item> expected, int pageSize) {
        List<Item> sorted = expected.stream().sorted(order.comparator()).toList();
        String rest = " FROM c WHERE " + filter + " ORDER BY " + order.text();
        assertThat(all(container, "SELECT VALUE c.n" + rest, pageSize))
                .as(rest)
                .containsExactlyInAnyOrderElementsOf(
                        sorted.stream().map(item -> "" + item.number()).toList());
        if (order.text().contains(",")) {
            assertThat(all(container, "SELECT VALUE [c.a, c.b]" + rest, pageSize))
                    .as(rest)
                    .isEqualTo(sorted.stream().map(Item::values).toList());
            assertThat(all(container, "SELECT TOP 10 VALUE [c.a, c.b]" + rest, pageSize))
                    .as("TOP" + rest)
                    .isEqualTo(sorted.stream().limit(10).map(Item::values).toList());
            assertThat(all(container, "SELECT VALUE [c.a, c.b]" + rest + " OFFSET 20 LIMIT 9", 4))
                    .as("OFFSET" + rest)
                    .isEqualTo(sorted.stream().skip(20).limit(9).map(Item::values).toList());
        } else {
            List<String> texts =
                    sorted.stream().map(item -> JsonText.write(Value.of(item.a()))).toList();
            assertThat(all(container, "SELECT VALUE c.a" + rest, pageSize))
                    .as(rest)
                    .isEqualTo(texts);
            assertThat(all(container, "SELECT TOP 10 VALUE c.a" + rest, pageSize))
                    .as("TOP" + rest)
                    .isEqualTo(texts.stream().limit(10).toList());
            assertThat(all(container, "SELECT DISTINCT VALUE c.a" + rest, pageSize))
                    .as("DISTINCT" + rest)
                    .isEqualTo(texts.stream().distinct().toList());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void tokensStaySmallWhateverTheValues(int partitions) {
        ContainerRef container = filled(partitions);
        for (Order order : ORDERS) {
            Optional<String> token = Optional.empty();
            do {
                QueryPage page = page(container, order.text(), token);
                token = page.continuation();
                assertThat(token.orElse("").length()).isLessThan(2048);
            } while (token.isPresent());
        }
    }

    /** A client that deletes what it has read. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void itemsThatAreDeletedOnceTheyWereReadTakeNoOthersWithThem(int partitions) {
        ContainerRef container = filled(partitions);
        Order order = ORDERS.get(2);
        List<String> rows = new ArrayList<>();
        Optional<String> token = Optional.empty();
        do {
            QueryPage page = page(container, order.text(), token);
            for (Bytes row : page.rows()) {
                rows.add(row.toUtf8());
                delete(container, items.get(Integer.parseInt(row.toUtf8())));
            }
            token = page.continuation();
        } while (token.isPresent());
        assertThat(rows).hasSize(ITEMS).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void aTokenWhoseItemsAreGoneIsRefused(int partitions) {
        ContainerRef container = filled(partitions);
        String query = "SELECT VALUE c.n FROM c WHERE c.a > 'llll' ORDER BY c.a";
        List<Item> sorted =
                items.stream().filter(item -> item.a().compareTo("llll") > 0).sorted(BY_A).toList();
        int place = (int) sorted.stream().takeWhile(item -> item.a().length() < 4000).count() + 3;
        Optional<String> token =
                fixture.page(container, EVERYWHERE, query, place, Optional.empty()).continuation();
        // All that can be at the end of that page, and behind it.
        sorted.stream()
                .filter(item -> item.a().length() > 4000)
                .forEach(item -> delete(container, item));
        assertThatThrownBy(() -> fixture.page(container, EVERYWHERE, query, 9, token))
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("Start again without one");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void splitsAndMergesBetweenPagesLoseAndRepeatNothing(int partitions) {
        ContainerRef container = filled(partitions);
        Order order = ORDERS.get(4);
        List<String> rows = new ArrayList<>();
        Optional<String> token = Optional.empty();
        int pages = 0;
        do {
            QueryPage page = page(container, order.text(), token);
            page.rows().forEach(row -> rows.add(row.toUtf8()));
            token = page.continuation();
            pages++;
            int range =
                    fixture.engine
                            .resources()
                            .readPartitionMap(context(), container)
                            .partitions()
                            .getFirst()
                            .range();
            if (pages % 4 == 1) {
                fixture.engine.operations().splitPartition(context(), container, range);
            } else if (pages % 4 == 3) {
                fixture.engine.operations().mergePartitions(context(), container, range);
            }
        } while (token.isPresent());
        assertThat(rows.stream().map(row -> items.get(Integer.parseInt(row)).values()).toList())
                .isEqualTo(items.stream().sorted(order.comparator()).map(Item::values).toList());
        assertThat(rows).doesNotHaveDuplicates();
    }

    /** SDKs that merge by themselves go on this way. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void aResumeFilterBeginsBehindAWholeValue(int partitions) {
        ContainerRef container = filled(partitions);
        List<Item> sorted = items.stream().sorted(BY_A).toList();
        String query = "SELECT VALUE c.n FROM c ORDER BY c.a";
        for (Item at : List.of(sorted.get(5), sorted.get(40), sorted.get(80))) {
            ResumePoint resume = new ResumePoint(List.of(Value.of(at.a())), Optional.empty(), true);
            List<String> rows = new ArrayList<>();
            for (int range : ranges(container)) {
                Optional<String> token = Optional.empty();
                do {
                    QueryPage page =
                            fixture.engine
                                    .items()
                                    .query(
                                            context(),
                                            container,
                                            new FeedScope.Range(range, Optional.empty()),
                                            new QueryCall(
                                                    SqlStatement.parse(query, Map.of()),
                                                    Optional.of(resume)),
                                            new PageRequest(OptionalInt.of(6), token));
                    page.rows().forEach(row -> rows.add(row.toUtf8()));
                    token = page.continuation();
                } while (token.isPresent());
            }
            assertThat(rows)
                    .containsExactlyInAnyOrderElementsOf(
                            items.stream()
                                    .filter(item -> item.a().compareTo(at.a()) > 0)
                                    .map(item -> "" + item.number())
                                    .toList());
        }
    }

    private List<Integer> ranges(ContainerRef container) {
        return fixture
                .engine
                .resources()
                .readPartitionMap(context(), container)
                .partitions()
                .stream()
                .map(partition -> partition.range())
                .toList();
    }

    private void delete(ContainerRef container, Item item) {
        fixture.engine
                .items()
                .writeItem(
                        context(),
                        container,
                        new ItemWrite.Delete(
                                new ItemRef.Named("" + item.number()),
                                PartitionKey.ofText(item.key()),
                                Precondition.NONE));
    }

    private QueryPage page(ContainerRef container, String order, Optional<String> token) {
        return fixture.page(
                container, EVERYWHERE, "SELECT VALUE c.n FROM c ORDER BY " + order, 5, token);
    }

    private List<String> all(ContainerRef container, String query, int pageSize) {
        return fixture.all(container, EVERYWHERE, query, pageSize);
    }
}
