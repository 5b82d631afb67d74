package orrery.frontend.gremlin.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.jspecify.annotations.Nullable;

/**
 * Requests in JSON, with the types of GraphSON or without. The types that a client may name are the
 * few that arguments have; nothing is made by a name of a class.
 */
final class JsonRequests {
    /** Each level of a traversal in another takes four levels of JSON. */
    static final int MAX_DEPTH = 200;

    private static final int MAX_NUMBER_CHARS = 400;

    private static final String TYPE = "@type";
    private static final String VALUE = "@value";

    /** Types that carry code or the name of a class. */
    private static final Set<String> REFUSED_IN_TRAVERSALS = Set.of("g:Class", "g:Lambda");

    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(MAX_DEPTH)
                                    .maxNumberLength(MAX_NUMBER_CHARS)
                                    .build())
                    .build();

    private final byte[] bytes;
    private final int start;
    private final Form form;
    private final JsonParser in;

    private JsonRequests(byte[] bytes, int start, Form form) throws IOException {
        this.bytes = bytes;
        this.start = start;
        this.form = form;
        this.in = JSON.createParser(bytes, start, bytes.length - start);
    }

    static RequestMessage read(byte[] bytes, int start, Form form) throws MalformedRequest {
        Object whole;
        try {
            JsonRequests reader = new JsonRequests(bytes, start, form);
            reader.in.nextToken();
            whole = reader.value();
            if (reader.in.nextToken() != null) {
                throw MalformedRequest.unreadable("Something follows the request.");
            }
        } catch (IOException | NumberFormatException notJson) {
            throw MalformedRequest.unreadable(
                    "The request is not valid JSON, or is nested deeper than "
                            + MAX_DEPTH
                            + " levels: "
                            + firstLine(notJson));
        }
        if (!(whole instanceof Map<?, ?> request)) {
            throw MalformedRequest.unreadable("The request is not an object.");
        }
        return message(form, request);
    }

    private static RequestMessage message(Form form, Map<?, ?> request) throws MalformedRequest {
        UUID id =
                id(request.get("requestId"))
                        .orElseThrow(
                                () -> MalformedRequest.unreadable("The requestId must be a UUID."));
        if (!(request.get("op") instanceof String op)) {
            throw MalformedRequest.arguments(id, "The request names no op.");
        }
        Object processor = request.get("processor");
        Object arguments = request.get("args");
        Map<String, Object> named = new LinkedHashMap<>();
        if (arguments instanceof Map<?, ?> given) {
            given.forEach((name, value) -> named.put(String.valueOf(name), value));
        } else if (arguments != null) {
            throw MalformedRequest.arguments(id, "The args of the request must be an object.");
        }
        return new RequestMessage(
                form, id, op, processor instanceof String text ? text : "", named);
    }

    /** Empty if the beginning of the request has no id. */
    static Optional<UUID> peekId(byte[] bytes, int start) {
        try (JsonParser parser = JSON.createParser(bytes, start, bytes.length - start)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean isId = parser.currentName().equals("requestId");
                JsonToken value = parser.nextToken();
                if (isId && value == JsonToken.START_OBJECT) {
                    while (parser.nextToken() != null && !VALUE.equals(parser.currentName())) {
                        // Passes by the name of the type.
                    }
                    parser.nextToken();
                }
                if (isId) {
                    return id(parser.getValueAsString());
                }
                parser.skipChildren();
            }
        } catch (IOException cutOff) {
            // The beginning is all that there is.
        }
        return Optional.empty();
    }

    private static Optional<UUID> id(@Nullable Object value) {
        if (value instanceof UUID id) {
            return Optional.of(id);
        }
        try {
            return value instanceof String text
                    ? Optional.of(UUID.fromString(text))
                    : Optional.empty();
        } catch (IllegalArgumentException notAnId) {
            return Optional.empty();
        }
    }

    private static String firstLine(Exception failure) {
        String message = String.valueOf(failure.getMessage());
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }

    /** Reads the value whose first token is the present one. */
    private @Nullable Object value() throws IOException, MalformedRequest {
        JsonToken token = in.currentToken();
        if (token == null) {
            throw MalformedRequest.unreadable("The request is empty.");
        }
        return switch (token) {
            case START_OBJECT -> object();
            case START_ARRAY -> list();
            case VALUE_STRING -> in.getText();
            case VALUE_NUMBER_INT -> in.getNumberValue();
            case VALUE_NUMBER_FLOAT -> in.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw MalformedRequest.unreadable("The request is not valid JSON.");
        };
    }

    private List<@Nullable Object> list() throws IOException, MalformedRequest {
        List<@Nullable Object> items = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            items.add(value());
        }
        return items;
    }

    private @Nullable Object object() throws IOException, MalformedRequest {
        int from = start + (int) in.currentTokenLocation().getByteOffset();
        Map<Object, @Nullable Object> fields = new LinkedHashMap<>();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            in.nextToken();
            if (fields.isEmpty() && name.equals(TYPE)) {
                return typed(in.getText(), from);
            }
            fields.put(name, value());
        }
        // Types that name classes of Java, as GraphSON 1 does, say nothing that is needed.
        fields.remove("@class");
        return fields;
    }

    private @Nullable Object typed(String type, int from) throws IOException, MalformedRequest {
        if (in.nextToken() != JsonToken.FIELD_NAME || !in.currentName().equals(VALUE)) {
            throw MalformedRequest.unreadable("A value of the type " + type + " has no @value.");
        }
        in.nextToken();
        Object read = type.equals("g:Bytecode") ? traversal(from) : converted(type, value());
        if (in.nextToken() != JsonToken.END_OBJECT) {
            throw MalformedRequest.unreadable(
                    "A value of the type " + type + " has further fields.");
        }
        return read;
    }

    private RequestMessage.Traversal traversal(int from) throws IOException, MalformedRequest {
        int depth = 0;
        do {
            JsonToken token = in.currentToken();
            if (token == null) {
                throw MalformedRequest.unreadable("The bytecode has no end.");
            }
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            if (token == JsonToken.VALUE_STRING
                    && TYPE.equals(in.currentName())
                    && REFUSED_IN_TRAVERSALS.contains(in.getText())) {
                throw MalformedRequest.unreadable(
                        "A traversal may hold no value of the type "
                                + in.getText()
                                + ": lambdas and classes are not supported.");
            }
            if (depth > 0) {
                in.nextToken();
            }
        } while (depth > 0);
        // The object that holds it ends one token later, behind blanks at most.
        int to = start + (int) in.currentLocation().getByteOffset();
        return () -> read(from, to);
    }

    private Bytecode read(int from, int to) throws MalformedRequest {
        byte[] object = new byte[to - from + 1];
        System.arraycopy(bytes, from, object, 0, to - from);
        object[to - from] = '}';
        try {
            return (form == Form.GRAPHSON_3 ? TypedJson.VERSION_3 : TypedJson.VERSION_2)
                    .readValue(object, Bytecode.class);
        } catch (IOException | RuntimeException notBytecode) {
            throw MalformedRequest.unreadable(
                    "The bytecode cannot be read: " + firstLine(notBytecode));
        }
    }

    private static @Nullable Object converted(String type, @Nullable Object value)
            throws MalformedRequest {
        return switch (type) {
            case "g:Int32" -> number(type, value).intValue();
            case "g:Int64" -> number(type, value).longValue();
            case "gx:Byte" -> number(type, value).byteValue();
            case "gx:Int16" -> number(type, value).shortValue();
            case "g:Double" -> real(type, value);
            case "g:Float" -> (float) real(type, value);
            case "gx:BigInteger" -> new BigInteger(String.valueOf(value));
            case "gx:BigDecimal" -> new BigDecimal(String.valueOf(value)).doubleValue();
            case "g:UUID" ->
                    id(value)
                            .orElseThrow(
                                    () -> MalformedRequest.unreadable("A UUID cannot be read."));
            case "gx:Char" -> String.valueOf(value);
            case "g:List" -> items(type, value);
            case "g:Set" -> new LinkedHashSet<>(items(type, value));
            case "g:Map" -> map(type, value);
            default ->
                    throw MalformedRequest.unreadable(
                            "A request may hold no value of the type " + type + ".");
        };
    }

    private static Number number(String type, @Nullable Object value) throws MalformedRequest {
        if (value instanceof Number number) {
            return number;
        }
        throw wrong(type);
    }

    private static double real(String type, @Nullable Object value) throws MalformedRequest {
        return switch (value) {
            case Number number -> number.doubleValue();
            case String text when text.equals("NaN") -> Double.NaN;
            case String text when text.equals("Infinity") -> Double.POSITIVE_INFINITY;
            case String text when text.equals("-Infinity") -> Double.NEGATIVE_INFINITY;
            case null, default -> throw wrong(type);
        };
    }

    private static List<?> items(String type, @Nullable Object value) throws MalformedRequest {
        if (value instanceof List<?> items) {
            return items;
        }
        throw wrong(type);
    }

    private static Map<@Nullable Object, @Nullable Object> map(String type, @Nullable Object value)
            throws MalformedRequest {
        List<?> items = items(type, value);
        if (items.size() % 2 != 0) {
            throw wrong(type);
        }
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = 0; i < items.size(); i += 2) {
            map.put(items.get(i), items.get(i + 1));
        }
        return map;
    }

    private static MalformedRequest wrong(String type) {
        return MalformedRequest.unreadable("A value of the type " + type + " cannot be read.");
    }
}
