package orrery.document.spatial;

import com.google.common.geometry.S2CellId;
import java.util.List;
import org.locationtech.jts.geom.Coordinate;
import orrery.model.IndexingPolicy.BoundingBox;

/**
 * All that lies near a shape on a plane, within a box. The box is cut into quarters thirty times.
 * Cells have the numbers that they would have on the first face of the globe, except that they lie
 * row by row and not along a curve.
 */
final class PlaneRegion implements CellRegion {
    private static final int LEAVES = 1 << S2CellId.MAX_LEVEL;
    private static final List<S2CellId> ROOT = List.of(S2CellId.fromFace(0));

    private final PlaneShape shape;
    private final BoundingBox box;
    private final double reach;

    PlaneRegion(PlaneShape shape, BoundingBox box, double distance) {
        this.shape = shape;
        this.box = box;
        double largest =
                Math.max(
                        Math.max(Math.abs(box.xmin()), Math.abs(box.xmax())),
                        Math.max(Math.abs(box.ymin()), Math.abs(box.ymax())));
        // A tenth of a cell of the last level, and what doubles lose on the way.
        double slack = (width(box) + height(box)) * 1e-10 + Math.ulp(largest) * 16;
        this.reach = distance + slack;
    }

    /** The smallest cell that a place in the box lies in. */
    static S2CellId leaf(Coordinate place, BoundingBox box) {
        long column = leaf(place.x - box.xmin(), width(box));
        long row = leaf(place.y - box.ymin(), height(box));
        return new S2CellId((spread(column) << 1 | spread(row)) << 1 | 1);
    }

    private static long leaf(double distance, double side) {
        return Math.clamp((long) (distance / side * LEAVES), 0, LEAVES - 1);
    }

    /** Makes room for a bit between every two. */
    private static long spread(long bits) {
        long spread = 0;
        for (int i = 0; i < S2CellId.MAX_LEVEL; i++) {
            spread |= (bits >>> i & 1) << (2 * i);
        }
        return spread;
    }

    private static long gather(long bits) {
        long gathered = 0;
        for (int i = 0; i < S2CellId.MAX_LEVEL; i++) {
            gathered |= (bits >>> (2 * i) & 1) << i;
        }
        return gathered;
    }

    @Override
    public List<S2CellId> roots() {
        return ROOT;
    }

    /** A cell is taken for the circle around it. */
    @Override
    public Relation relate(S2CellId cell) {
        long first = cell.rangeMin().id() >>> 1;
        double size = 1.0 / (1 << cell.level());
        Coordinate center =
                new Coordinate(
                        box.xmin()
                                + width(box) * ((double) gather(first >>> 1) / LEAVES + size / 2),
                        box.ymin() + height(box) * ((double) gather(first) / LEAVES + size / 2));
        double radius = StrictMath.hypot(width(box), height(box)) * size / 2 + reach;
        if (shape.distance(center) > radius) {
            return Relation.OUTSIDE;
        }
        return shape.depth(center) > radius ? Relation.INSIDE : Relation.CROSSING;
    }

    private static double width(BoundingBox box) {
        return box.xmax() - box.xmin();
    }

    private static double height(BoundingBox box) {
        return box.ymax() - box.ymin();
    }
}
