package orrery.query.grammar;

import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.TokenStream;

/**
 * Counts the rules that are entered and not yet left, which is how deep the parser has called
 * itself, and stops before the stack overflows.
 */
public abstract class BoundedParser extends Parser {
    /**
     * A pair of parentheses costs six rules, so this allows 160 of them inside each other. Parsing
     * them and walking the tree takes at most 420 KB of stack, measured with the quick compiler,
     * whose frames are the largest.
     */
    private static final int MAX_RULES = 1000;

    private int depth;

    protected BoundedParser(TokenStream input) {
        super(input);
    }

    /** Thrown instead of a stack overflow. */
    public static final class TooDeepException extends RuntimeException {
        TooDeepException() {
            super("nested too deeply", null, false, false);
        }
    }

    @Override
    public void enterRule(ParserRuleContext context, int state, int ruleIndex) {
        descend();
        super.enterRule(context, state, ruleIndex);
    }

    @Override
    public void enterRecursionRule(
            ParserRuleContext context, int state, int ruleIndex, int precedence) {
        descend();
        super.enterRecursionRule(context, state, ruleIndex, precedence);
    }

    @Override
    public void exitRule() {
        super.exitRule();
        depth--;
    }

    @Override
    public void unrollRecursionContexts(ParserRuleContext parent) {
        super.unrollRecursionContexts(parent);
        depth--;
    }

    private void descend() {
        if (++depth > MAX_RULES) {
            throw new TooDeepException();
        }
    }
}
