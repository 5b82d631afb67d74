package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.QueryPage;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.IndexingPolicy;
import orrery.model.IndexingPolicy.BoundingBox;
import orrery.model.IndexingPolicy.SpatialPath;
import orrery.model.OrreryException;
import orrery.model.Precondition;

/** Spatial indexes from the door to the disk: found, charged, told of, and carried to old items. */
class SpatialQueryTest {
    private static final int ITEMS = 400;
    private static final List<String> TYPES =
            List.of("Point", "LineString", "Polygon", "MultiPolygon");

    /** The items 100 to 109 lie in it, and half of 99 and 110. */
    private static final String NEAR =
            "SELECT VALUE c.n FROM c WHERE ST_DISTANCE(c.at,"
                    + " {'type':'Point','coordinates':[10.45,0]}) < 51000";

    private static final String WITHIN =
            "SELECT VALUE c.n FROM c WHERE ST_WITHIN(c.at, {'type':'Polygon','coordinates':"
                    + "[[[9.95,-1],[10.95,-1],[10.95,1],[9.95,1],[9.95,-1]]]})";

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

    private static ContainerDefinition definition(List<SpatialPath> spatial, Geospatial space) {
        ContainerDefinition plain = EngineFixture.definition("/pk");
        IndexingPolicy policy = plain.indexingPolicy();
        return new ContainerDefinition(
                plain.partitionKey(),
                new IndexingPolicy(
                        policy.mode(),
                        policy.automatic(),
                        policy.includedPaths(),
                        policy.excludedPaths(),
                        policy.compositeIndexes(),
                        spatial),
                plain.conflictResolution(),
                space);
    }

    private static ContainerDefinition onGlobe() {
        return definition(
                List.of(new SpatialPath("/at/*", TYPES, Optional.empty())), Geospatial.GEOGRAPHY);
    }

    private ContainerRef filled(String name, int requestUnits, ContainerDefinition definition) {
        ContainerRef container = fixture.container(name, requestUnits, definition);
        for (int i = 0; i < ITEMS; i++) {
            fixture.create(
                    container,
                    "{\"id\":\"%d\",\"pk\":\"k%d\",\"n\":%d,\"at\":{\"type\":\"Point\",\"coordinates\":[%s,0]}}"
                            .formatted(i, i % 50, i, i / 10.0));
        }
        return container;
    }

    private QueryPage page(
            ContainerRef container, String query, int size, Optional<String> continuation) {
        return fixture.page(container, new FeedScope.Everything(), query, size, continuation);
    }

    private List<String> all(ContainerRef container, String query, int size) {
        return fixture.all(container, new FeedScope.Everything(), query, size);
    }

    private static List<String> numbers(int from, int to) {
        List<String> numbers = new ArrayList<>();
        for (int i = from; i < to; i++) {
            numbers.add(Integer.toString(i));
        }
        return numbers;
    }

    @Test
    void onOneAndOnSevenPartitions() {
        for (int requestUnits : new int[] {400, 70_000}) {
            ContainerRef container = filled("c" + requestUnits, requestUnits, onGlobe());
            for (int size : new int[] {1, 1000}) {
                assertThat(all(container, NEAR, size))
                        .containsExactlyInAnyOrderElementsOf(numbers(100, 110));
                assertThat(all(container, WITHIN, size))
                        .containsExactlyInAnyOrderElementsOf(numbers(100, 110));
            }
        }
    }

    @Test
    void theIndexIsNamedAndSavesDocuments() {
        ContainerRef container = filled("c", 400, onGlobe());
        QueryPage indexed = page(container, NEAR, 1000, Optional.empty());
        assertThat(indexed.metrics().indexes().paths()).containsExactly("/at/? (spatial)");
        assertThat(indexed.metrics().indexes().missing()).isEmpty();
        assertThat(indexed.charge().documents()).isBetween(10, 30);

        ContainerRef plain = filled("plain", 400, EngineFixture.definition("/pk"));
        QueryPage scanned = page(plain, NEAR, 1000, Optional.empty());
        assertThat(scanned.metrics().indexes().paths()).containsExactly("/at/?");
        assertThat(scanned.metrics().indexes().missing()).containsExactly("/at/? (spatial)");
        assertThat(scanned.charge().ru()).isGreaterThan(3 * indexed.charge().ru());
    }

