package orrery.frontend.gremlin.traversal.graph;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;

/** Reads and changes the properties in the item of a vertex. */
final class VertexDocument {
    private VertexDocument() {}

    /**
     * One value of a property.
     *
     * @param id names it among all values of the graph
     * @param meta the properties that it has itself
     */
    record Entry(String id, Value value, Map<String, Value> meta) {
        Entry {
            meta = new LinkedHashMap<>(meta);
        }

        Entry with(String name, Value wanted) {
            Map<String, Value> changed = new LinkedHashMap<>(meta);
            if (wanted.isDefined()) {
                changed.put(name, wanted);
            } else {
                changed.remove(name);
            }
            return new Entry(id, value, changed);
        }
    }

    /** Returns the names of the properties that the vertex has, in the order of its item. */
    static List<String> keys(GraphSchema schema, Value.Obj body) {
        return body.properties().keySet().stream()
                .filter(name -> !GraphSchema.isReserved(name))
                .filter(name -> !entries(schema, body, name).isEmpty())
                .toList();
    }

    /**
     * Returns the values of a property. What is not in the form of the graph, because SQL has
     * written it, is none.
     */
    static List<Entry> entries(GraphSchema schema, Value.Obj body, String name) {
        Value stored = GraphSchema.find(body, name);
        if (schema.isFlat(name)) {
            return GraphValues.shown(stored).isPresent()
                    ? List.of(
                            new Entry(
                                    GraphSchema.text(body, GraphSchema.ID, "") + "|" + name,
                                    stored,
                                    Map.of()))
                    : List.of();
        }
        List<Entry> entries = new ArrayList<>();
        if (stored instanceof Value.Array(List<Value> elements)) {
            for (Value element : elements) {
                entry(element).ifPresent(entries::add);
            }
        }
        return entries;
    }

    private static Optional<Entry> entry(Value element) {
        if (!(element instanceof Value.Obj object)) {
            return Optional.empty();
        }
        Value value = GraphSchema.find(object, GraphSchema.VALUE);
        if (GraphValues.shown(value).isEmpty()) {
            return Optional.empty();
        }
        Map<String, Value> meta =
                GraphSchema.find(object, GraphSchema.META)
                                instanceof Value.Obj(Map<String, Value> properties)
                        ? properties
                        : Map.of();
        return Optional.of(new Entry(GraphSchema.text(object, GraphSchema.ID, ""), value, meta));
    }

    /** Returns the item with these values of a property and no others. */
    static Value.Obj with(Value.Obj body, String name, List<Entry> entries) {
        if (entries.isEmpty()) {
            return body.with(name, Value.Undefined.UNDEFINED);
        }
        return body.with(
                name, new Value.Array(entries.stream().map(VertexDocument::element).toList()));
    }

    private static Value element(Entry entry) {
        Value.Obj element =
                Value.Obj.of(
                        GraphSchema.VALUE, entry.value(), GraphSchema.ID, Value.of(entry.id()));
        return entry.meta().isEmpty()
                ? element
                : element.with(GraphSchema.META, new Value.Obj(entry.meta()));
    }
}
