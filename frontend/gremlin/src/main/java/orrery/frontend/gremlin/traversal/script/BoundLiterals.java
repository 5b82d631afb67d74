package orrery.frontend.gremlin.traversal.script;

import static orrery.frontend.gremlin.traversal.script.DialectTokens.like;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinLexer;
import org.jspecify.annotations.Nullable;
import orrery.tinkerpop.antlr.Token;

/**
 * Writes the values of variables as literals. The grammar takes variables in some places only, and
 * clients of the service send them anywhere: {@code g.V([pk, id])}, {@code has(key, value)}. Values
 * that no literal has stay variables.
 */
final class BoundLiterals {
    private BoundLiterals() {}

    static List<Token> write(List<Token> tokens, Map<String, Object> bindings) {
        if (bindings.isEmpty()) {
            return tokens;
        }
        List<Token> out = new ArrayList<>(tokens.size());
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            boolean isVariable = bindings.containsKey(token.getText()) && isAlone(tokens, i);
            out.add(isVariable ? literal(token, bindings.get(token.getText())) : token);
        }
        return out;
    }

    /** An element of a list or an argument as a whole, and no part of an expression. */
    private static boolean isAlone(List<Token> tokens, int at) {
        int before = at > 0 ? tokens.get(at - 1).getType() : Token.EOF;
        int behind = at + 1 < tokens.size() ? tokens.get(at + 1).getType() : Token.EOF;
        return (before == GremlinLexer.LBRACK
                        || before == GremlinLexer.LPAREN
                        || before == GremlinLexer.COMMA)
                && (behind == GremlinLexer.RBRACK
                        || behind == GremlinLexer.RPAREN
                        || behind == GremlinLexer.COMMA);
    }

    private static Token literal(Token place, @Nullable Object value) {
        return switch (value) {
            case null -> like(place, GremlinLexer.K_NULL, "null");
            case String text when text.isEmpty() ->
                    like(place, GremlinLexer.EmptyStringLiteral, "''");
            case String text -> like(place, GremlinLexer.NonEmptyStringLiteral, quoted(text));
            case Boolean truth ->
                    like(
                            place,
                            truth ? GremlinLexer.K_TRUE : GremlinLexer.K_FALSE,
                            truth.toString());
            case Integer number -> like(place, GremlinLexer.IntegerLiteral, number.toString());
            case Long number -> like(place, GremlinLexer.IntegerLiteral, number + "l");
            case Double number when Double.isFinite(number) ->
                    like(place, GremlinLexer.FloatingPointLiteral, number + "d");
            default -> place;
        };
    }

    /** A literal that reads as the text, whatever characters it has. */
    private static String quoted(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('\'');
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each < ' ' || each == '\'' || each == '"' || each == '\\' || each > '~') {
                out.append(String.format("\\u%04x", (int) each));
            } else {
                out.append(each);
            }
        }
        return out.append('\'').toString();
    }
}
