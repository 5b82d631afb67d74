package orrery.document;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.spatial.Figure;
import orrery.document.spatial.Figure.Kind;
import orrery.document.spatial.Figure.Position;

/** Reads geometries out of values and of the JSON text of items. */
public final class GeoJson {
    static final String TYPE = "type";
    static final String COORDINATES = "coordinates";

    /** The limit that the service announces as {@code spatialMaxGeometryPointCount}. */
    private static final int MAX_POINTS = 256;

    /** A position has up to three. */
    private static final int MAX_NUMBERS = 3 * MAX_POINTS;

    /** Arrays in the coordinates of a MultiPolygon: polygons, rings, positions, numbers. */
    private static final int MAX_DEPTH = 4;

    /** Thrown and caught here only. */
    private static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(String reason) {
            super(reason, null, false, false);
        }
    }

    private GeoJson() {}

    /** Empty for a value that is no GeoJSON of a kind that queries know. */
    public static Optional<Figure> parse(Value value) {
        if (!(value instanceof Value.Obj(Map<String, Value> properties)
                && properties.get(TYPE) instanceof Value.Text(String type)
                && properties.get(COORDINATES) instanceof Value.Array(List<Value> coordinates))) {
            return Optional.empty();
        }
        return Kind.find(type).map(kind -> figure(kind, coordinates));
    }

    /**
     * The geometry of an object of which the type is known and where its coordinates lie. Empty
     * where nothing valid can come of it, which is found out early: whatever lies there, little of
     * it is read.
     */
    static Optional<Figure> read(Kind kind, byte[] json, int from, int to) {
        try (JsonParser parser = JsonInput.openTrusted(json, from, to - from)) {
            parser.nextToken();
            Value.Array coordinates = array(parser, new int[] {MAX_NUMBERS}, MAX_DEPTH);
            return Optional.of(figure(kind, coordinates.elements()))
                    .filter(figure -> figure.fault().isEmpty());
        } catch (Malformed _) {
            return Optional.empty();
        } catch (IOException e) {
            throw new IllegalStateException("a stored body is not JSON", e);
        }
    }

    private static Value.Array array(JsonParser parser, int[] numbersLeft, int depthLeft)
            throws IOException, Malformed {
        List<Value> elements = new ArrayList<>();
        for (JsonToken token = parser.nextToken();
                token != JsonToken.END_ARRAY;
                token = parser.nextToken()) {
            if (token == JsonToken.START_ARRAY && depthLeft > 1) {
                elements.add(array(parser, numbersLeft, depthLeft - 1));
            } else if (token.isNumeric() && numbersLeft[0]-- > 0) {
                elements.add(JsonInput.number(parser, token));
            } else {
                throw new Malformed("no coordinates");
            }
        }
        return new Value.Array(elements);
    }

    private static Figure figure(Kind kind, List<Value> coordinates) {
        try {
            Figure figure =
                    switch (kind) {
                        case POINT ->
                                figure(kind, List.of(position(coordinates)), List.of(), List.of());
                        case LINE_STRING ->
                                figure(kind, List.of(), List.of(line(coordinates)), List.of());
                        case POLYGON ->
                                figure(kind, List.of(), List.of(), List.of(rings(coordinates)));
                        case MULTI_POLYGON -> {
                            List<List<List<Position>>> polygons = new ArrayList<>();
                            for (Value polygon : coordinates) {
                                polygons.add(rings(list(polygon)));
                            }
                            yield figure(kind, List.of(), List.of(), polygons);
                        }
                    };
            if (figure.size() > MAX_POINTS) {
                throw new Malformed(
                        "A geometry must not have more than " + MAX_POINTS + " positions.");
            }
            return figure;
        } catch (Malformed e) {
            return Figure.faulty(kind, String.valueOf(e.getMessage()));
        }
    }

    private static Figure figure(
            Kind kind,
            List<Position> points,
            List<List<Position>> lines,
            List<List<List<Position>>> polygons) {
        return new Figure(kind, points, lines, polygons, Optional.empty());
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
        return new Position(toDouble(coordinates.get(0)), toDouble(coordinates.get(1)));
    }

    private static double toDouble(Value number) {
        return switch (number) {
            case Value.Int(long value) -> value;
            case Value.Real(double value) -> value;
            default -> throw new IllegalStateException("not a number");
        };
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
