package orrery.server.client;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import orrery.document.Value;

/**
 * A container in a list: its definition and what it holds.
 *
 * @param report how it lies over its partitions; absent where it is being created or is gone by now
 */
record ContainerSummary(Answer definition, Optional<Answer> report) {
    static ContainerSummary of(SqlClient client, Place place, Answer definition) {
        try {
            return new ContainerSummary(
                    definition, Optional.of(client.operator().partitions(place, 0)));
        } catch (RefusedException refused) {
            if (refused.status() == 404 || refused.status() == 409) {
                return new ContainerSummary(definition, Optional.empty());
            }
            throw refused;
        }
    }

    String id() {
        return definition.text("id");
    }

    /** The paths of its key as they are typed, or nothing where it has none. */
    String key() {
        return definition
                .find("partitionKey")
                .map(
                        key ->
                                definition.object("partitionKey").elements("paths").stream()
                                        .map(
                                                path ->
                                                        path instanceof Value.Text(String text)
                                                                ? text
                                                                : "")
                                        .collect(Collectors.joining(" ")))
                .orElse("");
    }

    Optional<String> throughput() {
        return report.filter(answer -> answer.find("throughput").isPresent())
                .map(answer -> ThroughputCommand.describe(answer.object("throughput")));
    }

    /** The numbers beside the definition, under the names of the operator API. */
    Value.Obj json() {
        Map<String, Value> json = new LinkedHashMap<>(definition.json().properties());
        report.ifPresent(
                answer -> {
                    answer.find("throughput").ifPresent(value -> json.put("throughput", value));
                    json.put("partitions", Value.of((long) partitions(answer).size()));
                    json.put("items", Value.of(sum(answer, "items")));
                    json.put("itemBytes", Value.of(sum(answer, "itemBytes")));
                    json.put("indexBytes", Value.of(sum(answer, "indexBytes")));
                });
        return new Value.Obj(json);
    }

    /** One cell for each column of {@link LsCommand}. */
    List<String> cells() {
        return List.of(
                id(),
                key(),
                throughput().orElse(""),
                report.map(answer -> Integer.toString(partitions(answer).size())).orElse(""),
                report.map(answer -> Long.toString(sum(answer, "items"))).orElse(""),
                report.map(
                                answer ->
                                        PartitionsView.size(
                                                sum(answer, "itemBytes")
                                                        + sum(answer, "indexBytes")))
                        .orElse(""));
    }

    private static List<Answer> partitions(Answer report) {
        return report.objects("partitions");
    }

    private static long sum(Answer report, String member) {
        return partitions(report).stream().mapToLong(each -> each.integer(member)).sum();
    }
}
