package orrery.gateway;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryExplanation;
import orrery.gateway.api.QueryPage;
import orrery.model.Bytes;
import orrery.model.KeyRange;
import orrery.model.RequestContext;
import orrery.model.resource.Container;
import orrery.query.PlanningThreads;
import orrery.query.QueryCall;
import orrery.query.dialect.AnswerShape;

/**
 * Answers queries, a page at a time: by one partition, by one after the other, or by all of them
 * with their answers put together.
 */
final class QueryRouter {
    private static final String WALK = "query";
    private static final String MERGE = "merge";

    private final Resolver resolver;
    private final PartitionCalls partitions;
    private final Continuations continuations;
    private final QueryFunctions functions;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final KeptStates states;

    QueryRouter(
            Resolver resolver,
            PartitionCalls partitions,
            Continuations continuations,
            QueryFunctions functions,
            KeptStates states,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.resolver = resolver;
        this.partitions = partitions;
        this.continuations = continuations;
        this.functions = functions;
        this.states = states;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    QueryPage query(
            RequestContext context,
            Container container,
            FeedScope scope,
            QueryCall call,
            PageRequest page) {
        return page(planned(context, container, scope, call), page);
    }

    /**
     * @param runs whether the query is run, and not only planned
     */
    QueryExplanation explain(
            RequestContext context,
            Container container,
            FeedScope scope,
            QueryCall call,
            PageRequest page,
            boolean runs) {
        QueryExplainer explainer =
                new QueryExplainer(context, () -> planned(context, container, scope, call));
        QueryJob job = planned(context, container, scope, call);
        boolean isLimited = !job.isOnOnePartition() && !job.limit().isNone();
        explainer.plan(isMerged(job) || isLimited, page);
        return (runs ? explainer.run(this::page, page) : explainer).result();
    }

    private QueryPage page(QueryJob job, PageRequest page) {
        int maxRows = page.size();
        return isMerged(job)
                ? merge(job, maxRows, page.continuation())
                : walk(job, new QueryWalk(job, maxRows, page.endsWithRange()), page.continuation());
    }

    private QueryJob planned(
            RequestContext context, Container container, FeedScope scope, QueryCall call) {
        return PlanningThreads.ofProcess()
                .plan(
                        container.number(),
                        call.statement().isShort(),
                        () -> job(context, container, scope, call));
    }

    /** Returns true if the answer is more than what partitions give, one after the other. */
    private static boolean isMerged(QueryJob job) {
        AnswerShape shape = job.answer();
        if (shape.isDistinct() || shape.isGrouped() || job.isDerived()) {
            return job.isDerived() || !job.isMergedByClient();
        }
        return shape.isSorted() && !job.isOnOnePartition();
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
                functions.of(container, call.statement()),
                clock,
                nanoTime);
    }

    private QueryPage walk(QueryJob job, QueryWalk walk, Optional<String> continuation) {
        QueryToken start =
                continuation
                        .map(RangedToken::token)
                        .map(
                                text ->
                                        continuations.open(
                                                source(WALK, job, text),
                                                text,
                                                QueryToken::readWalk))
                        .orElseGet(walk::start);
        Optional<QueryToken> next = walk.from(start);
        return job.page(
                walk.rows(), next.map(token -> text(WALK, job, token.encode(), token.keys())));
    }

    private QueryPage merge(QueryJob job, int maxRows, Optional<String> continuation) {
        QueryToken start =
                continuation
                        .map(RangedToken::token)
                        .map(
                                text ->
                                        continuations.open(
                                                source(mergeKind(job, text), job, text),
                                                text,
                                                in -> QueryToken.read(in, new KeyMarks(job)::find)))
                        .orElseGet(() -> QueryToken.start(job.limit()));
        // The memory of the page is that of the request.
        AnswerPage page = new AnswerPage(maxRows);
        Optional<QueryToken> next = new KeptAnswer(job, states).fill(page, start);
        return job.page(
                page.rows(), next.map(token -> text(MERGE, job, token.encode(), token.keys())));
    }

    /** Partitions that answer for the one they came from go on behind its position. */
    private String mergeKind(QueryJob job, String token) {
        return job.isOfHeirs() && continuations.isOf(feed(WALK, job, job.binding()), token)
                ? WALK
                : MERGE;
    }

    /** Clients that ask one partition wrap what they get into a token of their own. */
    private String text(String kind, QueryJob job, Bytes token, KeyRange keys) {
        String sealed = continuations.seal(feed(kind, job, job.binding()), token);
        return job.isOnOnePartition() ? sealed : RangedToken.of(sealed, keys);
    }
}
