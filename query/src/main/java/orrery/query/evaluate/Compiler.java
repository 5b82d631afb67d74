package orrery.query.evaluate;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.QueryError;
import orrery.query.syntax.Scalar;

/**
 * Makes expressions ready to run. What depends on no row is evaluated here, once.
 *
 * <p>In the SELECT list of a grouped query, keys and aggregates are values that the group has
 * already; {@link #substituting} says where they are found.
 */
final class Compiler {
    private static final Value UNDEFINED = Value.Undefined.UNDEFINED;

    /** Above this, a table finds a candidate of IN faster than looking at each. */
    private static final int SHORT_LIST = 8;

    private final Evaluator evaluator;
    private final Map<Scalar, Expression> substitutes;
    private final int groupings;

    Compiler(Evaluator evaluator) {
        this(evaluator, Map.of(), 0);
    }

    private Compiler(Evaluator evaluator, Map<Scalar, Expression> substitutes, int groupings) {
        this.evaluator = evaluator;
        this.substitutes = substitutes;
        this.groupings = groupings;
    }

    /** A name for the group of a query that no alias and no query around it has. */
    String groupAlias() {
        return "$group" + groupings;
    }

    /** Returns a compiler for expressions in which the given ones stand for something else. */
    Compiler substituting(Map<Scalar, Expression> more) {
        Map<Scalar, Expression> all = new HashMap<>(substitutes);
        all.putAll(more);
        return new Compiler(evaluator, all, groupings + 1);
    }

    /**
     * Returns a compiler for expressions inside a query that gives these aliases its own meaning.
     */
    Compiler shadowing(Set<String> aliases) {
        if (substitutes.isEmpty()) {
            return this;
        }
        Map<Scalar, Expression> visible = new HashMap<>(substitutes);
        visible.keySet().removeIf(scalar -> usesAny(scalar, aliases));
        return new Compiler(evaluator, visible, groupings);
    }

    private static boolean usesAny(Scalar scalar, Set<String> aliases) {
        if (scalar instanceof Scalar.Reference(String alias)) {
            return aliases.contains(alias);
        }
        for (Scalar child : scalar.children()) {
            if (usesAny(child, aliases)) {
                return true;
            }
        }
        return false;
    }

    Expression compile(Scalar scalar) {
        Expression substitute = substitutes.isEmpty() ? null : substitutes.get(scalar);
        if (substitute != null) {
            return substitute;
        }
        return switch (scalar) {
            case Scalar.Constant(Value value) -> new Expression.Constant(value);
            case Scalar.Parameter(String name) ->
                    new Expression.Constant(evaluator.parameter(name));
            case Scalar.Item _ -> Bindings::item;
            case Scalar.Reference(String alias) -> row -> row.get(alias);
            case Scalar.Property(Scalar base, String name) -> ownProperty(compile(base), name);
            case Scalar.Index(Scalar base, Scalar index) -> ownIndex(compile(base), compile(index));
            case Scalar.ArrayOf(List<Scalar> elements) -> array(compileAll(elements));
            case Scalar.ObjectOf(List<Scalar.Member> members) -> object(members);
            case Scalar.Prefix(Scalar.PrefixOperator operator, Scalar operand) ->
                    prefix(operator, compile(operand));
            case Scalar.Infix(Scalar.InfixOperator operator, Scalar left, Scalar right) ->
                    infix(operator, compile(left), compile(right));
            case Scalar.And(List<Scalar> operands) -> and(compileAll(operands));
            case Scalar.Or(List<Scalar> operands) -> or(compileAll(operands));
            case Scalar.Between(Scalar value, Scalar low, Scalar high) ->
                    between(compile(value), compile(low), compile(high));
            case Scalar.In(Scalar value, List<Scalar> candidates) ->
                    in(compile(value), compileAll(candidates));
            case Scalar.Like(Scalar value, Scalar pattern, Optional<Character> escape) ->
                    like(compile(value), compile(pattern), escape);
            case Scalar.Coalesce(List<Scalar> operands) -> coalesce(compileAll(operands));
            case Scalar.Conditional(Scalar test, Scalar then, Scalar otherwise) ->
                    choice(compile(test), compile(then), compile(otherwise));
            case Scalar.Call(BuiltIn function, List<Scalar> arguments) -> call(function, arguments);
            case Scalar.UdfCall(String name, List<Scalar> arguments) ->
                    userCall(evaluator.functions().find(name), compileAll(arguments));
            case Scalar.Subquery(Scalar.SubqueryKind kind, var query) ->
                    InnerQuery.expression(this, kind, query);
        };
    }

