package orrery.frontend.gremlin.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.Tree;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.jspecify.annotations.Nullable;
import orrery.frontend.gremlin.traversal.GraphException;
import orrery.frontend.gremlin.traversal.GraphException.Fault;

/** The results of traversals as the service writes them. */
final class ResultJson {
    /** Lists in lists, or the branches of a tree. */
    private static final int MAX_DEPTH = 250;

    private final JsonGenerator out;
    private int depth;

    private ResultJson(JsonGenerator out) {
        this.out = out;
    }

    static void write(@Nullable Object result, JsonGenerator out) throws IOException {
        new ResultJson(out).value(result);
    }

    private void value(@Nullable Object value) throws IOException {
        if (++depth > MAX_DEPTH) {
            throw new GraphException(
                    Fault.SERIALIZATION,
                    "The result is nested deeper than " + MAX_DEPTH + " levels.");
        }
        switch (value) {
            case null -> out.writeNull();
            case String text -> out.writeString(text);
            case Boolean truth -> out.writeBoolean(truth);
            case Number number -> number(number);
            case Vertex vertex -> vertex(vertex);
            case Edge edge -> edge(edge);
            case VertexProperty<?> property -> vertexProperty(property);
            case Property<?> property -> property(property);
            case Path path -> path(path);
            case Tree<?> tree -> tree(tree);
            case Map<?, ?> map -> map(map);
            case Map.Entry<?, ?> entry -> {
                out.writeStartObject();
                out.writeFieldName(key(entry.getKey()));
                value(entry.getValue());
                out.writeEndObject();
            }
            case Iterable<?> items -> items(items.iterator());
            case UUID id -> out.writeString(id.toString());
            case Enum<?> name -> out.writeString(key(name));
            case Character character -> out.writeString(character.toString());
            default ->
                    throw new GraphException(
                            Fault.SERIALIZATION,
                            "A result of the type "
                                    + value.getClass().getSimpleName()
                                    + " has no form in JSON.");
        }
        depth--;
    }

    private void number(Number number) throws IOException {
        switch (number) {
            case Integer whole -> out.writeNumber(whole);
            case Long whole -> out.writeNumber(whole);
            case Short whole -> out.writeNumber(whole);
            case Byte whole -> out.writeNumber(whole.shortValue());
            case Float real -> out.writeNumber(real);
            case BigInteger whole -> out.writeNumber(whole);
            case BigDecimal real -> out.writeNumber(real);
            default -> out.writeNumber(number.doubleValue());
        }
    }

    private void items(Iterator<?> items) throws IOException {
        out.writeStartArray();
        while (items.hasNext()) {
            value(items.next());
        }
        out.writeEndArray();
    }

    private void map(Map<?, ?> map) throws IOException {
        out.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.writeFieldName(key(entry.getKey()));
            value(entry.getValue());
        }
        out.writeEndObject();
    }

    /** Names are texts; an element as a key has its id as name. */
    private static String key(@Nullable Object key) {
        return switch (key) {
            case Element element -> String.valueOf(element.id());
            // The names of T are id and label.
            case Enum<?> name -> name.name();
            case null, default -> String.valueOf(key);
        };
    }

    private void vertex(Vertex vertex) throws IOException {
        start(vertex, "vertex");
        Iterator<VertexProperty<Object>> properties = vertex.properties();
        if (properties.hasNext()) {
            out.writeObjectFieldStart("properties");
            groups(properties);
            out.writeEndObject();
        }
        out.writeEndObject();
    }

    /** Values of one key come one after the other, or else they are gathered. */
    private void groups(Iterator<VertexProperty<Object>> properties) throws IOException {
        Map<String, List<VertexProperty<Object>>> byKey = new LinkedHashMap<>();
        properties.forEachRemaining(
                property ->
                        byKey.computeIfAbsent(property.key(), _ -> new ArrayList<>())
                                .add(property));
        for (Map.Entry<String, List<VertexProperty<Object>>> entry : byKey.entrySet()) {
            out.writeArrayFieldStart(entry.getKey());
            for (VertexProperty<Object> property : entry.getValue()) {
                out.writeStartObject();
                out.writeFieldName("id");
                value(property.id());
                out.writeFieldName("value");
                value(property.value());
                flat("properties", property.properties());
                out.writeEndObject();
            }
            out.writeEndArray();
        }
    }

    private void edge(Edge edge) throws IOException {
        start(edge, "edge");
        Vertex in = edge.inVertex();
        Vertex from = edge.outVertex();
        out.writeStringField("inVLabel", in.label());
        out.writeStringField("outVLabel", from.label());
        out.writeFieldName("inV");
        value(in.id());
        out.writeFieldName("outV");
        value(from.id());
        flat("properties", edge.properties());
        out.writeEndObject();
    }

    private void start(Element element, String type) throws IOException {
        out.writeStartObject();
        out.writeFieldName("id");
        value(element.id());
        out.writeStringField("label", element.label());
        out.writeStringField("type", type);
    }

    private void flat(String name, Iterator<? extends Property<?>> properties) throws IOException {
        if (!properties.hasNext()) {
            return;
        }
        out.writeObjectFieldStart(name);
        while (properties.hasNext()) {
            Property<?> property = properties.next();
            out.writeFieldName(property.key());
            value(property.value());
        }
        out.writeEndObject();
    }

    private void vertexProperty(VertexProperty<?> property) throws IOException {
        out.writeStartObject();
        out.writeFieldName("id");
        value(property.id());
        out.writeFieldName("value");
        value(property.value());
        out.writeStringField("label", property.label());
        flat("properties", property.properties());
        out.writeEndObject();
    }

    private void property(Property<?> property) throws IOException {
        out.writeStartObject();
        out.writeStringField("key", property.key());
        out.writeFieldName("value");
        value(property.value());
        out.writeEndObject();
    }

    private void path(Path path) throws IOException {
        out.writeStartObject();
        out.writeArrayFieldStart("labels");
        for (Set<String> labels : path.labels()) {
            items(labels.iterator());
        }
        out.writeEndArray();
        out.writeFieldName("objects");
        items(path.objects().iterator());
        out.writeEndObject();
    }

    private void tree(Tree<?> tree) throws IOException {
        out.writeStartObject();
        for (Map.Entry<?, ? extends Tree<?>> branch : tree.entrySet()) {
            out.writeObjectFieldStart(key(branch.getKey()));
            out.writeFieldName("key");
            value(branch.getKey());
            out.writeFieldName("value");
            value(branch.getValue());
            out.writeEndObject();
        }
        out.writeEndObject();
    }
}
