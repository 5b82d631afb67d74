package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.document.Patch;
import orrery.document.Value;
import orrery.document.ValueCodec;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.ProcedureAnswer;
import orrery.gateway.api.QueryPage;
import orrery.gateway.api.ResourceRef;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.IndexingPolicy.CompositePath;
import orrery.model.IndexingPolicy.SpatialPath;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.model.ScriptDefinition;
import orrery.model.SizeLimits;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.query.sql.PatchCondition;
import orrery.query.write.PatchDialect;

/** Computed properties from the door to the disk, while they and their index change. */
class ComputedPropertyTest {
    private static final int ITEMS = 300;
    private static final ComputedProperty TENS =
            new ComputedProperty("cp_tens", "SELECT VALUE FLOOR(c.n / 10) FROM c");
    private static final ComputedProperty TWENTIES =
            new ComputedProperty("cp_tens", "SELECT VALUE FLOOR(c.n / 20) FROM c");
    private static final ComputedProperty NAME =
            new ComputedProperty("cp_name", "SELECT VALUE LOWER(c.name) FROM c");

    private static final String SEVEN = "SELECT VALUE c.n FROM c WHERE c.cp_tens = 7";

    @TempDir private Path directory;
    private EngineFixture fixture;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static ContainerDefinition definition(
            List<String> included, ComputedProperty... computed) {
        return definition(included, List.of(), List.of(), computed);
    }

    private static ContainerDefinition definition(
            List<String> included,
            List<List<CompositePath>> composites,
            List<SpatialPath> spatial,
            ComputedProperty... computed) {
        ContainerDefinition plain = EngineFixture.definition("/pk");
        return new ContainerDefinition(
                        plain.partitionKey(),
                        new IndexingPolicy(
                                IndexingPolicy.Mode.CONSISTENT,
                                true,
                                included,
                                List.of(),
                                composites,
                                spatial),
                        plain.conflictResolution(),
                        plain.geospatial())
                .withComputedProperties(List.of(computed));
    }

    private ContainerRef filled(String name, int requestUnits, ContainerDefinition definition) {
        ContainerRef container = fixture.container(name, requestUnits, definition);
        for (int i = 0; i < ITEMS; i++) {
            fixture.create(
                    container,
                    "{\"id\":\"%d\",\"pk\":\"k%d\",\"n\":%d,\"name\":\"N%d\",\"cp_tens\":7}"
                            .formatted(i, i % 50, i, i % 3));
        }
        return container;
    }

    private QueryPage page(
            ContainerRef container, String query, int size, Optional<String> continuation) {
        return page(container, new FeedScope.Everything(), query, size, continuation);
    }

    private QueryPage page(
            ContainerRef container,
            FeedScope scope,
            String query,
            int size,
            Optional<String> continuation) {
        return fixture.page(container, scope, query, size, continuation);
    }

    private List<String> all(ContainerRef container, String query, int size) {
        return fixture.all(container, new FeedScope.Everything(), query, size);
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(Integer::toString).toList();
    }

    private void replace(ContainerRef container, ContainerDefinition definition) {
        fixture.engine
                .resources()
                .replaceContainer(
                        EngineFixture.context(), container, definition, Precondition.NONE);
    }

    @Test
    void theIndexIsNamedAndSavesDocuments() {
        ContainerRef container = filled("c", 400, definition(List.of("/*", "/cp_tens/?"), TENS));
        QueryPage indexed = page(container, SEVEN, 1000, Optional.empty());
        assertThat(indexed.rows()).hasSize(10);
        assertThat(indexed.metrics().indexes().paths()).containsExactly("/cp_tens/?");
        assertThat(indexed.charge().documents()).isEqualTo(10);
        QueryPage sorted =
                page(
                        container,
                        "SELECT TOP 5 VALUE c.cp_tens FROM c ORDER BY c.cp_tens DESC",
                        1000,
                        Optional.empty());
        assertThat(sorted.rows()).extracting(Bytes::toUtf8).containsOnly("29").hasSize(5);
        assertThat(sorted.metrics().indexes().paths()).containsExactly("/cp_tens/?");
        assertThat(sorted.charge().documents()).isEqualTo(5);
        assertThat(all(container, "SELECT VALUE COUNT(1) FROM c WHERE c.cp_tens = 7", 10))
                .containsExactly("10");

        ContainerRef plain = filled("plain", 400, definition(List.of("/*"), TENS));
        QueryPage scanned = page(plain, SEVEN, 1000, Optional.empty());
        assertThat(scanned.rows()).hasSize(10);
        assertThat(scanned.metrics().indexes().paths()).isEmpty();
        assertThat(scanned.metrics().indexes().missing()).containsExactly("/cp_tens/?");
        assertThat(scanned.charge().ru()).isGreaterThan(3 * indexed.charge().ru());
        assertThatThrownBy(() -> all(plain, "SELECT c.n FROM c ORDER BY c.cp_tens", 10))
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("order-by item is excluded");
    }

