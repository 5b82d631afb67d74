package orrery.query.mongo.update;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.expression.Numbers;
import orrery.query.mongo.expression.TypeNames;
import orrery.query.mongo.expression.ValueText;
import orrery.query.mongo.update.OperatorUpdate.Step;

/** Reads updates by operators. Messages are those that MongoDB has for the same faults. */
final class OperatorReader {
    private static final Pattern FILTER_NAME = Pattern.compile("[a-z][a-zA-Z0-9]*");

    private final UpdateContext context;
    private final Map<String, Predicate<Value>> filters;
    private final Set<String> usedFilters = new HashSet<>();
    private final List<Step> steps = new ArrayList<>();
    private final PathConflicts paths = new PathConflicts();

    private OperatorReader(UpdateContext context, List<Value.Obj> arrayFilters) {
        this.context = context;
        this.filters = filters(arrayFilters, context);
    }

    static OperatorUpdate read(
            Value.Obj update, List<Value.Obj> arrayFilters, UpdateContext context) {
        OperatorReader reader = new OperatorReader(context, arrayFilters);
        update.properties().forEach(reader::operator);
        for (String name : reader.filters.keySet()) {
            if (!reader.usedFilters.contains(name)) {
                throw MongoCode.FAILED_TO_PARSE.failure(
                        "The array filter for identifier '"
                                + name
                                + "' was not used in the update "
                                + ValueText.of(update));
            }
        }
        reader.steps.sort(Comparator.comparing(Step::path, UpdatePath.ORDER));
        return new OperatorUpdate(reader.steps, reader.filters);
    }

