package orrery.query.mongo.find;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.expression.ExpressionContext;
import orrery.query.mongo.expression.ExpressionReader;
import orrery.query.mongo.expression.TypeNames;
import orrery.query.mongo.match.MatchContext;
import orrery.query.mongo.match.Matcher;

/** Reads projections. Numbers and messages are those that MongoDB has for the same faults. */
final class ProjectionParser {
    private static final int INCLUSION_IN_EXCLUSION = 31253;
    private static final int EXCLUSION_IN_INCLUSION = 31254;
    private static final int COLLISION_BELOW = 31249;
    private static final int COLLISION = 31250;
    private static final int NESTED_ELEM_MATCH = 31255;
    private static final int POSITIONAL_TWICE = 31276;
    private static final int INVALID_SLICE = 28667;
    private static final int SLICE_NOT_POSITIVE = 28724;
    private static final int POSITIONAL_ON_THE_WAY = 31394;
    private static final int UNKNOWN_EXPRESSION = 31325;
    private static final int ELEM_MATCH_OF_NO_OBJECT = 31274;

    private final MatchContext context;
    private final ProjectionNode root = new ProjectionNode(new ProjectionNode.Inner());
    private @Nullable Boolean isInclusion;
    private @Nullable Boolean includesId;
    private boolean isPositional;

    ProjectionParser(MatchContext context) {
        this.context = context;
    }

    Projection parse(Value.Obj projection) {
        projection.properties().forEach((name, value) -> field(name, value));
        boolean isInclusive = isInclusion != null ? isInclusion : includesId != null && includesId;
        if (includesId != null && !includesId) {
            root.put(Projection.ID, new ProjectionNode(new ProjectionNode.Exclude()));
        }
        return new Projection(root, isInclusive, includesId == null || includesId);
    }

    private void field(String name, Value value) {
        if (name.contains(".$.")) {
            throw MongoCode.failure(
                    POSITIONAL_ON_THE_WAY,
                    "As of 4.4, it's illegal to specify positional operator in the middle of a"
                            + " path. It may only be the last part, as in a.b.$");
        }
        switch (value) {
            case Value.Obj operand when isOperator(operand) -> operator(name, operand);
            case Value.Obj(Map<String, Value> nested) when !nested.isEmpty() ->
                    nested.forEach((inner, each) -> field(name + "." + inner, each));
            case Value.Bool(boolean isIncluded) -> simple(name, isIncluded);
            default -> {
                if (MongoOrder.isNumber(value)) {
                    simple(name, MongoOrder.compareNumbers(value, Value.of(0)) != 0);
                } else {
                    computed(name, value);
                }
            }
        }
    }

    private static boolean isOperator(Value.Obj operand) {
        Iterator<String> names = operand.properties().keySet().iterator();
        return names.hasNext() && names.next().startsWith("$");
    }

    private void simple(String name, boolean isIncluded) {
        if (name.equals(Projection.ID)) {
            includesId = isIncluded;
            if (isIncluded) {
                add(name, new ProjectionNode.Include());
            }
            return;
        }
        if (isIncluded) {
            include(name);
        } else if (isInclusion != null && isInclusion) {
            throw MongoCode.failure(
                    EXCLUSION_IN_INCLUSION,
                    "Cannot do exclusion on field " + name + " in inclusion projection");
        } else {
            isInclusion = false;
        }
        if (name.endsWith(".$")) {
            positional(name, isIncluded);
        } else {
            add(name, isIncluded ? new ProjectionNode.Include() : new ProjectionNode.Exclude());
        }
    }

    private void include(String name) {
        if (isInclusion != null && !isInclusion) {
            throw MongoCode.failure(
                    INCLUSION_IN_EXCLUSION,
                    "Cannot do inclusion on field " + name + " in exclusion projection");
        }
        isInclusion = true;
    }

    private void positional(String name, boolean isIncluded) {
        if (!isIncluded) {
            throw MongoCode.failure(31395, "positional projection cannot be used with exclusion");
        }
        if (isPositional) {
            throw MongoCode.failure(
                    POSITIONAL_TWICE,
                    "Cannot specify more than one positional projection per query.");
        }
        isPositional = true;
        add(name.substring(0, name.length() - 2), new ProjectionNode.Positional());
    }

