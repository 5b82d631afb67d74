package orrery.gateway;

import java.time.Duration;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;

/**
 * A page of an answer that may go on with what an earlier request gathered. What it gathers itself
 * is kept for the next request.
 */
final class KeptAnswer {
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final QueryJob job;
    private final KeptStates states;
    private final KeptStates.Feed feed;

    KeptAnswer(QueryJob job, KeptStates states) {
        this.job = job;
        this.states = states;
        this.feed = new KeptStates.Feed(job.containerNumber(), job.binding(), job.extent());
    }

    /** Fills a page; returns where the next begins, if anything is left. */
    Optional<QueryToken> fill(AnswerPage page, QueryToken start) {
        Optional<KeptState> before = start.kept().flatMap(name -> states.take(name, feed));
        Answer answer = Answer.of(job, before);
        Optional<QueryToken> next;
        try {
            next = answer.fill(page, start);
        } catch (OrreryException failure) {
            // The client may ask for the same page again.
            start.kept()
                    .ifPresent(
                            name ->
                                    answer.state()
                                            .filter(KeptState::isWhole)
                                            .ifPresent(state -> states.keep(name, feed, state)));
            throw isTooMuch(failure, answer) ? tooMuch() : failure;
        }
        return next.map(token -> keep(token, start, answer.state(), page));
    }

    private QueryToken keep(
            QueryToken token, QueryToken start, Optional<KeptState> state, AnswerPage page) {
        if (state.isEmpty() || token.seen().isPresent()) {
            return token.keptAs(Optional.empty());
        }
        Bytes name = start.kept().orElseGet(states::newName);
        boolean isKept = states.keep(name, feed, state.get());
        boolean hasMoved =
                !page.rows().isEmpty()
                        || !token.keptAs(Optional.empty()).equals(start.keptAs(Optional.empty()));
        if (!isKept && !hasMoved) {
            throw new OrreryException(
                            ErrorCode.TOO_MANY_REQUESTS,
                            "The server is short of memory to keep what the query has gathered so"
                                    + " far. Retry after the given time, or add a filter.")
                    .withRetryAfter(RETRY_AFTER);
        }
        return token.keptAs(Optional.of(name));
    }

    /** Returns true if it is what was gathered that takes too much memory for a request. */
    private boolean isTooMuch(OrreryException failure, Answer answer) {
        long gathered = answer.state().map(KeptState::sizeBytes).orElse(0L);
        return failure.code() == ErrorCode.TOO_LARGE
                && !job.isOnOnePartition()
                && !job.isDerived()
                && gathered > MemoryAccount.current().limit() / 2;
    }

    /** Clients that can merge by themselves do so when they hear this. */
    private static OrreryException tooMuch() {
        return new OrreryException(
                ErrorCode.CROSS_PARTITION_QUERY_NOT_SERVABLE,
                "The provided cross partition query can not be directly served by the gateway. It"
                        + " has more groups or distinct results than the gateway keeps. Use a"
                        + " client that merges results by itself, or add a filter.");
    }
}
