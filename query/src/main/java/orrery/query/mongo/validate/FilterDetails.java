package orrery.query.mongo.validate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.expression.ExpressionContext;
import orrery.query.mongo.expression.TypeNames;
import orrery.query.mongo.match.Matcher;

/**
 * Tells why a document does not match a filter: it goes through the filter as it was written, and
 * asks each of its clauses. Within a negation it tells why clauses match. Used by one thread.
 */
final class FilterDetails {
    private static final Set<String> NUMBERS = Set.of("int", "long", "double", "decimal");

    /** A reason tells so many of the values at a path. */
    private static final int MAX_VALUES = 10;

    private final Value.Obj document;
    private final boolean isShort;

    /**
     * @param isShort leaves out what can be long: parts of the filter, and values of the document
     */
    FilterDetails(Value.Obj document, boolean isShort) {
        this.document = document;
        this.isShort = isShort;
    }

    /** Tells why the document does not match a filter. */
    Value.Obj of(Value.Obj filter) {
        return of(filter, false);
    }

    /** A condition that can hold or not by itself; as a filter it has one field. */
    private record Clause(String name, Value operand) {
        Value.Obj filter() {
            return new Value.Obj(Map.of(name, operand));
        }
    }

    private Value.Obj of(Value.Obj filter, boolean isMatch) {
        List<Clause> clauses = clauses(filter);
        if (clauses.size() == 1) {
            return of(clauses.getFirst(), isMatch);
        }
        List<Value.Obj> all = clauses.stream().map(Clause::filter).toList();
        return clauses("$and", all, isMatch, isMatch);
    }

    private static List<Clause> clauses(Value.Obj filter) {
        List<Clause> clauses = new ArrayList<>();
        filter.properties()
                .forEach(
                        (name, value) -> {
                            if (!name.startsWith("$")
                                    && value instanceof Value.Obj(Map<String, Value> operators)
                                    && isOperators(operators)) {
                                operators(operators)
                                        .forEach(each -> clauses.add(new Clause(name, each)));
                            } else if (!name.equals("$comment")) {
                                clauses.add(new Clause(name, value));
                            }
                        });
        return clauses;
    }

    private static boolean isOperators(Map<String, Value> fields) {
        String first = fields.isEmpty() ? "" : fields.keySet().iterator().next();
        return first.startsWith("$") && !Set.of("$ref", "$id", "$db").contains(first);
    }

    /** One document for each operator; the options of a pattern stay with it. */
    private static List<Value.Obj> operators(Map<String, Value> operators) {
        List<Value.Obj> each = new ArrayList<>();
        operators.forEach(
                (name, operand) -> {
                    Map<String, Value> one = new LinkedHashMap<>();
                    one.put(name, operand);
                    if (name.equals("$regex") && operators.containsKey("$options")) {
                        one.put("$options", operators.get("$options"));
                    }
                    if (!name.equals("$options") && !name.equals("$comment")) {
                        each.add(new Value.Obj(one));
                    }
                });
        return each;
    }

    private Value.Obj of(Clause clause, boolean isMatch) {
        return switch (clause.name()) {
            case "$and" -> clauses("$and", filters(clause.operand()), isMatch, isMatch);
            case "$or" -> clauses("$or", filters(clause.operand()), isMatch, isMatch);
            case "$nor" -> clauses("$nor", filters(clause.operand()), !isMatch, isMatch);
            case "$expr" -> expression(clause, isMatch);
            case "$jsonSchema" -> schema(clause, isMatch);
            case "$alwaysFalse", "$alwaysTrue" ->
                    specified(clause.name(), clause)
                            .reason("expression always evaluates to " + isMatch)
                            .build();
            default -> field(clause, isMatch);
        };
    }

    private static List<Value.Obj> filters(Value operand) {
        return ((Value.Array) operand).elements().stream().map(Value.Obj.class::cast).toList();
    }

    /**
     * @param isMatch whether the clauses are told that match, or those that do not
     * @param isNegated whether the operator itself is within a negation
     */
    private Value.Obj clauses(
            String operator, List<Value.Obj> filters, boolean isMatch, boolean isNegated) {
        List<Value.Obj> told = new ArrayList<>();
        for (int i = 0; i < filters.size(); i++) {
            if (tells(filters.get(i), isMatch)) {
                told.add(
                        new Details()
                                .put("index", Value.of(i))
                                .put("details", of(filters.get(i), isMatch))
                                .build());
            }
        }
        return Details.of(operator)
                .put(isNegated ? "clausesSatisfied" : "clausesNotSatisfied", told)
                .build();
    }

