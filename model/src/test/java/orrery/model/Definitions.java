package orrery.model;

import java.util.List;
import java.util.stream.IntStream;
import orrery.model.PartitionKeyDefinition.Kind;

/** Partition key definitions for tests; the names of their paths do not matter. */
final class Definitions {
    static final PartitionKeyDefinition HASH_V1 = hash(1, 1);
    static final PartitionKeyDefinition HASH_V2 = hash(1, 2);
    static final PartitionKeyDefinition RANGE =
            new PartitionKeyDefinition(paths(1), Kind.RANGE, 1, false);

    private Definitions() {}

    static PartitionKeyDefinition hash(int paths, int version) {
        return new PartitionKeyDefinition(paths(paths), Kind.HASH, version, false);
    }

    static PartitionKeyDefinition multiHash(int paths) {
        return new PartitionKeyDefinition(paths(paths), Kind.MULTI_HASH, 2, false);
    }

    private static List<PropertyPath> paths(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new PropertyPath(List.of("path" + i)))
                .toList();
    }
}
