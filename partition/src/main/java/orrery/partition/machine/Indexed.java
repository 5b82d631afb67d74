package orrery.partition.machine;

import java.util.List;
import orrery.document.IndexPlan;
import orrery.document.IndexTerms;
import orrery.model.DerivedRow;
import orrery.storage.format.ItemRecord;

/**
 * Everything that the index has of an item.
 *
 * @param needsDerived whether the terms depend on derived rows, of which there may be none
 */
record Indexed(IndexTerms terms, boolean needsDerived, List<DerivedRow> derived) {
    static final Indexed NOTHING = new Indexed(IndexTerms.EMPTY, false, List.of());

    Indexed {
        derived = List.copyOf(derived);
    }

    /**
     * Returns what was put into the index for an item that is stored, under the policy of that
     * time. Only where that policy needs derived rows are they read.
     */
    static Indexed of(EntryOverlay overlay, PartitionDraft partition, ItemRecord item) {
        IndexPlan plan = partition.definition.planOf(item.policyVersion());
        List<DerivedRow> derived =
                plan.needsDerived() ? overlay.derived(partition.id.container(), item) : List.of();
        return of(plan, item, derived);
    }

    static Indexed of(IndexPlan plan, ItemRecord item, List<DerivedRow> derived) {
        return new Indexed(
                plan.extract(item.encoding(), item.body(), item.timestampMillis() / 1000, derived),
                plan.needsDerived(),
                derived);
    }
}
