package orrery.partition.simulated;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.model.Encoding;
import orrery.model.Item;
import orrery.model.ItemVersion;
import orrery.partition.simulated.PartitionModel.Partition;

/** The form of a change in the change feed. */
final class ModelVersions {
    private ModelVersions() {}

    static ItemVersion ending(Partition partition, long lsn, long time, StoredItem item) {
        return version(
                ItemVersion.Operation.DELETE,
                PartitionModel.isExpired(partition, item, time),
                lsn,
                time,
                item,
                item);
    }

    static ItemVersion version(
            ItemVersion.Operation operation,
            boolean isExpired,
            long lsn,
            long time,
            @Nullable StoredItem before,
            StoredItem shown) {
        return new ItemVersion(
                operation,
                isExpired,
                lsn,
                time,
                before == null ? 0 : before.lsn(),
                shown.key(),
                item(shown),
                operation == ItemVersion.Operation.REPLACE
                        ? Optional.ofNullable(before).map(ModelVersions::item)
                        : Optional.empty());
    }

    private static Item item(StoredItem stored) {
        return new Item(
                stored.docid(),
                stored.etag(),
                stored.timeMillis(),
                stored.lsn(),
                Encoding.JSON,
                stored.body());
    }
}