    private boolean tells(Value.Obj filter, boolean isMatch) {
        try {
            return Matcher.compile(filter, DocumentRule.CONTEXT).matches(document) == isMatch;
        } catch (OrreryException fails) {
            return true;
        }
    }

    private Value.Obj expression(Clause clause, boolean isMatch) {
        Details details = specified("$expr", clause);
        try {
            ExpressionContext context = ExpressionContext.of(DocumentRule.CONTEXT);
            Value result =
                    Expression.compile(clause.operand(), context)
                            .evaluate(context.variables(document));
            details.reason(isMatch ? "expression did match" : "expression did not match");
            if (result.isDefined() && !isShort) {
                details.put("expressionResult", result);
            }
        } catch (OrreryException failure) {
            int code = failure.languageCode().orElse(MongoCode.BAD_VALUE.number());
            details.reason("failed to evaluate aggregation expression")
                    .put(
                            "details",
                            new Details()
                                    .put("code", Value.of(code))
                                    .put("codeName", Value.of(MongoCode.nameOf(code)))
                                    .put("errmsg", Value.of(failure.text()))
                                    .build());
        }
        return details.build();
    }

    /** The reason for a schema that is met although it must not be says just that. */
    private Value.Obj schema(Clause clause, boolean isMatch) {
        Map<String, Value> schema = ((Value.Obj) clause.operand()).properties();
        Details details = Details.of("$jsonSchema");
        return isMatch
                ? details.reason("schema matched").build()
                : details.annotated(schema)
                        .put(
                                "schemaRulesNotSatisfied",
                                new SchemaDetails(isShort).of(schema, document))
                        .build();
    }

    // ---- conditions on a field

    private Value.Obj field(Clause clause, boolean isMatch) {
        FieldPath path = FieldPath.of(clause.name());
        if (!(clause.operand() instanceof Value.Obj(Map<String, Value> operators))
                || !isOperators(operators)) {
            return clause.operand() instanceof BsonValue.Regex
                    ? pattern(clause, path, isMatch)
                    : compared("$eq", clause, path, isMatch);
        }
        Map.Entry<String, Value> first = operators.entrySet().iterator().next();
        String operator = first.getKey();
        Value operand = first.getValue();
        return switch (operator) {
            case "$not" ->
                    Details.of("$not")
                            .put(
                                    "details",
                                    of(new Value.Obj(Map.of(clause.name(), operand)), !isMatch))
                            .build();
            case "$ne" -> compared("$ne", clause, path, !isMatch);
            case "$in" -> listed("$in", clause, path, isMatch);
            case "$nin" -> listed("$nin", clause, path, !isMatch);
            case "$exists" -> {
                boolean isThere = path.visitElements(document, (value, _) -> value.isDefined());
                yield specified("$exists", clause)
                        .reason(isThere ? "path does exist" : "path does not exist")
                        .build();
            }
            case "$type" -> type(clause, path, isMatch);
            case "$regex" -> pattern(clause, path, isMatch);
            case "$mod" ->
                    typed(
                            "$mod",
                            clause,
                            values(path),
                            NUMBERS,
                            isMatch
                                    ? "$mod did evaluate to expected remainder"
                                    : "$mod did not evaluate to expected remainder");
            case "$bitsAllClear", "$bitsAllSet", "$bitsAnyClear", "$bitsAnySet" ->
                    typed(
                            operator,
                            clause,
                            values(path),
                            Set.of("int", "long", "double", "decimal", "binData"),
                            isMatch
                                    ? "bitwise operator matched successfully"
                                    : "bitwise operator failed to match");
            case "$size" ->
                    typed(
                            "$size",
                            clause,
                            wholes(path),
                            Set.of("array"),
                            isMatch
                                    ? "array length was equal to given size"
                                    : "array length was not equal to given size");
            case "$elemMatch" ->
                    typed(
                            "$elemMatch",
                            clause,
                            wholes(path),
                            Set.of("array"),
                            isMatch
                                    ? "array did satisfy the child predicate"
                                    : "array did not satisfy the child predicate");
            case "$all" -> all(clause, path, operand, isMatch);
            default -> compared(operator, clause, path, isMatch);
        };
    }

    private Value.Obj compared(String operator, Clause clause, FieldPath path, boolean isMatch) {
        return told(
                operator,
                clause,
                values(path),
                isMatch ? "comparison succeeded" : "comparison failed");
    }

