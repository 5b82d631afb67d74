package orrery.query.evaluate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import orrery.document.BodyFormat;
import orrery.document.IndexPlan;
import orrery.document.Value;
import orrery.document.ValueCodec;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.Derived;
import orrery.model.DerivedRow;
import orrery.model.Encoding;

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

    public List<ComputedProperty> definitions() {
        return byName.values().stream().map(CompiledProperty::definition).toList();
    }

    public Optional<ComputedProperty> definition(String name) {
        return Optional.ofNullable(byName.get(name)).map(CompiledProperty::definition);
    }

    /**
     * Evaluates what an index needs of an item besides the item itself. It happens once, where the
     * item is written; from then on the values are kept as bytes.
     *
     * @param plan made of the definitions of these very properties
     * @param policyVersion the version of that plan
     * @param storedBody of the item
     * @param tsSeconds its {@code _ts}
     */
    public Derived derive(
            IndexPlan plan,
            int policyVersion,
            Encoding encoding,
            Bytes storedBody,
            long tsSeconds) {
        if (!plan.needsDerived()) {
            return Derived.NONE;
        }
        List<CompiledProperty> wanted =
                plan.derivedNames().stream()
                        .map(name -> Objects.requireNonNull(byName.get(name)))
                        .toList();
        Map<String, Value> properties =
                BodyFormat.of(encoding)
                        .jsonProperties(
                                storedBody,
                                name -> wanted.stream().anyMatch(each -> each.reads(name)),
                                Integer.MAX_VALUE);
        properties.put("_ts", Value.of(tsSeconds));
        Value.Obj item = new Value.Obj(properties);
        List<DerivedRow> rows = new ArrayList<>(wanted.size());
        for (CompiledProperty each : wanted) {
            Value made = each.of(item);
            if (made.isDefined()) {
                rows.add(
                        new DerivedRow(
                                DerivedRow.COMPUTED,
                                each.definition().name(),
                                ValueCodec.encode(made)));
            }
        }
        boolean readsTime = wanted.stream().anyMatch(each -> each.reads("_ts"));
        return new Derived(policyVersion, readsTime ? tsSeconds : Derived.ANY_TIME, rows);
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
