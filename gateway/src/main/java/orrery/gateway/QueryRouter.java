package orrery.gateway;

import java.time.InstantSource;
import java.util.Optional;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.model.Bytes;
import orrery.model.KeyRange;
import orrery.model.RequestContext;
import orrery.model.resource.Container;
import orrery.query.PlanningThreads;
import orrery.query.QueryCall;

/**
 * Answers queries, a page at a time: by one partition, by one after the other, or by all of them
 * with their answers put together.
 */
final class QueryRouter {
    private static final int DEFAULT_PAGE_ROWS = 1000;
    private static final String WALK = "query";
    private static final String MERGE = "merge";

    private final Resolver resolver;
    private final PartitionCalls partitions;
    private final Continuations continuations;
    private final QueryFunctions functions;
    private final InstantSource clock;

    QueryRouter(
            Resolver resolver,
            PartitionCalls partitions,
            Continuations continuations,
            QueryFunctions functions,
            InstantSource clock) {
        this.resolver = resolver;
        this.partitions = partitions;
        this.continuations = continuations;
        this.functions = functions;
        this.clock = clock;
    }

    QueryPage query(
            RequestContext context,
            Container container,
            FeedScope scope,
            QueryCall call,
            PageRequest page) {
        QueryJob job =
                PlanningThreads.ofProcess()
                        .plan(
                                container.number(),
                                call.statement().isShort(),
                                () -> job(context, container, scope, call));
        int maxRows =
                Math.min(DEFAULT_PAGE_ROWS, Math.max(1, page.maxItems().orElse(DEFAULT_PAGE_ROWS)));
        boolean isMerged =
                job.isDerived() || (!job.answer().isConcatenation() && !job.isOnOnePartition());
        return isMerged
                ? merge(job, maxRows, page.continuation())
                : walk(job, new QueryWalk(job, maxRows, page.endsWithRange()), page.continuation());
    }

    /** Most answers are whole, so it is asked for only where there is a continuation. */
    private static String feed(String kind, QueryJob job, Bytes binding) {
        return kind + " of " + job.containerNumber() + " " + binding.toHex();
    }

    /** The feed that a token comes from: this one's own, or a wider one that holds all of it. */
    private String source(String kind, QueryJob job, String token) {
        return job.widerBinding()
                .map(wider -> feed(kind, job, wider))
                .filter(wider -> continuations.isOf(wider, token))
                .orElseGet(() -> feed(kind, job, job.binding()));
    }

    private QueryJob job(
            RequestContext context, Container container, FeedScope scope, QueryCall call) {
        return new QueryJob(
                context,
                container,
                scope,
                call,
                resolver,
                partitions,
                functions.of(context, container, call.statement()),
                clock);
    }

    private QueryPage walk(QueryJob job, QueryWalk walk, Optional<String> continuation) {
        QueryToken start =
                continuation
                        .map(RangedToken::token)
                        .map(
                                text ->
                                        continuations.open(
                                                source(WALK, job, text), text, QueryToken::read))
                        .orElseGet(walk::start);
        Optional<QueryToken> next = walk.from(start);
        return job.page(
                walk.rows(), next.map(token -> text(WALK, job, token.encode(), token.keys())));
    }

    private QueryPage merge(QueryJob job, int maxRows, Optional<String> continuation) {
        QueryMerge merge = new QueryMerge(job, maxRows);
        MergeToken start =
                continuation
                        .map(RangedToken::token)
                        .map(
                                text ->
                                        continuations.open(
                                                source(MERGE, job, text),
                                                text,
                                                in -> MergeToken.read(in, merge::find)))
                        .orElse(MergeToken.START);
        Optional<MergeToken> next = merge.from(start);
        return job.page(
                merge.rows(), next.map(token -> text(MERGE, job, token.encode(), token.keys())));
    }

    /** Clients that ask one partition wrap what they get into a token of their own. */
    private String text(String kind, QueryJob job, Bytes token, KeyRange keys) {
        String sealed = continuations.seal(feed(kind, job, job.binding()), token);
        return job.isOnOnePartition() ? sealed : RangedToken.of(sealed, keys);
    }
}
