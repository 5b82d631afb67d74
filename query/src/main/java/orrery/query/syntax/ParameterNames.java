package orrery.query.syntax;

import java.util.Set;
import java.util.TreeSet;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Token;
import orrery.query.grammar.CosmosSqlLexer;

/** Finds the parameters that a text names, also where the text is no query. */
public final class ParameterNames {
    private ParameterNames() {}

    /** Returns the names, with the {@code @} before them. */
    public static Set<String> of(String text) {
        CosmosSqlLexer lexer = new CosmosSqlLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        Set<String> names = new TreeSet<>();
        for (Token token = lexer.nextToken();
                token.getType() != Token.EOF;
                token = lexer.nextToken()) {
            if (token.getType() == CosmosSqlLexer.PARAMETER) {
                names.add(token.getText());
            }
        }
        return names;
    }
}
