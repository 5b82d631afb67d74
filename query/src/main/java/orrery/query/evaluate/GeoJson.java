package orrery.query.evaluate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;

/**
 * A GeoJSON geometry as written: positions that may or may not make sense.
 *
 * @param points of a Point
 * @param lines of a LineString
 * @param polygons of a Polygon or MultiPolygon; each has its rings, the outer one first
 * @param fault why no geometry can be made of it, if the form alone says so
 */
record GeoJson(
        List<Position> points,
        List<List<Position>> lines,
        List<List<List<Position>>> polygons,
        Optional<String> fault) {
    /** What the service announces as {@code spatialMaxGeometryPointCount}. */
    private static final int MAX_POINTS = 256;

    /** Longitude and latitude, or just coordinates of a plane; an altitude is ignored. */
    record Position(double x, double y) {}

    /** Thrown and caught here only. */
    private static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(String reason) {
            super(reason, null, false, false);
        }
    }

    /** Empty for a value that is no GeoJSON of a kind that queries know. */
    static Optional<GeoJson> parse(Value value) {
        if (!(value instanceof Value.Obj(Map<String, Value> properties)
                && properties.get("type") instanceof Value.Text(String type)
                && properties.get("coordinates") instanceof Value.Array(List<Value> coordinates))) {
            return Optional.empty();
        }
        try {
            return switch (type) {
                case "Point" -> geometry(List.of(position(coordinates)), List.of(), List.of());
                case "LineString" -> geometry(List.of(), List.of(line(coordinates)), List.of());
                case "Polygon" -> geometry(List.of(), List.of(), List.of(rings(coordinates)));
                case "MultiPolygon" -> {
                    List<List<List<Position>>> polygons = new ArrayList<>();
                    for (Value polygon : coordinates) {
                        polygons.add(rings(list(polygon)));
                    }
                    yield geometry(List.of(), List.of(), polygons);
                }
                default -> Optional.empty();
            };
        } catch (Malformed e) {
            return Optional.of(
                    new GeoJson(List.of(), List.of(), List.of(), Optional.of(reason(e))));
        }
    }

    /** How many positions it has. */
    int size() {
        int size = points.size();
        for (List<Position> line : lines) {
            size += line.size();
        }
        for (List<List<Position>> polygon : polygons) {
            for (List<Position> ring : polygon) {
                size += ring.size();
            }
        }
        return size;
    }

    private static String reason(Malformed fault) {
        return String.valueOf(fault.getMessage());
    }

    private static Optional<GeoJson> geometry(
            List<Position> points, List<List<Position>> lines, List<List<List<Position>>> polygons)
            throws Malformed {
        GeoJson geometry = new GeoJson(points, lines, polygons, Optional.empty());
        if (geometry.size() > MAX_POINTS) {
            throw new Malformed("A geometry must not have more than " + MAX_POINTS + " positions.");
        }
        return Optional.of(geometry);
    }

    private static List<Value> list(Value value) throws Malformed {
        if (value instanceof Value.Array(List<Value> elements)) {
            return elements;
        }
        throw new Malformed("The coordinates are not nested as the type of the geometry requires.");
    }

    private static Position position(List<Value> coordinates) throws Malformed {
        if (coordinates.size() < 2
                || coordinates.size() > 3
                || !coordinates.stream().allMatch(Value::isNumber)) {
            throw new Malformed("A position must have two or three coordinates that are numbers.");
        }
        return new Position(
                Operators.toDouble(coordinates.get(0)), Operators.toDouble(coordinates.get(1)));
    }

    private static List<Position> positions(List<Value> coordinates) throws Malformed {
        List<Position> positions = new ArrayList<>();
        for (Value position : coordinates) {
            positions.add(position(list(position)));
        }
        return positions;
    }

    private static List<Position> line(List<Value> coordinates) throws Malformed {
        List<Position> line = positions(coordinates);
        if (line.size() < 2) {
            throw new Malformed("A LineString must have at least two positions.");
        }
        return line;
    }

    private static List<List<Position>> rings(List<Value> coordinates) throws Malformed {
        if (coordinates.isEmpty()) {
            throw new Malformed("A Polygon must have at least one ring.");
        }
        List<List<Position>> rings = new ArrayList<>();
        for (Value each : coordinates) {
            List<Position> ring = positions(list(each));
            if (ring.size() < 4) {
                throw new Malformed("Each ring of a Polygon must have at least four positions.");
            }
            if (!ring.getFirst().equals(ring.getLast())) {
                throw new Malformed(
                        "The first and the last position of each ring of a Polygon must be the"
                                + " same.");
            }
            rings.add(ring);
        }
        return rings;
    }
}
