package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.gateway.QueryToken.Part;
import orrery.gateway.QueryToken.Place;
import orrery.gateway.QueryToken.Reached;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.resource.PartitionMap;
import orrery.query.dialect.RowLimit;
import orrery.query.execute.RowPlace;

/**
 * The sorted rows of all partitions as one sorted answer. It goes on behind its last row. Where few
 * rows match it ends a page early, and goes on where it was in each range of keys.
 */
final class SortedAnswer implements Answer {
    /** Rows that are left out between two looks at the clock. */
    private static final int ROWS_PER_LOOK = 64;

    private final QueryJob job;
    private final boolean isDistinct;
    private Optional<SeenState> seen;

    SortedAnswer(QueryJob job, Optional<KeptState> state) {
        this.job = job;
        this.isDistinct = job.answer().isDistinct();
        this.seen = state.map(kept -> (SeenState) kept);
    }

    /** An answer sorted by its results remembers so little that a token holds it. */
    @Override
    public Optional<KeptState> state() {
        return job.answer().isSortedByResult() ? Optional.empty() : seen.map(state -> state);
    }

    @Override
    public Optional<QueryToken> fill(AnswerPage page, QueryToken start) {
        if (isDistinct && !isReady(start)) {
            return Optional.of(start);
        }
        QueryToken token = start;
        while (true) {
            PartitionMap map = job.map();
            Merge merge = new Merge(page, token);
            try {
                return merge.fill(map);
            } catch (OrreryException failure) {
                // The rows of the page so far are good.
                token = merge.reached();
                job.awaitMove(map, failure);
            }
        }
    }

    /** Finds out what was given before; false if there is no time for it. */
    private boolean isReady(QueryToken start) {
        seen = Optional.of(SeenState.at(start, seen, () -> given(start)));
        Optional<RowPlace> first =
                start.reached()
                        .filter(_ -> job.answer().isSortedByResult())
                        .map(reached -> RowPlace.before(reached.key(), reached.isBackward()));
        return new SeenAgain(job, seen.get(), first, _ -> {}).isComplete();
    }

    private static List<SeenState.Again> given(QueryToken start) {
        List<SeenState.Again> given = new ArrayList<>();
        for (Part part : start.progress()) {
            Place until =
                    part.place() instanceof Place.Beside(long docid, long rows)
                            ? new Place.Behind(
                                    new RowPlace(start.reached().orElseThrow().key(), docid, rows))
                            : part.place();
            if (!(until instanceof Place.Unread)) {
                given.add(new SeenState.Again(part.keys(), new Place.Unread(), until));
            }
        }
        return given;
    }

    /** The rows of one map of partitions. */
    private final class Merge {
        private final AnswerPage page;
        private final QueryToken start;
        private Optional<SortedParts> parts = Optional.empty();
        private Optional<SortedParts.Row> done = Optional.empty();
        private RowLimit limit;
        private long rows;

        Merge(AnswerPage page, QueryToken start) {
            this.page = page;
            this.start = start;
            this.limit = start.limit();
        }

        Optional<QueryToken> fill(PartitionMap map) {
            SortedParts opened = new SortedParts(job, start, wanted());
            parts = Optional.of(opened);
            opened.open(map);
            while (!limit.isReached()) {
                Optional<SortedParts.Row> next = opened.peek();
                if (next.isEmpty()) {
                    return opened.isPaused() ? Optional.of(reached()) : Optional.empty();
                }
                if (!isTaken(next.get())) {
                    return Optional.of(reached(next));
                }
                opened.advance();
                done = next;
                rows++;
                if (rows % ROWS_PER_LOOK == 0 && limit.skip() > 0 && job.work().isEnough()) {
                    return Optional.of(reached());
                }
            }
            return Optional.empty();
        }

        /**
         * Returns how many rows to ask for: those of the page, and some of those left out before.
         */
        private int wanted() {
            return (int)
                    Math.min(
                            page.room() + Math.min(limit.skip(), QueryJob.BATCH_ROWS),
                            Math.max(1, limit.ofPart(false).take()));
        }

        /** Returns false if the page has no room for a row. */
        private boolean isTaken(SortedParts.Row row) {
            if (isDistinct) {
                return isTakenOnce(row, seen.orElseThrow());
            }
            return isTakenAgain(row);
        }

        private boolean isTakenOnce(SortedParts.Row row, SeenState state) {
            Optional<Bytes> key =
                    done.map(last -> last.place().key())
                            .or(() -> start.reached().map(Reached::key));
            boolean isUnlikeOthers =
                    job.answer().isSortedByResult()
                            && key.isPresent()
                            && !key.get().equals(row.place().key());
            if (!isUnlikeOthers && state.contains(row.hash())) {
                return true;
            }
            if (!isTakenAgain(row)) {
                return false;
            }
            if (isUnlikeOthers) {
                state.clear();
            }
            return state.addIfUnseen(row.hash());
        }

        private boolean isTakenAgain(SortedParts.Row row) {
            if (limit.skip() == 0 && !page.appendIfRoom(row.text(), row::hash)) {
                return false;
            }
            limit = limit.behind(1);
            return true;
        }

        QueryToken reached() {
            return reached(Optional.empty());
        }

        /**
         * @param next the row behind, which is not given yet
         */
        private QueryToken reached(Optional<SortedParts.Row> next) {
            if (parts.isEmpty()) {
                return start;
            }
            QueryToken token;
            if (done.isPresent()) {
                token =
                        QueryToken.sorted(
                                behind(done.get()),
                                next.map(SortedParts.Row::notGiven).map(this::behind),
                                limit);
            } else if (start.reached().isPresent()) {
                Reached before = start.reached().get();
                token =
                        QueryToken.sorted(
                                new Reached(
                                        before.key(),
                                        before.holder(),
                                        before.isBackward(),
                                        parts.get().progress()),
                                Optional.empty(),
                                limit);
            } else {
                token = QueryToken.of(parts.get().progress(), limit);
            }
            return seen.isPresent() ? token.given(seen.get().given(), seen.get().carried()) : token;
        }

        private Reached behind(SortedParts.Row row) {
            return new Reached(
                    row.place().key(),
                    row.place().docid(),
                    row.isBackward(),
                    parts.orElseThrow().progress(row));
        }
    }
}
