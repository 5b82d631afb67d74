package orrery.document;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.document.spatial.Figure;

/**
 * Notes, while an object is read, whether it is a geometry: its coordinates may come before its
 * type, and most objects are not geometries.
 */
final class GeometryPlace {
    private Figure.@Nullable Kind kind;
    private int from;
    private int to;

    /** The parser is at the value of a property. */
    void begin(JsonParser parser, String name, JsonToken token) throws IOException {
        if (token == JsonToken.VALUE_STRING && name.equals(GeoJson.TYPE)) {
            kind = Figure.Kind.find(parser.getText()).orElse(null);
        } else if (token == JsonToken.START_ARRAY && name.equals(GeoJson.COORDINATES)) {
            from = (int) parser.currentTokenLocation().getByteOffset();
        }
    }

    /** The parser is at the end of that value. */
    void end(JsonParser parser, String name, JsonToken token) {
        if (token == JsonToken.START_ARRAY && name.equals(GeoJson.COORDINATES)) {
            to = (int) parser.currentLocation().getByteOffset();
        }
    }

    Optional<Figure> read(byte[] json) {
        return kind == null || to == 0 ? Optional.empty() : GeoJson.read(kind, json, from, to);
    }
}
