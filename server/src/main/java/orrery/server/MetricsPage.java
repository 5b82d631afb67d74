package orrery.server;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import orrery.cluster.ControlPlane;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpServer;
import orrery.model.Bytes;
import orrery.model.memory.MemoryBudget;
import orrery.partition.PartitionHost;
import orrery.partition.TimeStatus;
import orrery.replication.DiskReserve;

/**
 * {@code /metrics}: what the server counts, in the text format of Prometheus. Nothing is kept for
 * it but the counts themselves: a page is made when somebody asks.
 */
final class MetricsPage {
    private final List<Supplier<Map<RequestCounts.Kind, Long>>> requests;
    private final List<HttpServer.Counters> counters;
    private final PartitionHost host;
    private final ControlPlane catalog;
    private final MemoryBudget memory;
    private final PartitionMetrics partitions;
    private final DiskReserve disk;

    MetricsPage(
            List<Supplier<Map<RequestCounts.Kind, Long>>> requests,
            List<HttpServer.Counters> counters,
            PartitionHost host,
            ControlPlane catalog,
            MemoryBudget memory,
            DiskReserve disk) {
        this.memory = memory;
        this.requests = requests;
        this.counters = counters;
        this.host = host;
        this.catalog = catalog;
        this.disk = disk;
        this.partitions = new PartitionMetrics(catalog, host);
    }

    HttpReply reply() {
        List<MetricSnapshot> all = new ArrayList<>();
        addRequests(all);
        addReshapes(all);
        addTime(all);
        addDisk(all);
        all.add(
                gauge(
                        "orrery_open_connections",
                        "Connections of clients.",
                        Map.of(
                                Labels.EMPTY,
                                counters.stream()
                                        .mapToDouble(HttpServer.Counters::openConnections)
                                        .sum())));
        all.add(
                gauge(
                        "orrery_requests_in_flight",
                        "Requests that are being answered.",
                        Map.of(
                                Labels.EMPTY,
                                counters.stream()
                                        .mapToDouble(HttpServer.Counters::requestsInFlight)
                                        .sum())));
        partitions.collect(all);
        addMemory(all);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
        try {
            writer.write(out, new MetricSnapshots(all));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // not from memory
        }
        return HttpReply.status(200)
                .header("Content-Type", writer.getContentType())
                .body(Bytes.wrap(out.toByteArray()))
                .build();
    }

    private void addRequests(List<MetricSnapshot> all) {
        Map<Labels, Double> byKind = new LinkedHashMap<>();
        for (Supplier<Map<RequestCounts.Kind, Long>> port : requests) {
            port.get()
                    .forEach(
                            (kind, count) ->
                                    byKind.merge(
                                            Labels.of(
                                                    "api",
                                                    kind.api(),
                                                    "status",
                                                    Integer.toString(kind.status())),
                                            (double) count,
                                            Double::sum));
        }
        all.add(counter("orrery_requests", "Requests answered, by API and status.", byKind));
        all.add(
                counter(
                        "orrery_request_units",
                        "Request units that items were read and written for.",
                        Map.of(Labels.EMPTY, host.spentRu())));
        all.add(
                counter(
                        "orrery_throttled_requests",
                        "Requests refused because a partition had spent its budget.",
                        Map.of(Labels.EMPTY, (double) host.refusedRequests())));
        all.add(
                counter(
                        "orrery_purged_items",
                        "Items deleted in the background: expired, or deleted with their key.",
                        Map.of(Labels.EMPTY, (double) host.purgedItems())));
    }

    private void addReshapes(List<MetricSnapshot> all) {
        Map<Labels, Double> reshapes = new LinkedHashMap<>();
        catalog.reshapes()
                .forEach(
                        (reason, count) ->
                                reshapes.put(Labels.of("reason", reason), (double) count));
        all.add(
                counter(
                        "orrery_reshapes",
                        "Splits, by what they were for, and merges, since the start.",
                        reshapes));
    }

    private void addTime(List<MetricSnapshot> all) {
        TimeStatus time = host.time();
        all.add(
                counter(
                        "orrery_clock_jumps",
                        "Jumps of the machine's clock by a second or more, either way.",
                        Map.of(Labels.EMPTY, (double) time.jumps())));
        all.add(
                gauge(
                        "orrery_time_ahead_seconds",
                        "How far the partition that is furthest ahead of the clock is.",
                        Map.of(Labels.EMPTY, time.ahead().toMillis() / 1000.0)));
    }

    private void addDisk(List<MetricSnapshot> all) {
        DiskReserve.Status status = disk.status();
        all.add(
                gauge(
                        "orrery_disk_free_bytes",
                        "Free space on the disk of the data.",
                        Map.of(Labels.EMPTY, (double) status.freeBytes())));
        all.add(
                gauge(
                        "orrery_disk_reserve_bytes",
                        "Free space below which writes are refused.",
                        Map.of(Labels.EMPTY, (double) status.reserveBytes())));
        all.add(
                counter(
                        "orrery_disk_refused_writes",
                        "Writes refused because the disk was nearly full.",
                        Map.of(Labels.EMPTY, (double) status.refused())));
    }

    private void addMemory(List<MetricSnapshot> all) {
        all.add(
                gauge(
                        "orrery_memory_reserved_bytes",
                        "Heap that requests hold at this moment, by estimate, and what is kept"
                                + " for later pages.",
                        Map.of(Labels.EMPTY, (double) memory.reserved())));
        all.add(
                gauge(
                        "orrery_memory_kept_bytes",
                        "The part of it that is kept for a minute for later pages of queries.",
                        Map.of(Labels.EMPTY, (double) memory.kept())));
        all.add(
                gauge(
                        "orrery_memory_limit_bytes",
                        "Heap that requests may hold together.",
                        Map.of(Labels.EMPTY, (double) memory.limit())));
        all.add(
                counter(
                        "orrery_memory_refusals",
                        "Times that a request was refused because it, or all of them together,"
                                + " would have held too much.",
                        Map.of(Labels.EMPTY, (double) memory.refusals())));
        Runtime runtime = Runtime.getRuntime();
        Labels heap = Labels.of("area", "heap");
        long used = runtime.totalMemory() - runtime.freeMemory();
        all.add(gauge("jvm_memory_used_bytes", "Memory in use.", Map.of(heap, (double) used)));
        all.add(
                gauge(
                        "jvm_memory_committed_bytes",
                        "Memory taken from the system.",
                        Map.of(heap, (double) runtime.totalMemory())));
        all.add(
                gauge(
                        "jvm_memory_max_bytes",
                        "Memory that may be taken.",
                        Map.of(heap, (double) runtime.maxMemory())));
    }

    static MetricSnapshot counter(String name, String help, Map<Labels, Double> values) {
        CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(help);
        values.forEach(
                (labels, value) ->
                        counter.dataPoint(
                                CounterDataPointSnapshot.builder()
                                        .labels(labels)
                                        .value(value)
                                        .build()));
        return counter.build();
    }

    static MetricSnapshot gauge(String name, String help, Map<Labels, Double> values) {
        GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(help);
        values.forEach(
                (labels, value) ->
                        gauge.dataPoint(
                                GaugeDataPointSnapshot.builder()
                                        .labels(labels)
                                        .value(value)
                                        .build()));
        return gauge.build();
    }
}
