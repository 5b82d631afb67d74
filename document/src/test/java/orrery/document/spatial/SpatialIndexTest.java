package orrery.document.spatial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import orrery.document.GeoJson;
import orrery.document.JsonText;
import orrery.model.IndexingPolicy.BoundingBox;

/** Few cells, in the right places. That all are there that must be, a property of queries says. */
final class SpatialIndexTest {
    private static final SpatialIndex GLOBE =
            new SpatialIndex(EnumSet.allOf(Figure.Kind.class), Optional.empty());
    private static final SpatialIndex PLANE =
            new SpatialIndex(
                    EnumSet.allOf(Figure.Kind.class), Optional.of(new BoundingBox(0, 0, 100, 50)));

    private static Figure figure(String type, String coordinates) {
        return GeoJson.parse(
                        JsonText.parse(
                                "{\"type\":\"" + type + "\",\"coordinates\":" + coordinates + "}"))
                .orElseThrow();
    }

    private static boolean isNear(SpatialIndex index, Figure item, Figure place, double distance) {
        List<CellRange> ranges = index.near(Shape.of(place, index.space()), distance);
        return index.cells(item).stream()
                .anyMatch(
                        cell ->
                                ranges.stream()
                                        .anyMatch(
                                                range ->
                                                        Long.compareUnsigned(range.first(), cell)
                                                                        <= 0
                                                                && Long.compareUnsigned(
                                                                                cell, range.last())
                                                                        <= 0));
    }

    @Test
    void aPointHasOneCellAndAnythingElseFew() {
        assertThat(GLOBE.cells(figure("Point", "[4.9,52.37]"))).hasSize(1);
        assertThat(GLOBE.cells(figure("LineString", "[[-170,-60],[10,70],[100,0]]")))
                .hasSizeBetween(2, 8);
        assertThat(GLOBE.cells(figure("Polygon", "[[[0,0],[1,0],[1,1],[0,1],[0,0]]]")))
                .hasSizeBetween(1, 8)
                .doesNotContain(SpatialIndex.ANYWHERE);
        assertThat(PLANE.cells(figure("Polygon", "[[[0,0],[90,0],[90,40],[0,40],[0,0]]]")))
                .hasSizeBetween(1, 8)
                .doesNotContain(SpatialIndex.ANYWHERE);
    }

    @Test
    void whatIsFarAwayIsNotFound() {
        Figure amsterdam = figure("Point", "[4.9,52.37]");
        Figure paris = figure("Point", "[2.35,48.86]");
        assertThat(isNear(GLOBE, paris, amsterdam, 500_000)).isTrue();
        assertThat(isNear(GLOBE, paris, amsterdam, 100_000)).isFalse();
        assertThat(isNear(PLANE, figure("Point", "[70,30]"), figure("Point", "[10,10]"), 20))
                .isFalse();
    }

    @Test
    void acrossThePoleAndTheDateLine() {
        assertThat(isNear(GLOBE, figure("Point", "[0,89.99]"), figure("Point", "[180,89.99]"), 3e3))
                .isTrue();
        assertThat(isNear(GLOBE, figure("Point", "[180,0]"), figure("Point", "[-179.99,0]"), 2e3))
                .isTrue();
    }

    @Test
    void theRestOfTheEarthIsFoundOnItsOtherSide() {
        Figure rest = figure("Polygon", "[[[-60,-60],[-60,60],[60,60],[60,-60],[-60,-60]]]");
        assertThat(isNear(GLOBE, rest, figure("Point", "[-170,-40]"), 0)).isTrue();
        assertThat(isNear(GLOBE, rest, figure("Point", "[0.5,0.5]"), 0)).isFalse();
    }

    @Test
    void whatHasNoPlaceIsFoundEverywhere() {
        assertThat(PLANE.cells(figure("Point", "[100.1,5]")))
                .as("outside of the box")
                .containsExactly(SpatialIndex.ANYWHERE);
        assertThat(GLOBE.cells(figure("LineString", "[[0,0],[180,0]]")))
                .as("ends on opposite sides")
                .containsExactly(SpatialIndex.ANYWHERE);
        assertThat(GLOBE.cells(figure("MultiPolygon", "[]")))
                .containsExactly(SpatialIndex.ANYWHERE);
        SpatialIndex points = new SpatialIndex(EnumSet.of(Figure.Kind.POINT), Optional.empty());
        assertThat(points.cells(figure("LineString", "[[0,0],[1,1]]")))
                .as("a type that the index does not have")
                .containsExactly(SpatialIndex.ANYWHERE);
    }

    @Test
    void whatIsNotValidHasNoCells() {
        assertThat(GLOBE.cells(figure("Point", "[0,91]"))).isEmpty();
        assertThat(GLOBE.cells(figure("Polygon", "[[[0,0],[1,1],[1,0],[0,1],[0,0]]]"))).isEmpty();
        assertThat(PLANE.cells(figure("LineString", "[[0,0]]"))).isEmpty();
    }
}