    private void operator(String name, Value operands) {
        if (!isKnown(name)) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "Unknown modifier: "
                            + name
                            + ". Expected a valid update modifier or pipeline-style update"
                            + " specified as an array");
        }
        if (!(operands instanceof Value.Obj(Map<String, Value> fields))) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    ("Modifiers operate on fields but we found type %s instead. For "
                                    + "example: {$mod: {<field>: ...}} not {%s}")
                            .formatted(TypeNames.of(operands), ValueText.field(name, operands)));
        }
        fields.forEach(
                (path, operand) -> {
                    if (name.equals("$rename")) {
                        rename(path, operand);
                    } else {
                        UpdatePath target = path(path);
                        steps.add(new Step.Change(target, read(name, path, operand)));
                    }
                });
    }

    private static boolean isKnown(String name) {
        return switch (name) {
            case "$set",
                    "$unset",
                    "$setOnInsert",
                    "$rename",
                    "$inc",
                    "$mul",
                    "$min",
                    "$max",
                    "$currentDate",
                    "$push",
                    "$addToSet",
                    "$pop",
                    "$pull",
                    "$pullAll",
                    "$bit" ->
                    true;
            default -> false;
        };
    }

    private FieldOperator read(String name, String path, Value operand) {
        return switch (name) {
            case "$set" -> new FieldOperator.Set(operand);
            case "$unset" -> new FieldOperator.Unset();
            case "$setOnInsert" -> new FieldOperator.SetOnInsert(operand);
            case "$inc", "$mul" -> arithmetic(name, path, operand);
            case "$min" -> new FieldOperator.Extreme(operand, -1, context.order());
            case "$max" -> new FieldOperator.Extreme(operand, 1, context.order());
            case "$currentDate" -> FieldOperator.currentDate(operand, context);
            case "$push" -> ArrayOperator.push(operand, context);
            case "$addToSet" -> ArrayOperator.addToSet(operand, context);
            case "$pop" -> ArrayOperator.pop(path, operand);
            case "$pull" -> ArrayOperator.pull(operand, context);
            case "$pullAll" -> ArrayOperator.pullAll(operand, context);
            case "$bit" -> bits(operand);
            default -> throw new IllegalStateException("an operator is known and cannot be read");
        };
    }

    private static FieldOperator arithmetic(String name, String path, Value operand) {
        if (!Numbers.isNumber(operand)) {
            throw MongoCode.TYPE_MISMATCH.failure(
                    "Cannot %s with non-numeric argument: {%s}"
                            .formatted(
                                    name.equals(FieldOperator.Arithmetic.INC)
                                            ? "increment"
                                            : "multiply",
                                    ValueText.field(path, operand)));
        }
        return new FieldOperator.Arithmetic(name, operand);
    }

    private static FieldOperator bits(Value operand) {
        if (!(operand instanceof Value.Obj(Map<String, Value> rules))) {
            throw MongoCode.BAD_VALUE.failure(
                    "The $bit modifier is not compatible with a "
                            + TypeNames.of(operand)
                            + ". You must pass in an embedded document: {$bit: {field: {and/or/xor:"
                            + " #}}");
        }
        if (rules.isEmpty()) {
            throw MongoCode.BAD_VALUE.failure(
                    "You must pass in at least one bitwise operation. The format is: {$bit: {field:"
                            + " {and/or/xor: #}}");
        }
        List<FieldOperator.Bits.Step> steps = new ArrayList<>();
        rules.forEach(
                (name, number) -> {
                    FieldOperator.Bits.Rule rule =
                            switch (name) {
                                case "and" -> FieldOperator.Bits.Rule.AND;
                                case "or" -> FieldOperator.Bits.Rule.OR;
                                case "xor" -> FieldOperator.Bits.Rule.XOR;
                                default ->
                                        throw MongoCode.BAD_VALUE.failure(
                                                ("The $bit modifier only supports 'and', 'or', and 'xor', not '%s' "
                                                                + "which is an unknown operator: {%s}")
                                                        .formatted(
                                                                name,
                                                                ValueText.field(name, number)));
                            };
                    if (!Numbers.isInteger(number)) {
                        throw MongoCode.BAD_VALUE.failure(
                                ("The $bit modifier field must be an Integer(32/64 bit); a '%s' is not "
                                                + "supported here: {%s}")
                                        .formatted(
                                                TypeNames.of(number),
                                                ValueText.field(name, number)));
                    }
                    steps.add(new FieldOperator.Bits.Step(rule, number));
                });
        return new FieldOperator.Bits(steps);
    }

    private void rename(String source, Value target) {
        String field = ValueText.field(source, target);
        if (!(target instanceof Value.Text(String name))) {
            throw MongoCode.BAD_VALUE.failure(
                    "The 'to' field for $rename must be a string: " + field);
        }
        if (name.indexOf('\0') >= 0) {
            throw MongoCode.BAD_VALUE.failure(
                    "The 'to' field for $rename cannot contain an embedded null byte");
        }
        UpdatePath from = UpdatePath.parse(source);
        UpdatePath to = UpdatePath.parse(name);
        if (from.equals(to)) {
            throw MongoCode.BAD_VALUE.failure(
                    "The source and target field for $rename must differ: " + field);
        }
        if (from.meets(to)) {
            throw MongoCode.BAD_VALUE.failure(
                    "The source and target field for $rename must not be on the same path: "
                            + field);
        }
        if (from.isDynamic()) {
            throw MongoCode.BAD_VALUE.failure(
                    "The source field for $rename may not be dynamic: " + source);
        }
        if (to.isDynamic()) {
            throw MongoCode.BAD_VALUE.failure(
                    "The destination field for $rename may not be dynamic: " + name);
        }
        apart(from);
        apart(to);
        steps.add(new Step.Rename(from, to));
    }

    private UpdatePath path(String dotted) {
        UpdatePath path = UpdatePath.parse(dotted);
        for (String part : path.parts()) {
            if (UpdatePath.isElements(part) && !part.equals(UpdatePath.ALL)) {
                String name = UpdatePath.filterName(part);
                if (!filters.containsKey(name)) {
                    throw MongoCode.BAD_VALUE.failure(
                            "No array filter found for identifier '"
                                    + name
                                    + "' in path '"
                                    + dotted
                                    + "'");
                }
                usedFilters.add(name);
            }
        }
        apart(path);
        return path;
    }

    private void apart(UpdatePath path) {
        paths.add(path);
        paths.first()
                .ifPresent(
                        conflict -> {
                            throw MongoCode.CONFLICTING_UPDATE_OPERATORS.failure(
                                    "Updating the path '%s' would create a conflict at '%s'"
                                            .formatted(conflict.path(), conflict.at()));
                        });
    }

    private static Map<String, Predicate<Value>> filters(
            List<Value.Obj> arrayFilters, UpdateContext context) {
        Map<String, Predicate<Value>> filters = new LinkedHashMap<>();
        for (Value.Obj filter : arrayFilters) {
            Set<String> names = new HashSet<>();
            addNames(filter, names);
            if (names.isEmpty()) {
                throw MongoCode.FAILED_TO_PARSE.failure(
                        "Cannot use an expression without a top-level field name in arrayFilters");
            }
            List<String> sorted = names.stream().sorted().toList();
            if (sorted.size() > 1) {
                throw MongoCode.FAILED_TO_PARSE.failure(
                        ("Error parsing array filter :: caused by :: Expected a single "
                                        + "top-level field name, found '%s' and '%s'")
                                .formatted(sorted.get(0), sorted.get(1)));
            }
            String name = sorted.getFirst();
            if (!FILTER_NAME.matcher(name).matches()) {
                throw MongoCode.BAD_VALUE.failure(
                        "Error parsing array filter :: caused by :: The top-level field name must"
                                + " be an alphanumeric string beginning with a lowercase letter,"
                                + " found '"
                                + name
                                + "'");
            }
            Predicate<Value.Obj> matcher = context.filter(filter);
            Predicate<Value> test = element -> matcher.test(new Value.Obj(Map.of(name, element)));
            if (filters.put(name, test) != null) {
                throw MongoCode.FAILED_TO_PARSE.failure(
                        "Found multiple array filters with the same top-level field name " + name);
            }
        }
        return filters;
    }

    /** The first parts of all paths in a filter. */
    private static void addNames(Value.Obj filter, Set<String> names) {
        filter.properties()
                .forEach(
                        (name, value) -> {
                            if (!name.startsWith("$")) {
                                int dot = name.indexOf('.');
                                names.add(dot < 0 ? name : name.substring(0, dot));
                            } else if (value instanceof Value.Array array) {
                                array.elements().stream()
                                        .filter(Value.Obj.class::isInstance)
                                        .forEach(inner -> addNames((Value.Obj) inner, names));
                            }
                        });
    }
}
