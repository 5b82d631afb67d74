package orrery.gateway;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * The answer of a query in FROM, whose results another query takes. Each result has a name on its
 * page ({@link AnswerPage#names}). Such a query has no ORDER BY and no limit, because the language
 * has none there.
 */
sealed interface InnerAnswer extends Answer permits WalkedAnswer, GroupedAnswer, DerivedAnswer {
    /**
     * Shows the results again that lie before a place, in any order, some perhaps more than once.
     * Where partitions have moved since, they are still the same.
     *
     * @param end what {@link #fill} returned once
     * @param shown gets a page at a time, and nobody evaluates or reads anything meanwhile
     * @return false if more are left than a page has time for; then the next call goes on, also
     *     that of another answer that gets the state of this one
     */
    boolean isShownAgain(QueryToken end, Consumer<AnswerPage> shown);

    static InnerAnswer inner(QueryJob job, Optional<KeptState> state) {
        if (job.isDerived()) {
            return new DerivedAnswer(job, state);
        }
        return job.answer().isGrouped()
                ? new GroupedAnswer(job, state)
                : new WalkedAnswer(job, state);
    }
}