    @Test
    void itemsAreWhatWasStored() {
        ContainerRef container = filled("c", 20_000, definition(List.of("/*", "/cp_tens/?"), TENS));
        assertThat(all(container, "SELECT * FROM c WHERE c.n = 5", 10))
                .singleElement()
                .satisfies(row -> assertThat(row).contains("\"cp_tens\":7"));
        assertThat(all(container, "SELECT c.cp_tens, c AS whole FROM c WHERE c.n = 5", 10))
                .singleElement()
                .satisfies(
                        row ->
                                assertThat(row)
                                        .startsWith("{\"cp_tens\":0,\"whole\":{")
                                        .contains("\"cp_tens\":7"));
        ItemAnswer read =
                fixture.engine
                        .items()
                        .readItem(
                                EngineFixture.context(),
                                container,
                                PartitionKey.ofText("k5"),
                                new ItemRef.Named("5"));
        assertThat(read.item().orElseThrow().body().toUtf8()).contains("\"cp_tens\":7");
    }

    @Test
    void definitionsAndPoliciesThatComeAndGoNeverChangeTheAnswer() {
        ContainerRef container = filled("c", 20_000, EngineFixture.definition("/pk"));
        List<String> indexed = List.of("/*", "/cp_tens/?");
        record Step(ContainerDefinition definition, List<String> expected) {}
        List<Step> steps =
                List.of(
                        new Step(definition(indexed, TENS), numbers(70, 80)),
                        new Step(definition(indexed, TWENTIES), numbers(140, 160)),
                        new Step(definition(List.of("/*"), TWENTIES), numbers(140, 160)),
                        new Step(definition(indexed), numbers(0, ITEMS)),
                        new Step(definition(List.of("/*", "/cp_tens/*"), TENS), numbers(70, 80)),
                        new Step(definition(indexed, NAME, TWENTIES), numbers(140, 160)));
        for (Step step : steps) {
            replace(container, step.definition());
            // Some of these fall into the re-indexing, some behind it.
            for (int i = 0; i < 4; i++) {
                assertThat(all(container, SEVEN, 1000))
                        .containsExactlyInAnyOrderElementsOf(step.expected());
            }
            awaitIndex(container, step.definition());
            assertThat(all(container, SEVEN, 7))
                    .containsExactlyInAnyOrderElementsOf(step.expected());
        }
        assertThat(all(container, "SELECT VALUE c.cp_tens FROM c ORDER BY c.cp_tens", 7))
                .hasSize(ITEMS)
                .startsWith("0")
                .endsWith("14");
    }

    /** Nothing more to do: the index is used as far as the policy has one. */
    private void awaitIndex(ContainerRef container, ContainerDefinition definition) {
        if (definition.indexingPolicy().includedPaths().size() == 1) {
            return;
        }
        PartitionMap map =
                fixture.engine.resources().readPartitionMap(EngineFixture.context(), container);
        for (PhysicalPartition partition : map.partitions()) {
            FeedScope scope = new FeedScope.Range(partition.range(), Optional.empty());
            while (page(container, scope, SEVEN, 1000, Optional.empty())
                    .metrics()
                    .indexes()
                    .paths()
                    .isEmpty()) {
                Thread.onSpinWait();
            }
        }
    }

