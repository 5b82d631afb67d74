package orrery.partition.simulated;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.ItemKey;
import orrery.partition.simulated.PartitionModel.Partition;

/** Unique keys the naive way: by looking at every item. */
final class ModelUniqueKeys {
    private ModelUniqueKeys() {}

    /** Another item of the logical partition that has the values of a unique key. */
    static Optional<StoredItem> sharing(
            Partition partition, Map<Bytes, StoredItem> items, ItemKey key, Bytes body) {
        for (UniqueKey unique : partition.definition.definition().uniqueKeys()) {
            List<Value> wanted = valuesOf(unique, body);
            for (Map.Entry<Bytes, StoredItem> entry : items.entrySet()) {
                ItemKey other = entry.getValue().key();
                if (other.partitionKey().equals(key.partitionKey())
                        && !other.equals(key)
                        && valuesOf(unique, entry.getValue().body()).equals(wanted)) {
                    return Optional.of(entry.getValue());
                }
            }
        }
        return Optional.empty();
    }

    private static List<Value> valuesOf(UniqueKey unique, Bytes body) {
        Map<String, Value> item = ((Value.Obj) JsonText.parse(body)).properties();
        return unique.paths().stream()
                .map(path -> item.getOrDefault(path.segments().getFirst(), Value.Null.NULL))
                .toList();
    }
}
