package orrery.partition.simulated;

import org.jspecify.annotations.Nullable;
import orrery.model.Encoding;
import orrery.model.Item;
import orrery.model.ItemVersion;
import orrery.partition.simulated.PartitionModel.Partition;
import orrery.partition.simulated.PartitionModel.StoredItem;

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
                new Item(
                        shown.docid(),
                        shown.etag(),
                        shown.timeMillis(),
                        shown.lsn(),
                        Encoding.JSON,
                        shown.body()));
    }
}
