package orrery.frontend.gremlin.wire;

import java.util.Locale;
import java.util.Optional;

/** The forms of messages, by the media types that drivers put before their requests. */
public enum Form {
    /** JSON without types; also of a message that names no form. */
    JSON,
    GRAPHSON_1,
    GRAPHSON_2,
    GRAPHSON_2_UNTYPED,
    GRAPHSON_3,
    GRAPHSON_3_UNTYPED,
    GRAPH_BINARY;

    /** Empty for a form that is not known. */
    static Optional<Form> of(String mediaType) {
        return Optional.ofNullable(
                switch (mediaType.toLowerCase(Locale.ROOT).replace(" ", "")) {
                    case "application/json" -> JSON;
                    case "application/vnd.gremlin-v1.0+json",
                            "application/vnd.gremlin-v1.0+json;types=false" ->
                            GRAPHSON_1;
                    case "application/vnd.gremlin-v2.0+json" -> GRAPHSON_2;
                    case "application/vnd.gremlin-v2.0+json;types=false" -> GRAPHSON_2_UNTYPED;
                    case "application/vnd.gremlin-v3.0+json" -> GRAPHSON_3;
                    case "application/vnd.gremlin-v3.0+json;types=false" -> GRAPHSON_3_UNTYPED;
                    case "application/vnd.graphbinary-v1.0" -> GRAPH_BINARY;
                    default -> null;
                });
    }
}
