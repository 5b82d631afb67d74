package orrery.frontend.table;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import orrery.document.edm.EdmValue;

/**
 * An entity without what the service adds to it.
 *
 * @param properties those besides the keys, in the order in which they were written
 */
public record Entity(String partitionKey, String rowKey, Map<String, EdmValue> properties)
        implements EntityKeys {
    public Entity {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }
}