    private Expression[] compileAll(List<Scalar> scalars) {
        Expression[] expressions = new Expression[scalars.size()];
        for (int i = 0; i < expressions.length; i++) {
            expressions[i] = compile(scalars.get(i));
        }
        return expressions;
    }

    /** Evaluates an expression whose parts are all constant. */
    private static Expression fold(Expression expression, Expression... parts) {
        for (Expression part : parts) {
            if (!(part instanceof Expression.Constant)) {
                return expression;
            }
        }
        try {
            return new Expression.Constant(expression.evaluate(Bindings.empty()));
        } catch (OrreryException e) {
            // Too large, perhaps. It fails again if a row ever needs it.
            return expression;
        }
    }

    // ---- Paths and constructors ----------------------------------------------------------------

    /** Compiles a property of the item itself, which may be a computed one. */
    private Expression ownProperty(Expression base, String name) {
        CompiledProperty computed = evaluator.computed().find(name);
        if (computed == null || base instanceof Expression.Constant) {
            return property(base, name);
        }
        return row -> {
            Value owner = base.evaluate(row);
            Value value = row.computed(owner, computed);
            return value == null ? property(owner, name) : value;
        };
    }

    private Expression ownIndex(Expression base, Expression index) {
        if (index instanceof Expression.Constant(Value.Text(String name))) {
            return ownProperty(base, name);
        }
        ComputedProperties computed = evaluator.computed();
        if (computed.isEmpty() || base instanceof Expression.Constant) {
            return index(base, index);
        }
        return row -> {
            Value owner = base.evaluate(row);
            Value at = index.evaluate(row);
            CompiledProperty meant =
                    at instanceof Value.Text(String name) ? computed.find(name) : null;
            Value value = meant == null ? null : row.computed(owner, meant);
            return value == null ? element(owner, at) : value;
        };
    }

    private static Expression property(Expression base, String name) {
        return fold(row -> property(base.evaluate(row), name), base);
    }

    private static Value property(Value base, String name) {
        return base instanceof Value.Obj(Map<String, Value> properties)
                ? properties.getOrDefault(name, UNDEFINED)
                : UNDEFINED;
    }

    private static Expression index(Expression base, Expression index) {
        return fold(row -> element(base.evaluate(row), index.evaluate(row)), base, index);
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

    private static Expression array(Expression[] elements) {
        return fold(row -> new Value.Array(evaluateAll(elements, row)), elements);
    }

    /** Undefined elements keep their place; whoever writes the array writes null for them. */
    private static List<Value> evaluateAll(Expression[] expressions, Bindings row) {
        Value[] values = new Value[expressions.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = expressions[i].evaluate(row);
        }
        row.countOperands(values.length);
        return List.of(values);
    }

    private Expression object(List<Scalar.Member> members) {
        String[] names = new String[members.size()];
        Expression[] values = new Expression[names.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = members.get(i).name();
            values[i] = compile(members.get(i).value());
        }
        return fold(row -> object(names, values, row), values);
    }

    static Value object(String[] names, Expression[] values, Bindings row) {
        Map<String, Value> properties = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            Value value = values[i].evaluate(row);
            if (value.isDefined()) {
                properties.put(names[i], value);
            }
        }
        row.countOperands(names.length);
        return new Value.Obj(properties);
    }

    // ---- Operators -----------------------------------------------------------------------------

