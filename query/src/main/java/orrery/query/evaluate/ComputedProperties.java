package orrery.query.evaluate;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import orrery.document.ComputedValue;
import orrery.document.Value;
import orrery.model.ContainerDefinition.ComputedProperty;

/**
 * The computed properties of a container, ready to be asked for their values. A property of the
 * item itself that has the name of one is the computed one, whatever the item holds under that
 * name; the item as a whole is what was stored. Immutable and shared by threads.
 */
public final class ComputedProperties {
    public static final ComputedProperties NONE = new ComputedProperties(Map.of());

    private final Map<String, CompiledProperty> byName;

    private ComputedProperties(Map<String, CompiledProperty> byName) {
        this.byName = byName;
    }

    /** Fails with BAD_REQUEST, in the service's words, for a query that cannot define one. */
    public static ComputedProperties of(List<ComputedProperty> definitions) {
        if (definitions.isEmpty()) {
            return NONE;
        }
        Map<String, CompiledProperty> byName = new LinkedHashMap<>();
        for (int i = 0; i < definitions.size(); i++) {
            CompiledProperty property = ComputedQuery.compile(definitions.get(i), i, definitions);
            byName.put(definitions.get(i).name(), property);
        }
        return new ComputedProperties(byName);
    }

    public boolean isEmpty() {
        return byName.isEmpty();
    }

    public Optional<ComputedProperty> definition(String name) {
        return Optional.ofNullable(byName.get(name)).map(CompiledProperty::definition);
    }

    /** Returns the computed values, for indexing. */
    public List<ComputedValue> values() {
        return List.copyOf(byName.values());
    }

    /**
     * The value of a top-level property, computed or stored.
     *
     * @param item with what it {@link #needs} for that name
     */
    public Value property(Value.Obj item, String name) {
        CompiledProperty computed = byName.get(name);
        return computed == null
                ? item.properties().getOrDefault(name, Value.Undefined.UNDEFINED)
                : computed.of(item);
    }

    /**
     * The stored properties that have to be read for these; empty if it may be any.
     *
     * @param names top-level, of both kinds
     */
    public Optional<Set<String>> needs(Set<String> names) {
        if (byName.isEmpty()) {
            return Optional.of(names);
        }
        Set<String> stored = new LinkedHashSet<>();
        for (String name : names) {
            CompiledProperty computed = byName.get(name);
            if (computed == null) {
                stored.add(name);
            } else if (computed.names().isEmpty()) {
                return Optional.empty();
            } else {
                stored.addAll(computed.names().get());
            }
        }
        return Optional.of(stored);
    }

    @Nullable CompiledProperty find(String name) {
        return byName.get(name);
    }
}
