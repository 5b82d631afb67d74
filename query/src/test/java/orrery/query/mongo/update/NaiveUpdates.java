package orrery.query.mongo.update;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import orrery.document.BsonValue;
import orrery.document.Value;

/**
 * Random documents and updates of MongoDB, and what the manual says that becomes of them. The model
 * knows a few shapes only: numbers, texts, lists of numbers, a nested document and a list of
 * documents, each under a name of its own.
 */
final class NaiveUpdates {
    private static final List<String> NUMBERS = List.of("d", "g", "q");

    private final Random random;

    /** Changes the fields of a document. */
    private interface Change {
        void apply(Map<String, Value> fields);
    }

    /** The changes of fields, by the paths at which they stand in the update. */
    private final TreeMap<String, Change> changes = new TreeMap<>();

    private final Map<String, Map<String, Value>> operators = new LinkedHashMap<>();
    private final List<Value.Obj> arrayFilters = new ArrayList<>();
    private final Map<String, Value> query = new LinkedHashMap<>();

    private NaiveUpdates(Random random) {
        this.random = random;
    }

    /**
     * @param after what becomes of the document
     */
    record Sample(
            Value.Obj before,
            Value.Obj query,
            Value.Obj update,
            List<Value.Obj> arrayFilters,
            Value.Obj after) {}

    static Sample next(Random random) {
        return new NaiveUpdates(random).sample();
    }

    private Sample sample() {
        Map<String, Value> before = document();
        for (String name : NUMBERS) {
            if (random.nextBoolean()) {
                number(name);
            }
        }
        if (random.nextBoolean()) {
            list(before);
        }
        if (random.nextBoolean()) {
            nested();
        }
        if (random.nextBoolean()) {
            rename();
        }
        if (random.nextBoolean()) {
            elements();
        }
        if (changes.isEmpty()) {
            number("d");
        }
        Map<String, Value> after = new LinkedHashMap<>(before);
        changes.values().forEach(change -> change.apply(after));
        return new Sample(
                new Value.Obj(before),
                new Value.Obj(query),
                new Value.Obj(shuffled()),
                arrayFilters,
                new Value.Obj(after));
    }

    /** The order of operators and of their fields means nothing. */
    private Map<String, Value> shuffled() {
        List<String> names = new ArrayList<>(operators.keySet());
        Collections.shuffle(names, random);
        Map<String, Value> update = new LinkedHashMap<>();
        for (String name : names) {
            List<Map.Entry<String, Value>> fields = new ArrayList<>(at(operators, name).entrySet());
            Collections.shuffle(fields, random);
            Map<String, Value> shuffled = new LinkedHashMap<>();
            fields.forEach(field -> shuffled.put(field.getKey(), field.getValue()));
            update.put(name, new Value.Obj(shuffled));
        }
        return update;
    }

    // ---- documents