    /** Queries keep their order while the entries they sort by are rebuilt. */
    @Test
    void ordersHoldWhileADefinitionChanges() {
        List<String> included = List.of("/*", "/cp_tens/?");
        List<List<CompositePath>> composites =
                List.of(
                        List.of(
                                new CompositePath("/cp_tens", false),
                                new CompositePath("/n", true)));
        ContainerRef container =
                filled("c", 20_000, definition(included, composites, List.of(), TENS));
        for (int i = 0; i < 6; i++) {
            ComputedProperty next = i % 2 == 0 ? TWENTIES : TENS;
            int step = i % 2 == 0 ? 20 : 10;
            replace(container, definition(included, composites, List.of(), next));
            assertThat(all(container, "SELECT VALUE c.cp_tens FROM c ORDER BY c.cp_tens", 90))
                    .isEqualTo(
                            IntStream.range(0, ITEMS)
                                    .mapToObj(n -> Integer.toString(n / step))
                                    .toList());
            assertThat(all(container, "SELECT VALUE c.n FROM c ORDER BY c.cp_tens, c.n DESC", 90))
                    .hasSize(ITEMS)
                    .startsWith(Integer.toString(step - 1), Integer.toString(step - 2));
        }
    }

    /**
     * The server remembers which items lack a value, but only while the definition stays the same.
     */
    @Test
    void anOrderFindsItemsThatHaveLostTheirValue() {
        List<String> included = List.of("/*", "/cp_tens/*");
        ContainerRef container = filled("c", 400, definition(included, TENS));
        String query = "SELECT VALUE c.n FROM c ORDER BY c.cp_tens";
        assertThat(all(container, query, 1000)).hasSize(ITEMS);
        ContainerDefinition few =
                definition(
                        included,
                        new ComputedProperty(
                                "cp_tens", "SELECT VALUE c.n = 5 ? undefined : c.n FROM c"));
        replace(container, few);
        awaitIndex(container, few);
        assertThat(all(container, query, 1000)).hasSize(ITEMS).startsWith("5", "0", "1");
        fixture.create(container, "{\"id\":\"x\",\"pk\":\"k\",\"cp_tens\":1}");
        assertThat(all(container, "SELECT VALUE c.id FROM c ORDER BY c.cp_tens", 1000))
                .hasSize(ITEMS + 1)
                .startsWith("\"5\"", "\"x\"");
    }

    @Test
    void compositeIndexesAndGroups() {
        ContainerRef container =
                filled(
                        "c",
                        70_000,
                        definition(
                                List.of("/*"),
                                List.of(
                                        List.of(
                                                new CompositePath("/cp_name", false),
                                                new CompositePath("/n", true))),
                                List.of(),
                                TENS,
                                NAME));
        List<String> sorted =
                all(container, "SELECT VALUE c.n FROM c ORDER BY c.cp_name, c.n DESC", 17);
        assertThat(sorted).hasSize(ITEMS).startsWith("297", "294").endsWith("5", "2");
        assertThat(all(container, "SELECT c.cp_name, COUNT(1) AS n FROM c GROUP BY c.cp_name", 10))
                .containsExactlyInAnyOrder(
                        "{\"cp_name\":\"n0\",\"n\":100}",
                        "{\"cp_name\":\"n1\",\"n\":100}",
                        "{\"cp_name\":\"n2\",\"n\":100}");
    }

    @Test
    void aSplitBetweenTwoPages() {
        ContainerRef container = filled("c", 400, definition(List.of("/*", "/cp_tens/?"), TENS));
        String query = "SELECT VALUE c.cp_tens FROM c WHERE c.cp_tens > 3 ORDER BY c.cp_tens";
        QueryPage page = page(container, query, 50, Optional.empty());
        List<String> rows = new ArrayList<>();
        page.rows().forEach(row -> rows.add(row.toUtf8()));
        fixture.engine.operations().splitPartition(EngineFixture.context(), container, 0);
        while (page.continuation().isPresent()) {
            page = page(container, query, 50, page.continuation());
            page.rows().forEach(row -> rows.add(row.toUtf8()));
        }
        assertThat(rows)
                .isEqualTo(
                        IntStream.range(40, ITEMS)
                                .mapToObj(n -> Integer.toString(n / 10))
                                .toList());
    }

