package orrery.query.execute;

import java.util.ArrayList;
import java.util.List;
import orrery.document.CompositeIndex;
import orrery.document.IndexPath;
import orrery.query.execute.AccessPlan.Way;
import orrery.query.index.EntryCondition;
import orrery.query.index.IndexAvailability;
import orrery.query.index.IndexFilter.OnPath;
import orrery.query.index.IndexScan;
import orrery.query.index.NearCells;
import orrery.query.index.ValueRanges;

/** Describes what was chosen, with a bounded number of ranges. */
final class PlanBuilder {
    private static final int MAX_RANGES = 1000;

    private final IndexAvailability index;
    private int room = MAX_RANGES;

    PlanBuilder(IndexAvailability index) {
        this.index = index;
    }

    static AccessPlan nothing() {
        return new AccessPlan(Way.NOTHING, List.of(), false, false, false);
    }

    static AccessPlan items(boolean sorts, boolean readsItems) {
        return new AccessPlan(Way.ITEMS, List.of(), false, sorts, readsItems);
    }

    AccessPlan entries(List<Branch> branches, boolean sorts, boolean readsItems) {
        return new AccessPlan(
                Way.ENTRIES, branches.stream().map(this::scans).toList(), false, sorts, readsItems);
    }

    private List<IndexScan> scans(Branch branch) {
        List<IndexScan> scans = new ArrayList<>();
        if (branch.driver().isEmpty()) {
            index.composites().stream()
                    .filter(composite -> composite.termPrefix().equals(branch.prefix()))
                    .forEach(composite -> scans.add(scan(composite, branch.conditions())));
        }
        if (scans.isEmpty()) {
            branch.conditions().forEach(condition -> scans.add(scan(condition)));
        }
        return scans;
    }

    AccessPlan order(Sorting sorting, List<OnPath> probes) {
        List<IndexScan> scans = new ArrayList<>();
        if (sorting.isComposite()) {
            index.composites().stream()
                    .filter(composite -> composite.termPrefix().equals(sorting.prefix()))
                    .forEach(composite -> scans.add(scan(composite, sorting.leading())));
        } else {
            scans.add(scan(sorting.key().parts().getFirst().path(), sorting.ranges()));
        }
        probes.forEach(probe -> scans.add(scan(probe)));
        return new AccessPlan(Way.ORDER, List.of(scans), sorting.isBackward(), false, true);
    }

    private IndexScan scan(EntryCondition condition) {
        return switch (condition) {
            case OnPath onPath -> scan(onPath.path(), onPath.ranges());
            // The ranges are those of cells, and no values.
            case NearCells cells -> scan(cells.path(), ValueRanges.NONE);
        };
    }

    private IndexScan scan(IndexPath path, ValueRanges ranges) {
        IndexScan scan = IndexScan.of(path, ranges, room);
        room -= scan.columns().getFirst().ranges().size();
        return scan;
    }

    private IndexScan scan(CompositeIndex composite, List<? extends EntryCondition> conditions) {
        return new IndexScan(
                composite.members().stream()
                        .map(
                                member -> {
                                    IndexScan.Column column =
                                            scan(member.path(), ranges(member, conditions))
                                                    .columns()
                                                    .getFirst();
                                    return new IndexScan.Column(
                                            column.path(),
                                            member.descending(),
                                            column.ranges(),
                                            column.isCut());
                                })
                        .toList());
    }

    private static ValueRanges ranges(
            CompositeIndex.Member member, List<? extends EntryCondition> conditions) {
        return conditions.stream()
                .filter(condition -> condition.path().equals(member.path()))
                .map(EntryCondition::ranges)
                .findFirst()
                .orElse(ValueRanges.NONE);
    }
}
