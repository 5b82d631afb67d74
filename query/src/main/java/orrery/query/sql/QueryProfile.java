package orrery.query.sql;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import orrery.document.Value;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.model.Encoding;
import orrery.model.PartitionKeyDefinition;
import orrery.model.TermRules;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.UserFunctions;
import orrery.query.execute.PreparedQuery;
import orrery.query.index.IndexFilter;
import orrery.query.plan.KeyFilter;
import orrery.query.syntax.Query;

/**
 * The reads that a query causes, as far as its text tells, if every path is indexed.
 *
 * @param isDecided whether the index finds the matching items and no others
 * @param readsItems false where entries of the index are enough for the answer
 * @param limit how many results end it, if that is known before all matches are
 * @param isSorted whether each range has to give so many, because any may have the first
 * @param keys how many partition keys the filter leaves, if it says anything about them
 */
public record QueryProfile(
        Way way,
        boolean isDecided,
        boolean readsItems,
        OptionalLong limit,
        boolean isSorted,
        OptionalInt keys) {
    public enum Way {
        /** No item can match, or none is asked for. */
        NOTHING,
        /** There is no filter. */
        ALL,
        /** By entries of the index. */
        INDEX,
        /** No index helps: every item is looked at. */
        SCAN
    }

    /** A profile says how items are found, which no function changes: none is called. */
    private static final UserFunctions ANY_FUNCTION =
            name ->
                    _ -> {
                        throw new IllegalStateException("udf." + name + " was called");
                    };

    /**
     * Fails with BAD_REQUEST for what is no query.
     *
     * @param parameters of any likely value: what is compared with them makes no difference
     */
    public static QueryProfile of(
            String text,
            Map<String, Value> parameters,
            Optional<PartitionKeyDefinition> partitionKey) {
        SqlStatement whole = SqlStatement.parse(text, parameters);
        SqlStatement statement = whole.derived().orElse(whole);
        Query query = statement.query();
        PreparedQuery prepared =
                SqlPreparation.prepare(
                        statement,
                        new Evaluator(parameters, Geospatial.GEOGRAPHY, ANY_FUNCTION),
                        false,
                        TermRules.FIRST);
        long take = prepared.limit().take();
        boolean endsEarly =
                take < Long.MAX_VALUE
                        && whole.derived().isEmpty()
                        && !query.isGrouped()
                        && !query.distinct();
        boolean isDecided = prepared.isExact();
        return new QueryProfile(
                way(query, prepared.filter()),
                isDecided,
                !(query.isGrouped() && isDecided && prepared.names().isNothingOfMatches()),
                endsEarly ? OptionalLong.of(prepared.limit().skip() + take) : OptionalLong.empty(),
                query.orderBy().isPresent(),
                keys(query, parameters, partitionKey));
    }

    private static Way way(Query query, IndexFilter filter) {
        if (query.from().isEmpty() || filter instanceof IndexFilter.Nothing) {
            return Way.NOTHING;
        }
        if (!(filter instanceof IndexFilter.Everything)) {
            return Way.INDEX;
        }
        return query.where().isEmpty() ? Way.ALL : Way.SCAN;
    }

    private static OptionalInt keys(
            Query query, Map<String, Value> parameters, Optional<PartitionKeyDefinition> key) {
        return key.flatMap(
                        definition ->
                                KeyFilter.keys(
                                        query,
                                        new Evaluator(parameters),
                                        definition,
                                        Encoding.JSON))
                .map(found -> OptionalInt.of(found.size()))
                .orElse(OptionalInt.empty());
    }
}
