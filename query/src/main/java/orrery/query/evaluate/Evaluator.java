package orrery.query.evaluate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.Scalar;

/** Gives expressions their values, with the parameters of one query. Safe to share. */
public final class Evaluator {
    private static final Value UNDEFINED = Value.Undefined.UNDEFINED;

    private final Map<String, Value> parameters;

    /**
     * @param parameters by name, with the {@code @}; a missing one is undefined
     */
    public Evaluator(Map<String, Value> parameters) {
        this.parameters = Map.copyOf(parameters);
    }

    /** Whether a row stays: only if the filter is exactly true. */
    public boolean accepts(Scalar filter, Bindings row) {
        return Operators.isTrue(evaluate(filter, row));
    }

    public Value evaluate(Scalar scalar, Bindings row) {
        return switch (scalar) {
            case Scalar.Constant(Value value) -> value;
            case Scalar.Parameter(String name) -> parameters.getOrDefault(name, UNDEFINED);
            case Scalar.Item _ -> row.item();
            case Scalar.Reference(String alias) -> row.get(alias);
            case Scalar.Property(Scalar base, String name) -> property(evaluate(base, row), name);
            case Scalar.Index(Scalar base, Scalar index) ->
                    element(evaluate(base, row), evaluate(index, row));
            case Scalar.ArrayOf(List<Scalar> elements) ->
                    new Value.Array(evaluateAll(elements, row));
            case Scalar.ObjectOf(List<Scalar.Member> members) -> object(members, row);
            case Scalar.Prefix(Scalar.PrefixOperator operator, Scalar operand) ->
                    Operators.prefix(operator, evaluate(operand, row));
            case Scalar.Infix(Scalar.InfixOperator operator, Scalar left, Scalar right) ->
                    Operators.infix(operator, evaluate(left, row), evaluate(right, row));
            case Scalar.And(List<Scalar> operands) -> and(operands, row);
            case Scalar.Or(List<Scalar> operands) -> or(operands, row);
            case Scalar.Between(Scalar value, Scalar low, Scalar high) ->
                    Operators.between(
                            evaluate(value, row), evaluate(low, row), evaluate(high, row));
            case Scalar.In(Scalar value, List<Scalar> candidates) ->
                    in(evaluate(value, row), candidates, row);
            case Scalar.Like(Scalar value, Scalar pattern, Optional<Character> escape) ->
                    like(evaluate(value, row), evaluate(pattern, row), escape);
            case Scalar.Coalesce(List<Scalar> operands) -> coalesce(operands, row);
            case Scalar.Conditional(Scalar test, Scalar then, Scalar otherwise) ->
                    evaluate(accepts(test, row) ? then : otherwise, row);
            case Scalar.Call(BuiltIn function, List<Scalar> arguments) ->
                    call(function, arguments, row);
            case Scalar.UdfCall _, Scalar.Subquery _ -> throw unsupported(scalar);
        };
    }

    /**
     * Fails if an expression holds anything that cannot be evaluated yet. Evaluation fails there as
     * well, but only if a row gets that far.
     */
    public static void requireSupported(Scalar scalar) {
        switch (scalar) {
            case Scalar.UdfCall _, Scalar.Subquery _ -> throw unsupported(scalar);
            case Scalar.Call(BuiltIn function, _) when !isSupported(function) ->
                    throw unsupported(scalar);
            default -> {
                for (Scalar child : scalar.children()) {
                    requireSupported(child);
                }
            }
        }
    }

    private static boolean isSupported(BuiltIn function) {
        return switch (function.group()) {
            case TYPE, TEXT, MATH, ARRAY -> true;
            case DATE, SPATIAL, SEARCH, AGGREGATE, REGEX, UNDOCUMENTED -> false;
        };
    }

