package orrery.query;

import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.Projection;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryError;
import orrery.query.syntax.QueryParser;

/**
 * A query over a feed of metadata resources: databases, containers, offers. Clients look things up
 * with these, so a selection and a filter are all there is.
 */
public final class FeedQuery {
    private final ItemFilter filter;
    private final Projection projection;

    private FeedQuery(ItemFilter filter, Projection projection) {
        this.filter = filter;
        this.projection = projection;
    }

    /**
     * Throws BAD_REQUEST for text that is no query, NOT_IMPLEMENTED for one that needs more than a
     * resource at a time.
     *
     * @param parameters by name, with the {@code @}
     */
    public static FeedQuery parse(String text, Map<String, Value> parameters) {
        Query query = QueryParser.query(text);
        if (query.orderBy().isPresent()) {
            throw QueryError.engine("Order-by is not supported for the target resource type.");
        }
        refuse(query.distinct(), "DISTINCT");
        refuse(query.top().isPresent(), "TOP");
        refuse(query.window().isPresent(), "OFFSET LIMIT");
        refuse(!query.groupBy().isEmpty(), "GROUP BY");
        refuse(query.from().size() > 1, "JOIN");
        Evaluator evaluator = new Evaluator(parameters);
        ItemFilter filter = ItemFilter.of(query.from(), query.where(), evaluator);
        refuse(query.isGrouped(), "An aggregate function");
        Projection projection = new Projection(evaluator, query);
        return new FeedQuery(filter, projection);
    }

    private static void refuse(boolean isPresent, String clause) {
        if (isPresent) {
            throw new OrreryException(
                    ErrorCode.NOT_IMPLEMENTED,
                    clause + " is not supported in queries over this kind of resource.");
        }
    }

    /** The projected row, if the resource matches. */
    public Optional<Value> apply(Value.Obj resource) {
        return filter.apply(resource).flatMap(projection::apply);
    }
}
