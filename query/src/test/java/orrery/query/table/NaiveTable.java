package orrery.query.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.document.edm.EdmValue;
import orrery.document.edm.StoredNames;
import orrery.model.Bytes;
import orrery.model.Etag;
import orrery.model.FileTime;

/** Answers queries over tables by looking at every entity, and generates some. */
public final class NaiveTable {
    private static final String LONG = "l".repeat(300);

    private static final List<String> KEYS =
            List.of("", "a", "ab", "b", "it's", "é", "\uD83D\uDE00", "\uFFFD", LONG, LONG + "x");

    private static final List<String> PROPERTIES = List.of("p", "q", "id", "ttl");

    private static final List<EdmValue> VALUES =
            List.of(
                    new EdmValue.Text(""),
                    new EdmValue.Text("a"),
                    new EdmValue.Text("-1"),
                    new EdmValue.Text("NaN"),
                    new EdmValue.Text(LONG + "x"),
                    new EdmValue.Text(LONG + "y"),
                    new EdmValue.Int32(0),
                    new EdmValue.Int32(5),
                    new EdmValue.Int32(-7),
                    new EdmValue.Int64(0),
                    new EdmValue.Int64(5),
                    new EdmValue.Int64(-5),
                    new EdmValue.Int64(-10),
                    new EdmValue.Int64(Long.MIN_VALUE),
                    new EdmValue.Int64(Long.MAX_VALUE),
                    new EdmValue.Real(5),
                    new EdmValue.Real(0),
                    new EdmValue.Real(-0.0),
                    new EdmValue.Real(4.5),
                    new EdmValue.Real(1e300),
                    new EdmValue.Real(Double.NaN),
                    new EdmValue.Real(Double.POSITIVE_INFINITY),
                    new EdmValue.Real(Double.NEGATIVE_INFINITY),
                    new EdmValue.Bool(true),
                    new EdmValue.Bool(false),
                    new EdmValue.Guid(UUID.fromString("a455c695-df98-5678-aaaa-81d3367e5a34")),
                    new EdmValue.Guid(UUID.fromString("0455c695-df98-5678-aaaa-81d3367e5a34")),
                    new EdmValue.Binary(Bytes.ofHex("")),
                    new EdmValue.Binary(Bytes.ofHex("01FF")),
                    new EdmValue.Binary(Bytes.ofHex("80")),
                    new EdmValue.Moment(0),
                    new EdmValue.Moment(639029198456780000L));

    private NaiveTable() {}

    /**
     * An entity, and when it was written.
     *
     * @param properties as clients name them
     */
    public record Entity(
            String partitionKey,
            String rowKey,
            Map<String, EdmValue> properties,
            Optional<EdmValue.Moment> written) {
        /** Returns the item that it is stored as. */
        public String json() {
            Map<String, Value> members = new LinkedHashMap<>();
            members.put("id", Value.of(rowKey));
            members.put("$id", Value.of(rowKey));
            members.put("$pk", Value.of(partitionKey));
            properties.forEach(
                    (name, value) ->
                            members.put(
                                    StoredNames.stored(name),
                                    Value.Obj.of(
                                            EdmValue.TYPE,
                                            Value.of(value.type().tag()),
                                            EdmValue.CONTENT,
                                            value.content())));
            return JsonText.write(new Value.Obj(members));
        }

        public Entity written(Etag etag) {
            FileTime time = FileTime.ofEtag(etag).orElseThrow();
            return new Entity(
                    partitionKey, rowKey, properties, Optional.of(EdmValue.Moment.of(time)));
        }

        private Optional<EdmValue> value(String property) {
            return switch (property) {
                case "PartitionKey" -> Optional.of(new EdmValue.Text(partitionKey));
                case "RowKey" -> Optional.of(new EdmValue.Text(rowKey));
                case "Timestamp" -> Optional.of(written.orElseThrow());
                default -> Optional.ofNullable(properties.get(property));
            };
        }
    }

    /** An entity with keys of its own. */
    public static Entity entity(int number, Random random) {
        Map<String, EdmValue> properties = new LinkedHashMap<>();
        for (String name : PROPERTIES) {
            if (random.nextInt(4) > 0) {
                properties.put(name, pick(VALUES, random));
            }
        }
        return new Entity(
                pick(KEYS, random),
                pick(KEYS, random) + (number == 0 ? "" : number),
                properties,
                Optional.empty());
    }

    private static <T> T pick(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }

    public static TableStatement query(List<Entity> entities, Random random) {
        return new TableStatement(
                random.nextInt(6) == 0
                        ? new TableFilter.Constant(true)
                        : filter(entities, random, 3),
                random.nextInt(3) == 0
                        ? Optional.of(List.of("q", "RowKey", "id", "none"))
                        : Optional.empty());
    }

    private static TableFilter filter(List<Entity> entities, Random random, int levels) {
        return switch (levels == 0 ? 9 : random.nextInt(10)) {
            case 0 -> new TableFilter.Not(filter(entities, random, levels - 1));
            case 1, 2, 3 -> new TableFilter.And(filters(entities, random, levels - 1));
            case 4, 5 -> new TableFilter.Or(filters(entities, random, levels - 1));
            case 6 -> new TableFilter.Flag(pick(PROPERTIES, random));
            case 7 ->
                    random.nextInt(5) == 0
                            ? new TableFilter.Constant(random.nextBoolean())
                            : comparison(entities, random);
            default -> comparison(entities, random);
        };
    }

