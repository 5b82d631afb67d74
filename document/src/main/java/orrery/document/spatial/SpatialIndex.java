package orrery.document.spatial;

import com.google.common.geometry.S2CellId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.IndexingPolicy.BoundingBox;
import orrery.model.TermRules;

/**
 * Under which cells the geometries at a path are found. Two geometries that touch have cells of
 * which one holds the other.
 *
 * @param kinds those that are found by their place; all others have the cell {@link #ANYWHERE}
 * @param box of a plane: what lies outside of it, in part or as a whole, is {@link #ANYWHERE} too.
 *     None on the globe
 * @param maxCells of one geometry: more fit it better, and each is an entry
 */
public record SpatialIndex(Set<Figure.Kind> kinds, Optional<BoundingBox> box, int maxCells) {
    /** No cell of a space: what has this must be looked at whatever place is asked for. */
    public static final long ANYWHERE = 0;

    private static final CellRange EVERYTHING = new CellRange(0, -1L);

    /** More cells find fewer geometries in vain, and each is a seek. */
    private static final int CELLS_OF_QUERY = 24;

    public SpatialIndex {
        kinds = Set.copyOf(kinds);
    }

    /** An index of the first feature level. */
    public SpatialIndex(Set<Figure.Kind> kinds, Optional<BoundingBox> box) {
        this(kinds, box, TermRules.FIRST.cells());
    }

    public Geospatial space() {
        return box.isPresent() ? Geospatial.GEOMETRY : Geospatial.GEOGRAPHY;
    }

    /** Tells cells of one index from those of another. */
    public int fingerprint() {
        int hash =
                box.map(
                                edges ->
                                        Objects.hash(
                                                edges.xmin(),
                                                edges.ymin(),
                                                edges.xmax(),
                                                edges.ymax()))
                        .orElse(0);
        for (Figure.Kind kind : Figure.Kind.values()) {
            hash = 31 * hash + (kinds.contains(kind) ? 1 : 0);
        }
        return hash & Integer.MAX_VALUE >> 1;
    }

    /** Empty for what is no valid geometry: no function finds it. */
    public List<Long> cells(Figure figure) {
        Shape shape = Shape.of(figure, space());
        if (shape.fault().isPresent()) {
            return List.of();
        }
        if (!kinds.contains(figure.kind())) {
            return List.of(ANYWHERE);
        }
        return switch (shape) {
            case SphereShape sphere ->
                    sphere.point().isPresent()
                            ? List.of(S2CellId.fromPoint(sphere.point().get()).id())
                            : sphere.hasPlace()
                                    ? numbers(SphereRegion.of(sphere))
                                    : List.of(ANYWHERE);
            case PlaneShape plane ->
                    !plane.isInside(box.orElseThrow())
                            ? List.of(ANYWHERE)
                            : plane.point().isPresent()
                                    ? List.of(
                                            PlaneRegion.leaf(plane.point().get(), box.orElseThrow())
                                                    .id())
                                    : numbers(new PlaneRegion(plane, box.orElseThrow(), 0));
        };
    }

    private List<Long> numbers(CellRegion region) {
        return Covering.of(region, maxCells).stream().map(S2CellId::id).toList();
    }

    /**
     * Returns the ranges with the cells of all geometries within a distance of a shape, in metres
     * on the globe: the cells around it, all that they hold and all that hold them.
     */
    public List<CellRange> near(Shape shape, double distance) {
        return switch (shape) {
            case SphereShape sphere ->
                    sphere.hasPlace()
                            ? ranges(SphereRegion.within(sphere, distance))
                            : List.of(EVERYTHING);
            case PlaneShape plane ->
                    plane.isEmpty()
                            ? List.of(EVERYTHING)
                            : ranges(new PlaneRegion(plane, box.orElseThrow(), distance));
        };
    }

    private static List<CellRange> ranges(CellRegion region) {
        List<CellRange> ranges = new ArrayList<>();
        ranges.add(new CellRange(ANYWHERE, ANYWHERE));
        Set<S2CellId> holders = new HashSet<>();
        for (S2CellId cell : Covering.of(region, CELLS_OF_QUERY)) {
            ranges.add(new CellRange(cell.rangeMin().id(), cell.rangeMax().id()));
            S2CellId holder = cell;
            while (!holder.isFace()) {
                holder = holder.parent();
                if (!holders.add(holder)) {
                    break;
                }
                ranges.add(new CellRange(holder.id(), holder.id()));
            }
        }
        return ranges;
    }
}
