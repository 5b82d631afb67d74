package orrery.bench.graph;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a message of a server tells.
 *
 * @param results how many are in it
 * @param scalars those results that are no object and no array, as text
 */
public record GremlinAnswer(int code, String message, long results, List<String> scalars) {
    private static final JsonFactory JSON = new JsonFactory();

    public GremlinAnswer {
        scalars = List.copyOf(scalars);
    }

    /** Reads GraphSON without types. */
    static GremlinAnswer parse(byte[] json) throws IOException {
        int code = 0;
        String message = "";
        List<String> scalars = new ArrayList<>();
        long results = 0;
        try (JsonParser parser = JSON.createParser(json)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String part = parser.currentName();
                if (parser.nextToken() != JsonToken.START_OBJECT) {
                    continue;
                }
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String field = part + "." + parser.currentName();
                    JsonToken value = parser.nextToken();
                    switch (field) {
                        case "status.code" -> code = parser.getIntValue();
                        case "status.message" -> message = String.valueOf(parser.getText());
                        case "result.data" -> {
                            if (value == JsonToken.START_ARRAY) {
                                results += results(parser, scalars);
                            }
                        }
                        default -> parser.skipChildren();
                    }
                }
            }
        }
        return new GremlinAnswer(code, message, results, scalars);
    }

    private static long results(JsonParser parser, List<String> scalars) throws IOException {
        long results = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            results++;
            if (parser.currentToken().isScalarValue()) {
                scalars.add(parser.getText());
            } else {
                parser.skipChildren();
            }
        }
        return results;
    }

    /** Joins the parts of an answer that came in several messages. */
    GremlinAnswer and(GremlinAnswer next) {
        List<String> all = new ArrayList<>(scalars);
        all.addAll(next.scalars);
        return new GremlinAnswer(next.code, next.message, results + next.results, all);
    }
}
