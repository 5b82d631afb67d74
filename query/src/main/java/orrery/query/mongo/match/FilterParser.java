package orrery.query.mongo.match;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import orrery.document.BsonValue;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;

/** Reads filters. Messages are those that MongoDB has for the same faults. */
final class FilterParser {
    private final MatchContext context;
    private final OperandParser operands;

    FilterParser(MatchContext context) {
        this.context = context;
        this.operands = new OperandParser(context.order());
    }

    static OrreryException invalid(String message) {
        return MongoCode.BAD_VALUE.failure(message);
    }

    /** Reads the operand of {@code $elemMatch}, in filters and in projections. */
    ValueTest elementTest(Value operand) {
        return elemMatch(operand);
    }

    Condition document(Value.Obj filter) {
        List<Condition> all = new ArrayList<>();
        filter.properties()
                .forEach(
                        (name, value) -> {
                            if (name.startsWith("$")) {
                                topLevel(name, value, all);
                            } else {
                                all.add(field(FieldPath.of(name), value));
                            }
                        });
        return and(all);
    }

    private static Condition and(List<Condition> all) {
        return all.size() == 1 ? all.getFirst() : new Condition.And(all);
    }

    private void topLevel(String name, Value operand, List<Condition> all) {
        switch (name) {
            case "$and" -> all.add(new Condition.And(documents(name, operand)));
            case "$or" -> all.add(new Condition.Or(documents(name, operand)));
            case "$nor" -> all.add(new Condition.Not(new Condition.Or(documents(name, operand))));
            case "$expr" ->
                    all.add(
                            new Condition.OfExpression(
                                    context.expressions().read(operand, context)));
            case "$comment" -> {}
            case "$alwaysTrue", "$alwaysFalse" -> all.add(constant(name, operand));
            case "$jsonSchema" ->
                    all.add(new Condition.OfSchema(new SchemaParser(operands).schema(operand)));
            case "$sampleRate" -> all.add(sample(operand));
            case "$where", "$text" -> throw invalid(name + " is not supported");
            default ->
                    throw invalid(
                            "unknown top level operator: "
                                    + name
                                    + ". If you have a field name that starts with a '$' symbol,"
                                    + " consider using $getField or $setField.");
        }
    }

    /** What servers make of it, too: a draw for each document. */
    private Condition sample(Value rate) {
        if (!MongoOrder.isNumber(rate)) {
            throw invalid("argument to $sampleRate must be a numeric type");
        }
        boolean isShare =
                !MongoOrder.isNaN(rate)
                        && MongoOrder.compareNumbers(rate, Value.of(0)) >= 0
                        && MongoOrder.compareNumbers(rate, Value.of(1)) <= 0;
        if (!isShare) {
            throw invalid("numeric argument to $sampleRate must be in [0, 1]");
        }
        Value draw = new Value.Obj(Map.of("$rand", new Value.Obj(Map.of())));
        Value isDrawn = new Value.Obj(Map.of("$lt", new Value.Array(List.of(draw, rate))));
        return new Condition.OfExpression(context.expressions().read(isDrawn, context));
    }

    private static Condition constant(String name, Value operand) {
        if (!MongoOrder.SIMPLE.equal(operand, Value.of(1))) {
            throw MongoCode.FAILED_TO_PARSE.failure(name + " must be an integer value of 1");
        }
        return new Condition.Constant(name.equals("$alwaysTrue"));
    }

    private List<Condition> documents(String name, Value operand) {
        if (!(operand instanceof Value.Array(List<Value> elements))) {
            throw invalid(name + " must be an array");
        }
        if (elements.isEmpty()) {
            throw invalid("$and/$or/$nor must be a nonempty array");
        }
        List<Condition> conditions = new ArrayList<>();
        for (Value element : elements) {
            if (!(element instanceof Value.Obj filter)) {
                throw invalid("$or/$and/$nor entries need to be full objects");
            }
            conditions.add(document(filter));
        }
        return conditions;
    }

    private Condition field(FieldPath path, Value value) {
        if (value instanceof Value.Obj operators && isOperators(operators)) {
            return operators(path, operators);
        }
        return new Condition.OnPath(path, operands.equality(value));
    }

    /** A document is one of operators if the first name is one; references have such names too. */
    static boolean isOperators(Value.Obj document) {
        return document.properties().keySet().stream()
                .findFirst()
                .filter(name -> name.startsWith("$"))
                .filter(name -> !name.equals("$ref") && !name.equals("$id") && !name.equals("$db"))
                .isPresent();
    }

    private Condition operators(FieldPath path, Value.Obj operators) {
        List<Condition> all = new ArrayList<>();
        operators
                .properties()
                .forEach((name, operand) -> operator(path, name, operand, operators, all));
        return and(all);
    }

