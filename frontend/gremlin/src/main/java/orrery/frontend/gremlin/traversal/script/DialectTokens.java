package orrery.frontend.gremlin.traversal.script;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinLexer;
import orrery.tinkerpop.antlr.CommonToken;
import orrery.tinkerpop.antlr.Token;

/**
 * Turns the tokens of the service's dialect into those of TinkerPop's grammar. Tokens that stay
 * keep their places, so that errors name those of the text. What the grammar lacks altogether
 * becomes a setting of the script.
 */
final class DialectTokens {
    private static final String PROJECTION = "ProjectionStrategy";
    private static final String PARTITION = "PartitionStrategy";

    /** The strategies that scripts may add. */
    private static final Set<String> STRATEGIES =
            Set.of(PARTITION, PROJECTION, "ReadOnlyStrategy", "SubgraphStrategy", "SeedStrategy");

    private final List<Token> in;
    private final Map<String, Object> bindings;
    private final List<Token> out = new ArrayList<>();
    private final Set<String> systemProperties = new LinkedHashSet<>();
    private boolean isProfiled;
    private int at;
    private int depth;

    private DialectTokens(List<Token> in, Map<String, Object> bindings) {
        this.in = in;
        this.bindings = bindings;
    }

    /**
     * The tokens of a script.
     *
     * @param isProfiled whether the script asks how it is carried out
     * @param systemProperties what it wants to see of the service's own properties
     */
    record Rewritten(List<Token> tokens, boolean isProfiled, Set<String> systemProperties) {}

    /**
     * @param tokens without those that the parser does not see, and with the one for the end
     */
    static Rewritten rewrite(List<Token> tokens, Map<String, Object> bindings) {
        DialectTokens dialect = new DialectTokens(tokens, bindings);
        dialect.run();
        return new Rewritten(dialect.out, dialect.isProfiled, dialect.systemProperties);
    }

    private void run() {
        while (at < in.size()) {
            Token token = in.get(at);
            switch (token.getType()) {
                case GremlinLexer.LPAREN, GremlinLexer.LBRACK, GremlinLexer.LBRACE -> depth++;
                case GremlinLexer.RPAREN, GremlinLexer.RBRACK, GremlinLexer.RBRACE -> depth--;
                default -> {}
            }
            if (!rewrites(token)) {
                out.add(token);
                at++;
            }
        }
    }

    /** Returns true if it has taken the token and perhaps others behind it. */
    private boolean rewrites(Token token) {
        String text = token.getText();
        if (isVariable(token)) {
            out.add(like(token, GremlinLexer.Identifier, text));
            at++;
            return true;
        }
        switch (token.getType()) {
            case GremlinLexer.TRAVERSAL_ROOT -> {
                if (depth > 0 && type(at + 1) == GremlinLexer.DOT) {
                    out.add(like(token, GremlinLexer.ANON_TRAVERSAL_ROOT, "__"));
                    at++;
                    return true;
                }
            }
            case GremlinLexer.K_DECR -> {
                return replace(token, GremlinLexer.K_DESC, "desc");
            }
            case GremlinLexer.K_INCR -> {
                return replace(token, GremlinLexer.K_ASC, "asc");
            }
            default -> {}
        }
        if (type(at + 1) != GremlinLexer.LPAREN) {
            return false;
        }
        boolean isMethod = at > 0 && type(at - 1) == GremlinLexer.DOT;
        if (UnsupportedSteps.NAMES.contains(text)) {
            throw CompileFailure.noMethod(token);
        }
        return switch (text) {
            case "executionProfile" -> isMethod && profile(token);
            case "store" -> store(token);
            case "withStrategies" -> isMethod && withStrategies();
            case "V", "E" -> tuple(token);
            case "with" -> {
                if (at > 1 && type(at - 2) == GremlinLexer.TRAVERSAL_ROOT) {
                    throw CompileFailure.noMethod(token);
                }
                yield false;
            }
            default -> false;
        };
    }