    private void operator(String name, Value.Obj operand) {
        Map.Entry<String, Value> first = operand.properties().entrySet().iterator().next();
        switch (first.getKey()) {
            case "$slice" -> {
                if (isFindSlice(first.getValue())) {
                    add(name, slice(first.getValue()));
                } else {
                    computed(name, operand);
                }
            }
            case "$elemMatch" -> {
                if (name.contains(".")) {
                    throw MongoCode.failure(
                            NESTED_ELEM_MATCH,
                            "Cannot use $elemMatch projection on a nested field.");
                }
                if (!(first.getValue() instanceof Value.Obj)) {
                    throw MongoCode.failure(
                            ELEM_MATCH_OF_NO_OBJECT,
                            "elemMatch: Invalid argument, object required, but got "
                                    + TypeNames.of(first.getValue()));
                }
                include(name);
                add(
                        name,
                        new ProjectionNode.ElemMatch(
                                Matcher.compileElemMatch(first.getValue(), context)));
            }
            case "$meta" ->
                    throw MongoCode.BAD_VALUE.failure("$meta is not supported in a projection");
            default -> {
                ExpressionReader.unknownOperator(operand)
                        .ifPresent(
                                unknown -> {
                                    throw MongoCode.failure(
                                            UNKNOWN_EXPRESSION, "Unknown expression " + unknown);
                                });
                computed(name, operand);
            }
        }
    }

    /** An expression has the same name, and its first argument is an array and no number. */
    private static boolean isFindSlice(Value operand) {
        return !(operand instanceof Value.Array(List<Value> parts))
                || (parts.size() == 2 && MongoOrder.isNumber(parts.getFirst()));
    }

    private static ProjectionNode.Slice slice(Value operand) {
        if (operand instanceof Value.Array(List<Value> parts)) {
            int limit = number(parts.get(1), operand);
            if (limit <= 0) {
                throw MongoCode.failure(
                        SLICE_NOT_POSITIVE,
                        "First argument to $slice must be an array and the limit positive");
            }
            return new ProjectionNode.Slice(
                    OptionalInt.of(number(parts.getFirst(), operand)), limit);
        }
        return new ProjectionNode.Slice(OptionalInt.empty(), number(operand, operand));
    }

    private static int number(Value part, Value operand) {
        OptionalLong number =
                MongoOrder.isNumber(part) ? MongoNumbers.truncated(part) : OptionalLong.empty();
        if (number.isEmpty()) {
            throw MongoCode.failure(
                    INVALID_SLICE,
                    "Invalid $slice syntax. $slice only supports numbers and [skip, limit] arrays,"
                            + " but was given "
                            + JsonText.write(operand));
        }
        return Math.clamp(number.getAsLong(), -Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    private void computed(String name, Value expression) {
        include(name);
        if (name.equals(Projection.ID)) {
            includesId = true;
        }
        ExpressionContext surroundings = ExpressionContext.of(context);
        Expression compiled = Expression.compile(expression, surroundings);
        add(
                name,
                new ProjectionNode.Computed(
                        document -> compiled.evaluate(surroundings.variables(document))));
    }

    private void add(String name, ProjectionNode.Action action) {
        List<String> parts = FieldPath.ofField(name).parts();
        ProjectionNode node = root;
        for (int i = 0; i < parts.size() - 1; i++) {
            ProjectionNode next = node.child(parts.get(i));
            if (next == null) {
                next = new ProjectionNode(new ProjectionNode.Inner());
                node.put(parts.get(i), next);
            } else if (!(next.action() instanceof ProjectionNode.Inner)) {
                throw MongoCode.failure(
                        COLLISION_BELOW,
                        "Path collision at "
                                + name
                                + " remaining portion "
                                + String.join(".", parts.subList(i + 1, parts.size())));
            }
            node = next;
        }
        if (node.child(parts.getLast()) != null) {
            throw MongoCode.failure(COLLISION, "Path collision at " + name);
        }
        node.put(parts.getLast(), new ProjectionNode(action));
    }
}
