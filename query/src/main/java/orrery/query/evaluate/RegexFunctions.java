package orrery.query.evaluate;

import java.util.ArrayList;
import java.util.List;
import orrery.document.Value;
import orrery.query.regex.RegexOwner;
import orrery.query.regex.RegexPattern;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.QueryError;

/** Functions with regular expressions. A constant pattern is compiled once for all rows. */
final class RegexFunctions {
    private static final Value UNDEFINED = Value.Undefined.UNDEFINED;

    private final BuiltIn function;
    private final RegexOwner owner;
    private final Expression subject;
    private final Expression pattern;
    private final Expression modifiers;

    /** The number of a group, or the replacement. */
    private final Expression detail;

    private RegexFunctions(BuiltIn function, Expression[] arguments) {
        this.function = function;
        this.owner = new RegexOwner(function.toString(), QueryError::engine);
        this.subject = arguments[0];
        this.pattern = arguments[1];
        int modifiersAt = isReplacing() ? 3 : 2;
        int detailAt = isReplacing() ? 2 : 3;
        this.modifiers = argument(arguments, modifiersAt, Value.of(""));
        this.detail = argument(arguments, detailAt, Value.of(0));
    }

    private static Expression argument(Expression[] arguments, int at, Value otherwise) {
        return at < arguments.length ? arguments[at] : new Expression.Constant(otherwise);
    }

    private boolean isReplacing() {
        return function == BuiltIn.REGEXREPLACE || function == BuiltIn.REGEXREPLACEALL;
    }

    static Expression compile(BuiltIn function, Expression[] arguments) {
        return new RegexFunctions(function, arguments).compile();
    }

    private Expression compile() {
        if (pattern instanceof Expression.Constant(Value.Text(String wanted))
                && modifiers instanceof Expression.Constant(Value.Text(String flags))) {
            RegexPattern compiled = RegexPattern.compile(owner, wanted, flags);
            return row -> apply(row, compiled);
        }
        return row ->
                pattern.evaluate(row) instanceof Value.Text(String wanted)
                                && modifiers.evaluate(row) instanceof Value.Text(String flags)
                        ? apply(row, RegexPattern.compile(owner, wanted, flags))
                        : UNDEFINED;
    }

    private Value apply(Bindings row, RegexPattern compiled) {
        if (!(subject.evaluate(row) instanceof Value.Text(String text))) {
            return UNDEFINED;
        }
        RegexPattern.Finder finder = compiled.finder(text, row::countWork);
        Value made =
                switch (function) {
                    case REGEXMATCH -> Value.of(finder.next().getAsBoolean());
                    case REGEXEXTRACT, REGEXEXTRACTALL -> extract(row, compiled, finder, text);
                    case REGEXREPLACE, REGEXREPLACEALL ->
                            detail.evaluate(row) instanceof Value.Text(String replacement)
                                    ? replace(finder, text, replacement)
                                    : UNDEFINED;
                    default ->
                            throw new IllegalStateException("no regular expression: " + function);
                };
        row.countMade(made);
        return made;
    }

    private Value extract(
            Bindings row, RegexPattern compiled, RegexPattern.Finder finder, String text) {
        if (!(detail.evaluate(row) instanceof Value.Int(long wanted))
                || wanted < 0
                || wanted > compiled.groups()) {
            return UNDEFINED;
        }
        int group = (int) wanted;
        if (function == BuiltIn.REGEXEXTRACT) {
            return finder.next().getAsBoolean() ? found(finder, group, text) : UNDEFINED;
        }
        List<Value> all = new ArrayList<>();
        while (finder.next().getAsBoolean()) {
            row.countStep();
            all.add(found(finder, group, text));
        }
        return new Value.Array(all);
    }

    /** A group that took no part in the match is as empty as one that matched nothing. */
    private static Value found(RegexPattern.Finder finder, int group, String text) {
        int start = finder.start().applyAsInt(group);
        return Value.of(start < 0 ? "" : text.substring(start, finder.end().applyAsInt(group)));
    }

    private Value replace(RegexPattern.Finder finder, String text, String replacement) {
        BoundedText result = new BoundedText();
        int from = 0;
        while (finder.next().getAsBoolean()) {
            result.append(text.substring(from, finder.start().applyAsInt(0))).append(replacement);
            from = finder.end().applyAsInt(0);
            if (function == BuiltIn.REGEXREPLACE) {
                break;
            }
        }
        return result.append(text.substring(from)).toValue();
    }
}
