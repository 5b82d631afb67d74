package orrery.query.syntax;

import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.antlr.v4.runtime.BailErrorStrategy;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import orrery.model.OrreryException;
import orrery.query.grammar.BoundedParser;
import orrery.query.grammar.CosmosSqlLexer;
import orrery.query.grammar.CosmosSqlParser;

/**
 * Query text to syntax tree. Whatever the text, the outcome is a tree that can be walked by plain
 * recursion, or an exception in the service's words.
 */
public final class QueryParser {
    /** In UTF-16 units; what the service announces as {@code maxSqlQueryInputLength}. */
    public static final int MAX_TEXT = 512 * 1024;

    /**
     * Room for the values of an IN list of a quarter of a million, or for sixty thousand
     * comparisons: more than a text has that is not made of single characters.
     */
    public static final int MAX_NODES = 250_000;

    // Enough of an invalid token to find it by.
    private static final int MAX_QUOTED = 64;

    private QueryParser() {}

    public static Query query(String text) {
        return parse(text, CosmosSqlParser::statement, SyntaxBuilder::statement, SyntaxSize::of);
    }

    /** A query without its SELECT: {@code FROM c WHERE ...}. */
    public static Condition condition(String text) {
        return parse(text, CosmosSqlParser::condition, SyntaxBuilder::condition, SyntaxSize::of);
    }

    /** A bare expression over the given aliases. */
    public static Scalar scalar(String text, Set<String> aliases) {
        return parse(
                text,
                CosmosSqlParser::expression,
                (builder, tree) -> builder.expression(tree, aliases),
                SyntaxSize::of);
    }

    private static <C, T> T parse(
            String text,
            Function<CosmosSqlParser, C> rule,
            BiFunction<SyntaxBuilder, C, T> build,
            ToIntFunction<T> size) {
        if (text.length() > MAX_TEXT) {
            throw QueryError.engine(
                    "The SQL query text exceeded the maximum limit of "
                            + MAX_TEXT
                            + " characters.");
        }
        var lexer = new CosmosSqlLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        var parser = new CosmosSqlParser(new CommonTokenStream(lexer));
        parser.removeErrorListeners();
        parser.setErrorHandler(new BailErrorStrategy());
        parser.setTrimParseTree(true);
        // The grammar never needs its callers to choose between alternatives, and asking them
        // would cost a walk up the stack.
        parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
        try {
            T tree = build.apply(new SyntaxBuilder(text), rule.apply(parser));
            // A node takes a character at least.
            if (text.length() > MAX_NODES && size.applyAsInt(tree) > MAX_NODES) {
                throw QueryError.engine(
                        "The SQL query exceeded the maximum limit of "
                                + MAX_NODES
                                + " expressions. Pass long lists as a parameter, or ask in"
                                + " several queries.");
            }
            return tree;
        } catch (ParseCancellationException e) {
            throw syntaxError(text, e);
        } catch (BoundedParser.TooDeepException e) {
            throw tooDeep();
        }
    }

    static OrreryException tooDeep() {
        return QueryError.engine("The query is nested too deeply.");
    }

    private static OrreryException syntaxError(String text, ParseCancellationException e) {
        if (!(e.getCause() instanceof RecognitionException cause)) {
            throw e;
        }
        Token token = cause.getOffendingToken();
        if (token.getType() == Token.EOF) {
            return QueryError.at(
                    text.length(),
                    text.length(),
                    "SC1002",
                    "Syntax error, unexpected end-of-file.");
        }
        boolean isInvalid =
                token.getType() == CosmosSqlLexer.INVALID
                        || token.getType() == CosmosSqlLexer.UNCLOSED;
        String quoted = token.getText();
        if (quoted.length() > MAX_QUOTED) {
            quoted = quoted.substring(0, MAX_QUOTED);
        }
        return QueryError.at(
                start(text, token),
                end(text, token),
                isInvalid ? "SC1010" : "SC1001",
                isInvalid
                        ? "Syntax error, invalid token '" + quoted + "'."
                        : "Syntax error, incorrect syntax near '" + quoted + "'.");
    }

    // ANTLR counts code points, clients count UTF-16 units.

    static int start(String text, Token token) {
        return text.offsetByCodePoints(0, token.getStartIndex());
    }

    static int end(String text, Token token) {
        return text.offsetByCodePoints(0, token.getStopIndex() + 1);
    }
}
