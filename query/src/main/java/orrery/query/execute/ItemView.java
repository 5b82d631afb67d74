package orrery.query.execute;

import java.util.Optional;
import java.util.function.Predicate;
import orrery.document.BodyFormat;
import orrery.document.PropertyNames;
import orrery.document.SystemProperties;
import orrery.document.Value;
import orrery.model.Encoding;
import orrery.model.Item;

/**
 * Shows items as a language sees them. A language of JSON sees values that JSON lacks in their JSON
 * form, and the properties that the service adds. Any other sees items as they are stored.
 *
 * @param seen the encoding whose values the language has
 */
public record ItemView(SystemProperties system, Encoding seen) {
    /**
     * @param names of the properties that are wanted; absent for all of them
     */
    Value.Obj read(Item item, Optional<PropertyNames> names) {
        if (names.isEmpty()) {
            return read(item, _ -> true);
        }
        return switch (seen) {
            case JSON -> system.read(item, names.get());
            case BSON ->
                    new Value.Obj(
                            BodyFormat.of(item.encoding()).properties(item.body(), names.get()));
        };
    }

    /** Reads the properties that are wanted. */
    public Value.Obj read(Item item, Predicate<String> isWanted) {
        return switch (seen) {
            case JSON -> system.read(item, isWanted);
            case BSON ->
                    new Value.Obj(
                            BodyFormat.of(item.encoding())
                                    .properties(item.body(), isWanted, Integer.MAX_VALUE));
        };
    }
}
