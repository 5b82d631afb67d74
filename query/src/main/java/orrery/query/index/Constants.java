package orrery.query.index;

import java.util.Optional;
import orrery.document.Value;
import orrery.model.TermRules;
import orrery.query.evaluate.Bindings;
import orrery.query.evaluate.Evaluator;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.Scalar;

/** The values of expressions that are the same for every item. */
public final class Constants {
    private final Evaluator evaluator;
    private final TermRules rules;

    /**
     * @param rules by which the index that is looked into was made
     */
    public Constants(Evaluator evaluator, TermRules rules) {
        this.evaluator = evaluator;
        this.rules = rules;
    }

    TermRules rules() {
        return rules;
    }

    Evaluator evaluator() {
        return evaluator;
    }

    Optional<Value> find(Scalar scalar) {
        return scalar.isConstant() && isStable(scalar)
                ? Optional.of(evaluator.evaluate(scalar, Bindings.of(Value.Undefined.UNDEFINED)))
                : Optional.empty();
    }

    private static boolean isStable(Scalar scalar) {
        if (scalar instanceof Scalar.Call(BuiltIn function, _) && isVolatile(function)) {
            return false;
        }
        boolean isStable = true;
        for (Scalar child : scalar.children()) {
            isStable = isStable && isStable(child);
        }
        return isStable;
    }

    /** Returns true if two calls with the same arguments may answer differently. */
    static boolean isVolatile(BuiltIn function) {
        return switch (function) {
            case RAND,
                    AGO,
                    NOW,
                    GETCURRENTDATETIME,
                    GETCURRENTTICKS,
                    GETCURRENTTIMESTAMP,
                    GETCURRENTDATETIMESTATIC,
                    GETCURRENTTICKSSTATIC,
                    GETCURRENTTIMESTAMPSTATIC ->
                    true;
            default -> false;
        };
    }
}
