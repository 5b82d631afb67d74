package orrery.query.evaluate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.geom.LinearRing;
import org.locationtech.jts.geom.Polygon;
import org.locationtech.jts.operation.valid.IsValidOp;
import org.locationtech.jts.operation.valid.TopologyValidationError;

/** A shape of a container whose geospatial type is Geometry: coordinates on a plane. */
final class PlaneShape implements Shape {
    private static final GeometryFactory FACTORY = new GeometryFactory();

    private final Geometry geometry;
    private final Optional<String> fault;
    private final int size;

    PlaneShape(GeoJson json) {
        this.geometry = geometry(json);
        this.size = json.size();
        this.fault = json.fault().or(() -> fault(geometry));
    }

    private static Geometry geometry(GeoJson json) {
        List<Geometry> parts = new ArrayList<>();
        for (GeoJson.Position point : json.points()) {
            parts.add(FACTORY.createPoint(coordinate(point)));
        }
        for (List<GeoJson.Position> line : json.lines()) {
            parts.add(FACTORY.createLineString(coordinates(line)));
        }
        List<Polygon> polygons = new ArrayList<>();
        for (List<List<GeoJson.Position>> rings : json.polygons()) {
            polygons.add(polygon(rings));
        }
        if (parts.isEmpty()) {
            return FACTORY.createMultiPolygon(polygons.toArray(Polygon[]::new));
        }
        return parts.getFirst();
    }

    private static Polygon polygon(List<List<GeoJson.Position>> rings) {
        LinearRing[] holes = new LinearRing[rings.size() - 1];
        for (int i = 0; i < holes.length; i++) {
            holes[i] = FACTORY.createLinearRing(coordinates(rings.get(i + 1)));
        }
        return FACTORY.createPolygon(
                FACTORY.createLinearRing(coordinates(rings.getFirst())), holes);
    }

    private static Coordinate[] coordinates(List<GeoJson.Position> positions) {
        return positions.stream().map(PlaneShape::coordinate).toArray(Coordinate[]::new);
    }

    private static Coordinate coordinate(GeoJson.Position position) {
        return new Coordinate(position.x(), position.y());
    }

    private static Optional<String> fault(Geometry geometry) {
        TopologyValidationError error = new IsValidOp(geometry).getValidationError();
        return error == null ? Optional.empty() : Optional.of(error.getMessage() + ".");
    }

    @Override
    public Optional<String> fault() {
        return fault;
    }

    @Override
    public int size() {
        return size;
    }

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