    private static Expression prefix(Scalar.PrefixOperator operator, Expression operand) {
        return fold(row -> Operators.prefix(operator, operand.evaluate(row)), operand);
    }

    private static Expression infix(
            Scalar.InfixOperator operator, Expression left, Expression right) {
        return fold(
                row -> {
                    Value first = left.evaluate(row);
                    Value second = right.evaluate(row);
                    countComparing(row, first, second);
                    return Operators.infix(operator, first, second);
                },
                left,
                right);
    }

    private static void countComparing(Bindings row, Value left, Value right) {
        long work = OperationSteps.ofComparing(left, right);
        if (work > OperationSteps.SMALL) {
            row.countWork(work);
        }
    }

    private static Expression and(Expression[] operands) {
        return fold(
                row -> {
                    Value result = Value.of(true);
                    int count = 0;
                    while (count < operands.length && !Operators.isFalse(result)) {
                        result = Operators.and(result, operands[count++].evaluate(row));
                    }
                    row.countOperands(count);
                    return result;
                },
                operands);
    }

    private static Expression or(Expression[] operands) {
        return fold(
                row -> {
                    Value result = Value.of(false);
                    int count = 0;
                    while (count < operands.length && !Operators.isTrue(result)) {
                        result = Operators.or(result, operands[count++].evaluate(row));
                    }
                    row.countOperands(count);
                    return result;
                },
                operands);
    }

    private static Expression between(Expression value, Expression low, Expression high) {
        return fold(
                row ->
                        Operators.between(
                                value.evaluate(row), low.evaluate(row), high.evaluate(row)),
                value,
                low,
                high);
    }

    private static Expression in(Expression needle, Expression[] candidates) {
        Set<ValueKey> table = table(candidates);
        if (table != null) {
            return fold(
                    row -> {
                        Value wanted = needle.evaluate(row);
                        return wanted.isDefined()
                                ? Value.of(table.contains(new ValueKey(wanted)))
                                : UNDEFINED;
                    },
                    needle);
        }
        Expression search =
                row -> {
                    Value wanted = needle.evaluate(row);
                    if (!wanted.isDefined()) {
                        return UNDEFINED;
                    }
                    for (Expression candidate : candidates) {
                        Value value = candidate.evaluate(row);
                        row.countStep();
                        countComparing(row, wanted, value);
                        if (ValueOrder.equal(wanted, value)) {
                            return Value.of(true);
                        }
                    }
                    return Value.of(false);
                };
        return needle instanceof Expression.Constant ? fold(search, candidates) : search;
    }

    /** The candidates, if there are many and they are constants that equal themselves. */
    private static @Nullable Set<ValueKey> table(Expression[] candidates) {
        if (candidates.length <= SHORT_LIST) {
            return null;
        }
        Set<ValueKey> table = new HashSet<>();
        for (Expression candidate : candidates) {
            if (!(candidate instanceof Expression.Constant constant)) {
                return null;
            }
            switch (constant.value()) {
                case Value.Undefined _ -> {}
                // NaN may hide in these.
                case Value.Array _, Value.Obj _, BsonValue _ -> {
                    return null;
                }
                case Value.Real(double number) when Double.isNaN(number) -> {}
                case Value.Null _, Value.Bool _, Value.Int _, Value.Real _, Value.Text _ ->
                        table.add(new ValueKey(constant.value()));
            }
        }
        return table;
    }

    private static Expression like(
            Expression value, Expression pattern, Optional<Character> escape) {
        if (pattern instanceof Expression.Constant(Value.Text(String wanted))) {
            LikePattern compiled = LikePattern.compile(wanted, escape);
            return fold(row -> like(row, value.evaluate(row), compiled), value);
        }
        return row ->
                pattern.evaluate(row) instanceof Value.Text(String wanted)
                        ? like(row, value.evaluate(row), LikePattern.compile(wanted, escape))
                        : UNDEFINED;
    }

