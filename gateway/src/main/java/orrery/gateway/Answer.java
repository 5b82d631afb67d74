package orrery.gateway;

import java.util.Optional;

/**
 * A way to put the answer of a query together from those of partitions. It is asked for one page,
 * or for one after the other.
 */
interface Answer {
    /**
     * Fills a page; returns where the next begins, if anything is left. The page may be short or
     * empty: an answer never works for longer than a client waits.
     *
     * @param start what the call before returned, in this request or in another
     */
    Optional<QueryToken> fill(AnswerPage page, QueryToken start);

    /** Returns what was gathered so far, if that saves work in the next request. */
    Optional<KeptState> state();

    /**
     * @param state what an earlier request gathered for the same query, if it is still there
     */
    static Answer of(QueryJob job, Optional<KeptState> state) {
        boolean isMergedInOrder =
                job.answer().isSorted() && !job.answer().isGrouped() && !job.isDerived();
        return isMergedInOrder ? new SortedAnswer(job, state) : InnerAnswer.inner(job, state);
    }
}
