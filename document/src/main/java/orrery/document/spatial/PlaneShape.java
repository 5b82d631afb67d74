package orrery.document.spatial;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.Point;
import org.locationtech.jts.geom.Polygon;
import org.locationtech.jts.operation.valid.IsValidOp;
import org.locationtech.jts.operation.valid.TopologyValidationError;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.IndexingPolicy.BoundingBox;

/** A shape of a container whose geospatial type is Geometry: coordinates on a plane. */
final class PlaneShape implements Shape {
    private static final GeometryFactory FACTORY = new GeometryFactory();

    private final Geometry geometry;
    private final Optional<String> fault;
    private final int size;

    PlaneShape(Figure figure) {
        this.geometry = geometry(figure);
        this.size = figure.size();
        this.fault = figure.fault().or(() -> fault(geometry));
    }

    private static Geometry geometry(Figure figure) {
        List<Geometry> parts = new ArrayList<>();
        for (Figure.Position point : figure.points()) {
            parts.add(FACTORY.createPoint(coordinate(point)));
        }
        for (List<Figure.Position> line : figure.lines()) {
            parts.add(FACTORY.createLineString(coordinates(line)));
        }
        List<Polygon> polygons = new ArrayList<>();
        for (List<List<Figure.Position>> rings : figure.polygons()) {
            polygons.add(polygon(rings));
        }
        if (parts.isEmpty()) {
            return FACTORY.createMultiPolygon(polygons.toArray(Polygon[]::new));
        }
        return parts.getFirst();
    }

    private static Polygon polygon(List<List<Figure.Position>> rings) {
        LinearRing[] holes = new LinearRing[rings.size() - 1];
        for (int i = 0; i < holes.length; i++) {
            holes[i] = FACTORY.createLinearRing(coordinates(rings.get(i + 1)));
        }
        return FACTORY.createPolygon(
                FACTORY.createLinearRing(coordinates(rings.getFirst())), holes);
    }

    private static Coordinate[] coordinates(List<Figure.Position> positions) {
        return positions.stream().map(PlaneShape::coordinate).toArray(Coordinate[]::new);
    }

    private static Coordinate coordinate(Figure.Position position) {
        return new Coordinate(position.x(), position.y());
    }

    private static Optional<String> fault(Geometry geometry) {
        TopologyValidationError error = new IsValidOp(geometry).getValidationError();
        return error == null ? Optional.empty() : Optional.of(error.getMessage() + ".");
    }

    @Override
    public Geospatial space() {
        return Geospatial.GEOMETRY;
    }

    @Override
    public Optional<String> fault() {
        return fault;
    }

    @Override
    public int size() {
        return size;
    }

    // ---- Finding it again ----------------------------------------------------------------------

    /** Returns its coordinate if it is a point. */
    Optional<Coordinate> point() {
        return geometry instanceof Point ? Optional.of(geometry.getCoordinate()) : Optional.empty();
    }

    /** Returns true if the whole shape lies in a box; an empty shape lies in none. */
    boolean isInside(BoundingBox box) {
        Envelope reach = geometry.getEnvelopeInternal();
        return !reach.isNull()
                && new Envelope(box.xmin(), box.xmax(), box.ymin(), box.ymax()).covers(reach);
    }

    boolean isEmpty() {
        return geometry.isEmpty();
    }

    double distance(Coordinate place) {
        return geometry.distance(FACTORY.createPoint(place));
    }

    /** From a place inside: how far it is to the outside. Zero for what has no inside. */
    double depth(Coordinate place) {
        return geometry.getDimension() < 2
                ? 0
                : geometry.getBoundary().distance(FACTORY.createPoint(place));
    }

    // ---- Measuring -----------------------------------------------------------------------------

    @Override
    public double area() {
        return geometry.getArea();
    }

    @Override
    public double distance(Shape other) {
        return geometry.distance(((PlaneShape) other).geometry);
    }

    @Override
    public boolean isWithin(Shape other) {
        return geometry.within(((PlaneShape) other).geometry);
    }

    @Override
    public boolean intersects(Shape other) {
        return geometry.intersects(((PlaneShape) other).geometry);
    }
}
