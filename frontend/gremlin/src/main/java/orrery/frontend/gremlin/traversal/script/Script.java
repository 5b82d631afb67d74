package orrery.frontend.gremlin.traversal.script;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinAntlrToJava;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinLexer;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinParser;
import org.apache.tinkerpop.gremlin.language.grammar.TraversalRootVisitor;
import org.apache.tinkerpop.gremlin.language.grammar.VariableResolver;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.jspecify.annotations.Nullable;
import orrery.frontend.gremlin.traversal.GraphException;
import orrery.tinkerpop.antlr.BailErrorStrategy;
import orrery.tinkerpop.antlr.BaseErrorListener;
import orrery.tinkerpop.antlr.CharStreams;
import orrery.tinkerpop.antlr.CommonTokenStream;
import orrery.tinkerpop.antlr.DefaultErrorStrategy;
import orrery.tinkerpop.antlr.ListTokenSource;
import orrery.tinkerpop.antlr.RecognitionException;
import orrery.tinkerpop.antlr.Recognizer;
import orrery.tinkerpop.antlr.Token;
import orrery.tinkerpop.antlr.atn.PredictionMode;
import orrery.tinkerpop.antlr.misc.ParseCancellationException;

/** A script of the Gremlin language that was parsed: statements, of which the last one answers. */
public final class Script {
    /** The service's limit. */
    public static final int MAX_BYTES = 64 << 10;

    /** The parser recurses, and goes down this far. */
    private static final int MAX_DEPTH = 100;

    /** The calls of one script, modulators among them: the parser recurses for each. */
    private static final int MAX_CALLS = 2000;

    private final String text;
    private final GremlinParser.QueryListContext tree;
    private final DialectTokens.Rewritten tokens;

    private Script(
            String text, GremlinParser.QueryListContext tree, DialectTokens.Rewritten tokens) {
        this.text = text;
        this.tree = tree;
        this.tokens = tokens;
    }

    /** The part of a statement's results that its last call wants. */
    public sealed interface Wanted {
        /** All of them. */
        record All() implements Wanted {}

        /** None: the statement is carried out for what it does. */
        record Nothing() implements Wanted {}

        /** The first ones. */
        record First(long count) implements Wanted {}

        /** True or false: there is one, or none. */
        record Any() implements Wanted {}
    }

    /** A traversal, whose steps are not yet those that a graph carries out. */
    public record Statement(Traversal.Admin<?, ?> traversal, Wanted wanted) {}

