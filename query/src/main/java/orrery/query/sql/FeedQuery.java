package orrery.query.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.dialect.RowLimit;
import orrery.query.evaluate.Aggregation;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.Groups;
import orrery.query.evaluate.LimitClauses;
import orrery.query.evaluate.Projection;
import orrery.query.evaluate.ValueHash;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryError;
import orrery.query.syntax.QueryParser;

/** A query over a feed of metadata resources: databases, containers, scripts, offers. */
public final class FeedQuery {
    private final ItemFilter filter;
    private final Optional<Aggregation> aggregation;
    private final Optional<Projection> projection;
    private final boolean isDistinct;
    private final RowLimit limit;

    private FeedQuery(
            ItemFilter filter,
            Optional<Aggregation> aggregation,
            Optional<Projection> projection,
            boolean isDistinct,
            RowLimit limit) {
        this.filter = filter;
        this.aggregation = aggregation;
        this.projection = projection;
        this.isDistinct = isDistinct;
        this.limit = limit;
    }

    /**
     * Throws BAD_REQUEST for text that is no query, NOT_IMPLEMENTED for a JOIN.
     *
     * @param parameters by name, with the {@code @}
     */
    public static FeedQuery parse(String text, Map<String, Value> parameters) {
        Query query = QueryParser.query(text);
        if (query.orderBy().isPresent()) {
            throw QueryError.engine("Order-by is not supported for the target resource type.");
        }
        if (query.from().size() > 1) {
            throw new OrreryException(
                    ErrorCode.NOT_IMPLEMENTED,
                    "JOIN is not supported in queries over this kind of resource.");
        }
        Evaluator evaluator = new Evaluator(parameters);
        ItemFilter filter = ItemFilter.of(query.from(), query.where(), evaluator);
        boolean isGrouped = query.isGrouped();
        return new FeedQuery(
                filter,
                isGrouped ? Optional.of(new Aggregation(evaluator, query)) : Optional.empty(),
                isGrouped ? Optional.empty() : Optional.of(new Projection(evaluator, query)),
                query.distinct(),
                LimitClauses.of(evaluator, query));
    }

    /** Returns true if each result comes from one resource. The next page then begins behind it. */
    public boolean isOneByOne() {
        return aggregation.isEmpty()
                && !isDistinct
                && limit.skip() == 0
                && limit.take() == Long.MAX_VALUE;
    }

    /** The projected row, if the resource matches. */
    public Optional<Value> apply(Value.Obj resource) {
        return filter.apply(resource).flatMap(row -> projection.orElseThrow().apply(row));
    }

    /**
     * A page of the answer.
     *
     * @param hasMore whether results are left
     */
    public record Results(List<Value> rows, boolean hasMore) {
        public Results {
            rows = List.copyOf(rows);
        }
    }

    /**
     * Results of all resources together.
     *
     * @param resources from the first; read only as far as needed
     * @param given how many results earlier pages had
     */
    public Results results(Stream<Value.Obj> resources, long given, int maxRows) {
        Iterator<Value> all =
                aggregation.isPresent()
                        ? grouped(resources, aggregation.get())
                        : resources.flatMap(resource -> apply(resource).stream()).iterator();
        Set<ValueHash> seen = new HashSet<>();
        List<Value> rows = new ArrayList<>();
        long skip = limit.skip() + given;
        long take = limit.take() - given;
        while (take > 0 && all.hasNext()) {
            Value result = all.next();
            if (isDistinct && !seen.add(ValueHash.of(result))) {
                continue;
            }
            if (skip > 0) {
                skip--;
            } else if (rows.size() == maxRows) {
                return new Results(rows, true);
            } else {
                rows.add(result);
                take--;
            }
        }
        return new Results(rows, false);
    }

    private Iterator<Value> grouped(Stream<Value.Obj> resources, Aggregation byGroups) {
        Groups groups = byGroups.start();
        resources.forEach(resource -> filter.apply(resource).ifPresent(groups::add));
        return groups.results();
    }
}
