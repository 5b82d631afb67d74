package orrery.frontend.sql;

import java.util.Optional;
import orrery.document.Value;
import orrery.frontend.http.HttpReply;
import orrery.frontend.sql.Addresses.ContainerAddress;
import orrery.frontend.sql.plan.QueryPlan;
import orrery.frontend.sql.plan.QueryPlanner;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.Items;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.RequestContext;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.Container;
import orrery.query.PlanningThreads;
import orrery.query.QueryCall;
import orrery.query.QueryRequest;
import orrery.query.evaluate.Evaluator;
import orrery.query.plan.KeyFilter;
import orrery.query.sql.SqlStatement;
import orrery.query.syntax.Query;

/** Queries over items, and the plans of those that a client merges itself. */
final class ItemQueries {
    private static final int HTTP_BAD_REQUEST = 400;

    private final Items items;

    ItemQueries(Items items) {
        this.items = items;
    }

    HttpReply run(SqlRequest request, RequestContext context, ContainerAddress address) {
        FeedScope scope = scope(request, address);
        Container container = address.container();
        QueryRequest asked = request.query();
        SqlStatement statement =
                PlanningThreads.ofProcess()
                        .plan(
                                container.number(),
                                asked,
                                () -> targeted(request, asked, container.definition()));
        Query query = statement.query();
        if (isMergedByClient(request, query)) {
            return QueryReply.withPlan(request, notServable(), planOf(request, container));
        }
        try {
            QueryCall call =
                    new QueryCall(statement, asked.resumeFilter().map(ResumeFilter::parse));
            QueryPage page = items.query(context, address.ref(), scope, call, wanted(request));
            return QueryReply.page(request, address, page, query);
        } catch (OrreryException failure) {
            if (failure.code() != ErrorCode.CROSS_PARTITION_QUERY_NOT_SERVABLE) {
                throw failure;
            }
            return QueryReply.withPlan(request, failure, planOf(request, container));
        }
    }

    /**
     * A client that merges has to do so whatever the filter says, as the service does not look at
     * it either. What has to be known of all items before anything is merged no client can do.
     */
    private static boolean isMergedByClient(SqlRequest request, Query query) {
        boolean isConcatenation =
                query.from().isEmpty()
                        || (!query.distinct()
                                && !query.isGrouped()
                                && query.orderBy().isEmpty()
                                && query.top().isEmpty()
                                && query.window().isEmpty());
        return !request.isTargeted()
                && !isConcatenation
                && query.derived().isEmpty()
                && QueryClient.of(request).mergesByItself();
    }

    /** The part of the container that is asked; throws where a range is named that is gone. */
    private static FeedScope scope(SqlRequest request, ContainerAddress address) {
        FeedScope scope = request.scope();
        if (scope instanceof FeedScope.Range(int range, Optional<KeyRange> clip)
                && QueryClient.of(request).asksForGoneRanges()) {
            return new FeedScope.Lineage(range, clip);
        }
        address.checkRange();
        return scope;
    }

    /** Users of clients that merge by themselves see a page for each range, empty ones too. */
    private static PageRequest wanted(SqlRequest request) {
        PageRequest page = request.page();
        return QueryClient.of(request).mergesByItself() ? page.endingWithRange() : page;
    }

    private static OrreryException notServable() {
        return new OrreryException(
                ErrorCode.CROSS_PARTITION_QUERY_NOT_SERVABLE,
                "The provided cross partition query can not be directly served by the gateway."
                        + " Clients of this kind ask the ranges of the plan that comes with this"
                        + " answer and merge their results.");
    }

    /** Answers with the plan by which a client asks the ranges and merges their answers. */
    static HttpReply plan(SqlRequest request, ContainerAddress address) {
        Container container = address.container();
        Value.Obj plan;
        try {
            plan = planOf(request, container);
        } catch (OrreryException failure) {
            if (failure.code().status() != HTTP_BAD_REQUEST) {
                throw failure;
            }
            return SqlErrors.ofPlan(request, failure);
        }
        return new SqlReply(request, 200).charge(RequestCharge.METADATA).body(plan).build();
    }

    private static Value.Obj planOf(SqlRequest request, Container container) {
        PartitionKeyDefinition definition = container.definition().partitionKey();
        QueryRequest query = request.query();
        QueryPlan plan =
                PlanningThreads.ofProcess()
                        .plan(
                                container.number(),
                                query,
                                () ->
                                        QueryPlanner.plan(
                                                SqlStatement.parse(query).query(),
                                                new Evaluator(
                                                        query.parameters(),
                                                        container.definition().geospatial()),
                                                definition,
                                                container.definition().kind().encoding(),
                                                request.planFeatures()));
        return QueryPlanJson.of(plan, request.partitionKey(), definition);
    }

    /** The query, if a client may ask it as it did. */
    static SqlStatement targeted(
            SqlRequest request, QueryRequest asked, ContainerDefinition definition) {
        SqlStatement statement = SqlStatement.parse(asked);
        if (request.isTargeted()
                || request.flag(SqlHeaders.ENABLE_CROSS_PARTITION)
                || definition.partitionKey().paths().isEmpty()
                || (definition.partitionKey().systemKey() && request.allowsFixedContainers())
                || KeyFilter.keys(
                                statement.query(),
                                new Evaluator(asked.parameters(), definition.geospatial()),
                                definition.partitionKey(),
                                definition.kind().encoding())
                        .isPresent()) {
            return statement;
        }
        throw new OrreryException(
                ErrorCode.BAD_REQUEST,
                "Cross partition query is required but disabled. Please set"
                        + " x-ms-documentdb-query-enablecrosspartition to true, specify"
                        + " x-ms-documentdb-partitionkey, or revise your query to avoid this"
                        + " exception.");
    }
}
