package orrery.query.mongo.aggregate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import orrery.document.BsonCodec;
import orrery.document.BsonValue;
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
import orrery.query.mongo.expression.ExpressionContext;
import orrery.query.mongo.find.FindStatement;
import orrery.query.mongo.find.MongoDialect;

/**
 * The part of a pipeline that partitions run: a read, stages that make rows of each document, and
 * at the end groups, if there are any. It is checked when it is made.
 */
public final class PipelineStatement implements Statement {
    private static final AnswerShape GROUPS =
            new AnswerShape(true, false, true, false, false, false);

    private static final List<String> CHANCE = List.of("$rand", "$sampleRate");

    private static final String FIND = "find";
    private static final String ROWS = "rows";
    private static final String GROUP = "group";
    private static final String NOW = "now";

    private final FindStatement find;
    private final List<Stage.OfRows> rows;
    private final RowChain chain;
    private final Optional<Value.Obj> group;
    private final Optional<GroupSpec> spec;
    private final ExpressionContext context;
    private final EncodedQuery encoded;

    /**
     * @param find finds the documents, and knows collation and variables for all
     * @param rows the stages behind it, as clients write them
     * @param group the operand of {@code $group}
     * @param given the time that expressions see
     */
    public PipelineStatement(
            FindStatement find, List<Value> rows, Optional<Value.Obj> group, Instant given) {
        boolean asksForTime =
                asksForTime(new Value.Array(rows))
                        || group.filter(PipelineStatement::asksForTime).isPresent();
        Instant now = asksForTime ? given : Instant.EPOCH;
        this.find = find;
        this.group = group;
        this.context =
                new ExpressionContext(find.order(), find.options().let(), now, now.toEpochMilli());
        List<Stage.OfRows> read = new ArrayList<>();
        for (Stage stage : new PipelineReader(context).read(rows).stages()) {
            if (!(stage instanceof Stage.OfRows ofRows)) {
                throw new MalformedRecordException("a partition runs no such stage");
            }
            read.add(ofRows);
        }
        this.rows = List.copyOf(read);
        this.chain = new RowChain(this.rows);
        this.spec = group.map(operand -> GroupSpec.of(operand, context));
        this.encoded =
                new EncodedQuery(
                        PipelineDialect.NAME,
                        PipelineDialect.VERSION,
                        write(find, rows, group, now));
    }

    /** Chance comes of the time, too. */
    private static boolean asksForTime(Value part) {
        boolean[] isFound = {FindStatement.asksForTime(part)};
        part.visit(
                value ->
                        isFound[0] |=
                                value instanceof Value.Obj(Map<String, Value> fields)
                                        && CHANCE.stream().anyMatch(fields::containsKey));
        return isFound[0];
    }

    private static Bytes write(
            FindStatement find, List<Value> rows, Optional<Value.Obj> group, Instant now) {
        Map<String, Value> parts = new LinkedHashMap<>();
        parts.put(FIND, BsonCodec.read(find.encoded().payload()));
        if (!rows.isEmpty()) {
            parts.put(ROWS, new Value.Array(rows));
        }
        group.ifPresent(operand -> parts.put(GROUP, operand));
        if (!now.equals(Instant.EPOCH)) {
            parts.put(NOW, new BsonValue.DateTime(now.toEpochMilli()));
        }
        return BsonCodec.write(new Value.Obj(parts));
    }

    static PipelineStatement read(Bytes payload) {
        Map<String, Value> parts;
        try {
            parts = new LinkedHashMap<>(BsonCodec.read(payload).properties());
        } catch (OrreryException invalid) {
            throw new MalformedRecordException("the payload of a pipeline is no document");
        }
        Value find = parts.remove(FIND);
        Value rows = parts.remove(ROWS);
        Value group = parts.remove(GROUP);
        Value now = parts.remove(NOW);
        boolean isSound =
                find instanceof Value.Obj
                        && (rows == null || rows instanceof Value.Array)
                        && (group == null || group instanceof Value.Obj)
                        && (now == null || now instanceof BsonValue.DateTime)
                        && parts.isEmpty();
        if (!isSound) {
            throw new MalformedRecordException("a pipeline cannot have such parts");
        }
        return new PipelineStatement(
                (FindStatement) MongoDialect.INSTANCE.read(BsonCodec.write((Value.Obj) find)),
                rows instanceof Value.Array(List<Value> stages) ? stages : List.of(),
                group instanceof Value.Obj operand ? Optional.of(operand) : Optional.empty(),
                now instanceof BsonValue.DateTime(long millis)
                        ? Instant.ofEpochMilli(millis)
                        : Instant.EPOCH);
    }

    FindStatement find() {
        return find;
    }

    RowChain chain() {
        return chain;
    }

    Optional<GroupSpec> group() {
        return spec;
    }

    ExpressionContext context() {
        return context;
    }

    /** Returns the fields of documents that become rows or groups; empty for any. */
    Optional<Set<String>> readNames() {
        return ReadPaths.of(rows, group);
    }

    @Override
    public EncodedQuery encoded() {
        return encoded;
    }

    @Override
    public AnswerShape answer() {
        return spec.isPresent() ? GROUPS : find.answer();
    }

    @Override
    public Encoding encoding() {
        return Encoding.BSON;
    }

    @Override
    public QuerySize size() {
        long[] nodes = {0};
        BsonCodec.read(encoded.payload()).visit(_ -> nodes[0]++);
        return new QuerySize(encoded.payload().length(), nodes[0]);
    }

    @Override
    public boolean isShort() {
        return encoded.isShort();
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
        return new PipelineBoundQuery(this, find.bind(surroundings));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PipelineStatement that && encoded.equals(that.encoded);
    }

    @Override
    public int hashCode() {
        return encoded.hashCode();
    }

    @Override
    public String toString() {
        return "PipelineStatement[" + find + ", " + rows + ", " + group + "]";
    }
}