    private void operator(
            FieldPath path, String name, Value operand, Value.Obj operators, List<Condition> all) {
        switch (name) {
            case "$not" -> all.add(new Condition.Not(negated(path, operand)));
            case "$all" -> all.addAll(all(path, operand));
            case "$ne" -> {
                if (operand instanceof BsonValue.Regex) {
                    throw invalid("Can't have regex as arg to $ne.");
                }
                all.add(
                        new Condition.Not(
                                new Condition.OnPath(
                                        path,
                                        operands.comparison(ValueTest.Relation.EQ, operand))));
            }
            case "$nin" ->
                    all.add(
                            new Condition.Not(
                                    new Condition.OnPath(path, operands.in(name, operand))));
            case "$exists" -> {
                Condition exists = new Condition.OnPath(path, new ValueTest.Exists());
                all.add(OperandParser.isTrue(operand) ? exists : new Condition.Not(exists));
            }
            case "$elemMatch" -> all.add(new Condition.OnPath(path, elemMatch(operand)));
            case "$options" -> OperandParser.requireRegex(operators);
            case "$comment" -> {}
            case "$lt", "$lte", "$gt", "$gte" -> {
                if (operand instanceof BsonValue.Regex) {
                    throw invalid(
                            "Can't have RegEx as arg to predicate over field '"
                                    + path.dotted()
                                    + "'.");
                }
                all.add(new Condition.OnPath(path, operands.test(name, operand, operators)));
            }
            default -> all.add(new Condition.OnPath(path, operands.test(name, operand, operators)));
        }
    }

    private Condition negated(FieldPath path, Value operand) {
        return switch (operand) {
            case BsonValue.Regex regex ->
                    new Condition.OnPath(path, operands.regex(regex.pattern(), regex.options()));
            case Value.Obj operators -> {
                if (operators.properties().isEmpty()) {
                    throw invalid("$not cannot be empty");
                }
                yield operators(path, operators);
            }
            default -> throw invalid("$not needs a regex or a document");
        };
    }

    private List<Condition> all(FieldPath path, Value operand) {
        if (!(operand instanceof Value.Array(List<Value> elements))) {
            throw invalid("$all needs an array");
        }
        if (elements.isEmpty()) {
            return List.of(new Condition.Constant(false));
        }
        boolean isOfMatches = isElemMatch(elements.getFirst());
        List<Condition> all = new ArrayList<>();
        for (Value element : elements) {
            if (isOfMatches != isElemMatch(element)) {
                throw invalid(
                        isOfMatches
                                ? "$all/$elemMatch has to be consistent"
                                : "no $ expressions in $all");
            }
            if (!isOfMatches && element instanceof Value.Obj inner && isOperators(inner)) {
                throw invalid("no $ expressions in $all");
            }
            all.add(
                    isOfMatches
                            ? operators(path, (Value.Obj) element)
                            : new Condition.OnPath(path, operands.equality(element)));
        }
        return all;
    }

    private static boolean isElemMatch(Value value) {
        return value instanceof Value.Obj(Map<String, Value> properties)
                && properties.keySet().stream()
                        .findFirst()
                        .filter(name -> name.equals("$elemMatch"))
                        .isPresent();
    }

    private ValueTest elemMatch(Value operand) {
        if (!(operand instanceof Value.Obj inner)) {
            throw invalid("$elemMatch needs an Object");
        }
        return isOfValues(inner)
                ? new ValueTest.AnyElement(valueTest(inner))
                : new ValueTest.AnyDocument(document(inner));
    }

    /** The operators that take filters stand in a condition on documents. */
    private static boolean isOfValues(Value.Obj operand) {
        return isOperators(operand)
                && operand.properties().keySet().stream()
                        .findFirst()
                        .filter(
                                name ->
                                        switch (name) {
                                            case "$and", "$or", "$nor", "$where", "$expr" -> false;
                                            default -> true;
                                        })
                        .isPresent();
    }

    /** Reads operators that test an element itself. */
    private ValueTest valueTest(Value.Obj operators) {
        List<ValueTest> tests = new ArrayList<>();
        operators
                .properties()
                .forEach((name, operand) -> valueTest(name, operand, operators, tests));
        return tests.size() == 1 ? tests.getFirst() : new ValueTest.All(tests);
    }

    private void valueTest(String name, Value operand, Value.Obj operators, List<ValueTest> tests) {
        switch (name) {
            case "$not" ->
                    tests.add(
                            new ValueTest.Except(
                                    switch (operand) {
                                        case BsonValue.Regex regex ->
                                                operands.regex(regex.pattern(), regex.options());
                                        case Value.Obj inner when !inner.properties().isEmpty() ->
                                                valueTest(inner);
                                        case Value.Obj _ -> throw invalid("$not cannot be empty");
                                        default ->
                                                throw invalid("$not needs a regex or a document");
                                    }));
            case "$ne" -> {
                if (operand instanceof BsonValue.Regex) {
                    throw invalid("Can't have regex as arg to $ne.");
                }
                tests.add(
                        new ValueTest.Except(operands.comparison(ValueTest.Relation.EQ, operand)));
            }
            case "$nin" -> tests.add(new ValueTest.Except(operands.in(name, operand)));
            case "$exists" ->
                    tests.add(
                            OperandParser.isTrue(operand)
                                    ? new ValueTest.Exists()
                                    : new ValueTest.Except(new ValueTest.Exists()));
            case "$elemMatch" -> tests.add(elemMatch(operand));
            case "$all" -> throw invalid("$all is not supported inside of $elemMatch");
            case "$options" -> OperandParser.requireRegex(operators);
            case "$comment" -> {}
            default -> tests.add(operands.test(name, operand, operators));
        }
    }

    static String shown(String name, Value operand) {
        return name + ": " + JsonText.write(operand);
    }
}