    /** A name that the client has bound is a variable, also where the grammar has it as a word. */
    private boolean isVariable(Token token) {
        if (token.getType() == GremlinLexer.Identifier || !bindings.containsKey(token.getText())) {
            return false;
        }
        int before = at > 0 ? type(at - 1) : Token.EOF;
        int behind = type(at + 1);
        return (before == GremlinLexer.LPAREN
                        || before == GremlinLexer.COMMA
                        || before == GremlinLexer.LBRACK)
                && (behind == GremlinLexer.RPAREN
                        || behind == GremlinLexer.COMMA
                        || behind == GremlinLexer.RBRACK);
    }

    private boolean replace(Token token, int type, String text) {
        out.add(like(token, type, text));
        at++;
        return true;
    }

    /** Only the last call of the script is the profile; anywhere else there is no such method. */
    private boolean profile(Token token) {
        int behind = at + 3;
        boolean isLast =
                type(at + 2) == GremlinLexer.RPAREN
                        && (type(behind) == Token.EOF
                                || (type(behind) == GremlinLexer.SEMI
                                        && type(behind + 1) == Token.EOF));
        if (!isLast || depth > 0) {
            throw CompileFailure.noMethod(token);
        }
        isProfiled = true;
        out.removeLast();
        at = behind;
        return true;
    }

    /** {@code store('x').by(...)} collects one by one: {@code local(aggregate('x').by(...))}. */
    private boolean store(Token token) {
        int end = closing(at + 1);
        while (type(end + 1) == GremlinLexer.DOT
                && in.get(end + 2).getText().equals("by")
                && type(end + 3) == GremlinLexer.LPAREN) {
            end = closing(end + 3);
        }
        List<Token> inner = new ArrayList<>();
        inner.add(like(token, GremlinLexer.K_AGGREGATE, "aggregate"));
        inner.addAll(in.subList(at + 1, end + 1));
        inner.add(like(token, Token.EOF, "<EOF>"));
        DialectTokens rest = new DialectTokens(inner, bindings);
        rest.depth = depth + 1;
        rest.run();
        out.add(like(token, GremlinLexer.K_LOCAL, "local"));
        out.add(like(token, GremlinLexer.LPAREN, "("));
        out.addAll(rest.out.subList(0, rest.out.size() - 1));
        out.add(like(token, GremlinLexer.RPAREN, ")"));
        systemProperties.addAll(rest.systemProperties);
        at = end + 1;
        return true;
    }

    /**
     * {@code V(['pk', 'id'])} names one vertex. TinkerPop would take a list that stands alone for a
     * list of ids; an empty one behind it, which names nothing, keeps it in one piece.
     */
    private boolean tuple(Token token) {
        int end = closing(at + 1);
        boolean isList = type(at + 2) == GremlinLexer.LBRACK && closing(at + 2) == end - 1;
        boolean isBound =
                end == at + 3 && bindings.get(in.get(at + 2).getText()) instanceof List<?>;
        if (!isList && !isBound) {
            return false;
        }
        out.add(token);
        out.addAll(in.subList(at + 1, end));
        if (isBound) {
            out.set(
                    out.size() - 1,
                    like(out.getLast(), GremlinLexer.Identifier, out.getLast().getText()));
        }
        out.add(like(token, GremlinLexer.COMMA, ","));
        out.add(like(token, GremlinLexer.LBRACK, "["));
        out.add(like(token, GremlinLexer.RBRACK, "]"));
        out.add(in.get(end));
        at = end + 1;
        return true;
    }

    // ---- Strategies
    // ------------------------------------------------------------------------------

    private boolean withStrategies() {
        int end = closing(at + 1);
        List<List<Token>> kept = new ArrayList<>();
        for (List<Token> argument : arguments(at + 2, end)) {
            int name = argument.getFirst().getType() == GremlinLexer.K_NEW ? 1 : 0;
            if (argument.size() <= name || !STRATEGIES.contains(argument.get(name).getText())) {
                throw CompileFailure.noSymbol(argument.get(Math.min(name, argument.size() - 1)));
            }
            if (argument.get(name).getText().equals(PROJECTION)) {
                project(argument);
            } else {
                kept.add(built(argument));
            }
        }
        if (kept.isEmpty()) {
            // With the dot before it.
            out.removeLast();
        } else {
            out.addAll(in.subList(at, at + 2));
            for (int i = 0; i < kept.size(); i++) {
                if (i > 0) {
                    out.add(like(in.get(at), GremlinLexer.COMMA, ","));
                }
                out.addAll(kept.get(i));
            }
            out.add(in.get(end));
        }
        at = end + 1;
        return true;
    }

