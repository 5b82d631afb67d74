package orrery.frontend.mongo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import orrery.document.Value;

/**
 * Random documents, and random pipelines together with what they mean, written down once more in
 * the simplest way: each stage takes a whole list and returns another.
 */
final class NaivePipeline {
    private static final List<String> KEYS = List.of("a", "b", "c");

    private final Random random;
    private final List<String> stages = new ArrayList<>();
    private UnaryOperator<List<Value.Obj>> meaning = UnaryOperator.identity();

    /** Whether documents have different ids, so that a sort by them leaves one order. */
    private boolean hasIds = true;

    private boolean isInOrder;

    private NaivePipeline(Random random) {
        this.random = random;
    }

    static List<String> documents(Random random, int count) {
        List<String> documents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            StringBuilder json = new StringBuilder("{'_id':" + i);
            if (random.nextInt(5) > 0) {
                json.append(",'k':'").append(KEYS.get(random.nextInt(3))).append('\'');
            }
            switch (random.nextInt(5)) {
                case 0 -> {}
                case 1 -> json.append(",'n':null");
                case 2 -> json.append(",'n':").append(random.nextInt(9) + 0.5);
                default -> json.append(",'n':").append(random.nextInt(9));
            }
            switch (random.nextInt(5)) {
                case 0 -> {}
                case 1 -> json.append(",'t':'x'");
                case 2 -> json.append(",'t':[]");
                default -> json.append(",'t':['x','y']");
            }
            documents.add(json.append('}').toString());
        }
        return documents;
    }

    static NaivePipeline of(Random random) {
        NaivePipeline pipeline = new NaivePipeline(random);
        int length = 1 + random.nextInt(5);
        for (int i = 0; i < length; i++) {
            pipeline.grow();
        }
        return pipeline;
    }

    String text() {
        return String.join(",", stages);
    }

    boolean isInOrder() {
        return isInOrder;
    }

    List<Value.Obj> run(List<Value.Obj> documents) {
        return meaning.apply(documents);
    }

    private void add(String text, UnaryOperator<List<Value.Obj>> stage) {
        stages.add(text);
        UnaryOperator<List<Value.Obj>> before = meaning;
        meaning = documents -> stage.apply(before.apply(documents));
    }

    private void grow() {
        switch (random.nextInt(8)) {
            case 0, 1 -> match();
            case 2 -> sort();
            case 3 -> cut();
            case 4 -> addField();
            case 5 -> project();
            case 6 -> unwind();
            default -> group();
        }
    }

    private static Value get(Value.Obj document, String name) {
        return document.properties().getOrDefault(name, Value.Undefined.UNDEFINED);
    }

    private static boolean isNumber(Value value) {
        return value instanceof Value.Int || value instanceof Value.Real;
    }

    private static double number(Value value) {
        return value instanceof Value.Int(long whole) ? whole : ((Value.Real) value).value();
    }

    private static Value.Obj with(Value.Obj document, String name, Value value) {
        Map<String, Value> fields = new LinkedHashMap<>(document.properties());
        fields.put(name, value);
        return new Value.Obj(fields);
    }

    private void match() {
        int bound = random.nextInt(9);
        String key = KEYS.get(random.nextInt(3));
        switch (random.nextInt(3)) {
            case 0 ->
                    filter(
                            "{'n':{'$gte':" + bound + "}}",
                            each -> isNumber(get(each, "n")) && number(get(each, "n")) >= bound);
            case 1 -> filter("{'k':'" + key + "'}", each -> get(each, "k").equals(Value.of(key)));
            default ->
                    filter(
                            "{'t':'x'}",
                            each ->
                                    switch (get(each, "t")) {
                                        case Value.Array(List<Value> all) ->
                                                all.contains(Value.of("x"));
                                        case Value other -> other.equals(Value.of("x"));
                                    });
        }
    }

    private void filter(String text, Predicate<Value.Obj> test) {
        add("{'$match':" + text + "}", all -> all.stream().filter(test).toList());
    }

    private void sort() {
        if (!hasIds) {
            return;
        }
        int direction = random.nextBoolean() ? 1 : -1;
        Comparator<Value.Obj> order =
                Comparator.comparingDouble(each -> direction * number(get(each, "_id")));
        add("{'$sort':{'_id':" + direction + "}}", all -> all.stream().sorted(order).toList());
        isInOrder = true;
    }

    private void cut() {
        if (!isInOrder) {
            return;
        }
        int count = 1 + random.nextInt(6);
        if (random.nextBoolean()) {
            add("{'$skip':" + count + "}", all -> all.stream().skip(count).toList());
        } else {
            add("{'$limit':" + count + "}", all -> all.stream().limit(count).toList());
        }
    }

    private void addField() {
        add(
                "{'$addFields':{'d':{'$ifNull':['$n',7]}}}",
                all ->
                        all.stream()
                                .map(
                                        each ->
                                                with(
                                                        each,
                                                        "d",
                                                        isNumber(get(each, "n"))
                                                                ? get(each, "n")
                                                                : Value.of(7)))
                                .toList());
    }

    private void project() {
        List<String> kept = random.nextBoolean() ? List.of("n", "t") : List.of("k");
        String text =
                kept.stream().map(each -> "'" + each + "':1").collect(Collectors.joining(","));
        add(
                "{'$project':{" + text + "}}",
                all ->
                        all.stream()
                                .map(
                                        each -> {
                                            Map<String, Value> left =
                                                    new LinkedHashMap<>(each.properties());
                                            left.keySet()
                                                    .removeIf(
                                                            name ->
                                                                    !name.equals("_id")
                                                                            && !kept.contains(
                                                                                    name));
                                            return new Value.Obj(left);
                                        })
                                .toList());
    }

    private void unwind() {
        boolean keeps = random.nextBoolean();
        add(
                "{'$unwind':{'path':'$t','preserveNullAndEmptyArrays':" + keeps + "}}",
                all -> {
                    List<Value.Obj> rows = new ArrayList<>();
                    for (Value.Obj each : all) {
                        switch (get(each, "t")) {
                            case Value.Array(List<Value> elements) when !elements.isEmpty() ->
                                    elements.forEach(element -> rows.add(with(each, "t", element)));
                            case Value.Text _ -> rows.add(each);
                            default -> {
                                if (keeps) {
                                    Map<String, Value> left =
                                            new LinkedHashMap<>(each.properties());
                                    left.remove("t");
                                    rows.add(new Value.Obj(left));
                                }
                            }
                        }
                    }
                    return rows;
                });
        hasIds = false;
        isInOrder = false; // elements stay in order, but several rows have one id
    }

    private void group() {
        String by = random.nextBoolean() ? "k" : "n";
        add(
                "{'$group':{'_id':'$"
                        + by
                        + "','c':{'$sum':1},'s':{'$sum':'$n'},'l':{'$min':'$n'},'h':{'$max':'$n'}}}",
                all -> {
                    Map<String, List<Value.Obj>> groups = new LinkedHashMap<>();
                    for (Value.Obj each : all) {
                        groups.computeIfAbsent(name(get(each, by)), _ -> new ArrayList<>())
                                .add(each);
                    }
                    return groups.values().stream().map(group -> group(by, group)).toList();
                });
        hasIds = false;
        isInOrder = false;
    }

    private static String name(Value value) {
        if (!value.isDefined() || value instanceof Value.Null) {
            return "null";
        }
        return isNumber(value) ? Double.toString(number(value)) : value.toString();
    }

    private static Value.Obj group(String by, List<Value.Obj> documents) {
        List<Value> numbers =
                documents.stream()
                        .map(each -> get(each, "n"))
                        .filter(NaivePipeline::isNumber)
                        .toList();
        Map<String, Value> group = new LinkedHashMap<>();
        Value id = get(documents.getFirst(), by);
        group.put("_id", id.isDefined() ? id : Value.Null.NULL);
        group.put("c", Value.of(documents.size()));
        double sum = numbers.stream().mapToDouble(NaivePipeline::number).sum();
        boolean isWhole = numbers.stream().allMatch(Value.Int.class::isInstance);
        group.put("s", isWhole ? Value.of((long) sum) : new Value.Real(sum));
        Comparator<Value> order = Comparator.comparingDouble(NaivePipeline::number);
        group.put("l", numbers.stream().min(order).orElse(Value.Null.NULL));
        group.put("h", numbers.stream().max(order).orElse(Value.Null.NULL));
        return new Value.Obj(group);
    }
}