    private static OrreryException unsupported(Scalar scalar) {
        String what =
                switch (scalar) {
                    case Scalar.Call(BuiltIn function, _) -> "The function " + function;
                    case Scalar.UdfCall(String name, _) -> "The user-defined function udf." + name;
                    case Scalar.Subquery _ -> "A subquery";
                    default -> throw new IllegalStateException("can be evaluated");
                };
        return new OrreryException(
                ErrorCode.NOT_IMPLEMENTED, what + " cannot be evaluated by this version.");
    }

    private static Value property(Value base, String name) {
        return base instanceof Value.Obj(Map<String, Value> properties)
                ? properties.getOrDefault(name, UNDEFINED)
                : UNDEFINED;
    }

    private static Value element(Value base, Value index) {
        if (index instanceof Value.Text(String name)) {
            return property(base, name);
        }
        return base instanceof Value.Array(List<Value> elements)
                        && index instanceof Value.Int(long at)
                        && at >= 0
                        && at < elements.size()
                ? elements.get((int) at)
                : UNDEFINED;
    }

    /** Undefined elements keep their place; whoever writes the array writes null for them. */
    private List<Value> evaluateAll(List<Scalar> scalars, Bindings row) {
        List<Value> values = new ArrayList<>(scalars.size());
        for (Scalar scalar : scalars) {
            values.add(evaluate(scalar, row));
        }
        return values;
    }

    private Value object(List<Scalar.Member> members, Bindings row) {
        Map<String, Value> properties = new LinkedHashMap<>();
        for (Scalar.Member member : members) {
            Value value = evaluate(member.value(), row);
            if (value.isDefined()) {
                properties.put(member.name(), value);
            }
        }
        return new Value.Obj(properties);
    }

    private Value and(List<Scalar> operands, Bindings row) {
        Value result = Value.of(true);
        for (Scalar operand : operands) {
            result = Operators.and(result, evaluate(operand, row));
            if (Operators.isFalse(result)) {
                return result;
            }
        }
        return result;
    }

    private Value or(List<Scalar> operands, Bindings row) {
        Value result = Value.of(false);
        for (Scalar operand : operands) {
            result = Operators.or(result, evaluate(operand, row));
            if (Operators.isTrue(result)) {
                return result;
            }
        }
        return result;
    }

    private Value in(Value value, List<Scalar> candidates, Bindings row) {
        if (!value.isDefined()) {
            return UNDEFINED;
        }
        for (Scalar candidate : candidates) {
            if (ValueOrder.equal(value, evaluate(candidate, row))) {
                return Value.of(true);
            }
        }
        return Value.of(false);
    }

    private static Value like(Value value, Value pattern, Optional<Character> escape) {
        return value instanceof Value.Text(String text)
                        && pattern instanceof Value.Text(String wanted)
                ? Value.of(LikePattern.compile(wanted, escape).matches(text))
                : UNDEFINED;
    }

    private Value coalesce(List<Scalar> operands, Bindings row) {
        for (Scalar operand : operands) {
            Value value = evaluate(operand, row);
            if (value.isDefined()) {
                return value;
            }
        }
        return UNDEFINED;
    }

    private Value call(BuiltIn function, List<Scalar> arguments, Bindings row) {
        if (function == BuiltIn.IIF) {
            return evaluate(arguments.get(accepts(arguments.get(0), row) ? 1 : 2), row);
        }
        if (!isSupported(function)) {
            throw unsupported(new Scalar.Call(function, arguments));
        }
        List<Value> values = evaluateAll(arguments, row);
        if (!function.takesUndefined() && !values.stream().allMatch(Value::isDefined)) {
            return UNDEFINED;
        }
        return switch (function.group()) {
            case TYPE -> Value.of(TypeFunctions.test(function, values.getFirst()));
            case TEXT -> TextFunctions.apply(function, values);
            case MATH -> MathFunctions.apply(function, values);
            case ARRAY -> ArrayFunctions.apply(function, values);
            case DATE, SPATIAL, SEARCH, AGGREGATE, REGEX, UNDOCUMENTED ->
                    throw new IllegalStateException("refused above");
        };
    }
}