    private Map<String, Value> document() {
        List<Map.Entry<String, Value>> fields = new ArrayList<>();
        for (String name : NUMBERS) {
            if (random.nextInt(4) > 0) {
                fields.add(Map.entry(name, number()));
            }
        }
        fields.add(Map.entry("list", new Value.Array(numbers(5))));
        fields.add(Map.entry("nested", object("x", number(), "y", number())));
        if (random.nextBoolean()) {
            fields.add(Map.entry("text", Value.of("t" + random.nextInt(10))));
        }
        List<Value> elements = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            elements.add(object("v", Value.of(random.nextInt(6)), "w", number()));
        }
        fields.add(Map.entry("parts", new Value.Array(elements)));
        Collections.shuffle(fields, random);
        Map<String, Value> document = new LinkedHashMap<>();
        document.put("_id", Value.of(1));
        fields.forEach(field -> document.put(field.getKey(), field.getValue()));
        return document;
    }

    private static Value.Obj object(String first, Value value, String second, Value other) {
        Map<String, Value> properties = new LinkedHashMap<>();
        properties.put(first, value);
        properties.put(second, other);
        return new Value.Obj(properties);
    }

    private List<Value> numbers(int atMost) {
        List<Value> numbers = new ArrayList<>();
        for (int i = random.nextInt(atMost + 1); i > 0; i--) {
            numbers.add(number());
        }
        return numbers;
    }

    /** Numbers of each width, and some at the end of 32 bits. */
    private Value number() {
        long value =
                random.nextInt(8) == 0
                        ? Integer.MAX_VALUE - random.nextInt(3)
                        : random.nextInt(12) - 4;
        return switch (random.nextInt(4)) {
            case 0 -> new BsonValue.Int64(value);
            case 1 -> new Value.Real(value + 0.5);
            default -> Value.of(value);
        };
    }

    private static <T> T at(Map<String, T> fields, String name) {
        return Objects.requireNonNull(fields.get(name));
    }

    private static List<Value> elements(Map<String, Value> fields, String name) {
        return ((Value.Array) at(fields, name)).elements();
    }

    // ---- arithmetic

    private static boolean isReal(Value number) {
        return number instanceof Value.Real;
    }

    private static boolean isWide(Value number) {
        return number instanceof BsonValue.Int64;
    }

    private static double real(Value number) {
        return number instanceof Value.Real(double value) ? value : (double) whole(number);
    }

    private static long whole(Value number) {
        return number instanceof BsonValue.Int64(long value) ? value : ((Value.Int) number).value();
    }

    /** 32 bits stay 32 bits as long as they suffice; a real number makes the result real. */
    private static Value sum(Value left, Value right) {
        return isReal(left) || isReal(right)
                ? new Value.Real(real(left) + real(right))
                : whole(whole(left) + whole(right), left, right);
    }

    private static Value product(Value left, Value right) {
        return isReal(left) || isReal(right)
                ? new Value.Real(real(left) * real(right))
                : whole(whole(left) * whole(right), left, right);
    }

    private static Value whole(long value, Value left, Value right) {
        boolean isWide = isWide(left) || isWide(right) || value != (int) value;
        return isWide ? new BsonValue.Int64(value) : Value.of(value);
    }

    /** An absent number is multiplied as the integer 0, so a real zero has the operand's sign. */
    private static Value zero(Value operand) {
        return product(Value.of(0), operand);
    }

    private static int compare(Value left, Value right) {
        return Double.compare(real(left), real(right));
    }

    // ---- updates

    private void change(String operator, String path, Value operand, Change change) {
        operators.computeIfAbsent(operator, _ -> new LinkedHashMap<>()).put(path, operand);
        changes.put(path, change);
    }

    private static Change at(String name, UnaryOperator<Value> present, Value absent) {
        return fields -> {
            Value value = fields.get(name);
            if (value != null) {
                fields.put(name, present.apply(value));
            } else if (!(absent instanceof Value.Undefined)) {
                fields.put(name, absent);
            }
        };
    }

    private void number(String name) {
        numberAt(name, change -> change.apply(name));
    }

    private interface Placed {
        Change apply(String name);
    }

    private void numberAt(String path, Function<Placed, Change> place) {
        Value operand = number();
        switch (random.nextInt(6)) {
            case 0 -> change("$set", path, operand, place.apply(f -> at(f, _ -> operand, operand)));
            case 1 ->
                    change(
                            "$unset",
                            path,
                            Value.of(""),
                            place.apply(f -> fields -> fields.remove(f)));
            case 2 ->
                    change(
                            "$inc",
                            path,
                            operand,
                            place.apply(f -> at(f, value -> sum(value, operand), operand)));
            case 3 ->
                    change(
                            "$mul",
                            path,
                            operand,
                            place.apply(
                                    f -> at(f, value -> product(value, operand), zero(operand))));
            case 4 ->
                    change(
                            "$min",
                            path,
                            operand,
                            place.apply(
                                    f ->
                                            at(
                                                    f,
                                                    value ->
                                                            compare(operand, value) < 0
                                                                    ? operand
                                                                    : value,
                                                    operand)));
            default ->
                    change(
                            "$max",
                            path,
                            operand,
                            place.apply(
                                    f ->
                                            at(
                                                    f,
                                                    value ->
                                                            compare(operand, value) > 0
                                                                    ? operand
                                                                    : value,
                                                    operand)));
        }
    }

    private void nested() {
        String inner = List.of("x", "z").get(random.nextInt(2));
        numberAt(
                "nested." + inner,
                change ->
                        fields -> {
                            Map<String, Value> nested =
                                    new LinkedHashMap<>(
                                            ((Value.Obj) at(fields, "nested")).properties());
                            change.apply(inner).apply(nested);
                            fields.put("nested", new Value.Obj(nested));
                        });
    }

    private void rename() {
        operators
                .computeIfAbsent("$rename", _ -> new LinkedHashMap<>())
                .put("text", Value.of("name"));
        changes.put(
                "name",
                fields -> {
                    Value text = fields.remove("text");
                    if (text != null) {
                        fields.put("name", text);
                    }
                });
    }

    private static Change onList(UnaryOperator<List<Value>> change) {
        return fields -> {
            List<Value> elements = new ArrayList<>(elements(fields, "list"));
            fields.put("list", new Value.Array(change.apply(elements)));
        };
    }

    private static Value.Obj only(String name, Value value) {
        return new Value.Obj(Map.of(name, value));
    }

    private void list(Map<String, Value> before) {
        List<Value> present = elements(before, "list");
        Value operand = number();
        switch (random.nextInt(5)) {
            case 0 -> push();
            case 1 ->
                    change(
                            "$pull",
                            "list",
                            only("$gte", operand),
                            onList(
                                    all ->
                                            all.stream()
                                                    .filter(each -> compare(each, operand) < 0)
                                                    .toList()));
            case 2 -> {
                List<Value> more = numbers(4);
                change(
                        "$addToSet",
                        "list",
                        only("$each", new Value.Array(more)),
                        onList(
                                all -> {
                                    for (Value each : more) {
                                        if (all.stream().noneMatch(is -> compare(is, each) == 0)) {
                                            all.add(each);
                                        }
                                    }
                                    return all;
                                }));
            }
            case 3 -> {
                arrayFilters.add(only("e", only("$lt", operand)));
                Value by = number();
                change(
                        "$inc",
                        "list.$[e]",
                        by,
                        onList(
                                all ->
                                        all.stream()
                                                .map(
                                                        each ->
                                                                compare(each, operand) < 0
                                                                        ? sum(each, by)
                                                                        : each)
                                                .toList()));
            }
            default -> {
                if (present.isEmpty()) {
                    push();
                } else {
                    positional(present.get(random.nextInt(present.size())), operand);
                }
            }
        }
    }

    /** The first element that the filter accepts is the one that {@code $} means. */
    private void positional(Value wanted, Value operand) {
        query.put("list", wanted);
        change(
                "$mul",
                "list.$",
                operand,
                onList(
                        all -> {
                            int at = 0;
                            while (compare(all.get(at), wanted) != 0) {
                                at++;
                            }
                            all.set(at, product(all.get(at), operand));
                            return all;
                        }));
    }

    /** Puts elements in, then sorts, then cuts. */
    private void push() {
        List<Value> more = numbers(4);
        Map<String, Value> modifiers = new LinkedHashMap<>();
        modifiers.put("$each", new Value.Array(more));
        int position = random.nextInt(9) - 4;
        boolean hasPosition = random.nextBoolean();
        if (hasPosition) {
            modifiers.put("$position", Value.of(position));
        }
        int direction = random.nextInt(3) - 1;
        if (direction != 0) {
            modifiers.put("$sort", Value.of(direction));
        }
        int slice = random.nextInt(9) - 4;
        boolean hasSlice = random.nextBoolean();
        if (hasSlice) {
            modifiers.put("$slice", Value.of(slice));
        }
        change(
                "$push",
                "list",
                new Value.Obj(modifiers),
                onList(
                        all -> {
                            int size = all.size();
                            int at =
                                    !hasPosition
                                            ? size
                                            : position < 0
                                                    ? Math.max(0, size + position)
                                                    : Math.min(size, position);
                            all.addAll(at, more);
                            if (direction != 0) {
                                Comparator<Value> order = NaiveUpdates::compare;
                                all.sort(direction < 0 ? order.reversed() : order);
                            }
                            if (!hasSlice) {
                                return all;
                            }
                            int kept = Math.min(Math.abs(slice), all.size());
                            return slice < 0
                                    ? all.subList(all.size() - kept, all.size())
                                    : all.subList(0, kept);
                        }));
    }

    /** Changes the numbers in documents of a list, all of them or those of a filter. */
    private void elements() {
        Value by = number();
        int least = random.nextInt(6);
        boolean isAll = random.nextBoolean();
        if (!isAll) {
            arrayFilters.add(only("p.v", only("$gte", Value.of(least))));
        }
        change(
                "$inc",
                isAll ? "parts.$[].w" : "parts.$[p].w",
                by,
                fields -> {
                    List<Value> elements = new ArrayList<>();
                    for (Value each : elements(fields, "parts")) {
                        Map<String, Value> part =
                                new LinkedHashMap<>(((Value.Obj) each).properties());
                        if (isAll || whole(at(part, "v")) >= least) {
                            part.put("w", sum(at(part, "w"), by));
                        }
                        elements.add(new Value.Obj(part));
                    }
                    fields.put("parts", new Value.Array(elements));
                });
    }
}
