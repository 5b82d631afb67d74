package orrery.query.evaluate;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryError;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Selection;
import orrery.query.syntax.Source;

/** Turns rows into results as a SELECT list says. Safe to share. */
public final class Projection {
    private final Expression value;

    /** True if results are parts of items, which have been checked when they were written. */
    private final boolean isStored;

    /**
     * Makes the projection of a query that does not aggregate; {@link Aggregation} projects its
     * groups itself.
     */
    public Projection(Evaluator evaluator, Query query) {
        this(new Compiler(evaluator), query);
    }

    Projection(Compiler compiler, Query query) {
        this.value =
                switch (query.selection()) {
                    // The parser allows it only with a single source.
                    case Selection.Everything _ ->
                            compiler.compile(
                                    new Scalar.Reference(
                                            query.from().getFirst().alias().orElse(Rows.NAMELESS)));
                    case Selection.Bare(Scalar scalar) -> compiler.compile(scalar);
                    case Selection.Items(List<Selection.Item> items) -> object(compiler, items);
                };
        this.isStored = !query.isGrouped() && isStored(query);
    }

    private static boolean isStored(Query query) {
        for (Source source : query.from()) {
            if (!(source.collection() instanceof Source.Collection.Single(Scalar path)
                    && isPath(path))) {
                return false;
            }
        }
        return switch (query.selection()) {
            case Selection.Everything _ -> true;
            case Selection.Bare(Scalar scalar) -> isPath(scalar);
            case Selection.Items _ -> false;
        };
    }

    private static boolean isPath(Scalar scalar) {
        return switch (scalar) {
            case Scalar.Item _, Scalar.Reference _ -> true;
            case Scalar.Property(Scalar base, _) -> isPath(base);
            case Scalar.Index(Scalar base, _) -> isPath(base);
            default -> false;
        };
    }

    private static Expression object(Compiler compiler, List<Selection.Item> items) {
        String[] names = new String[items.size()];
        Expression[] values = new Expression[names.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = items.get(i).name();
            values[i] = compiler.compile(items.get(i).value());
        }
        return row -> Compiler.object(names, values, row);
    }

    /**
     * The result of a row; empty where it has none. Fails for a number that JSON cannot write, and
     * for a result that no page can hold.
     */
    public Optional<Value> apply(Bindings row) {
        Value result = evaluate(row);
        if (!isStored) {
            return checked(result);
        }
        return result.isDefined() ? Optional.of(result) : Optional.empty();
    }

    /** The same for a row of an inner query, whose result is not written yet. */
    Value evaluate(Bindings row) {
        return value.evaluate(row);
    }

    static Optional<Value> checked(Value result) {
        BoundedText.checkJson(result);
        requireFinite(result);
        return result.isDefined() ? Optional.of(result) : Optional.empty();
    }

    private static void requireFinite(Value value) {
        switch (value) {
            case Value.Real(double number) -> {
                if (!Double.isFinite(number)) {
                    throw QueryError.nonFinite();
                }
            }
            case Value.Array(List<Value> elements) -> elements.forEach(Projection::requireFinite);
            case Value.Obj(Map<String, Value> properties) ->
                    properties.values().forEach(Projection::requireFinite);
            // Their JSON form holds no number that is not finite.
            case BsonValue _ -> {}
            case Value.Undefined _, Value.Null _, Value.Bool _, Value.Int _, Value.Text _ -> {}
        }
    }
}
