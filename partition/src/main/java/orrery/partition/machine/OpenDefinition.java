package orrery.partition.machine;

import java.util.List;
import orrery.document.FieldExpiry;
import orrery.document.IndexPlan;
import orrery.storage.format.DefinitionRecord;

/** The definitions of a partition with their indexing policies ready for use. Immutable. */
public record OpenDefinition(
        DefinitionRecord record, List<IndexPlan> plans, List<FieldExpiry> expiries) {
    public OpenDefinition {
        plans = List.copyOf(plans);
        expiries = List.copyOf(expiries);
    }

    /** Opens a record that was read from a snapshot, whichever state has been published. */
    public static OpenDefinition of(DefinitionRecord record) {
        return of(record, new PlanCache());
    }

    static OpenDefinition of(DefinitionRecord record, PlanCache cache) {
        return new OpenDefinition(
                record,
                record.versions().stream().map(cache::get).toList(),
                FieldExpiry.among(record.current().definition().indexes()));
    }

    /** Leaves out older versions, for a partition in which no item needs them. */
    OpenDefinition onlyCurrent() {
        return new OpenDefinition(
                record.with(List.of(current())), List.of(currentPlan()), expiries);
    }

    public DefinitionRecord.Version current() {
        return record.current();
    }

    public IndexPlan currentPlan() {
        return plans.getLast();
    }

    /** The plan under which an item was indexed: the latest version not above its own. */
    public IndexPlan planOf(int policyVersion) {
        List<DefinitionRecord.Version> versions = record.versions();
        for (int i = versions.size() - 1; i >= 0; i--) {
            if (versions.get(i).version() <= policyVersion) {
                return plans.get(i);
            }
        }
        throw new IllegalStateException("an item names a policy its partition has forgotten");
    }
}
