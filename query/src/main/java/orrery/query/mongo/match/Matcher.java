package orrery.query.mongo.match;

import java.util.OptionalInt;
import orrery.document.Value;
import orrery.query.dialect.Effort;
import orrery.query.mongo.MongoOrder;

/** A filter made ready. Immutable and safe to share. */
public final class Matcher {
    private final Condition condition;
    private final MongoOrder order;

    private Matcher(Condition condition, MongoOrder order) {
        this.condition = condition;
        this.order = order;
    }

    /**
     * Reads a filter.
     *
     * @throws orrery.model.OrreryException with MongoDB's code for what is none, or is not
     *     supported
     */
    public static Matcher compile(Value.Obj filter, MatchContext context) {
        return new Matcher(new FilterParser(context).document(filter), context.order());
    }

    /**
     * Reads the operand of {@code $elemMatch}.
     *
     * @return finds the first element that passes, or none
     */
    public static ElementFinder compileElemMatch(Value operand, MatchContext context) {
        ValueTest test = new FilterParser(context).elementTest(operand);
        return array -> {
            Scope scope = new Scope(context.order(), new Effort());
            return test.passes(array, scope) ? scope.found() : OptionalInt.empty();
        };
    }

    /** Finds the first element of an array that meets a condition. Safe to share. */
    public interface ElementFinder {
        OptionalInt find(Value.Array array);
    }

    /** Returns the filter as it was read. */
    public Condition condition() {
        return condition;
    }

    public boolean matches(Value document) {
        return matches(document, new Effort());
    }

    /**
     * @param effort counts what it takes
     */
    public boolean matches(Value document, Effort effort) {
        return condition.matches(document, new Scope(order, effort));
    }

    public Match match(Value.Obj document) {
        Scope scope = new Scope(order, new Effort());
        boolean isMatch = condition.matches(document, scope);
        return new Match(isMatch, isMatch ? scope.found() : OptionalInt.empty());
    }
}