    private static Value like(Bindings row, Value value, LikePattern pattern) {
        if (!(value instanceof Value.Text(String text))) {
            return UNDEFINED;
        }
        if (text.length() > OperationSteps.SMALL) {
            row.countWork(pattern.work(text));
        }
        return Value.of(pattern.matches(text));
    }

    private static Expression coalesce(Expression[] operands) {
        return fold(
                row -> {
                    for (Expression operand : operands) {
                        row.countStep();
                        Value value = operand.evaluate(row);
                        if (value.isDefined()) {
                            return value;
                        }
                    }
                    return UNDEFINED;
                },
                operands);
    }

    private static Expression choice(Expression test, Expression then, Expression otherwise) {
        if (test instanceof Expression.Constant) {
            return test.accepts(Bindings.empty()) ? then : otherwise;
        }
        return row -> (test.accepts(row) ? then : otherwise).evaluate(row);
    }

    // ---- Functions -----------------------------------------------------------------------------

    private Expression call(BuiltIn function, List<Scalar> arguments) {
        Expression[] compiled = compileAll(arguments);
        if (function == BuiltIn.IIF) {
            return choice(compiled[0], compiled[1], compiled[2]);
        }
        if (function.group() == BuiltIn.Group.REGEX) {
            return fold(RegexFunctions.compile(function, compiled), compiled);
        }
        if (function.group() == BuiltIn.Group.SPATIAL) {
            return fold(SpatialFunctions.compile(function, compiled, evaluator.space()), compiled);
        }
        if (function.group() == BuiltIn.Group.TYPE) {
            Expression value = compiled[0];
            return fold(row -> Value.of(TypeFunctions.test(function, value.evaluate(row))), value);
        }
        Function<List<Value>, Value> body = body(function);
        boolean takesUndefined = function.takesUndefined();
        Expression call =
                row -> {
                    Value[] values = new Value[compiled.length];
                    for (int i = 0; i < values.length; i++) {
                        values[i] = compiled[i].evaluate(row);
                        if (!takesUndefined && !values[i].isDefined()) {
                            return UNDEFINED;
                        }
                    }
                    row.countOperands(values.length);
                    long work = OperationSteps.of(function, values);
                    if (work > OperationSteps.SMALL) {
                        row.countWork(work);
                    }
                    Value made = body.apply(List.of(values));
                    row.countMade(made);
                    return made;
                };
        return function.isDeterministic() ? fold(call, compiled) : call;
    }

    /**
     * Never folded: what a user's function does with constants may take long, and no row may need
     * it. One that is given something undefined is not called.
     */
    private static Expression userCall(
            Function<List<Value>, Value> function, Expression[] arguments) {
        return row -> {
            Value[] values = new Value[arguments.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = arguments[i].evaluate(row);
                if (!values[i].isDefined()) {
                    return UNDEFINED;
                }
            }
            row.countWork(OperationSteps.USER_FUNCTION);
            return function.apply(List.of(values));
        };
    }

    private Function<List<Value>, Value> body(BuiltIn function) {
        return switch (function.group()) {
            case TEXT -> arguments -> TextFunctions.apply(function, arguments);
            case MATH -> arguments -> MathFunctions.apply(function, arguments);
            case ARRAY -> arguments -> ArrayFunctions.apply(function, arguments);
            case DATE -> dateBody(function);
            case SEARCH, UNDOCUMENTED ->
                    throw QueryError.engine(
                            "The function " + function + " is not supported by this version.");
            case AGGREGATE ->
                    throw QueryError.engine(
                            "The aggregate function "
                                    + function
                                    + " is not allowed here: it needs a SELECT list.");
            case TYPE, SPATIAL, REGEX -> throw new IllegalStateException("compiled above");
        };
    }

    private Function<List<Value>, Value> dateBody(BuiltIn function) {
        if (function.isDeterministic()) {
            long began = Ticks.of(evaluator.began());
            return arguments -> DateFunctions.apply(function, arguments, began);
        }
        return arguments ->
                DateFunctions.apply(function, arguments, Ticks.of(evaluator.clock().instant()));
    }
}
