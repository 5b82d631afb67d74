package orrery.frontend.operator;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import orrery.document.Value;
import orrery.frontend.rest.Json;
import orrery.frontend.rest.KeyJson;
import orrery.gateway.api.ContainerReport;
import orrery.gateway.api.Fault;
import orrery.model.metering.KeyAmount;
import orrery.model.metering.Traffic;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.model.resource.ReshapeEvent;

/** Writes the layout of a container over its partitions, for programs. */
final class ReportJson {
    private ReportJson() {}

    static Value.Obj write(
            String database,
            ContainerReport report,
            Optional<Value.Obj> throughput,
            Optional<Fault> fault) {
        Json.Builder json =
                Json.builder()
                        .put("database", database)
                        .put("container", report.container().name())
                        .put("rid", report.container().rid().toString());
        throughput.ifPresent(value -> json.put("throughput", value));
        json.put("logicalPartitionMaxBytes", report.logicalPartitionMaxBytes())
                .put(
                        "partitions",
                        array(
                                report.partitions().stream()
                                        .map(each -> partition(report, each))
                                        .toList()))
                .put("events", array(report.events().stream().map(ReportJson::event).toList()));
        fault.ifPresent(set -> json.put("fault", FaultJson.write(Optional.of(set))));
        return json.build();
    }

    /** The ranges alone, which is what a split or merge changes. */
    static Value.Obj write(PartitionMap map) {
        return Json.object(
                "partitions",
                array(map.partitions().stream().map(each -> range(each).build()).toList()));
    }

    private static Json.Builder range(PhysicalPartition partition) {
        return Json.builder()
                .put("id", partition.range())
                .put("parents", ranges(partition.parents()))
                .put("min", partition.keys().min().toHex())
                .put("max", partition.keys().max().toHex());
    }

    private static Value partition(ContainerReport report, ContainerReport.Partition seen) {
        long limit = report.logicalPartitionMaxBytes();
        Json.Builder json =
                range(seen.partition())
                        .put("items", seen.items())
                        .put("itemBytes", seen.itemBytes())
                        .put("indexBytes", seen.indexBytes())
                        .put("reindexPercent", seen.reindexPercent())
                        .put("budgetRu", number(seen.budgetRu()))
                        .put("sharesBudget", seen.sharesBudget())
                        .put("lastSecond", traffic(seen.lastSecond()))
                        .put("lastMinute", traffic(seen.lastMinute()))
                        .put("lastHour", traffic(seen.lastHour()))
                        .put(
                                "largestKeys",
                                array(
                                        seen.largestKeys().stream()
                                                .map(
                                                        key ->
                                                                amount("bytes", key)
                                                                        .put(
                                                                                "shareOfLimit",
                                                                                share(
                                                                                        key
                                                                                                .amount(),
                                                                                        limit))
                                                                        .build())
                                                .toList()))
                        .put(
                                "hottestKeys",
                                array(
                                        seen.hottestKeys().stream()
                                                .map(key -> amount("ru", key).build())
                                                .toList()));
        seen.failure().ifPresent(reason -> json.put("failure", reason));
        return json.build();
    }

    private static Value traffic(Traffic traffic) {
        return Json.builder()
                .put("ru", number(traffic.ru()))
                .put("requests", traffic.requests())
                .put("refused", traffic.refused())
                .build();
    }

    private static Json.Builder amount(String name, KeyAmount key) {
        return Json.builder().put("key", KeyJson.write(key.key())).put(name, number(key.amount()));
    }

    private static Value event(ReshapeEvent event) {
        return Json.builder()
                .put("before", ranges(event.before()))
                .put("after", ranges(event.after()))
                .put("reason", event.reason())
                .put("time", Instant.ofEpochMilli(event.timeMillis()).toString())
                .put("durationMillis", event.durationMillis())
                .build();
    }

    private static Value ranges(List<Integer> ranges) {
        return array(ranges.stream().<Value>map(range -> Value.of((long) range)).toList());
    }

    private static Value array(List<? extends Value> elements) {
        return new Value.Array(List.copyOf(elements));
    }

    /** Hundredths are what charges are told in; the rest is noise of the sum. */
    private static Value number(double value) {
        return Value.of(Math.rint(value * 100) / 100);
    }

    private static Value share(double part, long whole) {
        return Value.of(Math.rint(part * 1000 / whole) / 1000);
    }
}
