package orrery.query.mongo.expression;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;

/**
 * The stage {@code $redact}: an expression says of each document, and of each inside of it, whether
 * it stays, goes, or is looked into. Safe to share.
 */
public final class Redaction {
    private static final String DESCEND = "DESCEND";
    private static final String PRUNE = "PRUNE";
    private static final String KEEP = "KEEP";

    private final Expression expression;
    private final ExpressionContext context;

    private Redaction(Expression expression, ExpressionContext context) {
        this.expression = expression;
        this.context = context;
    }

    public static Redaction of(Value operand, ExpressionContext context) {
        return new Redaction(
                new ExpressionReader(context).with(DESCEND).with(PRUNE).with(KEEP).read(operand),
                context);
    }

    /** Returns what is left of a document; undefined if nothing is. */
    public Value apply(Value.Obj document) {
        return redacted(
                document,
                context.variables(document)
                        .with(DESCEND, Value.of("descend"))
                        .with(PRUNE, Value.of("prune"))
                        .with(KEEP, Value.of("keep")));
    }

    private Value redacted(Value.Obj document, Variables variables) {
        Operands.pause();
        Value verdict = expression.evaluate(variables.with("CURRENT", document));
        return switch (verdict instanceof Value.Text(String text) ? text : "") {
            case "keep" -> document;
            case "prune" -> Value.Undefined.UNDEFINED;
            case "descend" -> {
                Map<String, Value> left = new LinkedHashMap<>();
                document.properties()
                        .forEach(
                                (name, value) -> {
                                    Value inner = inner(value, variables);
                                    if (inner.isDefined()) {
                                        left.put(name, inner);
                                    }
                                });
                yield new Value.Obj(left);
            }
            default ->
                    throw MongoCode.failure(
                            17053,
                            "$redact's expression should not return anything aside from the"
                                    + " variables $$KEEP, $$DESCEND, and $$PRUNE, but returned "
                                    + ValueText.of(verdict));
        };
    }

    private Value inner(Value value, Variables variables) {
        return switch (value) {
            case Value.Obj object -> redacted(object, variables);
            case Value.Array(List<Value> elements) -> {
                List<Value> left = new ArrayList<>();
                for (Value element : elements) {
                    Value inner = inner(element, variables);
                    if (inner.isDefined()) {
                        left.add(inner);
                    }
                }
                yield new Value.Array(left);
            }
            default -> value;
        };
    }
}
