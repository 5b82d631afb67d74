package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.document.BodyFormat;
import orrery.document.BsonValue;
import orrery.document.IndexPath;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.MatchPage;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ValueLookup;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;

/** Items by the values that they have at an indexed path, many values in one call. */
@Timeout(900)
class MatchTest {
    private static final FeedScope ALL = new FeedScope.Everything();
    private static final IndexPath TO = IndexPath.of("to");

    @TempDir Path directory;
    private EngineFixture fixture;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** An item and the numbers of the values that it was found by. */
    private record Found(String id, List<Integer> values) {}

    private static Found found(MatchPage.Match match) {
        return new Found(id(match.item()), match.values());
    }

    private static String id(Item item) {
        Map<String, Value> names =
                BodyFormat.of(item.encoding())
                        .properties(
                                item.body(), name -> name.equals("id") || name.equals("_id"), 1);
        return ((Value.Text) names.values().iterator().next()).value();
    }

    private MatchPage page(
            ContainerRef container,
            FeedScope scope,
            ValueLookup lookup,
            int size,
            Optional<String> continuation) {
        return fixture.engine
                .items()
                .findItems(
                        EngineFixture.context(),
                        container,
                        scope,
                        lookup,
                        new PageRequest(OptionalInt.of(size), continuation));
    }

    private List<Found> all(ContainerRef container, FeedScope scope, ValueLookup lookup, int size) {
        List<Found> found = new ArrayList<>();
        Optional<String> continuation = Optional.empty();
        do {
            MatchPage page = page(container, scope, lookup, size, continuation);
            assertThat(page.matches()).hasSizeLessThanOrEqualTo(size);
            page.matches().forEach(match -> found.add(found(match)));
            continuation = page.continuation();
        } while (continuation.isPresent());
        return found;
    }

    private void edges(ContainerRef container, int count) {
        for (int i = 0; i < count; i++) {
            fixture.create(
                    container,
                    "{\"id\":\"%d\",\"pk\":\"k%d\",\"to\":\"v%d\",\"n\":%d}"
                            .formatted(i, i % 17, i % 20, i));
        }
    }

    private static ValueLookup vertices(int... numbers) {
        return new ValueLookup(
                TO, IntStream.of(numbers).<Value>mapToObj(n -> Value.of("v" + n)).toList());
    }

