package orrery.document.spatial;

import com.google.common.geometry.S2EdgeUtil;
import com.google.common.geometry.S2Error;
import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Polyline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import net.sf.geographiclib.Geodesic;
import net.sf.geographiclib.GeodesicMask;
import net.sf.geographiclib.PolygonArea;
import orrery.model.ContainerDefinition.Geospatial;

/**
 * A shape of a container whose geospatial type is Geography: longitudes and latitudes on WGS 84,
 * measured in metres. Which points are inside and which are nearest is decided on a sphere, where
 * edges are arcs of great circles; lengths and areas are those of the ellipsoid.
 *
 * <p>The outer ring of a polygon runs counter-clockwise; one that runs clockwise is all the rest of
 * the earth. Holes are holes either way.
 */
final class SphereShape implements Shape {
    /**
     * A distance on the unit sphere, about a hundredth of a millimetre on the earth. Shapes this
     * close touch.
     */
    static final double TOUCH = 2e-12;

    /** Edges between points so nearly opposite have no certain course. */
    private static final double LONGEST_EDGE2 = 4 - 1e-9;

    private final Figure figure;
    private final List<S2Point> points = new ArrayList<>();
    private final List<S2Polyline> lines = new ArrayList<>();
    private final List<S2Polygon> polygons = new ArrayList<>();

    /** All edges, two points each; of a point, one edge without length. */
    private final List<S2Point> edges = new ArrayList<>();

    private final Optional<String> fault;

    SphereShape(Figure figure) {
        this.figure = figure;
        this.fault = figure.fault().or(() -> findFault());
        if (fault.isEmpty()) {
            collectEdges();
        }
    }

    // ---- Making it -----------------------------------------------------------------------------

    private Optional<String> findFault() {
        Optional<String> range = rangeFault(figure);
        if (range.isPresent()) {
            return range;
        }
        figure.points().forEach(point -> points.add(toPoint(point)));
        for (List<Figure.Position> positions : figure.lines()) {
            lines.add(new S2Polyline(withoutRepeats(positions)));
        }
        for (List<List<Figure.Position>> rings : figure.polygons()) {
            List<S2Loop> loops = new ArrayList<>();
            for (List<Figure.Position> ring : rings) {
                List<S2Point> vertices = withoutRepeats(ring);
                // The last position is the first again.
                S2Loop loop = new S2Loop(vertices.subList(0, vertices.size() - 1));
                S2Error error = new S2Error();
                if (vertices.size() < 4 || loop.findValidationErrorNoIndex(error)) {
                    return Optional.of("A ring of a Polygon must not touch or cross itself.");
                }
                if (!loops.isEmpty()) {
                    loop.normalize();
                    loop.invert();
                }
                loops.add(loop);
            }
            S2Polygon polygon = new S2Polygon();
            polygon.initOriented(loops);
            if (!polygon.isValid()) {
                return Optional.of(
                        "The rings of a Polygon must not touch or cross themselves or"
                                + " each other.");
            }
            polygons.add(polygon);
        }
        return Optional.empty();
    }

    private static Optional<String> rangeFault(Figure figure) {
        for (Figure.Position position : figure.positions()) {
            if (!(Math.abs(position.y()) <= 90)) {
                return Optional.of("Latitude values must be between -90 and 90 degrees.");
            }
            if (!(Math.abs(position.x()) <= 180)) {
                return Optional.of("Longitude values must be between -180 and 180 degrees.");
            }
        }
        return Optional.empty();
    }

    /** The library's own conversion may differ in the last bit from machine to machine. */
    private static S2Point toPoint(Figure.Position position) {
        double latitude = position.y() * (Math.PI / 180);
        double longitude = position.x() * (Math.PI / 180);
        double fromAxis = StrictMath.cos(latitude);
        return new S2Point(
                StrictMath.cos(longitude) * fromAxis,
                StrictMath.sin(longitude) * fromAxis,
                StrictMath.sin(latitude));
    }

    private static List<S2Point> withoutRepeats(List<Figure.Position> positions) {
        List<S2Point> rest = new ArrayList<>();
        for (Figure.Position position : positions) {
            S2Point point = toPoint(position);
            if (rest.isEmpty() || !rest.getLast().equals(point)) {
                rest.add(point);
            }
        }
        return rest;
    }

    private void collectEdges() {
        for (S2Point point : points) {
            Collections.addAll(edges, point, point);
        }
        for (S2Polyline line : lines) {
            for (int i = 1; i < line.numVertices(); i++) {
                Collections.addAll(edges, line.vertex(i - 1), line.vertex(i));
            }
            if (line.numVertices() == 1) {
                Collections.addAll(edges, line.vertex(0), line.vertex(0));
            }
        }
        for (S2Polygon polygon : polygons) {
            for (S2Loop loop : polygon.getLoops()) {
                for (int i = 0; i < loop.numVertices(); i++) {
                    Collections.addAll(edges, loop.vertex(i), loop.vertex(i + 1));
                }
            }
        }
    }

    @Override
    public Geospatial space() {
        return Geospatial.GEOGRAPHY;
    }

    @Override
    public Optional<String> fault() {
        return fault;
    }

    @Override
    public int size() {
        return figure.size();
    }

    // ---- Finding it again ----------------------------------------------------------------------

    /** The point that it is, if it is one. */
    Optional<S2Point> point() {
        return points.stream().findFirst();
    }

