package orrery.query.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.document.CompositeIndex;
import orrery.document.IndexPath;
import orrery.document.IndexPlan;
import orrery.document.spatial.SpatialIndex;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.TermRules;
import orrery.query.evaluate.ComputedProperties;

/**
 * The paths that a query may look up. While a changed policy is applied to the items, some of them
 * still have the entries of an older one. So a path counts only if all policies in force index it,
 * and only if all entries were made by the rules that the query looks them up by.
 */
public final class IndexAvailability {
    private final List<IndexPlan> plans;
    private final ComputedProperties computed;
    private final TermRules rules;
    private final boolean isByTheRules;

    /**
     * @param computed as the query computes them
     * @param rules by which the query makes its terms
     */
    public IndexAvailability(List<IndexPlan> plans, ComputedProperties computed, TermRules rules) {
        this.plans = List.copyOf(plans);
        this.computed = computed;
        this.rules = rules;
        this.isByTheRules = plans.stream().allMatch(plan -> plan.rules().equals(rules));
    }

    public TermRules rules() {
        return rules;
    }

    /** Returns true if every value at the path has an entry, in every item. */
    public boolean isIndexed(IndexPath path) {
        return isSame(path) && plans.stream().allMatch(plan -> plan.isIndexed(path));
    }

    /** Returns true if items without a value at the path have an entry too. */
    public boolean indexesUndefined(IndexPath path) {
        return isSame(path) && plans.stream().allMatch(plan -> plan.indexesUndefined(path));
    }

    /**
     * Returns true if the path is indexed in every item, but the entries of some items have values
     * that an older definition computed. Until these entries are renewed a query cannot use them,
     * although the policy allows it to.
     */
    public boolean isRenewed(IndexPath path) {
        return !isSame(path) && plans.stream().allMatch(plan -> plan.isIndexed(path));
    }

    public List<CompositeIndex> composites() {
        List<CompositeIndex> common = common();
        common.removeIf(composite -> !isSame(composite));
        return common;
    }

    /** Like {@link #isRenewed}, for composite indexes. */
    public List<CompositeIndex> renewedComposites() {
        List<CompositeIndex> common = common();
        common.removeIf(this::isSame);
        return common;
    }

    private List<CompositeIndex> common() {
        List<CompositeIndex> common = new ArrayList<>(plans.getFirst().composites());
        plans.forEach(plan -> common.retainAll(plan.composites()));
        return common;
    }

    private boolean isSame(CompositeIndex composite) {
        return composite.members().stream().allMatch(member -> isSame(member.path()));
    }

    /** The spatial index that the geometries at the path have in every item. */
    public Optional<SpatialIndex> spatial(IndexPath path) {
        Optional<SpatialIndex> first = plans.getFirst().spatial(path);
        return first.filter(_ -> isSame(path))
                .filter(_ -> plans.stream().allMatch(plan -> plan.spatial(path).equals(first)));
    }

    /** The entries that lead to what is near, if a spatial index has them. */
    public Optional<NearCells> find(IndexFilter.Near near) {
        return spatial(near.path())
                .filter(index -> index.space() == near.shape().space())
                .map(index -> NearCells.of(near, index));
    }

    /** Returns true if the entries at a path are those that the query would make there. */
    private boolean isSame(IndexPath path) {
        if (!isByTheRules) {
            return false;
        }
        if (path.steps().isEmpty()
                || !(path.steps().getFirst() instanceof IndexPath.Step.Property(String name))) {
            return true;
        }
        Optional<ComputedProperty> wanted = computed.definition(name);
        return plans.stream().allMatch(plan -> plan.computed(name).equals(wanted));
    }

    public boolean canFind(IndexFilter.OnPath filter) {
        return isIndexed(filter.path())
                && (!filter.ranges().includesUndefined() || indexesUndefined(filter.path()));
    }
}