    private static List<TableFilter> filters(List<Entity> entities, Random random, int levels) {
        List<TableFilter> filters = new ArrayList<>();
        for (int i = 2 + random.nextInt(2); i > 0; i--) {
            filters.add(filter(entities, random, levels));
        }
        return filters;
    }

    private static TableFilter comparison(List<Entity> entities, Random random) {
        TableFilter.Operator operator = pick(List.of(TableFilter.Operator.values()), random);
        Entity some = pick(entities, random);
        return switch (random.nextInt(8)) {
            case 0, 1 ->
                    new TableFilter.Comparison(
                            "PartitionKey", operator, new EdmValue.Text(pick(KEYS, random)));
            case 2 ->
                    new TableFilter.Comparison(
                            "RowKey",
                            operator,
                            new EdmValue.Text(
                                    random.nextBoolean() ? some.rowKey : pick(KEYS, random)));
            case 3 -> new TableFilter.Comparison("Timestamp", operator, some.written.orElseThrow());
            case 4 ->
                    new TableFilter.Comparison(
                            pick(List.of("PartitionKey", "RowKey", "Timestamp", "none"), random),
                            operator,
                            pick(VALUES, random));
            default ->
                    new TableFilter.Comparison(
                            pick(PROPERTIES, random), operator, pick(VALUES, random));
        };
    }

    /**
     * Fails unless the rows are the answer.
     *
     * @param rows as JSON
     */
    public static void check(TableStatement query, List<Entity> entities, List<String> rows) {
        List<Entity> expected =
                entities.stream()
                        .filter(each -> matches(query.filter(), each))
                        .sorted(
                                Comparator.comparing(Entity::partitionKey)
                                        .thenComparing(Entity::rowKey))
                        .toList();
        assertThat(rows.stream().map(NaiveTable::keys).toList())
                .as(query.toString())
                .isEqualTo(
                        expected.stream()
                                .map(each -> List.of(each.partitionKey, each.rowKey))
                                .toList());
        for (int i = 0; i < rows.size(); i++) {
            assertThat(new TreeSet<>(members(rows.get(i)).keySet()))
                    .as(query.toString())
                    .isEqualTo(names(query, expected.get(i)));
        }
    }

    private static Set<String> names(TableStatement query, Entity entity) {
        Set<String> names = new TreeSet<>(List.of("$pk", "$id", "_etag"));
        entity.properties.keySet().stream()
                .filter(each -> query.select().isEmpty() || query.select().get().contains(each))
                .map(StoredNames::stored)
                .forEach(names::add);
        if (query.select().isEmpty()) {
            names.add("id");
        }
        return names;
    }

    private static Map<String, Value> members(String row) {
        return ((Value.Obj) JsonText.parse(Bytes.ofUtf8(row))).properties();
    }

    private static List<String> keys(String row) {
        Map<String, Value> members = members(row);
        return Stream.of("$pk", "$id")
                .map(name -> members.getOrDefault(name, Value.Undefined.UNDEFINED))
                .map(key -> key instanceof Value.Text(String text) ? text : "no key: " + key)
                .toList();
    }

    private static boolean matches(TableFilter filter, Entity entity) {
        return switch (filter) {
            case TableFilter.Constant(boolean value) -> value;
            case TableFilter.Not(TableFilter inner) -> !matches(inner, entity);
            case TableFilter.And(List<TableFilter> all) ->
                    all.stream().allMatch(each -> matches(each, entity));
            case TableFilter.Or(List<TableFilter> any) ->
                    any.stream().anyMatch(each -> matches(each, entity));
            case TableFilter.Flag(String property) ->
                    entity.value(property).equals(Optional.of(new EdmValue.Bool(true)));
            case TableFilter.Comparison(
                            String property,
                            TableFilter.Operator operator,
                            EdmValue constant) ->
                    entity.value(property)
                            .filter(value -> holds(value, operator, constant))
                            .isPresent();
        };
    }

    private static boolean holds(EdmValue value, TableFilter.Operator operator, EdmValue constant) {
        if (isNumber(value) && isNumber(constant)) {
            double a = number(value);
            double b = number(constant);
            return switch (operator) {
                case EQ -> a == b;
                case NE -> a != b;
                case GT -> a > b;
                case GE -> a >= b;
                case LT -> a < b;
                case LE -> a <= b;
            };
        }
        if (value.type() != constant.type()) {
            return false;
        }
        int order =
                switch (value) {
                    case EdmValue.Int64(long a) ->
                            Long.compare(a, ((EdmValue.Int64) constant).value());
                    case EdmValue.Moment(long a) ->
                            Long.compare(a, ((EdmValue.Moment) constant).ticks());
                    case EdmValue.Bool(boolean a) ->
                            Boolean.compare(a, ((EdmValue.Bool) constant).value());
                    default -> text(value).compareTo(text(constant));
                };
        return switch (operator) {
            case EQ -> order == 0;
            case NE -> order != 0;
            case GT -> order > 0;
            case GE -> order >= 0;
            case LT -> order < 0;
            case LE -> order <= 0;
        };
    }

    private static boolean isNumber(EdmValue value) {
        return value instanceof EdmValue.Int32 || value instanceof EdmValue.Real;
    }

    private static double number(EdmValue value) {
        return value instanceof EdmValue.Int32(int number)
                ? number
                : ((EdmValue.Real) value).value();
    }

    private static String text(EdmValue value) {
        return value instanceof EdmValue.Binary(Bytes bytes)
                ? bytes.toHex()
                : ((Value.Text) value.content()).value();
    }
}