    private static List<Found> expected(int count, int... numbers) {
        List<Found> expected = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            for (int place = 0; place < numbers.length; place++) {
                if (i % 20 == numbers[place]) {
                    expected.add(new Found(Integer.toString(i), List.of(place)));
                }
            }
        }
        return expected;
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 50_000})
    void eachItemTellsWhichValueItHas(int requestUnits) {
        ContainerRef container = fixture.container("c", requestUnits, "/pk");
        edges(container, 200);
        int[] wanted = {7, 3, 19, 99, 0};
        for (int size : List.of(1, 3, 1000)) {
            assertThat(all(container, ALL, vertices(wanted), size))
                    .containsExactlyInAnyOrderElementsOf(expected(200, wanted));
        }
        MatchPage page = page(container, ALL, vertices(wanted), 1000, Optional.empty());
        assertThat(page.charge().documents()).as("nothing else is read").isEqualTo(40);
        FeedScope key = new FeedScope.Key(PartitionKey.ofText("k0"));
        assertThat(all(container, key, vertices(0, 1, 2), 1))
                .containsExactlyInAnyOrder(
                        new Found("0", List.of(0)), new Found("102", List.of(2)));
    }

    @Test
    void aPageGoesOnAcrossASplitAndAMerge() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        edges(container, 200);
        int[] wanted = {1, 2, 3};
        List<Found> seen = new ArrayList<>();
        Optional<String> continuation = Optional.empty();
        int pages = 0;
        do {
            MatchPage page = page(container, ALL, vertices(wanted), 4, continuation);
            page.matches().forEach(match -> seen.add(found(match)));
            continuation = page.continuation();
            pages++;
            if (pages == 2) {
                fixture.engine.operations().splitPartition(EngineFixture.context(), container, 0);
            }
            if (pages == 4) {
                int left =
                        fixture.engine
                                .resources()
                                .readPartitionMap(EngineFixture.context(), container)
                                .partitions()
                                .getFirst()
                                .range();
                fixture.engine
                        .operations()
                        .mergePartitions(EngineFixture.context(), container, left);
            }
        } while (continuation.isPresent());
        assertThat(pages).isGreaterThan(6);
        assertThat(seen).containsExactlyInAnyOrderElementsOf(expected(200, wanted));
    }

    @Test
    void aContinuationIsGoodForItsOwnLookUpOnly() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        ContainerRef other = fixture.container("other", 400, "/pk");
        edges(container, 200);
        FeedScope key = new FeedScope.Key(PartitionKey.ofText("k0"));
        Optional<String> token =
                page(container, ALL, vertices(1, 2), 4, Optional.empty()).continuation();

        assertThat(page(container, ALL, vertices(1, 2), 7, token).matches())
                .as("the size of a page is not part of it")
                .hasSize(7);
        assertThat(refusal(container, ALL, vertices(1, 3), token)).contains("other values");
        assertThat(refusal(container, ALL, vertices(2, 1), token)).contains("other values");
        assertThat(refusal(container, ALL, vertices(1), token)).contains("other values");
        assertThat(refusal(container, key, vertices(1, 2), token)).contains("other keys");
        assertThat(
                        refusal(
                                container,
                                ALL,
                                new ValueLookup(IndexPath.of("n"), vertices(1, 2).values()),
                                token))
                .contains("another path");
        assertThat(refusal(other, ALL, vertices(1, 2), token))
                .contains("Invalid Continuation Token");
    }

    private String refusal(
            ContainerRef container,
            FeedScope scope,
            ValueLookup lookup,
            Optional<String> continuation) {
        OrreryException refusal =
                catchThrowableOfType(
                        OrreryException.class,
                        () -> page(container, scope, lookup, 4, continuation));
        assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        return refusal.text();
    }

    /** Numbers are equal across their kinds, and long texts are told apart by the whole of them. */
    @Test
    void valuesAreEqualAsValuesAre() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        String text = "x".repeat(300);
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\",\"to\":\"" + text + "1\"}");
        fixture.create(container, "{\"id\":\"2\",\"pk\":\"a\",\"to\":\"" + text + "2\"}");
        fixture.create(container, "{\"id\":\"3\",\"pk\":\"a\",\"to\":1.0}");
        fixture.create(container, "{\"id\":\"4\",\"pk\":\"a\",\"to\":null}");
        fixture.create(container, "{\"id\":\"5\",\"pk\":\"a\"}");
        fixture.create(
                container,
                "{\"id\":\"6\",\"pk\":\"a\",\"to\":[\"%s2\",\"%s3\",true]}".formatted(text, text));
        ValueLookup lookup =
                new ValueLookup(
                        TO,
                        List.of(
                                Value.of(1),
                                Value.of(text + "2"),
                                Value.Null.NULL,
                                Value.of(text + "2"),
                                Value.of(true)));
        assertThat(all(container, ALL, lookup, 10))
                .containsExactlyInAnyOrder(
                        new Found("3", List.of(0)),
                        new Found("2", List.of(1)),
                        new Found("4", List.of(2)));
        ValueLookup elements =
                new ValueLookup(
                        TO.element(),
                        List.of(Value.of(text + "3"), Value.of(text + "2"), Value.of(true)));
        assertThat(all(container, ALL, elements, 1))
                .containsExactlyInAnyOrder(
                        new Found("6", List.of(0, 1)), new Found("6", List.of(2)));
    }

    @Test
    void documentsAreFoundByKindsThatJsonLacks() {
        ContainerRef container =
                fixture.container(
                        "c", 400, EngineFixture.definition("/pk").withKind(ContainerKind.MONGODB));
        String oid = "{\"$oid\":\"507f1f77bcf86cd79943901%d\"}";
        for (int i = 0; i < 5; i++) {
            Body json =
                    Body.json(
                            Bytes.ofUtf8(
                                    "{\"_id\":\"%d\",\"pk\":\"a\",\"to\":%s}"
                                            .formatted(i, oid.formatted(i))));
            fixture.engine
                    .items()
                    .writeItem(
                            EngineFixture.context(),
                            container,
                            new ItemWrite.Create(
                                    new Body(
                                            Encoding.BSON, BodyFormat.of(Encoding.BSON).show(json)),
                                    Optional.empty()));
        }
        List<Value> values = new ArrayList<>();
        for (int i : List.of(3, 9, 1)) {
            values.add(new BsonValue.ObjectId(Bytes.ofHex("507f1f77bcf86cd79943901" + i)));
        }
        assertThat(all(container, ALL, new ValueLookup(TO, values), 10))
                .containsExactlyInAnyOrder(new Found("3", List.of(0)), new Found("1", List.of(2)));
    }

    @Test
    void whatCannotBeLookedUpIsRefused() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        ContainerRef unindexed =
                fixture.container(
                        "u",
                        400,
                        new ContainerDefinition(
                                EngineFixture.definition("/pk").partitionKey(),
                                new IndexingPolicy(
                                        IndexingPolicy.Mode.NONE,
                                        false,
                                        List.of(),
                                        List.of(),
                                        List.of(),
                                        List.of()),
                                ContainerDefinition.ConflictResolution.DEFAULT,
                                ContainerDefinition.Geospatial.GEOGRAPHY));
        assertThat(refusal(unindexed, List.of(Value.of(1)))).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(refusal(container, List.of())).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(refusal(container, Collections.nCopies(1001, Value.of(1))))
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(refusal(container, List.of(Value.Undefined.UNDEFINED)))
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(refusal(container, List.of(new Value.Array(List.of(Value.of(1))))))
                .isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(refusal(container, List.of(Value.of("x".repeat(5 << 20)))))
                .isEqualTo(ErrorCode.TOO_LARGE);
        List<Value> most = Collections.nCopies(1000, Value.of("x".repeat(4000)));
        assertThat(all(container, ALL, new ValueLookup(TO, most), 10)).isEmpty();
    }

    /** Of values that are equal, the first is named; an item comes once all the same. */
    @Test
    void valuesMayComeTwice() {
        ContainerRef container = fixture.container("c", 400, "/pk");
        edges(container, 40);

        assertThat(all(container, ALL, vertices(3, 5, 3, 77, 5), 7))
                .containsExactlyInAnyOrderElementsOf(expected(40, 3, 5));
    }

    private ErrorCode refusal(ContainerRef container, List<Value> values) {
        return catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                page(
                                        container,
                                        ALL,
                                        new ValueLookup(TO, values),
                                        10,
                                        Optional.empty()))
                .code();
    }
}
