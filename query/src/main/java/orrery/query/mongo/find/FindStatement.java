package orrery.query.mongo.find;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import orrery.document.BsonKeys;
import orrery.document.Value;
import orrery.model.Encoding;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.RowKey;
import orrery.query.BoundQuery;
import orrery.query.EncodedQuery;
import orrery.query.QuerySize;
import orrery.query.QuerySurroundings;
import orrery.query.Statement;
import orrery.query.dialect.AnswerShape;
import orrery.query.dialect.Effort;
import orrery.query.dialect.RowLimit;
import orrery.query.mongo.Collation;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.match.MatchContext;
import orrery.query.mongo.match.Matcher;

/**
 * A read of MongoDB's API: find, count or distinct. It is checked when it is made, so that clients
 * learn of faults even where a collection is empty.
 */
public final class FindStatement implements Statement {
    private static final AnswerShape ROWS =
            new AnswerShape(true, false, false, false, false, false);
    private static final AnswerShape SORTED =
            new AnswerShape(true, false, false, false, true, false);
    private static final AnswerShape GROUPS =
            new AnswerShape(true, false, true, false, false, false);

    /** The variables that depend on the moment. */
    private static final List<String> TIMES = List.of("$$NOW", "$$CLUSTER_TIME");

    static final FieldPath ID = FieldPath.of(Projection.ID);

    private final FindOptions options;
    private final Matcher matcher;
    private final Optional<Projection> projection;
    private final SortSpec sort;
    private final MongoOrder order;

    /** Made when it is asked for: a point read sends no statement. Threads may make it twice. */
    private @Nullable EncodedQuery encoded;

    /** Fails with MongoDB's numbers for what is no read, or is not supported. */
    public FindStatement(FindOptions given) {
        boolean asksForTime = asksForTime(given.filter()) || asksForTime(given.projection());
        this.options = asksForTime || given.now().isEmpty() ? given : given.at(Optional.empty());
        if (options.skip() < 0) {
            throw MongoCode.failure(
                    51024,
                    "BSON field 'skip' value must be >= 0, actual value '" + options.skip() + "'");
        }
        if (options.limit() < 0) {
            throw MongoCode.failure(
                    51024,
                    "BSON field 'limit' value must be >= 0, actual value '"
                            + options.limit()
                            + "'");
        }
        this.order = Collation.order(options.collation());
        MatchContext context =
                new MatchContext(
                        order,
                        options.let(),
                        options.now().orElse(Instant.EPOCH),
                        Expression.FOR_FILTERS);
        this.matcher = Matcher.compile(options.filter(), context);
        this.projection = Projection.of(options.projection(), context);
        this.sort = SortSpec.of(options.sort(), order);
    }

    /** Returns true if an expression in a part of a read depends on the moment. */
    public static boolean asksForTime(Value part) {
        boolean[] isFound = {false};
        part.visit(
                value ->
                        isFound[0] |=
                                value instanceof Value.Text(String text)
                                        && TIMES.stream().anyMatch(text::startsWith));
        return isFound[0];
    }

    public FindOptions options() {
        return options;
    }

    public Matcher matcher() {
        return matcher;
    }

    Optional<Projection> projection() {
        return projection;
    }

    /** Returns the order of values, by the collation of the read. */
    public MongoOrder order() {
        return order;
    }

    public SortSpec sort() {
        return sort;
    }

    RowLimit limit() {
        return options.answer() instanceof FindOptions.Answer.Documents
                ? new RowLimit(
                        options.skip(), options.limit() == 0 ? Long.MAX_VALUE : options.limit())
                : RowLimit.NONE;
    }

    /** The one item that a read can find, if its filter demands an id and a shard key. */
    public record Point(PartitionKey key, RowKey id) {}

    /**
     * Returns the item to look up instead of a query. {@link #result} makes the row of it, if it
     * matches at all. A collection without a shard key has one key, which is empty.
     */
    public Optional<Point> point(PartitionKeyDefinition definition) {
        if (!(options.answer() instanceof FindOptions.Answer.Documents) || options.skip() > 0) {
            return Optional.empty();
        }
        Optional<Value> id =
                ShardKeys.equalTo(matcher.condition(), ID)
                        .filter(value -> ShardKeys.isId(value) && order.isByBytes(value));
        return id.flatMap(
                value ->
                        (definition.paths().isEmpty()
                                        ? Optional.of(List.of(PartitionKey.EMPTY))
                                        : keys(definition))
                                .filter(keys -> keys.size() == 1)
                                .map(keys -> new Point(keys.getFirst(), BsonKeys.rowKey(value))));
    }

    /** Returns the keys in which matches lie; empty for any. Fixed collections have one key. */
    Optional<List<PartitionKey>> keys(PartitionKeyDefinition definition) {
        return definition.paths().isEmpty()
                ? Optional.empty()
                : ShardKeys.of(matcher.condition(), definition, order);
    }

    /** Returns the row that a document becomes, if it matches. */
    public Optional<Value.Obj> result(Value.Obj document) {
        return matcher.matches(document) ? Optional.of(projected(document)) : Optional.empty();
    }

    /** Returns what the projection leaves of a document, whether or not it matches. */
    public Value.Obj projected(Value.Obj document) {
        return projection
                .map(wanted -> wanted.of(document, () -> matcher.match(document).arrayIndex()))
                .orElse(document);
    }

    public boolean matches(Value document, Effort effort) {
        return matcher.matches(document, effort);
    }

    @Override
    public EncodedQuery encoded() {
        EncodedQuery present = encoded;
        if (present == null) {
            present =
                    new EncodedQuery(
                            MongoDialect.NAME, MongoDialect.VERSION, FindCodec.write(options));
            encoded = present;
        }
        return present;
    }

    @Override
    public AnswerShape answer() {
        if (!(options.answer() instanceof FindOptions.Answer.Documents)) {
            return GROUPS;
        }
        return sort.columns().isEmpty() ? ROWS : SORTED;
    }

    @Override
    public Encoding encoding() {
        return Encoding.BSON;
    }

    @Override
    public QuerySize size() {
        AtomicLong nodes = new AtomicLong();
        options.filter().visit(_ -> nodes.incrementAndGet());
        options.projection().visit(_ -> nodes.incrementAndGet());
        return new QuerySize(encoded().payload().length(), nodes.get());
    }

    @Override
    public boolean isShort() {
        return encoded().isShort();
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

    @Override
    public boolean equals(Object other) {
        return other instanceof FindStatement that && encoded().equals(that.encoded());
    }

    @Override
    public int hashCode() {
        return encoded().hashCode();
    }

    @Override
    public String toString() {
        return "FindStatement" + options;
    }
}
