package orrery.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import orrery.cluster.catalog.CatalogState;
import orrery.model.PartitionId;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.machine.PartitionState;

/**
 * Holds the catalog against the partitions that are there. It finds a store of the same start as
 * the other one that is nevertheless older.
 */
final class CatalogAgreement {
    private CatalogAgreement() {}

    /**
     * Lists differences that exist only if one of the stores has lost something. Intents in the
     * catalog, which a crash leaves, are not compared with the partitions.
     */
    static List<String> losses(CatalogState catalog, Map<PartitionId, PartitionState> partitions) {
        List<String> losses = new ArrayList<>();
        for (PartitionId id : partitions.keySet()) {
            if (id.container() >= catalog.account().nextContainer()) {
                losses.add(
                        "The catalog is older than the items: it has never given out the number of"
                                + " container "
                                + id.container()
                                + ", of which there is a partition.");
            }
        }
        for (Container container : catalog.allContainers()) {
            if (isSettled(catalog, container)) {
                catalog.partitionMap(container.number())
                        .ifPresent(map -> compare(container, map, partitions, losses));
            }
        }
        return losses;
    }

    /** Partitions that the catalog does not know any more; they take space and harm nobody. */
    static List<String> leftovers(
            CatalogState catalog, Map<PartitionId, PartitionState> partitions) {
        return partitions.keySet().stream()
                .filter(id -> id.container() < catalog.account().nextContainer())
                .filter(id -> catalog.container(id.container()).isEmpty())
                .map(id -> "partition " + id + " is of a container that the catalog has deleted")
                .toList();
    }

    private static boolean isSettled(CatalogState catalog, Container container) {
        return switch (container.state()) {
            case ONLINE, CHANGING -> catalog.reshape(container.number()).isEmpty();
            case CREATING, DELETING -> false;
        };
    }

    private static void compare(
            Container container,
            PartitionMap map,
            Map<PartitionId, PartitionState> partitions,
            List<String> losses) {
        for (PhysicalPartition expected : map.partitions()) {
            PartitionState found =
                    partitions.get(new PartitionId(container.number(), expected.range()));
            if (found == null) {
                losses.add(
                        "The items are older than the catalog: physical partition "
                                + expected.range()
                                + " of the container '"
                                + container.name()
                                + "' is not there.");
            } else if (container.state() == Container.State.ONLINE
                    && found.record().definitionVersion() < container.definitionVersion()) {
                losses.add(
                        "The items are older than the catalog: physical partition "
                                + expected.range()
                                + " of the container '"
                                + container.name()
                                + "' has an older definition.");
            }
        }
    }
}
