package orrery.frontend.table;

import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.antlr.v4.runtime.BailErrorStrategy;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import orrery.document.edm.EdmValue;
import orrery.frontend.table.grammar.TableFilterLexer;
import orrery.frontend.table.grammar.TableFilterParser;
import orrery.frontend.table.grammar.TableFilterParser.CallContext;
import orrery.frontend.table.grammar.TableFilterParser.ComparisonContext;
import orrery.frontend.table.grammar.TableFilterParser.ConditionContext;
import orrery.frontend.table.grammar.TableFilterParser.ConjunctionContext;
import orrery.frontend.table.grammar.TableFilterParser.ConstantContext;
import orrery.frontend.table.grammar.TableFilterParser.DisjunctionContext;
import orrery.frontend.table.grammar.TableFilterParser.GroupContext;
import orrery.frontend.table.grammar.TableFilterParser.NegationContext;
import orrery.frontend.table.grammar.TableFilterParser.OperandContext;
import orrery.frontend.table.grammar.TableFilterParser.PropertyContext;
import orrery.frontend.table.grammar.TableFilterParser.SumContext;
import orrery.model.Bytes;
import orrery.query.grammar.BoundedParser;
import orrery.query.table.TableFilter;
import orrery.query.table.TableFilter.Operator;

/** The text of {@code $filter} to its tree. Whatever the text, it is a tree or a refusal. */
final class FilterParser {
    /** In UTF-16 units. */
    static final int MAX_TEXT = 64 << 10;

    // Enough of an invalid token to find it by.
    private static final int MAX_QUOTED = 64;

    /** Infinity has the name of OData, and that of clients which print numbers by themselves. */
    private static final Map<String, Double> WORDS =
            Map.of(
                    "NaN", Double.NaN,
                    "INF", Double.POSITIVE_INFINITY,
                    "Infinity", Double.POSITIVE_INFINITY);

    private final String text;

    private FilterParser(String text) {
        this.text = text;
    }

    static TableFilter parse(String text) {
        if (text.length() > MAX_TEXT) {
            throw invalid("It has more than " + MAX_TEXT + " characters.");
        }
        return new FilterParser(text).parse();
    }

    private TableFilter parse() {
        var lexer = new TableFilterLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        var parser = new TableFilterParser(new CommonTokenStream(lexer));
        parser.removeErrorListeners();
        parser.setErrorHandler(new BailErrorStrategy());
        parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
        try {
            return disjunction(parser.filter().disjunction());
        } catch (ParseCancellationException fault) {
            throw syntaxError(fault);
        } catch (BoundedParser.TooDeepException fault) {
            throw invalid("It is nested too deeply.");
        }
    }

    private TableException syntaxError(ParseCancellationException fault) {
        if (!(fault.getCause() instanceof RecognitionException cause)) {
            throw fault;
        }
        Token token = cause.getOffendingToken();
        if (token.getType() == Token.EOF) {
            return invalid("It ends where a property, a constant or an operator is missing.");
        }
        return invalid("'%s' is not expected %s.".formatted(shown(token.getText()), place(token)));
    }

    private static String shown(String token) {
        return token.length() > MAX_QUOTED ? token.substring(0, MAX_QUOTED) + "…" : token;
    }

    /** ANTLR counts code points, clients count UTF-16 units; the first one is number 1. */
    private String place(Token token) {
        return "at character " + (text.offsetByCodePoints(0, token.getStartIndex()) + 1);
    }

    static TableException invalid(String reason) {
        return TableException.of(
                TableErrorCode.INVALID_INPUT, "The filter is not valid. " + reason);
    }

    private static TableException notBuilt(String what) {
        return TableException.of(
                TableErrorCode.NOT_IMPLEMENTED,
                what
                        + " cannot stand in a filter: one compares a property with a constant, by"
                        + " eq, ne, gt, ge, lt and le.");
    }

    private TableFilter disjunction(DisjunctionContext tree) {
        return combined(tree.conjunction(), this::conjunction, TableFilter.Or::new);
    }

    private TableFilter conjunction(ConjunctionContext tree) {
        return combined(tree.condition(), this::condition, TableFilter.And::new);
    }

    private static <C> TableFilter combined(
            List<C> trees,
            Function<C, TableFilter> build,
            Function<List<TableFilter>, TableFilter> combine) {
        return trees.size() == 1
                ? build.apply(trees.getFirst())
                : combine.apply(trees.stream().map(build).toList());
    }

    private TableFilter condition(ConditionContext tree) {
        return switch (tree) {
            case NegationContext not -> new TableFilter.Not(condition(not.condition()));
            case GroupContext group -> disjunction(group.disjunction());
            case ComparisonContext comparison -> comparison(comparison);
            default -> throw new IllegalStateException("a condition of another kind");
        };
    }

    private TableFilter comparison(ComparisonContext tree) {
        OperandContext left = operand(tree.sum(0));
        if (tree.relation() == null) {
            return alone(left);
        }
        Operator operator = Operator.valueOf(tree.relation().getText().toUpperCase(Locale.ROOT));
        OperandContext right = operand(tree.sum(1));
        Optional<String> leftName = name(left);
        Optional<String> rightName = name(right);
        if (leftName.isPresent() && rightName.isPresent()) {
            return ofNames(leftName.get(), operator, rightName.get());
        }
        if (leftName.isEmpty() && rightName.isEmpty()) {
            throw notBuilt("A comparison of two constants");
        }
        return leftName.isPresent()
                ? new TableFilter.Comparison(leftName.get(), operator, constant(right))
                : new TableFilter.Comparison(
                        rightName.orElseThrow(), mirrored(operator), constant(left));
    }