    @Test
    void scriptsAndConditionsSeeThem() {
        ContainerRef container = filled("c", 400, definition(List.of("/*", "/cp_tens/?"), TENS));
        fixture.engine
                .resources()
                .scripts()
                .create(
                        EngineFixture.context(),
                        container,
                        new ScriptDefinition(
                                ScriptDefinition.Kind.PROCEDURE,
                                "find",
                                """
                                function () {
                                    var collection = getContext().getCollection();
                                    collection.queryDocuments(
                                        collection.getSelfLink(),
                                        'SELECT VALUE c.n FROM c WHERE c.cp_tens = 7',
                                        function (err, found) {
                                            if (err) throw err;
                                            getContext().getResponse().setBody(found);
                                        });
                                }"""));
        ProcedureAnswer answer =
                fixture.engine
                        .items()
                        .execute(
                                EngineFixture.context(),
                                container,
                                PartitionKey.ofText("k21"),
                                new ResourceRef.Named("find"),
                                Bytes.ofUtf8("[]"),
                                false);
        assertThat(answer.body()).contains(Bytes.ofUtf8("[71]"));
        assertThat(patch(container, "71", "FROM c WHERE c.cp_tens = 7")).isEmpty();
        assertThat(patch(container, "71", "FROM c WHERE c.cp_tens = 8"))
                .contains(ErrorCode.PRECONDITION_FAILED);
    }

    private Optional<ErrorCode> patch(ContainerRef container, String id, String condition) {
        try {
            fixture.engine
                    .items()
                    .writeItem(
                            EngineFixture.context(),
                            container,
                            new ItemWrite.Evaluate(
                                    new ItemRef.Named(id),
                                    PartitionKey.ofText("k" + Integer.parseInt(id) % 50),
                                    PatchDialect.evaluation(
                                            Patch.parse(
                                                    Bytes.ofUtf8(
                                                            "[{\"op\":\"add\",\"path\":\"/x\",\"value\":1}]")),
                                            Optional.of(PatchCondition.parse(condition))),
                                    Precondition.NONE));
            return Optional.empty();
        } catch (OrreryException refused) {
            return Optional.of(refused.code());
        }
    }

    @Test
    void anIndexedOneAddsToTheChargeOfAWrite() {
        ContainerRef plain = fixture.container("plain", 400, definition(List.of("/*"), TENS));
        ContainerRef indexed =
                fixture.container("indexed", 400, definition(List.of("/*", "/cp_tens/?"), TENS));
        String item = "{\"id\":\"1\",\"pk\":\"a\",\"n\":12}";
        assertThat(fixture.create(indexed, item).charge().ru())
                .isGreaterThan(fixture.create(plain, item).charge().ru());
    }

