package orrery.query.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.document.CompositeIndex;
import orrery.document.IndexPath;
import orrery.document.IndexPlan;
import orrery.document.spatial.SpatialIndex;

/**
 * What a query may look up. While a changed policy is being carried to the items some of them still
 * have the entries of an older one, so only what all policies in force index counts.
 */
public final class IndexAvailability {
    private final List<IndexPlan> plans;

    public IndexAvailability(List<IndexPlan> plans) {
        this.plans = List.copyOf(plans);
    }

    /** Whether every value at the path has an entry, in every item. */
    public boolean isIndexed(IndexPath path) {
        return plans.stream().allMatch(plan -> plan.isIndexed(path));
    }

    /** Whether also the items without a value there have one. */
    public boolean indexesUndefined(IndexPath path) {
        return plans.stream().allMatch(plan -> plan.indexesUndefined(path));
    }

    public List<CompositeIndex> composites() {
        List<CompositeIndex> common = new ArrayList<>(plans.getFirst().composites());
        plans.forEach(plan -> common.retainAll(plan.composites()));
        return common;
    }

    /** The spatial index that the geometries at the path have in every item. */
    public Optional<SpatialIndex> spatial(IndexPath path) {
        Optional<SpatialIndex> first = plans.getFirst().spatial(path);
        return first.filter(_ -> plans.stream().allMatch(plan -> plan.spatial(path).equals(first)));
    }

    /** The entries that lead to what is near, if a spatial index has them. */
    public Optional<NearCells> find(IndexFilter.Near near) {
        return spatial(near.path())
                .filter(index -> index.space() == near.shape().space())
                .map(index -> NearCells.of(near, index));
    }

    public boolean canFind(IndexFilter.OnPath filter) {
        return isIndexed(filter.path())
                && (!filter.ranges().includesUndefined() || indexesUndefined(filter.path()));
    }
}