    /**
     * A property may have any name, so the words for doubles without digits are constants only
     * beside a property.
     */
    private static TableFilter ofNames(String left, Operator operator, String right) {
        Double constant = WORDS.get(right);
        if (constant != null) {
            return new TableFilter.Comparison(left, operator, new EdmValue.Real(constant));
        }
        constant = WORDS.get(left);
        if (constant != null) {
            return new TableFilter.Comparison(
                    right, mirrored(operator), new EdmValue.Real(constant));
        }
        throw notBuilt("A comparison of two properties");
    }

    /** A property, or a boolean constant, that is a condition by itself. */
    private TableFilter alone(OperandContext operand) {
        Optional<String> name = name(operand);
        if (name.isPresent()) {
            return new TableFilter.Flag(name.get());
        }
        if (constant(operand) instanceof EdmValue.Bool(boolean value)) {
            return new TableFilter.Constant(value);
        }
        throw invalid(
                "The constant '%s' %s is not a condition."
                        .formatted(shown(operand.getText()), place(operand.getStart())));
    }

    private static OperandContext operand(SumContext sum) {
        for (OperandContext operand : sum.operand()) {
            if (operand instanceof CallContext call) {
                throw notBuilt("The function '" + shown(call.name().getText()) + "'");
            }
        }
        if (!sum.arithmetic().isEmpty()) {
            String word = sum.arithmetic(0).getText().toLowerCase(Locale.ROOT);
            throw notBuilt("The operator '" + word + "'");
        }
        return sum.operand(0);
    }

    private static Optional<String> name(OperandContext operand) {
        return operand instanceof PropertyContext property
                ? Optional.of(property.name().getText())
                : Optional.empty();
    }

    /** The same comparison with its sides exchanged. */
    private static Operator mirrored(Operator operator) {
        return switch (operator) {
            case EQ, NE -> operator;
            case GT -> Operator.LT;
            case GE -> Operator.LE;
            case LT -> Operator.GT;
            case LE -> Operator.GE;
        };
    }

    private EdmValue constant(OperandContext operand) {
        Token token = ((ConstantContext) operand).literal().getStart();
        String word = token.getText();
        try {
            return switch (token.getType()) {
                case TableFilterLexer.STRING -> new EdmValue.Text(unquoted(word));
                case TableFilterLexer.TRUE -> new EdmValue.Bool(true);
                case TableFilterLexer.FALSE -> new EdmValue.Bool(false);
                case TableFilterLexer.INTEGER -> integer(Long.parseLong(word));
                case TableFilterLexer.LONG ->
                        new EdmValue.Int64(Long.parseLong(word.substring(0, word.length() - 1)));
                case TableFilterLexer.DOUBLE -> real(word);
                case TableFilterLexer.NEGATIVE_INFINITY ->
                        new EdmValue.Real(Double.NEGATIVE_INFINITY);
                case TableFilterLexer.DATETIME ->
                        TableTime.parse(unquoted(word))
                                .orElseThrow(() -> malformed("DateTime", token));
                case TableFilterLexer.GUID ->
                        EntityValues.guid(unquoted(word))
                                .orElseThrow(() -> malformed("Guid", token));
                case TableFilterLexer.BINARY -> binary(token);
                case TableFilterLexer.NULL -> throw notBuilt("The constant null");
                default -> throw new IllegalStateException("a literal of another kind");
            };
        } catch (NumberFormatException outOfRange) {
            throw malformed("number", token);
        }
    }

    /** A number beyond the range of doubles is none, as in the body of an entity. */
    private static EdmValue real(String word) {
        double value = Double.parseDouble(word);
        if (!Double.isFinite(value)) {
            throw new NumberFormatException(word);
        }
        return new EdmValue.Real(value);
    }

    private EdmValue binary(Token token) {
        try {
            return new EdmValue.Binary(
                    Bytes.wrap(HexFormat.of().parseHex(unquoted(token.getText()))));
        } catch (IllegalArgumentException notHex) {
            throw malformed("Binary in hexadecimal digits", token);
        }
    }

    /**
     * A number that no Int32 can be is a Double, as it is in the body of an entity, unless a double
     * would lose some of its digits.
     */
    private static EdmValue integer(long value) {
        if (value == (int) value) {
            return new EdmValue.Int32((int) value);
        }
        return Math.abs(value) <= 1L << 53 ? new EdmValue.Real(value) : new EdmValue.Int64(value);
    }

    private TableException malformed(String type, Token token) {
        return invalid(
                "'%s' %s is not a %s.".formatted(shown(token.getText()), place(token), type));
    }

    /** The text between the quotes; a mark of the type may stand before them. */
    private static String unquoted(String word) {
        int open = word.indexOf('\'');
        return word.substring(open + 1, word.length() - 1).replace("''", "'");
    }
}
