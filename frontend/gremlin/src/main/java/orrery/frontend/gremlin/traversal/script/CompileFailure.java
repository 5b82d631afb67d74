package orrery.frontend.gremlin.traversal.script;

import orrery.frontend.gremlin.traversal.GraphException;
import orrery.tinkerpop.antlr.Token;

/** The words that the service has for what is wrong with a script. */
final class CompileFailure {
    private static final int SHOWN_CHARS = 200;

    private CompileFailure() {}

    static GraphException noMethod(String name) {
        return of("Unable to find any method '" + name + "'.");
    }

    static GraphException noMethod(Token at) {
        return of("Unable to find any method '" + at.getText() + "'" + place(at));
    }

    static GraphException noSymbol(Token at) {
        return of(
                "Unable to resolve symbol '"
                        + at.getText()
                        + "' in the current context."
                        + place(at));
    }

    static GraphException unexpected(Token at, String script) {
        String shown =
                script.length() > SHOWN_CHARS ? script.substring(0, SHOWN_CHARS) + "..." : script;
        return of(
                "Script compile error: Unexpected token: '"
                        + (at.getType() == Token.EOF ? "<EOF>" : at.getText())
                        + "'; in input: '"
                        + shown
                        + "'."
                        + place(at));
    }

    static GraphException of(String message) {
        return new GraphException(GraphException.Fault.COMPILE, message);
    }

    /** Lines and columns begin at 1. */
    static String place(Token at) {
        return " @ line " + at.getLine() + ", column " + (at.getCharPositionInLine() + 1) + ".";
    }
}
