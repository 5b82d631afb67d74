package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.document.BodyFormat;
import orrery.document.IndexPath;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ValueLookup;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.NamedIndex;
import orrery.model.NamedIndex.Field;
import orrery.model.NamedIndexes;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.resource.Container;

/** Indexes with names, on containers that have items. */
class NamedIndexTest {
    private static final NamedIndex AGE = new NamedIndex("age_1", List.of(Field.ascending("age")));
    private static final NamedIndex TAGS =
            new NamedIndex("tags.of_1", List.of(Field.ascending("tags.of")));

    private Path directory;
    private EngineFixture fixture;
    private ContainerRef container;

    @BeforeEach
    void open(@TempDir Path directory) {
        this.directory = directory;
        fixture = new EngineFixture(directory);
        container = fixture.container("c", 400, definition());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static ContainerDefinition definition() {
        return NamedIndexes.define(
                EngineFixture.definition("/pk").withKind(ContainerKind.MONGODB), List.of());
    }

    private void insert(String json) {
        Bytes bson = BodyFormat.of(Encoding.BSON).show(Body.json(Bytes.ofUtf8(json)));
        fixture.engine
                .items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Create(new Body(Encoding.BSON, bson), Optional.empty()));
    }

    private Container change(UnaryOperator<List<NamedIndex>> change) {
        return fixture.engine
                .resources()
                .indexes()
                .change(EngineFixture.context(), container, change);
    }

    private static UnaryOperator<List<NamedIndex>> adding(NamedIndex... more) {
        return present -> {
            List<NamedIndex> all = new ArrayList<>(present);
            all.addAll(List.of(more));
            return all;
        };
    }

    private Container present() {
        return fixture.engine.resources().readContainer(EngineFixture.context(), container);
    }

    private void awaitIndex() {
        int percent = 0;
        while (percent < 100) {
            percent =
                    fixture.engine
                            .resources()
                            .readUsage(EngineFixture.context(), container)
                            .indexingProgressPercent();
        }
    }

    private int found(IndexPath path, Value value) {
        return fixture.engine
                .items()
                .findItems(
                        EngineFixture.context(),
                        container,
                        new FeedScope.Everything(),
                        new ValueLookup(path, List.of(value)),
                        new PageRequest(OptionalInt.of(100), Optional.empty()))
                .matches()
                .size();
    }

    private static OrreryException refusal(ThrowingCallable call) {
        return catchThrowableOfType(OrreryException.class, call);
    }

    @Test
    void anIndexIsBuiltOverItemsThatAreThere() {
        for (int i = 0; i < 200; i++) {
            insert("{\"_id\":\"%d\",\"pk\":\"a\",\"age\":%d}".formatted(i, i % 10));
        }
        assertThat(refusal(() -> found(IndexPath.of("age"), Value.of(3))).code())
                .isEqualTo(ErrorCode.BAD_REQUEST);

        change(adding(AGE));
        insert("{\"_id\":\"new\",\"pk\":\"b\",\"age\":3}");
        awaitIndex();
        assertThat(found(IndexPath.of("age"), Value.of(3))).isEqualTo(21);

        change(_ -> List.of());
        assertThat(refusal(() -> found(IndexPath.of("age"), Value.of(3))).code())
                .isEqualTo(ErrorCode.BAD_REQUEST);
    }

    @Test
    void elementsOfArraysAreIndexed() {
        insert("{\"_id\":\"1\",\"pk\":\"a\",\"tags\":[{\"of\":\"x\"},{\"of\":[\"y\",\"z\"]}]}");
        insert("{\"_id\":\"2\",\"pk\":\"a\",\"tags\":{\"of\":\"x\"}}");
        change(adding(TAGS));
        awaitIndex();
        IndexPath through = IndexPath.of("tags").element().property("of");
        assertThat(found(through, Value.of("x"))).isEqualTo(1);
        assertThat(found(through.element(), Value.of("z"))).isEqualTo(1);
        assertThat(found(IndexPath.of("tags").property("of"), Value.of("x"))).isEqualTo(1);
    }

    @Test
    void changesAreMadeOnTopOfEachOther() {
        change(adding(AGE));
        change(
                present -> {
                    if (present.size() == 1) {
                        change(adding(TAGS)); // somebody else is faster
                    }
                    return adding(new NamedIndex("all", List.of(Field.wildcard(""))))
                            .apply(present);
                });
        assertThat(present().definition().indexes())
                .extracting(NamedIndex::name)
                .containsExactly("age_1", "tags.of_1", "all");
    }

    @Test
    void aChangeMayRefuseItself() {
        change(adding(AGE));
        Container before = present();
        assertThat(
                        refusal(
                                () ->
                                        change(
                                                _ -> {
                                                    throw new OrreryException(
                                                            ErrorCode.CONFLICT, "taken");
                                                })))
                .hasMessage("taken");
        assertThat(change(present -> present)).isEqualTo(before);
        assertThat(present()).isEqualTo(before);
    }

    @Test
    void indexesSurviveARestart() {
        NamedIndex whole = AGE.withOptions(Bytes.ofHex("0500000000"));
        NamedIndex lifetime =
                new NamedIndex("_ts_1", List.of(Field.ascending("_ts")))
                        .withExpiry(OptionalInt.of(3600));
        change(adding(whole, lifetime));
        fixture.close();
        fixture = new EngineFixture(directory);
        assertThat(present().definition().indexes()).containsExactly(whole, lifetime);
        assertThat(present().definition().timeToLive()).isEqualTo(new TimeToLive(3600));
    }

    @Test
    void whatFollowsFromTheIndexesIsNotChangedElsewhere() {
        change(adding(AGE));
        ContainerDefinition now = present().definition();
        assertThat(replace(now.withChangeRetention(5)).definition().indexes()).containsExactly(AGE);
        for (ContainerDefinition other :
                List.of(
                        now.withIndexing(IndexingPolicy.DEFAULT),
                        now.withTimeToLive(new TimeToLive(5)),
                        now.withIndexes(List.of()))) {
            assertThat(refusal(() -> replace(other)).code()).isEqualTo(ErrorCode.BAD_REQUEST);
        }
    }

    private Container replace(ContainerDefinition definition) {
        return fixture.engine
                .resources()
                .replaceContainer(
                        EngineFixture.context(), container, definition, Precondition.NONE);
    }

    @Test
    void aDefinitionWhosePolicyIsAnotherIsRefused() {
        assertThat(
                        refusal(
                                        () ->
                                                fixture.container(
                                                        "other",
                                                        400,
                                                        definition().withIndexes(List.of(AGE))))
                                .text())
                .contains("not that of its indexes");
        assertThat(
                        refusal(
                                        () ->
                                                fixture.container(
                                                        "sql",
                                                        400,
                                                        NamedIndexes.define(
                                                                EngineFixture.definition("/pk"),
                                                                List.of(AGE))))
                                .text())
                .contains("kind MongoDB");
        assertThat(refusal(() -> change(adding(AGE, AGE))).text()).contains("the name 'age_1'");
    }

    @Test
    void readersMayNotChangeIndexes() {
        assertThat(
                        refusal(
                                        () ->
                                                fixture.engine
                                                        .resources()
                                                        .indexes()
                                                        .change(
                                                                EngineFixture.readOnly(),
                                                                container,
                                                                adding(AGE)))
                                .code())
                .isEqualTo(ErrorCode.FORBIDDEN);
    }
}
