package orrery.query.mongo.expression;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import orrery.document.Value;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoCode;

/** Reads expressions: literals, paths, variables, and operators from the tables of their groups. */
public final class ExpressionReader {
    private static final Set<String> SYSTEM =
            Set.of("ROOT", "CURRENT", "REMOVE", "NOW", "CLUSTER_TIME");

    private static final Map<String, Operator> OPERATORS = operators();

    private final ExpressionContext context;
    private final Set<String> names;

    /** Makes an expression of the operand of an operator. */
    interface Operator {
        Expression read(Value operand, ExpressionReader reader);
    }

    public ExpressionReader(ExpressionContext context) {
        this(context, context.let().properties().keySet());
    }

    private ExpressionReader(ExpressionContext context, Set<String> names) {
        this.context = context;
        this.names = Set.copyOf(names);
    }

    private static Map<String, Operator> operators() {
        Map<String, Operator> table = new HashMap<>();
        ArithmeticOperators.addTo(table);
        RoundingOperators.addTo(table);
        LogicOperators.addTo(table);
        TextOperators.addTo(table);
        SubstringOperators.addTo(table);
        PatternOperators.addTo(table);
        ArrayOperators.addTo(table);
        ElementOperators.addTo(table);
        SetOperators.addTo(table);
        ConversionOperators.addTo(table);
        DateOperators.addTo(table);
        DateTextOperators.addTo(table);
        ObjectOperators.addTo(table);
        OtherOperators.addTo(table);
        PercentileSpec.addTo(table);
        return Map.copyOf(table);
    }

    ExpressionContext context() {
        return context;
    }

    /** A reader of expressions that see one more variable. */
    ExpressionReader with(String name) {
        Set<String> more = new HashSet<>(names);
        more.add(name);
        return new ExpressionReader(context, more);
    }

    public Expression read(Value expression) {
        return switch (expression) {
            case Value.Text(String text) when text.startsWith("$") -> path(text);
            case Value.Obj(Map<String, Value> fields) -> object(fields, expression);
            case Value.Array(List<Value> elements) ->
                    new ArrayLiteral(elements.stream().map(this::read).toList());
            default -> new Expression.Constant(expression);
        };
    }

    private Expression object(Map<String, Value> fields, Value expression) {
        if (fields.keySet().stream().noneMatch(name -> name.startsWith("$"))) {
            Map<String, Expression> values = new LinkedHashMap<>();
            fields.forEach((name, value) -> values.put(fieldName(name), read(value)));
            return new ObjectLiteral(values);
        }
        if (fields.size() != 1) {
            throw MongoCode.failure(
                    15983,
                    "An object representing an expression must have exactly one field: "
                            + ValueText.of(expression));
        }
        Map.Entry<String, Value> only = fields.entrySet().iterator().next();
        Operator operator = OPERATORS.get(only.getKey());
        if (operator == null) {
            throw MongoCode.failure(168, "Unrecognized expression '" + only.getKey() + "'");
        }
        return operator.read(only.getValue(), this);
    }

    private static String fieldName(String name) {
        if (name.indexOf('.') >= 0) {
            throw MongoCode.failure(
                    16405, "dotted field names are only allowed at the top level: '" + name + "'");
        }
        return name;
    }

    /** Returns true if an object is an operator with its operand. */
    public static boolean isOperator(Value value) {
        return value instanceof Value.Obj(Map<String, Value> fields)
                && fields.keySet().stream().anyMatch(name -> name.startsWith("$"));
    }

    /** Returns the name of the operator that an object is if there is none of this name. */
    public static Optional<String> unknownOperator(Value.Obj operator) {
        return operator.properties().keySet().stream()
                .findFirst()
                .filter(name -> name.startsWith("$") && !OPERATORS.containsKey(name));
    }

    private Expression path(String text) {
        if (!text.startsWith("$$")) {
            if (text.length() == 1) {
                throw MongoCode.failure(16872, "'$' by itself is not a valid FieldPath");
            }
            return new PathExpression("CURRENT", FieldPath.ofField(text.substring(1)).parts());
        }
        String rest = text.substring(2);
        int dot = rest.indexOf('.');
        String name = dot < 0 ? rest : rest.substring(0, dot);
        if (name.isEmpty()) {
            throw MongoCode.FAILED_TO_PARSE.failure("empty variable names are not allowed");
        }
        if (!SYSTEM.contains(name) && !names.contains(name)) {
            throw MongoCode.failure(17276, "Use of undefined variable: " + name);
        }
        return new PathExpression(
                name, dot < 0 ? List.of() : FieldPath.ofField(rest.substring(dot + 1)).parts());
    }

    /** The name of a variable that a user may define. */
    public static String variableName(String name) {
        if (name.isEmpty()) {
            throw MongoCode.FAILED_TO_PARSE.failure("empty variable names are not allowed");
        }
        char first = name.charAt(0);
        boolean isFine =
                ((first >= 'a' && first <= 'z') || first >= 0x80 || name.equals("CURRENT"))
                        && name.chars()
                                .allMatch(
                                        each ->
                                                each == '_'
                                                        || each >= 0x80
                                                        || Character.isLetterOrDigit(each));
        if (!isFine) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "'" + name + "' starts with an invalid character for a user variable name");
        }
        return name;
    }

    private record ArrayLiteral(List<Expression> elements) implements Expression {
        @Override
        public Value evaluate(Variables variables) {
            List<Value> values = new ArrayList<>(elements.size());
            for (Expression element : elements) {
                Value value = element.evaluate(variables);
                values.add(value.isDefined() ? value : Value.Null.NULL);
            }
            return new Value.Array(values);
        }
    }

    private record ObjectLiteral(Map<String, Expression> fields) implements Expression {
        @Override
        public Value evaluate(Variables variables) {
            Map<String, Value> values = new LinkedHashMap<>();
            fields.forEach(
                    (name, expression) -> {
                        Value value = expression.evaluate(variables);
                        if (value.isDefined()) {
                            values.put(name, value);
                        }
                    });
            return new Value.Obj(values);
        }
    }
}
