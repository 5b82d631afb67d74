package orrery.document.spatial;

import com.google.common.geometry.S2Cell;
import com.google.common.geometry.S2CellId;
import com.google.common.geometry.S2Point;
import java.util.List;
import java.util.stream.IntStream;

/** All that lies near a shape on the globe. Distances are lengths of chords on a unit sphere. */
final class SphereRegion implements CellRegion {
    private static final List<S2CellId> FACES =
            IntStream.range(0, 6).mapToObj(S2CellId::fromFace).toList();

    /** Far more than doubles lose on the way, and less than any cell. */
    private static final double ROUNDING = 1e-13;

    /**
     * In metres, the least that one radian of geodetic latitude or longitude can measure anywhere
     * on WGS 84: the curvature of a meridian at the equator. A chord between two places times this
     * is never more than their distance.
     */
    private static final double LEAST_RADIUS = 6_335_439;

    private final SphereShape shape;
    private final double reach;

    private SphereRegion(SphereShape shape, double reach) {
        this.shape = shape;
        this.reach = reach + SphereShape.TOUCH + ROUNDING;
    }

    static SphereRegion of(SphereShape shape) {
        return new SphereRegion(shape, 0);
    }

    static SphereRegion within(SphereShape shape, double metres) {
        return new SphereRegion(shape, metres / LEAST_RADIUS);
    }

    @Override
    public List<S2CellId> roots() {
        return FACES;
    }

    /**
     * A cell is taken for the cap around it: edges are arcs, so no vertex lies nearer than them.
     */
    @Override
    public Relation relate(S2CellId id) {
        S2Cell cell = new S2Cell(id);
        S2Point center = cell.getCenter();
        double radius2 = 0;
        for (int i = 0; i < 4; i++) {
            radius2 = Math.max(radius2, center.sub(cell.getVertex(i)).norm2());
        }
        // The chord of two arcs together is shorter than their two chords.
        if (shape.hasEdgeWithin(Math.sqrt(radius2) + reach, center)) {
            return Relation.CROSSING;
        }
        return shape.covers(center) ? Relation.INSIDE : Relation.OUTSIDE;
    }
}
