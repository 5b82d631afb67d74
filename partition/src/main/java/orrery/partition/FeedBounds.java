package orrery.partition;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.KeyRange;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.storage.format.Keys;

/** The items that a feed covers, as bounds of their rows. */
final class FeedBounds {
    private final byte[] from;
    private final byte[] to;
    private final PartitionKeyDefinition definition;

    /** Only the prefix of a hierarchical key needs a look at each item: its hashes may collide. */
    private final Optional<PartitionKey> prefix;

    private final boolean isOneKey;

    /**
     * @param keys where the feed and the partition overlap
     * @param partitionKey only this logical partition, which {@code keys} begin with, or those
     *     under this prefix
     */
    FeedBounds(
            int container,
            KeyRange keys,
            Optional<PartitionKey> partitionKey,
            PartitionKeyDefinition definition) {
        this.definition = definition;
        boolean isWhole =
                partitionKey
                        .filter(key -> key.components().size() == definition.paths().size())
                        .isPresent();
        this.isOneKey = isWhole;
        if (isWhole) {
            this.from = Keys.itemsOf(container, keys.min(), partitionKey.get());
            this.to = Keys.after(from);
            this.prefix = Optional.empty();
        } else {
            this.from = Keys.itemsFrom(container, keys.min(), definition);
            this.to = Keys.itemsFrom(container, keys.max(), definition);
            this.prefix = partitionKey;
        }
    }

    /** Returns true if all items are of one logical partition. */
    boolean isOneKey() {
        return isOneKey;
    }

    byte[] from() {
        return from;
    }

    byte[] to() {
        return to;
    }

    /** Returns true if an item belongs to the feed, by its row. */
    boolean contains(byte[] row) {
        return Arrays.compareUnsigned(from, row) <= 0
                && Arrays.compareUnsigned(row, to) < 0
                && hasPrefix(row);
    }

    /** The same for a row that is known to lie between the bounds. */
    boolean hasPrefix(byte[] row) {
        if (prefix.isEmpty()) {
            return true;
        }
        List<?> wanted = prefix.get().components();
        Bytes suffix = Keys.itemSuffix(row);
        List<?> found = Keys.itemKey(suffix, definition).partitionKey().components();
        return found.size() >= wanted.size() && found.subList(0, wanted.size()).equals(wanted);
    }
}
