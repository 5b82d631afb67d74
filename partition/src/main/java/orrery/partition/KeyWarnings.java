package orrery.partition;

import java.lang.System.Logger;
import java.util.LinkedHashMap;
import java.util.Map;
import orrery.model.ByteSizes;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;

/**
 * Tells the log, once, that a logical partition comes near its limit: it cannot be split, and the
 * user needs time to choose another key.
 */
final class KeyWarnings {
    private static final Logger LOG = System.getLogger(KeyWarnings.class.getName());
    private static final int REMEMBERED = 1000;
    private static final double NEAR = 0.8;

    private record Key(int container, PartitionKey key) {}

    private final Map<Key, Boolean> warned =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Key, Boolean> eldest) {
                    return size() > REMEMBERED;
                }
            };

    void grown(PartitionId partition, PartitionKey key, long bytes, long limitBytes) {
        if (bytes < NEAR * limitBytes) {
            return;
        }
        synchronized (warned) {
            if (warned.putIfAbsent(new Key(partition.container(), key), true) != null) {
                return;
            }
        }
        String remedy =
                key.components().isEmpty()
                        ? "move the data to a container with a partition key"
                        : "choose a partition key with more distinct values";
        LOG.log(
                Logger.Level.WARNING,
                "partition key {0} of container {1} holds {2} of at most {3}: past that, writes to"
                        + " it fail; "
                        + remedy,
                key,
                partition.container(),
                ByteSizes.text(bytes),
                ByteSizes.text(limitBytes));
    }
}
