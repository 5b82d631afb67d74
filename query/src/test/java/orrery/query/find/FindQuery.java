package orrery.query.find;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.OrreryException;
import orrery.model.codec.MalformedRecordException;
import orrery.query.BoundQuery;
import orrery.query.EncodedQuery;
import orrery.query.QuerySize;
import orrery.query.QuerySurroundings;
import orrery.query.Statement;
import orrery.query.dialect.AnswerShape;
import orrery.query.dialect.RowLimit;

/**
 * A query of the test language.
 *
 * @param filter all of them must hold
 * @param fields the properties that a result has; ignored where there are groups
 * @param grouping groups by a path
 */
public record FindQuery(
        List<FindCondition> filter,
        List<Sort> sort,
        List<String> fields,
        boolean isDistinct,
        Optional<Grouping> grouping,
        RowLimit limit)
        implements Statement {
    public FindQuery {
        filter = List.copyOf(filter);
        sort = List.copyOf(sort);
        fields = List.copyOf(fields);
    }

    /** A path to sort by. */
    public record Sort(String path, boolean isDescending) {}

    /**
     * Counts the items of each value and adds up whole numbers.
     *
     * @param key path of the value
     * @param sum path of the numbers
     */
    public record Grouping(String key, String sum) {}

    @Override
    public EncodedQuery encoded() {
        return new EncodedQuery(FindDialect.NAME, FindDialect.VERSION, BsonCodec.write(document()));
    }

    private Value.Obj document() {
        Map<String, Value> members = new LinkedHashMap<>();
        members.put(
                "filter",
                new Value.Array(
                        filter.stream()
                                .map(
                                        each ->
                                                array(
                                                        Value.of(each.path()),
                                                        Value.of(each.test().name()),
                                                        each.value()))
                                .toList()));
        members.put(
                "sort",
                new Value.Array(
                        sort.stream()
                                .map(
                                        each ->
                                                array(
                                                        Value.of(each.path),
                                                        Value.of(each.isDescending)))
                                .toList()));
        members.put(
                "fields", new Value.Array(fields.stream().map(each -> Value.of(each)).toList()));
        members.put("distinct", Value.of(isDistinct));
        grouping.ifPresent(
                each -> members.put("group", array(Value.of(each.key), Value.of(each.sum))));
        members.put("limit", array(number(limit.skip()), number(limit.take())));
        return new Value.Obj(members);
    }

    private static Value array(Value... elements) {
        return new Value.Array(List.of(elements));
    }

    /** Numbers of BSON with 64 bits have a type of their own. */
    private static Value number(long number) {
        return Value.of(Long.toString(number));
    }

    static FindQuery read(Bytes payload) {
        try {
            Map<String, Value> members = BsonCodec.read(payload).properties();
            List<FindCondition> filter = new ArrayList<>();
            for (Value each : elements(members.get("filter"))) {
                List<Value> parts = elements(each);
                filter.add(
                        new FindCondition(
                                text(parts.get(0)),
                                FindCondition.Test.valueOf(text(parts.get(1))),
                                parts.get(2)));
            }
            List<Sort> sort = new ArrayList<>();
            for (Value each : elements(members.get("sort"))) {
                List<Value> parts = elements(each);
                sort.add(new Sort(text(parts.get(0)), parts.get(1).equals(Value.of(true))));
            }
            Optional<Grouping> grouping =
                    Optional.ofNullable(members.get("group"))
                            .map(FindQuery::elements)
                            .map(parts -> new Grouping(text(parts.get(0)), text(parts.get(1))));
            List<Value> limit = elements(members.get("limit"));
            return new FindQuery(
                    filter,
                    sort,
                    elements(members.get("fields")).stream().map(FindQuery::text).toList(),
                    Value.of(true).equals(members.get("distinct")),
                    grouping,
                    new RowLimit(
                            Long.parseLong(text(limit.get(0))),
                            Long.parseLong(text(limit.get(1)))));
        } catch (OrreryException | IllegalArgumentException | IndexOutOfBoundsException damaged) {
            throw new MalformedRecordException("not a query of the test language", damaged);
        }
    }

    private static List<Value> elements(@Nullable Value value) {
        if (value instanceof Value.Array(List<Value> elements)) {
            return elements;
        }
        throw new IllegalArgumentException("an array is missing");
    }

    private static String text(Value value) {
        if (value instanceof Value.Text(String text)) {
            return text;
        }
        throw new IllegalArgumentException("a text is missing");
    }

    @Override
    public AnswerShape answer() {
        return new AnswerShape(
                true,
                isDistinct,
                grouping.isPresent(),
                false,
                !sort.isEmpty() && grouping.isEmpty(),
                false);
    }

    @Override
    public Encoding encoding() {
        return Encoding.BSON;
    }

    @Override
    public QuerySize size() {
        return new QuerySize(0, filter.size() + sort.size() + fields.size());
    }

    @Override
    public boolean isShort() {
        return true;
    }

    @Override
    public boolean isDerived() {
        return false;
    }

    @Override
    public Set<String> functions() {
        return Set.of();
    }

    @Override
    public boolean isTimeless() {
        return true;
    }

    @Override
    public BoundQuery bind(QuerySurroundings surroundings) {
        return new FindBoundQuery(this, surroundings.computed());
    }
}