    /** Returns true if the shape has a definite place, so that cells can cover it. */
    boolean hasPlace() {
        for (int i = 0; i < edges.size(); i += 2) {
            if (edges.get(i).sub(edges.get(i + 1)).norm2() > LONGEST_EDGE2) {
                return false;
            }
        }
        return !edges.isEmpty();
    }

    /**
     * Returns true if an edge comes within this distance of a point, given as the length of a
     * chord.
     */
    boolean hasEdgeWithin(double chord, S2Point point) {
        for (int i = 0; i < edges.size(); i += 2) {
            S2Point nearest = closest(point, edges.get(i), edges.get(i + 1));
            if (point.sub(nearest).norm2() <= chord * chord) {
                return true;
            }
        }
        return false;
    }

    boolean covers(S2Point point) {
        return polygons.stream().anyMatch(polygon -> polygon.contains(point));
    }

    // ---- Measuring -----------------------------------------------------------------------------

    @Override
    public double area() {
        double sum = 0;
        for (List<List<Figure.Position>> rings : figure.polygons()) {
            for (int i = 0; i < rings.size(); i++) {
                sum += i == 0 ? area(rings.get(i), false) : -area(rings.get(i), true);
            }
        }
        return sum;
    }

    private static double area(List<Figure.Position> ring, boolean isHole) {
        PolygonArea area = new PolygonArea(Geodesic.WGS84, false);
        for (Figure.Position position : ring.subList(0, ring.size() - 1)) {
            area.AddPoint(position.y(), position.x());
        }
        // With a sign, a clockwise ring has a negative area; without, that of the rest.
        return isHole ? Math.abs(area.Compute(false, true).area) : area.Compute(false, false).area;
    }

    @Override
    public double distance(Shape other) {
        Nearest nearest = nearest((SphereShape) other);
        return nearest.isTouching() ? 0 : metres(nearest.from, nearest.to);
    }

    @Override
    public boolean intersects(Shape other) {
        return nearest((SphereShape) other).isTouching();
    }

    private static double metres(S2Point from, S2Point to) {
        S2LatLng start = new S2LatLng(from);
        S2LatLng end = new S2LatLng(to);
        return Geodesic.WGS84.Inverse(
                        start.latDegrees(),
                        start.lngDegrees(),
                        end.latDegrees(),
                        end.lngDegrees(),
                        GeodesicMask.DISTANCE)
                .s12;
    }

    /** The two points of two shapes that are nearest to each other. */
    private static final class Nearest {
        private double distance2 = Double.POSITIVE_INFINITY;
        private S2Point from = S2Point.ORIGIN;
        private S2Point to = S2Point.ORIGIN;

        void offer(S2Point newFrom, S2Point newTo) {
            double distance = newFrom.sub(newTo).norm2();
            if (distance < distance2) {
                distance2 = distance;
                from = newFrom;
                to = newTo;
            }
        }

        boolean isTouching() {
            return distance2 <= TOUCH * TOUCH;
        }
    }

    private Nearest nearest(SphereShape other) {
        Nearest nearest = new Nearest();
        if (containsSomeOf(other) || other.containsSomeOf(this)) {
            nearest.offer(S2Point.ORIGIN, S2Point.ORIGIN);
            return nearest;
        }
        for (int i = 0; i < edges.size() && !nearest.isTouching(); i += 2) {
            for (int j = 0; j < other.edges.size() && !nearest.isTouching(); j += 2) {
                compare(
                        edges.get(i),
                        edges.get(i + 1),
                        other.edges.get(j),
                        other.edges.get(j + 1),
                        nearest);
            }
        }
        return nearest;
    }

    /** Returns true if a polygon has any vertex of the other; then boundaries need not meet. */
    private boolean containsSomeOf(SphereShape other) {
        for (S2Polygon polygon : polygons) {
            for (S2Point vertex : other.edges) {
                if (polygon.contains(vertex)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static void compare(S2Point a, S2Point b, S2Point c, S2Point d, Nearest nearest) {
        boolean areEdges = !a.equals(b) && !c.equals(d);
        if (areEdges && S2EdgeUtil.robustCrossing(a, b, c, d) >= 0) {
            nearest.offer(a, a);
            return;
        }
        nearest.offer(a, closest(a, c, d));
        nearest.offer(b, closest(b, c, d));
        nearest.offer(closest(c, a, b), c);
        nearest.offer(closest(d, a, b), d);
    }

    private static S2Point closest(S2Point point, S2Point start, S2Point end) {
        return start.equals(end) ? start : S2EdgeUtil.getClosestPoint(point, start, end);
    }

    /** Only polygons have anything within them. */
    @Override
    public boolean isWithin(Shape other) {
        List<S2Polygon> areas = ((SphereShape) other).polygons;
        if (areas.isEmpty()) {
            return false;
        }
        for (S2Point point : points) {
            if (areas.stream().noneMatch(area -> area.contains(point))) {
                return false;
            }
        }
        for (S2Polyline line : lines) {
            List<S2Polyline> outside = List.of(line);
            for (S2Polygon area : areas) {
                List<S2Polyline> rest = new ArrayList<>();
                outside.forEach(part -> rest.addAll(area.subtractFromPolyline(part)));
                outside = rest;
            }
            if (!outside.isEmpty()) {
                return false;
            }
        }
        if (polygons.isEmpty()) {
            return true;
        }
        S2Polygon all = areas.size() == 1 ? areas.getFirst() : S2Polygon.union(areas);
        return polygons.stream().allMatch(all::contains);
    }
}
