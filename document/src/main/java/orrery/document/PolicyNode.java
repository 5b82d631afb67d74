package orrery.document;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import orrery.document.spatial.SpatialIndex;

/**
 * A place named by a policy, and the places below it. The node nearest to a value decides: going
 * down the tree and letting each node overrule the one above is the rule that the deeper path wins,
 * and asking {@code exact} before {@code subtree} the rule that {@code /?} beats {@code /*}.
 */
final class PolicyNode {
    enum Rule {
        SILENT,
        INCLUDED,
        EXCLUDED;

        boolean decide(boolean inherited) {
            return this == SILENT ? inherited : this == INCLUDED;
        }
    }

    static final int NONE = -1;

    private final Map<String, PolicyNode> properties = new HashMap<>();
    private @Nullable PolicyNode element;

    /** Stands for the properties that have no place of their own. */
    private @Nullable PolicyNode others;

    private Rule exact = Rule.SILENT;
    private Rule subtree = Rule.SILENT;

    /** Number of the explicitly included path that ends here. */
    private int requiredSlot = NONE;

    /** Number of the composite member that ends here. */
    private int compositeSlot = NONE;

    private @Nullable SpatialIndex exactSpatial;
    private @Nullable SpatialIndex subtreeSpatial;

    /** True if a computed property stands here, which only a path of its own names. */
    private boolean isComputed;

    @Nullable PolicyNode property(String name) {
        PolicyNode named = properties.get(name);
        return named == null ? others : named;
    }

    @Nullable PolicyNode element() {
        return element;
    }

    /** Returns true if a value here has a term. */
    boolean isIndexed(boolean inherited) {
        return exact.decide(isSubtreeIndexed(inherited));
    }

    /** Returns true if nodes below inherit an index. */
    boolean isSubtreeIndexed(boolean inherited) {
        return subtree.decide(inherited && !isComputed);
    }

    boolean isComputed() {
        return isComputed;
    }

    /** Returns true if a value here, or below, may have a term. */
    boolean isOfInterest() {
        if (exact == Rule.INCLUDED || subtree == Rule.INCLUDED || compositeSlot != NONE) {
            return true;
        }
        return (element != null && element.isOfInterest())
                || properties.values().stream().anyMatch(PolicyNode::isOfInterest);
    }

    int requiredSlot() {
        return requiredSlot;
    }

    int compositeSlot() {
        return compositeSlot;
    }

    /** Returns the spatial index of a geometry here. */
    @Nullable SpatialIndex spatial(@Nullable SpatialIndex inherited) {
        return exactSpatial != null ? exactSpatial : subtreeSpatial(inherited);
    }

    @Nullable SpatialIndex subtreeSpatial(@Nullable SpatialIndex inherited) {
        return subtreeSpatial != null || isComputed ? subtreeSpatial : inherited;
    }

    // The rest is used while a plan is compiled, and never after.

    PolicyNode at(IndexPath path) {
        PolicyNode node = this;
        for (IndexPath.Step step : path.steps()) {
            node = node.below(step);
        }
        return node;
    }

    private PolicyNode below(IndexPath.Step step) {
        return switch (step) {
            case IndexPath.Step.Property(String name) ->
                    properties.computeIfAbsent(name, _ -> new PolicyNode());
            case IndexPath.Step.Element _ -> {
                PolicyNode known = element;
                if (known == null) {
                    known = new PolicyNode();
                    element = known;
                }
                yield known;
            }
        };
    }

    void forEachProperty(BiConsumer<String, PolicyNode> action) {
        properties.forEach(action);
    }

    void others(PolicyNode node) {
        others = node;
    }

    /** Returns true if what is said of all properties goes for those below this place too. */
    boolean isLikeOthers() {
        return subtree == Rule.SILENT && !isComputed;
    }

    /** Includes the value here, unless something is said of it already. */
    void includeIfSilent() {
        if (isLikeOthers() && exact == Rule.SILENT) {
            exact = Rule.INCLUDED;
        }
    }

    void setComputed() {
        isComputed = true;
    }

    Rule rule(boolean isSubtree) {
        return isSubtree ? subtree : exact;
    }

    void rule(boolean isSubtree, Rule rule) {
        if (isSubtree) {
            subtree = rule;
        } else {
            exact = rule;
        }
    }

    void requiredSlot(int slot) {
        requiredSlot = slot;
    }

    void compositeSlot(int slot) {
        compositeSlot = slot;
    }

    /** False if there is one already. */
    boolean spatial(boolean isSubtree, SpatialIndex index) {
        boolean isFirst = (isSubtree ? subtreeSpatial : exactSpatial) == null;
        if (isSubtree) {
            subtreeSpatial = index;
        } else {
            exactSpatial = index;
        }
        return isFirst;
    }
}
