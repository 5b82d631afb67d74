package orrery.server;

import static orrery.server.MetricsPage.gauge;

import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.api.Catalog;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.metering.KeyAmount;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.Budget;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;

/**
 * Metrics of what partitions hold and spend, and how near their largest keys are to the limit.
 * Anybody may read them, so they name no key: the operator API does. If there are very many
 * partitions, only the first are listed, with the total number.
 */
final class PartitionMetrics {
    private static final int MOST_PARTITIONS = 500;
    private static final int RESOURCES_PER_PAGE = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Catalog catalog;
    private final PartitionService partitions;

    PartitionMetrics(Catalog catalog, PartitionService partitions) {
        this.catalog = catalog;
        this.partitions = partitions;
    }

    void collect(List<MetricSnapshot> all) {
        Page page = new Page();
        page.readDatabases();
        page.addTo(all);
    }

    /** One answer being filled. */
    private final class Page {
        private final AccountSettings settings = catalog.settings();
        private final Map<Labels, Double> items = new LinkedHashMap<>();
        private final Map<Labels, Double> bytes = new LinkedHashMap<>();
        private final Map<Labels, Double> budgets = new LinkedHashMap<>();
        private final Map<Labels, Double> spent = new LinkedHashMap<>();
        private final Map<Labels, Double> refused = new LinkedHashMap<>();
        private final Map<Labels, Double> keyBytes = new LinkedHashMap<>();
        private final Map<Labels, Double> keyShares = new LinkedHashMap<>();
        private int count;

        void readDatabases() {
            int after = 0;
            List<Database> databases = catalog.databases(after, RESOURCES_PER_PAGE);
            while (!databases.isEmpty()) {
                databases.forEach(this::readContainers);
                after = databases.getLast().number();
                databases = catalog.databases(after, RESOURCES_PER_PAGE);
            }
        }

        private void readContainers(Database database) {
            List<Container> containers =
                    catalog.containers(database.number(), 0, RESOURCES_PER_PAGE);
            while (!containers.isEmpty()) {
                containers.forEach(container -> read(database, container));
                containers =
                        catalog.containers(
                                database.number(),
                                containers.getLast().number(),
                                RESOURCES_PER_PAGE);
            }
        }

        private void read(Database database, Container container) {
            List<PhysicalPartition> ranges;
            try {
                ranges = catalog.partitionMap(container).partitions();
            } catch (OrreryException deletedMeanwhile) {
                return;
            }
            for (PhysicalPartition range : ranges) {
                if (count++ < MOST_PARTITIONS) {
                    PartitionId id = new PartitionId(container.number(), range.range());
                    PartitionResponse answer =
                            partitions.call(
                                    PartitionEnvelope.ofNode(
                                                    range.replicaSet(),
                                                    new ControlRequest.Inspect(id, 1),
                                                    TIMEOUT)
                                            .withSetEpoch(catalog.setEpoch(range.replicaSet())));
                    // One that was split meanwhile is told of next time, under other names.
                    if (answer instanceof ControlResponse.Inspection seen) {
                        add(
                                Labels.of(
                                        "database",
                                        database.name(),
                                        "container",
                                        container.name(),
                                        "range",
                                        Integer.toString(range.range())),
                                seen,
                                limit(container));
                    }
                }
            }
        }

        private long limit(Container container) {
            return container.isKeyless()
                    ? settings.fixedMaxBytes()
                    : settings.logicalPartitionMaxBytes();
        }

        private void add(Labels labels, ControlResponse.Inspection seen, long limit) {
            ControlResponse.Description description = seen.description();
            items.put(labels, (double) description.items());
            bytes.put(labels, (double) (description.itemBytes() + description.indexBytes()));
            budgets.put(labels, seen.budget().map(Budget::ruPerSecond).orElse(0.0));
            spent.put(labels, seen.lastMinute().ru());
            refused.put(labels, (double) seen.lastMinute().refused());
            double largest =
                    seen.largestKeys().stream().mapToDouble(KeyAmount::amount).max().orElse(0);
            keyBytes.put(labels, largest);
            keyShares.put(labels, largest / limit);
        }

        void addTo(List<MetricSnapshot> all) {
            all.add(
                    gauge(
                            "orrery_partitions",
                            "Physical partitions, also those that are not told of.",
                            Map.of(Labels.EMPTY, (double) count)));
            all.add(gauge("orrery_partition_items", "Items in a physical partition.", items));
            all.add(
                    gauge(
                            "orrery_partition_bytes",
                            "Bytes of items and index in a physical partition.",
                            bytes));
            all.add(
                    gauge(
                            "orrery_partition_budget_request_units",
                            "Request units that a physical partition may spend in a second.",
                            budgets));
            all.add(
                    gauge(
                            "orrery_partition_request_units_last_minute",
                            "Request units that a physical partition spent in the last minute.",
                            spent));
            all.add(
                    gauge(
                            "orrery_partition_throttled_last_minute",
                            "Requests that a physical partition refused in the last minute.",
                            refused));
            all.add(
                    gauge(
                            "orrery_largest_key_bytes",
                            "Bytes of the partition key value that has most of a physical partition.",
                            keyBytes));
            all.add(
                    gauge(
                            "orrery_largest_key_share_of_limit",
                            "The same as a part of the limit; at 1 writes fail.",
                            keyShares));
        }
    }
}
