package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import orrery.model.OrreryException;
import orrery.model.resource.PartitionMap;
import orrery.partition.api.ReadResponse;
import orrery.query.evaluate.ValueHash;
import orrery.query.execute.QueryPart;
import orrery.query.execute.RowPlace;

/**
 * Finds out again which results an answer without duplicates has given: all that come before the
 * places that it had reached. What was written there meanwhile counts as given.
 */
final class SeenAgain {
    private final QueryJob job;
    private final SeenState state;
    private final Optional<RowPlace> first;
    private final Consumer<AnswerPage> shown;

    /**
     * @param first where the results begin that others can be equal to
     * @param shown gets the results
     */
    SeenAgain(QueryJob job, SeenState state, Optional<RowPlace> first, Consumer<AnswerPage> shown) {
        this.job = job;
        this.state = state;
        this.first = first;
        this.shown = shown;
    }

    /** Reads on; false if more is left than a page has time for. */
    boolean isComplete() {
        while (!state.left().isEmpty()) {
            if (job.work().isEnough()) {
                return false;
            }
            PartitionMap map = job.map();
            try {
                if (!readFirst(map)) {
                    return false;
                }
            } catch (OrreryException failure) {
                job.awaitMove(map, failure);
            }
        }
        return true;
    }

    private boolean readFirst(PartitionMap map) {
        SeenState.Again again = state.left().getFirst();
        List<SeenState.Again> rest = new ArrayList<>(state.left().subList(1, state.left().size()));
        List<QueryJob.Visit> visits = job.visits(map, again.keys());
        for (QueryJob.Visit visit : visits.subList(Math.min(1, visits.size()), visits.size())) {
            rest.add(0, new SeenState.Again(visit.keys(), again.from(), again.until()));
        }
        if (!visits.isEmpty()) {
            QueryJob.Visit visit = visits.getFirst();
            Optional<ReadResponse.QueryPage> page =
                    job.readIfAllowed(
                            visit,
                            again.from().after(),
                            Optional.of(part(again.until())),
                            QueryJob.BATCH_ROWS,
                            QueryJob.BATCH_BYTES);
            if (page.isEmpty()) {
                return false;
            }
            see(page.get());
            page.get()
                    .next()
                    .ifPresent(
                            next ->
                                    rest.add(
                                            0,
                                            new SeenState.Again(
                                                    visit.keys(),
                                                    new QueryToken.Place.At(next),
                                                    again.until())));
        }
        state.leave(rest);
        return true;
    }

    private void see(ReadResponse.QueryPage read) {
        try (AnswerPage page = AnswerPage.ofInner(read.rows().size())) {
            for (int i = 0; i < read.rows().size(); i++) {
                ValueHash hash = read.hashes().get(i);
                if (state.addAgain(hash)) {
                    page.append(read.rows().get(i), () -> hash);
                }
            }
            shown.accept(page);
        }
    }

    private QueryPart part(QueryToken.Place until) {
        QueryPart whole = QueryPart.from(first);
        return switch (until) {
            case QueryToken.Place.At(var position) -> whole.until(position);
            case QueryToken.Place.Behind(RowPlace row) -> whole.until(row);
            case QueryToken.Place.Done _ -> whole;
            case QueryToken.Place.Unread _, QueryToken.Place.Beside _ ->
                    throw new IllegalStateException("no place where reading again ends");
        };
    }
}
