package orrery.query.evaluate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.query.syntax.QueryError;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Selection;

/** Turns rows into results as a SELECT list says. */
public final class Projection {
    private final Evaluator evaluator;
    private final Selection selection;
    private final Scalar everything;

    /**
     * @param everything what {@code *} stands for
     */
    public Projection(Evaluator evaluator, Selection selection, Scalar everything) {
        this.evaluator = evaluator;
        this.selection = selection;
        this.everything = everything;
    }

    /** The result of a row; empty where it has none. Fails for a number that JSON cannot write. */
    public Optional<Value> apply(Bindings row) {
        Value result =
                switch (selection) {
                    case Selection.Everything _ -> evaluator.evaluate(everything, row);
                    case Selection.Bare(Scalar value) -> evaluator.evaluate(value, row);
                    case Selection.Items(List<Selection.Item> items) -> object(items, row);
                };
        requireFinite(result);
        return result.isDefined() ? Optional.of(result) : Optional.empty();
    }

    /** Fails if a part of the selection cannot be evaluated yet. */
    public void requireSupported() {
        switch (selection) {
            case Selection.Everything _ -> {}
            case Selection.Bare(Scalar value) -> Evaluator.requireSupported(value);
            case Selection.Items(List<Selection.Item> items) ->
                    items.forEach(item -> Evaluator.requireSupported(item.value()));
        }
    }

    private Value object(List<Selection.Item> items, Bindings row) {
        Map<String, Value> properties = new LinkedHashMap<>();
        for (Selection.Item item : items) {
            Value value = evaluator.evaluate(item.value(), row);
            if (value.isDefined()) {
                properties.put(item.name(), value);
            }
        }
        return new Value.Obj(properties);
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
            case Value.Undefined _, Value.Null _, Value.Bool _, Value.Int _, Value.Text _ -> {}
        }
    }
}
