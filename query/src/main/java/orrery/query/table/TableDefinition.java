package orrery.query.table;

import java.util.ArrayList;
import java.util.List;
import orrery.document.edm.StoredNames;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.IndexingPolicy;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;

/** The definition of the container that a table is. */
public final class TableDefinition {
    /** The database of all tables. */
    public static final String DATABASE = "TablesDB";

    public static final PartitionKeyDefinition PARTITION_KEY =
            new PartitionKeyDefinition(
                    List.of(new PropertyPath(List.of(StoredNames.STORED_PARTITION_KEY))),
                    PartitionKeyDefinition.Kind.HASH,
                    2,
                    false);

    /** All contents are indexed, and the two keys together in the order of entities. */
    public static final IndexingPolicy INDEXING = withOrder(IndexingPolicy.DEFAULT);

    public static final ContainerDefinition DEFAULT =
            new ContainerDefinition(
                            PARTITION_KEY,
                            INDEXING,
                            ContainerDefinition.ConflictResolution.DEFAULT,
                            ContainerDefinition.Geospatial.GEOGRAPHY)
                    .withKind(ContainerKind.TABLE);

    private TableDefinition() {}

    /** Returns true if a container with this partition key can hold entities. */
    public static boolean isTable(PartitionKeyDefinition key) {
        return key.paths().equals(PARTITION_KEY.paths());
    }

    /**
     * Returns the policy with the index that queries over tables are sorted by, which clients of
     * other APIs do not ask for.
     */
    public static IndexingPolicy withOrder(IndexingPolicy policy) {
        List<IndexingPolicy.CompositePath> order =
                List.of(
                        new IndexingPolicy.CompositePath(
                                path(StoredNames.STORED_PARTITION_KEY), false),
                        new IndexingPolicy.CompositePath(path(StoredNames.STORED_ROW_KEY), false));
        if (policy.mode() == IndexingPolicy.Mode.NONE
                || policy.compositeIndexes().contains(order)) {
            return policy;
        }
        List<List<IndexingPolicy.CompositePath>> composites =
                new ArrayList<>(policy.compositeIndexes());
        composites.add(order);
        return new IndexingPolicy(
                policy.mode(),
                policy.automatic(),
                policy.includedPaths(),
                policy.excludedPaths(),
                composites,
                policy.spatialIndexes());
    }

    private static String path(String name) {
        return "/\"" + name + '"';
    }
}
