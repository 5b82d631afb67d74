package orrery.gateway.api;

import java.util.List;
import orrery.document.IndexPath;
import orrery.document.Value;

/**
 * Values to look up in the index.
 *
 * @param path must be indexed
 * @param values from 1 to {@link #MAX_VALUES}, of at most 4 MB together. An array or object with
 *     contents cannot be looked up: the index says no more than that it has some.
 */
public record ValueLookup(IndexPath path, List<Value> values) {
    public static final int MAX_VALUES = 1000;

    public ValueLookup {
        values = List.copyOf(values);
    }
}
