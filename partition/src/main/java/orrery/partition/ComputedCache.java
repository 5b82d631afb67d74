package orrery.partition;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.partition.machine.OpenDefinition;
import orrery.query.evaluate.ComputedProperties;

/**
 * The computed properties of the definitions in force, compiled once for all who evaluate them:
 * those who write at a leader, and those who read. The state machine does neither. Bounded: it
 * starts anew when full.
 */
final class ComputedCache {
    private static final int MAX_DEFINITIONS = 1024;

    private static final Map<List<ComputedProperty>, ComputedProperties> COMPILED =
            new ConcurrentHashMap<>();

    private ComputedCache() {}

    /** Returns the computed properties of the current definition. */
    static ComputedProperties of(OpenDefinition definition) {
        List<ComputedProperty> properties = definition.current().definition().computedProperties();
        if (properties.isEmpty()) {
            return ComputedProperties.NONE;
        }
        if (COMPILED.size() >= MAX_DEFINITIONS) {
            COMPILED.clear();
        }
        return COMPILED.computeIfAbsent(properties, ComputedProperties::of);
    }
}