    /** Throws for a text that is no script. */
    public static Script parse(String text, Map<String, Object> bindings) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw new GraphException(
                    GraphException.Fault.MALFORMED,
                    "A script may have %d bytes, and this one has %d. Send values as bindings."
                            .formatted(MAX_BYTES, bytes));
        }
        DialectTokens.Rewritten tokens =
                DialectTokens.rewrite(
                        BoundLiterals.write(checked(read(text), text), bindings), bindings);
        return new Script(text, tree(tokens.tokens(), text), tokens);
    }

    /** Returns true if the script asks how it is carried out, and not for its results. */
    public boolean isProfiled() {
        return tokens.isProfiled();
    }

    /** Returns the names of the service's own properties that its answer shows. */
    public Set<String> systemProperties() {
        return tokens.systemProperties();
    }

    private static List<Token> read(String text) {
        GremlinLexer lexer = new GremlinLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        lexer.addErrorListener(
                new BaseErrorListener() {
                    @Override
                    public void syntaxError(
                            Recognizer<?, ?> recognizer,
                            @Nullable Object symbol,
                            int line,
                            int column,
                            String message,
                            @Nullable RecognitionException cause) {
                        throw CompileFailure.of(
                                "Script compile error: %s. @ line %d, column %d."
                                        .formatted(message, line, column + 1));
                    }
                });
        List<Token> tokens = new ArrayList<>();
        for (Token token = lexer.nextToken(); ; token = lexer.nextToken()) {
            if (token.getChannel() == Token.DEFAULT_CHANNEL) {
                tokens.add(token);
            }
            if (token.getType() == Token.EOF) {
                return tokens;
            }
        }
    }

    private static List<Token> checked(List<Token> tokens, String text) {
        int depth = 0;
        int calls = 0;
        for (Token token : tokens) {
            switch (token.getType()) {
                case GremlinLexer.LPAREN, GremlinLexer.LBRACK, GremlinLexer.LBRACE -> {
                    depth++;
                    calls++;
                }
                case GremlinLexer.RPAREN, GremlinLexer.RBRACK, GremlinLexer.RBRACE -> depth--;
                default -> {}
            }
            if (depth < 0) {
                throw CompileFailure.unexpected(token, text);
            }
            if (depth > MAX_DEPTH) {
                throw limit("A script may be nested %d levels deep.".formatted(MAX_DEPTH));
            }
        }
        if (depth > 0) {
            throw CompileFailure.unexpected(tokens.getLast(), text);
        }
        if (calls > MAX_CALLS) {
            throw limit(
                    "A script may have %d calls and lists, and this one has %d."
                            .formatted(MAX_CALLS, calls));
        }
        return tokens;
    }

    private static GraphException limit(String message) {
        return new GraphException(GraphException.Fault.LIMIT, message);
    }

    private static GremlinParser.QueryListContext tree(List<Token> tokens, String text) {
        GremlinParser parser =
                new GremlinParser(new CommonTokenStream(new ListTokenSource(tokens)));
        parser.removeErrorListeners();
        parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
        parser.setErrorHandler(new BailErrorStrategy());
        try {
            return parser.queryList();
        } catch (ParseCancellationException perhapsAmbiguous) {
            // The faster of ANTLR's two ways does not read everything that the grammar allows.
            parser.reset();
            parser.getInterpreter().setPredictionMode(PredictionMode.LL);
            parser.setErrorHandler(new DefaultErrorStrategy());
            parser.addErrorListener(new Failures(tokens, text));
            return parser.queryList();
        }
    }

    /** Tells of the first token that does not fit. */
    private static final class Failures extends BaseErrorListener {
        private final List<Token> tokens;
        private final String text;

        private Failures(List<Token> tokens, String text) {
            this.tokens = tokens;
            this.text = text;
        }

        @Override
        public void syntaxError(
                Recognizer<?, ?> recognizer,
                @Nullable Object symbol,
                int line,
                int column,
                String message,
                @Nullable RecognitionException cause) {
            Token token = symbol instanceof Token there ? there : tokens.getLast();
            int at = token.getTokenIndex();
            boolean isCall =
                    at >= 0
                            && at + 1 < tokens.size()
                            && tokens.get(at + 1).getType() == GremlinLexer.LPAREN
                            && Character.isJavaIdentifierStart(token.getText().charAt(0));
            if (isCall) {
                throw CompileFailure.noMethod(token);
            }
            if (token.getType() == GremlinLexer.Identifier) {
                throw CompileFailure.noSymbol(token);
            }
            throw CompileFailure.unexpected(token, text);
        }
    }

    /** Makes the traversals of its statements. */
    public List<Statement> statements(GraphTraversalSource source, Map<String, Object> bindings) {
        VariableResolver<Object> variables =
                (name, place) -> {
                    if (!bindings.containsKey(name)) {
                        throw CompileFailure.noSymbol(place.getStart());
                    }
                    return bindings.get(name);
                };
        GremlinAntlrToJava visitor = new GremlinAntlrToJava(source, variables);
        List<Statement> statements = new ArrayList<>();
        for (GremlinParser.QueryContext query : tree.query()) {
            if (query.emptyQuery() != null) {
                continue;
            }
            if (query.rootTraversal() == null || query.K_TOSTRING() != null) {
                throw CompileFailure.unexpected(query.getStart(), text);
            }
            statements.add(
                    new Statement(
                            traversal(query.rootTraversal(), visitor),
                            wanted(query.traversalTerminalMethod())));
        }
        if (statements.isEmpty()) {
            throw CompileFailure.of("The script is empty.");
        }
        return statements;
    }

    private static Traversal.Admin<?, ?> traversal(
            GremlinParser.RootTraversalContext tree, GremlinAntlrToJava visitor) {
        try {
            Traversal.Admin<?, ?> traversal =
                    new TraversalRootVisitor<>(visitor).visitRootTraversal(tree).asAdmin();
            TraversalRules.check(traversal);
            return traversal;
        } catch (GraphException ours) {
            throw ours;
        } catch (RuntimeException refused) {
            // The grammar allows it, and a step does not take it.
            throw CompileFailure.of(
                    String.valueOf(refused.getMessage()) + CompileFailure.place(tree.getStart()));
        }
    }

    private static Wanted wanted(GremlinParser.@Nullable TraversalTerminalMethodContext last) {
        if (last == null || last.traversalTerminalMethod_toList() != null) {
            return new Wanted.All();
        }
        if (last.traversalTerminalMethod_iterate() != null) {
            return new Wanted.Nothing();
        }
        if (last.traversalTerminalMethod_hasNext() != null) {
            return new Wanted.Any();
        }
        if (last.traversalTerminalMethod_next() != null) {
            return new Wanted.First(
                    number(last.traversalTerminalMethod_next().getText()).orElse(1));
        }
        throw CompileFailure.noMethod(last.getStart());
    }

    /** The number between the parentheses of {@code next(5)}. */
    private static OptionalLong number(String call) {
        String digits = call.substring(call.indexOf('(') + 1, call.lastIndexOf(')'));
        try {
            return digits.isEmpty()
                    ? OptionalLong.empty()
                    : OptionalLong.of(Integer.decode(digits));
        } catch (NumberFormatException notOne) {
            throw CompileFailure.of("next() takes a number, and " + digits + " is none.");
        }
    }
}
