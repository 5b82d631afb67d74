package orrery.frontend.table;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.document.edm.EdmValue;
import orrery.document.edm.StoredNames;
import orrery.model.Bytes;

/** Takes stored entities apart with the parser: what {@link StoredEntity} must agree with. */
final class NaiveEntity {
    private NaiveEntity() {}

    static Entity read(Bytes body) {
        Map<String, Value> stored = JsonText.parseStored(body, _ -> true, Integer.MAX_VALUE);
        Map<String, EdmValue> properties = new LinkedHashMap<>();
        stored.forEach(
                (name, value) -> {
                    if (StoredNames.isProperty(name)) {
                        EntityDocument.shown(value)
                                .ifPresent(edm -> properties.put(StoredNames.shown(name), edm));
                    }
                });
        Value rowKey = stored.get(StoredNames.ID);
        return new Entity(
                text(stored.get(StoredNames.STORED_PARTITION_KEY)),
                text(rowKey == null ? stored.get(StoredNames.STORED_ROW_KEY) : rowKey),
                properties);
    }

    private static String text(@Nullable Value value) {
        return value instanceof Value.Text(String text) ? text : "";
    }
}