    @Test
    void aPolicyThatComesAndGoesNeverChangesTheAnswer() {
        ContainerRef container = filled("c", 20_000, EngineFixture.definition("/pk"));
        List<ContainerDefinition> definitions =
                List.of(
                        onGlobe(),
                        definition(
                                List.of(
                                        new SpatialPath(
                                                "/*", List.of("Polygon"), Optional.empty())),
                                Geospatial.GEOGRAPHY),
                        EngineFixture.definition("/pk"),
                        onGlobe());
        for (ContainerDefinition definition : definitions) {
            fixture.engine
                    .resources()
                    .replaceContainer(
                            EngineFixture.context(), container, definition, Precondition.NONE);
            // Some of these fall into the re-indexing, some behind it.
            for (int i = 0; i < 4; i++) {
                assertThat(all(container, NEAR, 1000))
                        .containsExactlyInAnyOrderElementsOf(numbers(100, 110));
            }
        }
        while (page(container, NEAR, 1000, Optional.empty()).metrics().indexes().paths().stream()
                .noneMatch("/at/? (spatial)"::equals)) {
            Thread.onSpinWait();
        }
        assertThat(all(container, WITHIN, 3))
                .containsExactlyInAnyOrderElementsOf(numbers(100, 110));
    }

    @Test
    void aSpatialIndexThatComesBetweenTwoPages() {
        ContainerRef container = filled("c", 400, EngineFixture.definition("/pk"));
        QueryPage first = page(container, WITHIN, 3, Optional.empty());
        List<String> rows = new ArrayList<>();
        first.rows().forEach(row -> rows.add(row.toUtf8()));
        fixture.engine
                .resources()
                .replaceContainer(EngineFixture.context(), container, onGlobe(), Precondition.NONE);
        while (!page(container, NEAR, 1000, Optional.empty())
                .metrics()
                .indexes()
                .paths()
                .equals(List.of("/at/? (spatial)"))) {
            Thread.onSpinWait();
        }
        Optional<String> continuation = first.continuation();
        while (continuation.isPresent()) {
            QueryPage page = page(container, WITHIN, 3, continuation);
            page.rows().forEach(row -> rows.add(row.toUtf8()));
            continuation = page.continuation();
        }
        assertThat(rows).containsExactlyInAnyOrderElementsOf(numbers(100, 110));
    }

    @Test
    void aSplitBetweenTwoPages() {
        ContainerRef container = filled("c", 400, onGlobe());
        QueryPage first = page(container, NEAR, 4, Optional.empty());
        List<String> rows = new ArrayList<>();
        first.rows().forEach(row -> rows.add(row.toUtf8()));
        fixture.engine.operations().splitPartition(EngineFixture.context(), container, 0);
        Optional<String> continuation = first.continuation();
        while (continuation.isPresent()) {
            QueryPage page = page(container, NEAR, 4, continuation);
            page.rows().forEach(row -> rows.add(row.toUtf8()));
            continuation = page.continuation();
        }
        assertThat(rows).containsExactlyInAnyOrderElementsOf(numbers(100, 110));
    }

    @Test
    void aPlaneNeedsABoxAndTheGlobeHasNone() {
        List<SpatialPath> boxed =
                List.of(
                        new SpatialPath(
                                "/at/*", TYPES, Optional.of(new BoundingBox(0, -1, 20, 1))));
        ContainerRef container = filled("plane", 400, definition(boxed, Geospatial.GEOMETRY));
        // Half of the items lie outside of the box, among them some of these.
        String query =
                "SELECT VALUE c.n FROM c WHERE ST_DISTANCE(c.at,"
                        + " {'type':'Point','coordinates':[20,0]}) <= 0.5";
        assertThat(all(container, query, 1000))
                .containsExactlyInAnyOrderElementsOf(numbers(195, 206));
        assertThat(page(container, query, 10, Optional.empty()).metrics().indexes().paths())
                .containsExactly("/at/? (spatial)");
        assertThatThrownBy(
                        () ->
                                fixture.container(
                                        "a",
                                        400,
                                        definition(
                                                onGlobe().indexingPolicy().spatialIndexes(),
                                                Geospatial.GEOMETRY)))
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("boundingBox");
        assertThatThrownBy(
                        () -> fixture.container("b", 400, definition(boxed, Geospatial.GEOGRAPHY)))
                .isInstanceOf(OrreryException.class)
                .hasMessageContaining("boundingBox");
    }
}
