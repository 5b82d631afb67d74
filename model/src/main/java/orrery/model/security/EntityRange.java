package orrery.model.security;

import java.util.Optional;

/**
 * The entities that a shared access signature opens, from one pair of keys to another, both
 * included. Keys compare by UTF-16 units, as tables order them.
 *
 * @param startPartition absent where the range has no beginning
 * @param startRow counts for entities of the first partition key only
 * @param endPartition absent where the range has no end
 * @param endRow counts for entities of the last partition key only
 */
public record EntityRange(
        Optional<String> startPartition,
        Optional<String> startRow,
        Optional<String> endPartition,
        Optional<String> endRow) {
    public static final EntityRange ALL =
            new EntityRange(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public EntityRange {
        if ((startRow.isPresent() && startPartition.isEmpty())
                || (endRow.isPresent() && endPartition.isEmpty())) {
            throw new IllegalArgumentException("a row key needs a partition key");
        }
    }

    public boolean isAll() {
        return equals(ALL);
    }

    /** Returns true if at least some entities of a partition key may be in it. */
    public boolean reaches(String partitionKey) {
        return startPartition.filter(start -> partitionKey.compareTo(start) < 0).isEmpty()
                && endPartition.filter(end -> partitionKey.compareTo(end) > 0).isEmpty();
    }

    public boolean contains(String partitionKey, String rowKey) {
        return reaches(partitionKey)
                && !(startPartition.filter(partitionKey::equals).isPresent()
                        && startRow.filter(start -> rowKey.compareTo(start) < 0).isPresent())
                && !(endPartition.filter(partitionKey::equals).isPresent()
                        && endRow.filter(end -> rowKey.compareTo(end) > 0).isPresent());
    }
}
