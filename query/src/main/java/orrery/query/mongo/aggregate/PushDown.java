package orrery.query.mongo.aggregate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.Statement;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.find.FindStatement;

/**
 * A pipeline in two parts: the longest beginning that partitions can run as one statement, and the
 * rest, which is run where their answers meet.
 *
 * <p>The beginning is a filter; an order; numbers of documents to skip and to give; stages that
 * look at one document each; and groups. The engine sorts documents as they are stored, and counts
 * the rows that it gives. So no order follows other stages, groups follow neither an order nor a
 * limit, and behind a limit each document must become one.
 */
public final class PushDown {
    private final List<Value> filters = new ArrayList<>();
    private Value.Obj sort = FindOptions.NONE;
    private long skip;
    private long limit;
    private final List<Stage.OfRows> rows = new ArrayList<>();
    private Optional<Stage.Group> group = Optional.empty();
    private Optional<Stage.Counted> counted = Optional.empty();
    private List<Stage> rest = List.of();

    private PushDown() {}

    public static PushDown of(Pipeline pipeline) {
        PushDown parts = new PushDown();
        List<Stage> stages = pipeline.stages();
        int at = 0;
        while (at < stages.size() && parts.take(stages.get(at))) {
            at++;
        }
        List<Stage> rest = new ArrayList<>();
        parts.counted.ifPresent(rest::add);
        rest.addAll(stages.subList(at, stages.size()));
        parts.rest = List.copyOf(rest);
        return parts;
    }

    /** Returns false if a stage is not one for partitions, so that nothing behind it is. */
    private boolean take(Stage stage) {
        if (group.isPresent() || counted.isPresent()) {
            return false;
        }
        return switch (stage) {
            case Stage.Match match -> match(match);
            case Stage.Made made -> rows.add(made);
            case Stage.Redact redact -> !isCut() && rows.add(redact);
            case Stage.Unwind unwind -> !isCut() && !isSorted() && rows.add(unwind);
            case Stage.Sort by -> sort(by);
            case Stage.Skip skipped -> skip(skipped.count());
            case Stage.Limit limited -> limit(limited.count());
            case Stage.Group grouped -> group(grouped);
            default -> false;
        };
    }

    private boolean isCut() {
        return skip > 0 || limit > 0;
    }

    private boolean isSorted() {
        return !sort.properties().isEmpty();
    }

    private boolean match(Stage.Match match) {
        if (isCut()) {
            return false;
        }
        return rows.isEmpty() ? filters.add(match.filter()) : rows.add(match);
    }

    private boolean sort(Stage.Sort by) {
        if (isCut() || isSorted() || !rows.isEmpty()) {
            return false;
        }
        sort = by.by();
        return true;
    }

    private boolean skip(long count) {
        if (isCut() && count > 0) {
            return false;
        }
        skip = Math.max(skip, count);
        return true;
    }

    private boolean limit(long count) {
        limit = limit == 0 ? count : Math.min(limit, count);
        return true;
    }

    private boolean group(Stage.Group grouped) {
        Optional<Stage.Counted> count = counting(grouped);
        boolean isOneOfEach = rows.stream().allMatch(Stage.Made.class::isInstance);
        if (count.isPresent() && isOneOfEach) {
            counted = count;
            rows.clear();
            sort = FindOptions.NONE;
            return true;
        }
        if (isCut() || isSorted()) {
            return false;
        }
        group = Optional.of(grouped);
        return true;
    }

    /** A group of all documents that counts them, which is how drivers count. */
    private static Optional<Stage.Counted> counting(Stage.Group grouped) {
        Map<String, Value> fields = grouped.operand().properties();
        Value id = fields.get("_id");
        boolean isConstant =
                id instanceof Value.Null
                        || id instanceof Value.Int
                        || id instanceof BsonValue.Int64
                        || id instanceof Value.Bool;
        if (fields.size() != 2 || id == null || !isConstant) {
            return Optional.empty();
        }
        return fields.entrySet().stream()
                .filter(each -> !each.getKey().equals("_id") && isOne(each.getValue()))
                .findFirst()
                .map(each -> new Stage.Counted(id, each.getKey()));
    }

    private static boolean isOne(Value accumulator) {
        return accumulator instanceof Value.Obj(Map<String, Value> fields)
                && (Value.of(1).equals(fields.get("$sum")) || fields.containsKey("$count"));
    }

    /** Returns the read by which partitions find documents, without what is the same for all. */
    public FindOptions options() {
        Value.Obj filter =
                switch (filters.size()) {
                    case 0 -> FindOptions.NONE;
                    case 1 -> (Value.Obj) filters.getFirst();
                    default -> new Value.Obj(Map.of("$and", new Value.Array(filters)));
                };
        FindOptions options = FindOptions.of(filter).withSort(sort).within(skip, limit);
        return counted.isPresent() ? options.counted() : options;
    }

    /**
     * Returns what partitions are sent.
     *
     * @param find made of the {@link #options}
     */
    public Statement statement(FindStatement find, Instant now) {
        return rows.isEmpty() && group.isEmpty()
                ? find
                : new PipelineStatement(
                        find,
                        rows.stream().map(stage -> (Value) stage.source()).toList(),
                        group.map(Stage.Group::operand),
                        now);
    }

    /** Returns the stages that are run on what partitions answer. */
    public List<Stage> rest() {
        return rest;
    }

    /** Returns true if partitions give results for groups, and not for documents one by one. */
    public boolean isGrouped() {
        return group.isPresent() || counted.isPresent();
    }
}
