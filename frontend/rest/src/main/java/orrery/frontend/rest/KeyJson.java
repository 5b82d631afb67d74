package orrery.frontend.rest;

import orrery.document.Value;
import orrery.model.KeyComponent;
import orrery.model.PartitionKey;

/** Writes partition keys in the form that the header of a request has. */
public final class KeyJson {
    private KeyJson() {}

    /** Writes an array with one value a level, {@code {}} for none. */
    public static Value write(PartitionKey key) {
        return new Value.Array(key.components().stream().map(KeyJson::component).toList());
    }

    private static Value component(KeyComponent component) {
        return switch (component) {
            case KeyComponent.Undefined _ -> Json.EMPTY_OBJECT;
            case KeyComponent.Null _ -> Value.Null.NULL;
            case KeyComponent.Bool(boolean value) -> Value.of(value);
            case KeyComponent.Numeric(double value) -> Value.of(value);
            case KeyComponent.Text(String value) -> Value.of(value);
        };
    }
}
