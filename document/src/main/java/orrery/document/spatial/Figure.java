package orrery.document.spatial;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A geometry as an item has it: positions that may or may not make sense.
 *
 * @param points of a Point
 * @param lines of a LineString
 * @param polygons of a Polygon or MultiPolygon; each has its rings, the outer one first
 * @param fault why no geometry can be made of it, if the form alone says so
 */
public record Figure(
        Kind kind,
        List<Position> points,
        List<List<Position>> lines,
        List<List<List<Position>>> polygons,
        Optional<String> fault) {
    /** The kinds of GeoJSON that queries and indexes know. */
    public enum Kind {
        POINT("Point"),
        LINE_STRING("LineString"),
        POLYGON("Polygon"),
        MULTI_POLYGON("MultiPolygon");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** The {@code type} in GeoJSON and in indexing policies. */
        public String text() {
            return text;
        }

        public static Optional<Kind> find(String text) {
            for (Kind kind : values()) {
                if (kind.text.equals(text)) {
                    return Optional.of(kind);
                }
            }
            return Optional.empty();
        }
    }

    /** Longitude and latitude, or just coordinates of a plane; an altitude is ignored. */
    public record Position(double x, double y) {}

    public Figure {
        points = List.copyOf(points);
        lines = List.copyOf(lines);
        polygons = List.copyOf(polygons);
    }

    public static Figure faulty(Kind kind, String reason) {
        return new Figure(kind, List.of(), List.of(), List.of(), Optional.of(reason));
    }

    /** Returns the number of its positions. */
    public int size() {
        return positions().size();
    }

    List<Position> positions() {
        List<Position> all = new ArrayList<>(points);
        lines.forEach(all::addAll);
        polygons.forEach(rings -> rings.forEach(all::addAll));
        return all;
    }
}