    private void project(List<Token> argument) {
        for (int i = 0; i < argument.size(); i++) {
            if (argument.get(i).getType() == GremlinLexer.NonEmptyStringLiteral) {
                String text = argument.get(i).getText();
                systemProperties.add(text.substring(1, text.length() - 1));
            }
        }
        if (systemProperties.isEmpty()) {
            throw CompileFailure.of(
                    "ProjectionStrategy names the properties of the service that it includes:"
                            + " ProjectionStrategy.build().IncludeSystemProperties('_ts').create()"
                            + CompileFailure.place(argument.getFirst()));
        }
    }

    /** {@code X.build().key(value).create()} becomes {@code new X(key: value)}. */
    private static List<Token> built(List<Token> argument) {
        Token name = argument.getFirst();
        if (argument.size() < 4
                || argument.get(1).getType() != GremlinLexer.DOT
                || !argument.get(2).getText().equals("build")) {
            return argument;
        }
        List<Token> made = new ArrayList<>();
        made.add(like(name, GremlinLexer.K_NEW, "new"));
        made.add(name);
        made.add(like(name, GremlinLexer.LPAREN, "("));
        boolean isFirst = true;
        for (int i = 5; i + 2 < argument.size(); ) {
            Token key = argument.get(i + 1);
            if (argument.get(i).getType() != GremlinLexer.DOT
                    || argument.get(i + 2).getType() != GremlinLexer.LPAREN) {
                throw CompileFailure.noMethod(key);
            }
            int end = closing(argument, i + 2);
            if (!key.getText().equals("create")) {
                if (!isFirst) {
                    made.add(like(key, GremlinLexer.COMMA, ","));
                }
                isFirst = false;
                boolean isList = key.getText().equals("readPartitions");
                made.add(key);
                made.add(like(key, GremlinLexer.COLON, ":"));
                if (isList) {
                    made.add(like(key, GremlinLexer.LBRACK, "["));
                }
                made.addAll(argument.subList(i + 3, end));
                if (isList) {
                    made.add(like(key, GremlinLexer.RBRACK, "]"));
                }
            }
            i = end + 1;
        }
        made.add(like(name, GremlinLexer.RPAREN, ")"));
        return made;
    }

    private List<List<Token>> arguments(int from, int end) {
        List<List<Token>> arguments = new ArrayList<>();
        int start = from;
        int open = 0;
        for (int i = from; i <= end; i++) {
            int type = type(i);
            if (i == end || (open == 0 && type == GremlinLexer.COMMA)) {
                if (start < i) {
                    arguments.add(in.subList(start, i));
                }
                start = i + 1;
            } else if (type == GremlinLexer.LPAREN || type == GremlinLexer.LBRACK) {
                open++;
            } else if (type == GremlinLexer.RPAREN || type == GremlinLexer.RBRACK) {
                open--;
            }
        }
        return arguments;
    }

    // ---- Tokens
    // ----------------------------------------------------------------------------------

    private int type(int index) {
        return index < in.size() ? in.get(index).getType() : Token.EOF;
    }

    private int closing(int open) {
        return closing(in, open);
    }

    /**
     * The place of the bracket that closes the one at a place; the parser tells of one that is
     * missing.
     */
    private static int closing(List<Token> tokens, int open) {
        int left = 0;
        for (int i = open; i < tokens.size(); i++) {
            switch (tokens.get(i).getType()) {
                case GremlinLexer.LPAREN, GremlinLexer.LBRACK, GremlinLexer.LBRACE -> left++;
                case GremlinLexer.RPAREN, GremlinLexer.RBRACK, GremlinLexer.RBRACE -> left--;
                default -> {}
            }
            if (left == 0) {
                return i;
            }
        }
        throw CompileFailure.unexpected(tokens.getLast(), tokens.get(open).getText());
    }

    /** Another token at the place of this one. */
    static Token like(Token place, int type, String text) {
        CommonToken token = new CommonToken(place);
        token.setType(type);
        token.setText(text);
        return token;
    }
}
