package orrery.query.mongo.find;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import orrery.document.CanonicalValue;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.query.mongo.Documents;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.match.MatchContext;
import orrery.query.mongo.match.Matcher;

/**
 * Random documents and reads of MongoDB's API, and their answers by looking at each document in
 * turn.
 */
public final class NaiveMongo {
    private static final String LONG = "k".repeat(300);

    private static final List<String> SCALARS =
            List.of(
                    "null",
                    "0",
                    "1",
                    "-3",
                    "1.5",
                    "{'$numberLong':'1'}",
                    "{'$numberDecimal':'1.5'}",
                    "true",
                    "false",
                    "''",
                    "'a'",
                    "'ab'",
                    "'i3'",
                    "'" + LONG + "x'",
                    "'" + LONG + "y'",
                    "{'$oid':'507f1f77bcf86cd799439011'}",
                    "{'$date':'2026-11-17T04:30:00.125Z'}",
                    "{'$binary':{'base64':'AQID','subType':'00'}}",
                    "{'$regularExpression':{'pattern':'a','options':''}}",
                    "{'$minKey':1}",
                    "{'$maxKey':1}");

    private static final List<String> NESTED =
            List.of(
                    "{}",
                    "{'x':1}",
                    "{'x':2,'y':'a'}",
                    "{'x':null}",
                    "{'x':[1,'a']}",
                    "{'0':1}",
                    "[]",
                    "[1]",
                    "[null]",
                    "[1,'a',null]",
                    "[3,-2]",
                    "[[1]]",
                    "[[],{'x':1}]",
                    "[{'x':1},{'x':'b','y':1}]",
                    "[{'x':[1,2]},5]",
                    "[{'y':2},{'x':null}]",
                    "[[{'x':1}],{'0':2}]");

    private static final List<String> PATHS =
            List.of(
                    "a", "b", "s", "o", "o.p", "a.x", "a.x.y", "a.0", "a.0.x", "b.x", "n", "_id",
                    "pk");

    private static final List<String> SORTS = List.of("a", "b", "s", "o.p", "n", "_id", "b.x");

    private NaiveMongo() {}

    private static <T> T pick(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }

    private static String value(Random random, int nestedOfTen) {
        return random.nextInt(10) < nestedOfTen ? pick(NESTED, random) : pick(SCALARS, random);
    }

    /**
     * A document as extended JSON.
     *
     * @param nestedOfTen how many of ten values are arrays or documents
     */
    public static String document(String id, Random random, int nestedOfTen) {
        StringBuilder json = new StringBuilder("{'_id':'" + id + "','pk':'" + id + "'");
        json.append(",'n':").append(random.nextInt(5));
        for (String name : List.of("a", "b", "s")) {
            if (random.nextInt(4) > 0) {
                json.append(",'" + name + "':").append(value(random, nestedOfTen));
            }
        }
        if (random.nextInt(3) > 0) {
            json.append(",'o':{'p':").append(value(random, nestedOfTen)).append('}');
        }
        return json.append('}').toString();
    }

    /** A read that fits the documents. */
    public static FindStatement statement(Random random) {
        FindOptions options = FindOptions.of(Documents.of(filter(random, 2)));
        switch (random.nextInt(6)) {
            case 0 -> options = options.counted().within(random.nextInt(3), random.nextInt(6));
            case 1 -> options = options.distinct(pick(PATHS, random));
            default -> {
                options = options.withSort(Documents.of(sort(random)));
                if (random.nextInt(4) == 0) {
                    options = options.within(random.nextInt(4), random.nextInt(10));
                }
                if (random.nextInt(3) == 0) {
                    options = options.withProjection(Documents.of(projection(random)));
                }
            }
        }
        return new FindStatement(options);
    }

    private static String projection(Random random) {
        return pick(
                List.of(
                        "{'a':1}",
                        "{'a.x':1,'n':1}",
                        "{'a':0}",
                        "{'o.p':0,'b':0}",
                        "{'b':{'$slice':1}}",
                        "{'b':{'$elemMatch':{'x':1}}}"),
                random);
    }

