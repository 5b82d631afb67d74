package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.BsonCodec;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemWrite;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.IndexingPolicy;
import orrery.query.find.FindQuery;
import orrery.query.find.NaiveFind;
import orrery.query.mongo.Documents;
import orrery.query.mongo.find.FindStatement;
import orrery.query.mongo.find.NaiveMongo;
import orrery.query.naive.NaiveQuery;
import orrery.query.sql.SqlStatement;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryParser;

/**
 * Generated queries in three languages: whatever the indexing policy, the number of partitions and
 * the size of pages, the answer is that of looking at every item.
 */
class GeneratedQueriesTest {
    private static final int ITEMS = 80;
    private static final int QUERIES = 25;
    private static final FeedScope EVERYWHERE = new FeedScope.Everything();
    private static final int[] PAGES = {3, 1000};

    private static final Map<String, IndexingPolicy> POLICIES =
            Map.of(
                    "default",
                    IndexingPolicy.DEFAULT,
                    "none",
                    new IndexingPolicy(
                            IndexingPolicy.Mode.NONE,
                            false,
                            List.of(),
                            List.of(),
                            List.of(),
                            List.of()),
                    "other",
                    new IndexingPolicy(
                            IndexingPolicy.Mode.CONSISTENT,
                            true,
                            List.of("/*"),
                            List.of("/b/?"),
                            List.of(
                                    List.of(
                                            new IndexingPolicy.CompositePath("/a", false),
                                            new IndexingPolicy.CompositePath("/s", true))),
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

    /** Containers of one and of five partitions with each policy, by its name. */
    private Map<ContainerRef, String> containers(ContainerKind kind) {
        Map<ContainerRef, String> containers = new LinkedHashMap<>();
        POLICIES.forEach(
                (name, policy) -> {
                    for (int partitions : new int[] {1, 5}) {
                        containers.put(
                                fixture.container(
                                        name + partitions,
                                        partitions * 10_000,
                                        definition(kind, policy)),
                                name);
                    }
                });
        return containers;
    }

    private static ContainerDefinition definition(ContainerKind kind, IndexingPolicy policy) {
        ContainerDefinition plain = EngineFixture.definition("/pk");
        return new ContainerDefinition(
                        plain.partitionKey(),
                        policy,
                        plain.conflictResolution(),
                        plain.geospatial())
                .withKind(kind);
    }

    private void create(ContainerRef container, Body body) {
        fixture.engine
                .items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Create(body, Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aSecondLanguageOverBson(long seed) {
        Random random = new Random(seed);
        Map<ContainerRef, String> containers = containers(ContainerKind.MONGODB);
        List<Value.Obj> items = new ArrayList<>();
        for (int i = 0; i < ITEMS; i++) {
            Bytes body = NaiveFind.bson(NaiveFind.item("i" + i, random));
            items.add(BsonCodec.read(body));
            containers.keySet().forEach(each -> create(each, new Body(Encoding.BSON, body)));
        }
        for (int i = 0; i < QUERIES; i++) {
            FindQuery query = NaiveFind.query(random);
            for (ContainerRef container : containers.keySet()) {
                for (int page : PAGES) {
                    NaiveFind.check(query, items, fixture.all(container, EVERYWHERE, query, page));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void readsOfMongoDb(long seed) {
        Random random = new Random(seed);
        Map<ContainerRef, String> containers = containers(ContainerKind.MONGODB);
        List<Value.Obj> documents = new ArrayList<>();
        for (int i = 0; i < ITEMS; i++) {
            Bytes body = Documents.bson(NaiveMongo.document("i" + i, random, (int) seed));
            documents.add(BsonCodec.read(body));
            containers.keySet().forEach(each -> create(each, new Body(Encoding.BSON, body)));
        }
        for (int i = 0; i < QUERIES; i++) {
            FindStatement read = NaiveMongo.statement(random);
            for (ContainerRef container : containers.keySet()) {
                for (int page : PAGES) {
                    NaiveMongo.check(
                            read, documents, fixture.all(container, EVERYWHERE, read, page));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void sqlOverJson(long seed) {
        Random random = new Random(seed);
        Map<ContainerRef, String> containers = containers(ContainerKind.DOCUMENT);
        List<Value> items = new ArrayList<>();
        for (int i = 0; i < ITEMS; i++) {
            String json = NaiveFind.item("i" + i, random).replace("\"_id\"", "\"id\"");
            items.add(JsonText.parse(Bytes.ofUtf8(json)));
            containers.keySet().forEach(each -> create(each, Body.json(Bytes.ofUtf8(json))));
        }
        for (int i = 0; i < QUERIES; i++) {
            String text = sql(random);
            Query query = QueryParser.query(text);
            List<String> expected =
                    NaiveQuery.evaluate(query, Map.of(), items).stream()
                            .map(JsonText::write)
                            .toList();
            containers.forEach(
                    (container, policy) -> {
                        if (query.orderBy().isPresent() && policy.equals("none")) {
                            return;
                        }
                        for (int page : PAGES) {
                            List<String> rows =
                                    fixture.all(
                                            container,
                                            EVERYWHERE,
                                            SqlStatement.parse(text, Map.of()),
                                            page);
                            assertThat(rows).as(text).containsExactlyInAnyOrderElementsOf(expected);
                            if (query.orderBy().isPresent()) {
                                assertThat(sortedBy(rows)).as(text).isEqualTo(sortedBy(expected));
                            }
                        }
                    });
        }
    }

    /**
     * The values that rows are sorted by; those with the same may come in any order, as may arrays
     * and objects among themselves.
     */
    private static List<String> sortedBy(List<String> rows) {
        return rows.stream()
                .map(row -> ((Value.Obj) JsonText.parse(Bytes.ofUtf8(row))).properties())
                .map(properties -> properties.getOrDefault("a", Value.Undefined.UNDEFINED))
                .map(
                        value ->
                                value instanceof Value.Array || value instanceof Value.Obj
                                        ? value.getClass().getSimpleName()
                                        : value.toString())
                .toList();
    }

    private static String sql(Random random) {
        String filter = random.nextInt(3) == 0 ? "" : " WHERE " + condition(random);
        return switch (random.nextInt(5)) {
            case 0 ->
                    "SELECT c.n, COUNT(1) AS k, MIN(c.id) AS first FROM c"
                            + filter
                            + " GROUP BY c.n";
            case 1 -> "SELECT DISTINCT VALUE c.a FROM c" + filter;
            case 2 -> "SELECT c.id, c.a FROM c" + filter + " ORDER BY c.a";
            case 3 -> "SELECT c.id, c.a FROM c" + filter + " ORDER BY c.a DESC";
            default -> "SELECT c.id, c.b, c.o FROM c" + filter;
        };
    }

    private static String condition(Random random) {
        String first = comparison(random);
        return switch (random.nextInt(3)) {
            case 0 -> first + " AND " + comparison(random);
            case 1 -> first + " OR " + comparison(random);
            default -> first;
        };
    }

    private static String comparison(Random random) {
        String path = List.of("c.a", "c.b", "c.s", "c.o.p", "c.n").get(random.nextInt(5));
        return switch (random.nextInt(5)) {
            case 0 -> path + " = " + List.of("1", "null", "'ab'", "true").get(random.nextInt(4));
            case 1 -> path + " > " + List.of("0", "'a'").get(random.nextInt(2));
            case 2 -> path + " IN (1, 'a', false)";
            case 3 -> "IS_DEFINED(" + path + ")";
            default -> "NOT IS_STRING(" + path + ")";
        };
    }
}
