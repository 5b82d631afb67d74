package orrery.query.mongo.expression;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;

/** A stage of a pipeline that makes one document of each. Safe to share. */
public interface DocumentStage {
    Value.Obj apply(Value.Obj document);

    /**
     * Reads a stage; empty if the name is not that of a stage which works on each document alone.
     */
    static Optional<DocumentStage> find(String name, Value operand, ExpressionContext context) {
        return switch (name) {
            case "$set", "$addFields" -> Optional.of(addFields(name, operand, context));
            case "$unset" -> Optional.of(unset(operand));
            case "$project" -> Optional.of(project(operand, context));
            case "$replaceWith" -> Optional.of(replace(operand, context));
            case "$replaceRoot" -> Optional.of(replaceRoot(operand, context));
            default -> Optional.empty();
        };
    }

    private static DocumentStage addFields(String name, Value operand, ExpressionContext context) {
        if (!(operand instanceof Value.Obj(Map<String, Value> fields))) {
            throw MongoCode.failure(
                    40272,
                    name + " specification stage must be an object, got " + TypeNames.of(operand));
        }
        if (fields.isEmpty()) {
            throw MongoCode.failure(
                    40177,
                    "Invalid "
                            + name
                            + " :: caused by :: specification must have at least one field");
        }
        FieldTree tree = new FieldTree();
        addComputed("", fields, tree, context);
        return document -> FieldTree.computed(tree.root(), document, context.variables(document));
    }

    private static void addComputed(
            String prefix, Map<String, Value> fields, FieldTree tree, ExpressionContext context) {
        fields.forEach(
                (name, value) -> {
                    if (value instanceof Value.Obj(Map<String, Value> inner)
                            && !inner.isEmpty()
                            && !ExpressionReader.isOperator(value)) {
                        addComputed(prefix + name + ".", inner, tree, context);
                    } else {
                        tree.put(
                                prefix + name,
                                new FieldTree.Computed(Expression.compile(value, context)));
                    }
                });
    }

    private static DocumentStage unset(Value operand) {
        List<Value> names =
                operand instanceof Value.Array(List<Value> listed) ? listed : List.of(operand);
        if (names.isEmpty()) {
            throw MongoCode.failure(
                    31119,
                    "$unset specification must be a string or an array with at least one field");
        }
        FieldTree tree = new FieldTree();
        for (Value each : names) {
            if (!(each instanceof Value.Text(String name))) {
                throw MongoCode.failure(
                        operand instanceof Value.Array ? 31120 : 31002,
                        operand instanceof Value.Array
                                ? "$unset specification must be a string or an array containing only"
                                        + " string values"
                                : "$unset specification must be a string or an array");
            }
            tree.put(name, new FieldTree.Kept(false));
        }
        return document -> FieldTree.kept(tree.root(), document, false);
    }

    private static DocumentStage replaceRoot(Value operand, ExpressionContext context) {
        if (!(operand instanceof Value.Obj(Map<String, Value> fields))) {
            throw MongoCode.failure(
                    40229,
                    "expected an object as specification for $replaceRoot stage, got "
                            + TypeNames.of(operand));
        }
        for (String name : fields.keySet()) {
            if (!name.equals("newRoot")) {
                throw MongoCode.failure(
                        40230, "unrecognized option to $replaceRoot stage: " + name);
            }
        }
        Value root = fields.get("newRoot");
        if (root == null) {
            throw MongoCode.failure(40231, "no newRoot specified for the $replaceRoot stage");
        }
        return replace(root, context);
    }

    private static DocumentStage replace(Value root, ExpressionContext context) {
        Expression expression = Expression.compile(root, context);
        return document -> {
            Value made = expression.evaluate(context.variables(document));
            if (made instanceof Value.Obj next) {
                return next;
            }
            throw MongoCode.failure(
                    40228,
                    ("'newRoot' expression must evaluate to an object, but resulting value was: %s."
                                    + " Type of resulting value: '%s'. Input document: %s")
                            .formatted(
                                    ValueText.of(made),
                                    TypeNames.of(made),
                                    ValueText.of(document)));
        };
    }

    private static DocumentStage project(Value operand, ExpressionContext context) {
        if (!(operand instanceof Value.Obj(Map<String, Value> fields))) {
            throw MongoCode.failure(15969, "$project specification must be an object");
        }
        if (fields.isEmpty()) {
            throw MongoCode.failure(
                    51272,
                    "Invalid $project :: caused by :: projection specification must have at least"
                            + " one field");
        }
        return new ProjectReader(context).read(fields);
    }

    /** Reads {@code $project}: fields that stay or go, and fields that are computed. */
    final class ProjectReader {
        private static final String ID = "_id";

        private final ExpressionContext context;
        private final FieldTree tree = new FieldTree();
        private Optional<Boolean> isInclusion = Optional.empty();
        private boolean isIdNamed;

        ProjectReader(ExpressionContext context) {
            this.context = context;
        }

        DocumentStage read(Map<String, Value> fields) {
            addAll("", fields);
            boolean isInclusive =
                    isInclusion.orElse(
                            tree.root().children().get(ID) instanceof FieldTree.Kept(boolean isKept)
                                    && isKept);
            if (isInclusive && !isIdNamed) {
                tree.put(ID, new FieldTree.Kept(true));
            }
            return document ->
                    FieldTree.computed(
                            tree.root(),
                            FieldTree.kept(tree.root(), document, isInclusive),
                            context.variables(document));
        }

        private void addAll(String prefix, Map<String, Value> fields) {
            fields.forEach((name, value) -> add(prefix + name, value));
        }

        private void add(String path, Value value) {
            isIdNamed |= path.equals(ID) || path.startsWith(ID + ".");
            if (value instanceof Value.Bool || Numbers.isNumber(value)) {
                boolean isKept = Expression.isTrue(value);
                if (!path.equals(ID)) {
                    require(path, isKept);
                }
                tree.put(path, new FieldTree.Kept(isKept));
            } else if (value instanceof Value.Obj(Map<String, Value> inner)
                    && !inner.isEmpty()
                    && !ExpressionReader.isOperator(value)) {
                addAll(path + ".", inner);
            } else {
                if (value instanceof Value.Obj operator) {
                    ExpressionReader.unknownOperator(operator)
                            .ifPresent(
                                    unknown -> {
                                        throw MongoCode.failure(
                                                31325,
                                                "Invalid $project :: caused by :: Unknown expression "
                                                        + unknown);
                                    });
                }
                require(path, true);
                tree.put(path, new FieldTree.Computed(Expression.compile(value, context)));
            }
        }

        private void require(String path, boolean isKept) {
            if (isInclusion.isPresent() && isInclusion.get() != isKept) {
                throw MongoCode.failure(
                        isKept ? 31253 : 31254,
                        "Invalid $project :: caused by :: Cannot do %s on field %s in %s projection"
                                .formatted(
                                        isKept ? "inclusion" : "exclusion",
                                        path,
                                        isKept ? "exclusion" : "inclusion"));
            }
            isInclusion = Optional.of(isKept);
        }
    }
}