    private static String sort(Random random) {
        List<String> paths = new ArrayList<>(SORTS);
        Collections.shuffle(paths, random);
        StringBuilder sort = new StringBuilder("{");
        String separator = "";
        for (String path : paths.subList(0, random.nextInt(3))) {
            if (!(path.startsWith("b") && sort.toString().contains("'b"))) {
                sort.append(separator + "'" + path + "':" + (random.nextBoolean() ? 1 : -1));
                separator = ",";
            }
        }
        return sort.append('}').toString();
    }

    private static String filter(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 3 : 6)) {
            case 0 -> "{}";
            case 1, 2 -> "{'" + pick(PATHS, random) + "':" + condition(random) + "}";
            case 3 ->
                    "{'$and':["
                            + filter(random, depth - 1)
                            + ","
                            + filter(random, depth - 1)
                            + "]}";
            case 4 ->
                    "{'$or':[" + filter(random, depth - 1) + "," + filter(random, depth - 1) + "]}";
            default -> "{'$nor':[" + filter(random, depth - 1) + "]}";
        };
    }

    private static String condition(Random random) {
        String operand = value(random, 3);
        boolean isRegex = operand.startsWith("{'$regular");
        return switch (random.nextInt(16)) {
            case 0, 1, 2 -> operand;
            case 3, 4 ->
                    isRegex
                            ? operand
                            : "{'"
                                    + pick(List.of("$gt", "$gte", "$lt", "$lte"), random)
                                    + "':"
                                    + operand
                                    + "}";
            case 5 -> "{'$in':[" + operand + "," + value(random, 3) + "]}";
            case 6 -> isRegex ? operand : "{'$ne':" + operand + "}";
            case 7 -> "{'$nin':[" + operand + "]}";
            case 8 -> "{'$exists':" + random.nextBoolean() + "}";
            case 9 ->
                    "{'$type':'"
                            + pick(List.of("number", "string", "array", "object", "null"), random)
                            + "'}";
            case 10 -> "{'$size':" + random.nextInt(3) + "}";
            case 11 -> "{'$elemMatch':{'$gt':0,'$lt':3}}";
            case 12 -> "{'$elemMatch':{'x':" + operand + "}}";
            case 13 -> "{'$all':[" + operand + "]}";
            case 14 -> "{'$regex':'" + pick(List.of("^a", "b$", "^k+x"), random) + "'}";
            default -> "{'$gte':-1,'$lt':2}";
        };
    }

    /**
     * Fails unless the rows are an answer.
     *
     * @param rows in their JSON form
     */
    public static void check(FindStatement read, List<Value.Obj> documents, List<String> rows) {
        String name = JsonText.write(read.options().filter()) + " " + read.options();
        Matcher matcher = Matcher.compile(read.options().filter(), MatchContext.of(Instant.EPOCH));
        List<Value.Obj> matches = documents.stream().filter(matcher::matches).toList();
        FindOptions options = read.options();
        switch (options.answer()) {
            case FindOptions.Answer.Count() -> {
                long count = Math.max(0, matches.size() - options.skip());
                count = options.limit() == 0 ? count : Math.min(count, options.limit());
                assertThat(rows).as(name).containsExactly("{\"n\":" + count + "}");
            }
            case FindOptions.Answer.Distinct(String key) ->
                    assertThat(distinct(rows))
                            .as(name)
                            .containsExactlyElementsOf(distinct(matches, FieldPath.of(key)));
            case FindOptions.Answer.Documents() -> documents(read, name, matches, rows);
        }
    }

    private static List<String> distinct(List<Value.Obj> matches, FieldPath key) {
        List<Value> values = new ArrayList<>();
        for (Value.Obj match : matches) {
            key.visitUnwound(
                    match,
                    (value, _) -> {
                        if (value.isDefined()
                                && values.stream()
                                        .noneMatch(
                                                other -> MongoOrder.SIMPLE.equal(other, value))) {
                            values.add(value);
                        }
                        return false;
                    });
        }
        return values.stream().sorted(MongoOrder.SIMPLE).map(NaiveMongo::normal).toList();
    }

    private static List<String> distinct(List<String> rows) {
        return rows.stream()
                .map(Documents::of)
                .map(row -> Objects.requireNonNull(row.properties().get("v")))
                .sorted(MongoOrder.SIMPLE)
                .map(NaiveMongo::normal)
                .toList();
    }

    /** Of equal values any may stand for the others. */
    private static String normal(Value value) {
        return CanonicalValue.of(value).toHex();
    }

    private static void documents(
            FindStatement read, String name, List<Value.Obj> matches, List<String> rows) {
        FindOptions options = read.options();
        List<Value.Obj> sorted = new ArrayList<>(matches);
        Comparator<Value.Obj> order = order(options.sort());
        sorted.sort(order);
        int from = (int) Math.min(sorted.size(), options.skip());
        int to =
                options.limit() == 0
                        ? sorted.size()
                        : (int) Math.min(sorted.size(), from + options.limit());
        Map<String, Value.Obj> byId = new HashMap<>();
        matches.forEach(match -> byId.put(id(match), match));
        assertThat(rows).as(name).hasSize(to - from);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < rows.size(); i++) {
            Value.Obj row = Documents.of(rows.get(i));
            assertThat(byId).as(name + " gave " + rows.get(i)).containsKey(id(row));
            Value.Obj match = Objects.requireNonNull(byId.get(id(row)));
            assertThat(seen.add(id(row))).as(name + " gave twice " + rows.get(i)).isTrue();
            assertThat(rows.get(i))
                    .as(name)
                    .isEqualTo(JsonText.write(read.result(match).orElseThrow()));
            // Documents with the same values may come in any order.
            assertThat(order.compare(match, sorted.get(from + i)))
                    .as(name + " at " + i + ": " + rows.get(i))
                    .isZero();
        }
    }

    private static String id(Value.Obj document) {
        return JsonText.write(Objects.requireNonNull(document.properties().get("_id")));
    }

    private static Comparator<Value.Obj> order(Value.Obj sort) {
        Map<String, Value> columns = new LinkedHashMap<>(sort.properties());
        return (left, right) -> {
            for (Map.Entry<String, Value> column : columns.entrySet()) {
                boolean isDescending = !column.getValue().equals(Value.of(1));
                FieldPath path = FieldPath.of(column.getKey());
                int found =
                        MongoOrder.SIMPLE.compare(
                                key(left, path, isDescending), key(right, path, isDescending));
                if (found != 0) {
                    return isDescending ? -found : found;
                }
            }
            return 0;
        };
    }

    /** The least or the greatest of what is at a path; null for what is not there. */
    private static Value key(Value.Obj document, FieldPath path, boolean isGreatest) {
        List<Value> values = new ArrayList<>();
        collect(document, path.parts(), values);
        return isGreatest
                ? Collections.max(values, MongoOrder.SIMPLE)
                : Collections.min(values, MongoOrder.SIMPLE);
    }

    private static void collect(Value value, List<String> parts, List<Value> values) {
        if (parts.isEmpty()) {
            if (value instanceof Value.Array(List<Value> elements)) {
                values.addAll(elements.isEmpty() ? List.of(Value.Undefined.UNDEFINED) : elements);
            } else {
                values.add(value.isDefined() ? value : Value.Null.NULL);
            }
            return;
        }
        List<String> rest = parts.subList(1, parts.size());
        switch (value) {
            case Value.Obj(Map<String, Value> properties) ->
                    collect(
                            properties.getOrDefault(parts.getFirst(), Value.Undefined.UNDEFINED),
                            rest,
                            values);
            case Value.Array(List<Value> elements) -> {
                if (elements.isEmpty()) {
                    values.add(Value.Null.NULL);
                }
                for (Value element : elements) {
                    if (element instanceof Value.Obj) {
                        collect(element, parts, values);
                    } else {
                        values.add(Value.Null.NULL);
                    }
                }
            }
            default -> values.add(Value.Null.NULL);
        }
    }
}
