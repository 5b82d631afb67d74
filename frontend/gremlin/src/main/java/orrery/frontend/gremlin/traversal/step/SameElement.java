package orrery.frontend.gremlin.traversal.step;

import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.PBiPredicate;
import org.apache.tinkerpop.gremlin.structure.Element;

/**
 * Equality that tells elements of one id in different partitions apart, where TinkerPop looks at
 * ids alone. Other values are compared as ever.
 */
enum SameElement implements PBiPredicate<Object, Object> {
    EQ(Compare.eq, true),
    NEQ(Compare.neq, false);

    private final Compare ofOthers;
    private final boolean whenSame;

    SameElement(Compare ofOthers, boolean whenSame) {
        this.ofOthers = ofOthers;
        this.whenSame = whenSame;
    }

    @Override
    public boolean test(Object one, Object other) {
        return (one instanceof Element && other instanceof Element)
                ? one.equals(other) == whenSame
                : ofOthers.test(one, other);
    }

    @Override
    public SameElement negate() {
        return this == EQ ? NEQ : EQ;
    }

    /** Shows it as TinkerPop shows its own. */
    @Override
    public String toString() {
        return ofOthers.toString();
    }
}
