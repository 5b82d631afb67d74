package orrery.query.find;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import orrery.document.BodyFormat;
import orrery.document.BsonCodec;
import orrery.document.IndexValue;
import orrery.document.JsonText;
import orrery.document.TypeOrder;
import orrery.document.Value;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.query.dialect.Effort;
import orrery.query.dialect.ProgramRun;
import orrery.query.dialect.RowLimit;

/** Answers queries of the test language by looking at every item, and generates some. */
public final class NaiveFind {
    /** Paths that generated items have, with values of any type. */
    private static final List<String> PATHS = List.of("a", "b", "s", "o.p");

    private static final String LONG = "l".repeat(300);

    private static final List<String> VALUES =
            List.of(
                    "null",
                    "true",
                    "false",
                    "0",
                    "1",
                    "2",
                    "-3.5",
                    "\"\"",
                    "\"a\"",
                    "\"ab\"",
                    "\"" + LONG + "x\"",
                    "\"" + LONG + "y\"",
                    "{\"$oid\":\"507f1f77bcf86cd799439011\"}",
                    "{\"$date\":\"2026-11-17T04:30:00.125Z\"}",
                    "{\"$numberLong\":\"1\"}",
                    "{\"$numberDecimal\":\"1.5\"}",
                    "{\"$binary\":{\"base64\":\"AQID\",\"subType\":\"04\"}}",
                    "{\"$timestamp\":{\"t\":1,\"i\":2}}",
                    "{\"$minKey\":1}",
                    "{\"$maxKey\":1}");

    private static final List<String> NESTED = List.of("[]", "[1,\"a\"]", "{\"q\":1}", "{}");

    private NaiveFind() {}

    /** An item with some of the paths, as JSON text. */
    public static String item(String id, Random random) {
        StringBuilder json = new StringBuilder("{\"_id\":\"" + id + "\",\"pk\":\"" + id + "\"");
        json.append(",\"n\":").append(random.nextInt(5));
        for (String name : List.of("a", "b", "s")) {
            if (random.nextInt(4) > 0) {
                json.append(",\"").append(name).append("\":").append(value(random));
            }
        }
        if (random.nextInt(3) > 0) {
            json.append(",\"o\":{\"p\":").append(value(random)).append('}');
        }
        return json.append('}').toString();
    }

    private static String value(Random random) {
        return random.nextInt(6) == 0 ? pick(NESTED, random) : pick(VALUES, random);
    }

    private static <T> T pick(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }

    /** The document that this is the JSON form of. */
    public static Bytes bson(String json) {
        return BodyFormat.of(Encoding.BSON).show(Body.json(Bytes.ofUtf8(json)));
    }

    private static Value read(String json) {
        return new FindPath("v").of(BsonCodec.read(bson("{\"v\":" + json + "}")));
    }

    public static FindQuery query(Random random) {
        List<FindCondition> filter = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            FindCondition.Test test = pick(List.of(FindCondition.Test.values()), random);
            filter.add(
                    new FindCondition(
                            pick(PATHS, random),
                            test,
                            test == FindCondition.Test.EXISTS
                                    ? Value.of(random.nextBoolean())
                                    : read(pick(VALUES, random))));
        }
        List<FindQuery.Sort> sort = new ArrayList<>();
        List<String> paths = new ArrayList<>(PATHS);
        for (int i = random.nextInt(3); i > 0; i--) {
            String path = pick(paths, random);
            paths.remove(path);
            sort.add(new FindQuery.Sort(path, random.nextBoolean()));
        }
        boolean isGrouped = random.nextInt(4) == 0;
        boolean isDistinct = !isGrouped && random.nextInt(5) == 0;
        RowLimit limit =
                random.nextInt(4) == 0
                        ? new RowLimit(random.nextInt(3), random.nextInt(10))
                        : RowLimit.NONE;
        return new FindQuery(
                filter,
                isGrouped ? List.of() : sort,
                isDistinct ? List.of("n", "a") : List.of("_id", "n", "a", "b", "s", "o"),
                isDistinct,
                isGrouped
                        ? Optional.of(new FindQuery.Grouping(pick(PATHS, random), "n"))
                        : Optional.empty(),
                isGrouped || isDistinct ? RowLimit.NONE : limit);
    }

    /**
     * Fails unless the rows are an answer.
     *
     * @param items as they are stored
     * @param rows in their JSON form
     */
    public static void check(FindQuery query, List<Value.Obj> items, List<String> rows) {
        List<Value.Obj> sorted =
                items.stream()
                        .filter(item -> query.filter().stream().allMatch(c -> c.matches(item)))
                        .sorted(order(query))
                        .toList();
        List<String> all = results(query, sorted);
        if (query.limit().equals(RowLimit.NONE)) {
            assertThat(rows).as(query.toString()).containsExactlyInAnyOrderElementsOf(all);
        } else {
            long expected =
                    Math.min(query.limit().take(), Math.max(0, all.size() - query.limit().skip()));
            assertThat(rows).as(query.toString()).hasSize((int) expected).isSubsetOf(all);
            assertThat(rows).as(query.toString()).doesNotHaveDuplicates();
        }
        if (query.answer().isSorted() && !query.isDistinct()) {
            // Items with the same values may come in any order.
            List<List<Bytes>> keys =
                    sorted.stream()
                            .skip(query.limit().skip())
                            .limit(query.limit().take())
                            .map(item -> keys(query, item))
                            .toList();
            List<List<Bytes>> found =
                    rows.stream().map(row -> keys(query, sorted.get(all.indexOf(row)))).toList();
            assertThat(found).as(query.toString()).isEqualTo(keys);
        }
    }

    private static List<String> results(FindQuery query, List<Value.Obj> matches) {
        ProgramRun run = new FindProgram(query).start(new Effort());
        Stream.Builder<Value> results = Stream.builder();
        for (Value.Obj match : matches) {
            run.open(match);
            run.next();
            if (query.grouping().isPresent()) {
                run.groups().add();
            } else {
                run.result().ifPresent(results::add);
            }
        }
        if (query.grouping().isPresent()) {
            run.groups().results().forEachRemaining(results::add);
        }
        List<String> texts = results.build().map(JsonText::write).toList();
        return query.isDistinct() ? texts.stream().distinct().toList() : texts;
    }

    private static Comparator<Value.Obj> order(FindQuery query) {
        return (left, right) -> {
            List<Bytes> a = keys(query, left);
            List<Bytes> b = keys(query, right);
            for (int i = 0; i < a.size(); i++) {
                int order = TypeOrder.MONGODB.compare(a.get(i), b.get(i));
                if (order != 0) {
                    return query.sort().get(i).isDescending() ? -order : order;
                }
            }
            return 0;
        };
    }

    /** Orders by several paths have no place for arrays and objects, as composite indexes. */
    private static List<Bytes> keys(FindQuery query, Value.Obj item) {
        List<Bytes> keys = new ArrayList<>();
        for (FindQuery.Sort each : query.sort()) {
            Value value = new FindPath(each.path()).of(item);
            boolean isHeld =
                    query.sort().size() == 1
                            || !(value instanceof Value.Array || value instanceof Value.Obj);
            keys.add(IndexValue.encodeWhole(isHeld ? value : Value.Undefined.UNDEFINED));
        }
        return keys;
    }
}
