package orrery.gateway.api;

import java.util.Optional;
import orrery.model.KeyRange;
import orrery.model.PartitionKey;

/** The part of a container that a feed covers. */
public sealed interface FeedScope {
    record Everything() implements FeedScope {}

    /** One logical partition, or several under the prefix of a hierarchical key. */
    record Key(PartitionKey key) implements FeedScope {}

    /**
     * One physical partition, or the part of it inside {@code clip}. A range that has been split or
     * merged away is answered with {@code RANGE_GONE}.
     */
    record Range(int range, Optional<KeyRange> clip) implements FeedScope {}

    /**
     * Like {@link Range}, but what a range has been split into answers in its place. Where merges
     * took part, the keys that it had are not known any more: {@code RANGE_GONE}.
     */
    record Lineage(int range, Optional<KeyRange> clip) implements FeedScope {}

    record Keys(KeyRange keys) implements FeedScope {}

    /** The one key, or prefix of keys, that the scope is about. */
    default Optional<PartitionKey> namedKey() {
        return this instanceof Key(PartitionKey key) ? Optional.of(key) : Optional.empty();
    }
}
