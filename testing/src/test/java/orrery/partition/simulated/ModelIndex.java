package orrery.partition.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import orrery.document.IndexPlan;
import orrery.document.IndexTerms;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.Derived;
import orrery.model.DerivedRow;
import orrery.model.Encoding;
import orrery.partition.machine.Command;
import orrery.query.evaluate.ComputedProperties;
import orrery.storage.format.IndexEntry;

/** The index as a model knows it: it evaluates whatever it needs, whenever it needs it. */
final class ModelIndex {
    private static final int KEY_OVERHEAD = 16;
    private static final Map<ContainerDefinition, ModelIndex> COMPILED = new ConcurrentHashMap<>();

    private final IndexPlan plan;
    private final ComputedProperties computed;

    private ModelIndex(ContainerDefinition definition) {
        this.plan =
                IndexPlan.compile(
                        definition.indexingPolicy(),
                        definition.computedProperties(),
                        definition.kind());
        this.computed = ComputedProperties.of(definition.computedProperties());
    }

    static ModelIndex of(ContainerDefinition definition) {
        return COMPILED.computeIfAbsent(definition, ModelIndex::new);
    }

    private static ModelIndex of(PartitionModel.Partition partition) {
        return of(partition.definition.definition());
    }

    Derived derive(int policyVersion, Bytes body, long seconds) {
        return computed.derive(plan, policyVersion, Encoding.JSON, body, seconds);
    }

    IndexTerms terms(Bytes body, long seconds) {
        return plan.extract(body, seconds, derive(1, body, seconds).rows());
    }

    /** Returns true if a command lacks what the present definition derives from its items. */
    static boolean isStale(
            PartitionModel.Partition partition, Command.WriteItems write, long timeMillis) {
        return of(partition).plan.needsDerived()
                && write.changes().stream()
                        .anyMatch(
                                change ->
                                        change instanceof Command.ItemChange.Storing put
                                                && !put.derived()
                                                        .isFor(
                                                                partition.policyVersion,
                                                                timeMillis / 1000));
    }

    /** Returns true if a step cannot pass an item that is there. */
    static boolean isWaiting(
            PartitionModel.Partition partition, Command.Reindex step, Bytes suffix) {
        StoredItem item = partition.items.get(suffix);
        return item != null
                && item.policyVersion() != partition.policyVersion
                && of(partition).plan.needsDerived()
                && step.derived().stream()
                        .noneMatch(
                                rows ->
                                        rows.suffix().equals(suffix)
                                                && rows.etag().equals(item.etag()));
    }

    /** Everything that the present policy needs of the items of older ones. */
    static List<Command.Reindex.Evaluated> evaluate(PartitionModel.Partition partition) {
        List<Command.Reindex.Evaluated> all = new ArrayList<>();
        partition.items.forEach(
                (suffix, item) -> {
                    if (item.policyVersion() != partition.policyVersion) {
                        all.add(
                                new Command.Reindex.Evaluated(
                                        suffix,
                                        item.etag(),
                                        of(partition)
                                                .derive(
                                                        partition.policyVersion,
                                                        item.body(),
                                                        item.timeMillis() / 1000)
                                                .rows()));
                    }
                });
        return all;
    }

    /** Returns the bytes of the entries of an item: of its terms, its docid and its expiry. */
    long bytes(Bytes suffix, StoredItem item) {
        long seconds = item.timeMillis() / 1000;
        List<DerivedRow> derived = derive(1, item.body(), seconds).rows();
        IndexTerms terms = plan.extract(item.body(), seconds, derived);
        long bytes = KEY_OVERHEAD + 1L + IndexEntry.encode(suffix, 1, derived).length;
        for (int i = 0; i < terms.size(); i++) {
            bytes += KEY_OVERHEAD + terms.term(i).length() + 1L + suffix.length();
        }
        if (Workload.lifetime(item.body()) > 0) {
            bytes += KEY_OVERHEAD + 9L + 1 + suffix.length();
        }
        return bytes;
    }
}