    private Value.Obj listed(String operator, Clause clause, FieldPath path, boolean isMatch) {
        return told(
                operator,
                clause,
                values(path),
                isMatch ? "matching value found in array" : "no matching value found in array");
    }

    private Value.Obj all(Clause clause, FieldPath path, Value operand, boolean isMatch) {
        if (operand instanceof Value.Array(List<Value> elements) && elements.isEmpty()) {
            return specified("$all", clause).reason("expression always evaluates to false").build();
        }
        return told(
                "$all",
                clause,
                wholes(path),
                isMatch
                        ? "array did contain all specified values"
                        : "array did not contain all specified values");
    }

    private Value.Obj type(Clause clause, FieldPath path, boolean isMatch) {
        Found found = values(path);
        Details details = specified("$type", clause);
        found.addMissing(details);
        if (!details.has("reason")) {
            details.reason(isMatch ? "type did match" : "type did not match");
        }
        considered(found, details);
        found.addTypes(details);
        return details.build();
    }

    private Value.Obj pattern(Clause clause, FieldPath path, boolean isMatch) {
        return typed(
                "$regex",
                clause,
                values(path),
                Set.of("string", "symbol", "regex"),
                isMatch ? "regular expression did match" : "regular expression did not match");
    }

    /** Tells first if none of the values has a type that the operator can do with. */
    private Value.Obj typed(
            String operator, Clause clause, Found found, Set<String> types, String reason) {
        Details details = specified(operator, clause);
        found.addMissing(details);
        if (!details.has("reason")
                && found.values().stream().map(TypeNames::of).noneMatch(types::contains)) {
            details.reason("type did not match");
            found.addTypes(details);
            Found.addNames(details, "expectedType", new TreeSet<>(types));
        }
        return finished(details, found, reason);
    }

    private Value.Obj told(String operator, Clause clause, Found found, String reason) {
        Details details = specified(operator, clause);
        found.addMissing(details);
        return finished(details, found, reason);
    }

    private Value.Obj finished(Details details, Found found, String reason) {
        if (!details.has("reason")) {
            details.reason(reason);
        }
        considered(found, details);
        return details.build();
    }

    private Details specified(String operator, Clause clause) {
        Details details = Details.of(operator);
        return isShort ? details : details.put("specifiedAs", clause.filter());
    }

    // ---- the values of the document

    /**
     * The values at a path.
     *
     * @param isThere false if nothing has the path; it may be there without a value
     */
    private record Found(List<Value> values, boolean isThere, boolean isCut) {
        void addMissing(Details details) {
            if (!isThere) {
                details.reason("field was missing");
            }
        }

        void addTypes(Details details) {
            Set<String> types = new TreeSet<>();
            values.forEach(value -> types.add(TypeNames.of(value)));
            if (!types.isEmpty()) {
                addNames(details, "consideredType", types);
            }
        }

        private static void addNames(Details details, String name, Set<String> types) {
            List<Value> names = types.stream().map(Value::of).toList();
            if (names.size() == 1) {
                details.put(name, names.getFirst());
            } else {
                details.put(name + "s", names);
            }
        }
    }

    private void considered(Found found, Details details) {
        if (!found.isThere() || isShort) {
            return;
        }
        if (found.values().size() == 1) {
            details.put("consideredValue", found.values().getFirst());
        } else {
            details.put("consideredValues", found.values());
        }
        if (found.isCut()) {
            details.put("consideredValuesTruncated", Value.of(true));
        }
    }

    /** The values that most conditions look at: of an array at the end of the path its elements. */
    private Found values(FieldPath path) {
        List<Value> values = new ArrayList<>();
        boolean isCut = path.visitUnwound(document, (value, _) -> isFull(values, value));
        boolean isThere =
                !values.isEmpty() || path.visitElements(document, (value, _) -> value.isDefined());
        return new Found(values, isThere, isCut);
    }

    private Found wholes(FieldPath path) {
        List<Value> values = new ArrayList<>();
        boolean isCut = path.visitValues(document, (value, _) -> isFull(values, value));
        return new Found(values, !values.isEmpty(), isCut);
    }

    private static boolean isFull(List<Value> values, Value value) {
        if (!value.isDefined()) {
            return false;
        }
        if (values.size() == MAX_VALUES) {
            return true;
        }
        values.add(value);
        return false;
    }
}