    /**
     * A property that cannot be computed for an item has no value there, and the write succeeds.
     */
    @Test
    void noWriteFailsForThem() {
        ContainerRef container =
                fixture.container(
                        "c",
                        400,
                        definition(
                                List.of("/*", "/cp/?"),
                                new ComputedProperty(
                                        "cp",
                                        "SELECT VALUE LENGTH(REPLICATE(c.text, c.times)) FROM c")));
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\",\"text\":\"ab\",\"times\":3}");
        fixture.create(container, "{\"id\":\"2\",\"pk\":\"a\",\"text\":\"ab\",\"times\":-1}");
        fixture.create(
                container,
                "{\"id\":\"3\",\"pk\":\"a\",\"text\":\"%s\",\"times\":10000}"
                        .formatted("x".repeat(100_000)));
        assertThat(all(container, "SELECT c.id, c.cp FROM c ORDER BY c.cp DESC", 10))
                .hasSize(3)
                .first()
                .isEqualTo("{\"id\":\"1\",\"cp\":6}");
        assertThat(all(container, "SELECT VALUE c.id FROM c WHERE NOT IS_DEFINED(c.cp)", 10))
                .containsExactlyInAnyOrder("\"2\"", "\"3\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|Computed property 'name' is either empty or unspecified.",
                "id|The system property name 'id' cannot be used as a computed property name.",
                "_ts|The system property name '_ts' cannot be used as a computed property name.",
                "_etag|The system property name '_etag' cannot be used as a computed property"
                        + " name.",
                "pk|the partition key path '/pk' begins with it",
                "a/b|must not contain '/'",
                "at|Computed property 'at' at index (1) has a spatial index. Remove the spatial"
                        + " index on this path.",
                "cp_tens|Computed property name 'cp_tens' cannot be used in multiple definitions."
            })
    void namesThatAreRefused(String name, String why) {
        ContainerDefinition refused =
                definition(
                        List.of("/*"),
                        List.of(),
                        List.of(new SpatialPath("/at/*", List.of("Point"), Optional.empty())),
                        TENS,
                        new ComputedProperty(name, "SELECT VALUE c.n FROM c"));
        assertThat(refusal(() -> fixture.container("c", 400, refused))).contains(why);
        ContainerRef present = fixture.container("present", 400, definition(List.of("/*"), TENS));
        assertThat(refusal(() -> replace(present, refused))).contains(why);
    }

    @Test
    void queriesAreCheckedAndCounted() {
        assertThat(refusal(() -> created(new ComputedProperty("cp", ""))))
                .contains("Computed property 'query' is either empty or unspecified.");
        assertThat(refusal(() -> created(new ComputedProperty("cp", "SELECT c.n FROM c"))))
                .contains("Required VALUE expression missing");
        ComputedProperty[] many =
                IntStream.range(0, ComputedRules.MAX_PROPERTIES + 1)
                        .mapToObj(i -> new ComputedProperty("p" + i, "SELECT VALUE c.n FROM c"))
                        .toArray(ComputedProperty[]::new);
        assertThat(refusal(() -> created(many))).contains("at most 20");
        created(List.of(many).subList(1, many.length).toArray(ComputedProperty[]::new));
    }

    private void created(ComputedProperty... computed) {
        fixture.container("made", 400, definition(List.of("/*"), computed));
    }

    /** Unique are the values that items hold. */
    @Test
    void uniqueKeysMeanWhatIsStored() {
        ContainerRef container =
                fixture.container(
                        "c",
                        400,
                        definition(
                                        List.of("/*"),
                                        new ComputedProperty("u", "SELECT VALUE c.id FROM c"))
                                .withUniqueKeys(
                                        List.of(new UniqueKey(List.of(PropertyPath.parse("/u"))))));
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\",\"u\":1}");
        assertThat(
                        catchThrowableOfType(
                                        OrreryException.class,
                                        () ->
                                                fixture.create(
                                                        container,
                                                        "{\"id\":\"2\",\"pk\":\"a\",\"u\":1}"))
                                .code())
                .isEqualTo(ErrorCode.UNIQUE_KEY_VIOLATION);
        assertThat(all(container, "SELECT VALUE c.u FROM c", 10)).containsExactly("\"1\"");
    }

    private static String refusal(Runnable attempt) {
        OrreryException refused = catchThrowableOfType(OrreryException.class, attempt::run);
        assertThat(refused.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        return refused.text();
    }

    /** They are logged and stored beside the item, so they are bounded as it is. */
    @Test
    void theValuesOfAnItemMayBeAsLargeAsAnItem() {
        ComputedProperty both =
                new ComputedProperty(
                        "cp_both", "SELECT VALUE CONCAT(c.half, c.half, c.rest) FROM c");
        ContainerRef container =
                fixture.container("c", 400, definition(List.of("/*", "/cp_both/?"), both));
        int limit = SizeLimits.DEFAULT.maxItemBytes();
        int around = ValueCodec.encode(Value.of("x".repeat(limit - 16))).length() - (limit - 16);

        fixture.create(container, computing("fits", limit - around));
        OrreryException refused =
                catchThrowableOfType(
                        OrreryException.class,
                        () -> fixture.create(container, computing("exceeds", limit - around + 1)));

        assertThat(refused.code()).isEqualTo(ErrorCode.TOO_LARGE);
        assertThat(refused.text())
                .contains("computed properties")
                .contains((limit + 1) + " bytes")
                .contains("may have " + limit);
        assertThat(all(container, "SELECT VALUE c.id FROM c", 10)).containsExactly("\"fits\"");
    }

    /** An item of half the size, whose computed value is a text of so many characters. */
    private static String computing(String id, int length) {
        return "{\"id\":\"%s\",\"pk\":\"k\",\"half\":\"%s\",\"rest\":\"%s\"}"
                .formatted(id, "x".repeat(length / 2), "y".repeat(length % 2));
    }
}
