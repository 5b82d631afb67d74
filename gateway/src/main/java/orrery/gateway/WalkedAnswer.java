package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import orrery.gateway.QueryToken.Part;
import orrery.gateway.QueryToken.Place;
import orrery.model.EffectiveKey;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.resource.PartitionMap;
import orrery.partition.api.ReadResponse;
import orrery.query.dialect.RowLimit;
import orrery.query.execute.QueryPart;

/**
 * The results of one range of keys after the other, without those that came before where the query
 * wants no duplicates. A page ends where a page of a partition does, so that the next begins there.
 */
final class WalkedAnswer implements InnerAnswer {
    /**
     * Partitions are asked for up to this many times what a page has room for while they know
     * nothing new. If it is too much in the end, less is asked for again.
     */
    private static final int MAX_STRETCH = 1024;

    private final QueryJob job;
    private final boolean isDistinct;
    private Optional<SeenState> seen;
    private List<Part> left = List.of();
    private RowLimit limit = RowLimit.NONE;

    WalkedAnswer(QueryJob job, Optional<KeptState> state) {
        this.job = job;
        this.isDistinct = job.answer().isDistinct();
        this.seen = state.map(kept -> (SeenState) kept);
    }

    @Override
    public Optional<KeptState> state() {
        return seen.map(state -> state);
    }

    @Override
    public Optional<QueryToken> fill(AnswerPage page, QueryToken start) {
        if (isDistinct && !isReady(start)) {
            return Optional.of(start);
        }
        left = start.parts();
        limit = start.limit();
        while (true) {
            PartitionMap map = job.map();
            try {
                return walk(page, map) ? Optional.of(token()) : Optional.empty();
            } catch (OrreryException failure) {
                job.awaitMove(map, failure);
            }
        }
    }

    private QueryToken token() {
        QueryToken token = QueryToken.of(left, limit);
        return seen.map(state -> token.given(state.given(), state.carried())).orElse(token);
    }

    /** Finds out what was given before; false if there is no time for it. */
    private boolean isReady(QueryToken start) {
        seen = Optional.of(SeenState.at(start, seen, () -> given(start)));
        return new SeenAgain(job, seen.get(), Optional.empty(), _ -> {}).isComplete();
    }

    @Override
    public boolean isShownAgain(QueryToken end, Consumer<AnswerPage> shown) {
        if (end.isStart()) {
            return true;
        }
        SeenState state =
                seen.filter(known -> known.given() == end.given())
                        .orElseGet(() -> new SeenState(end.given(), given(end)));
        seen = Optional.of(state);
        return new SeenAgain(job, state, Optional.empty(), shown).isComplete();
    }

    /** All keys below those that are left, and the beginning of those. */
    private static List<SeenState.Again> given(QueryToken start) {
        List<SeenState.Again> given = new ArrayList<>();
        EffectiveKey begin = start.keys().min();
        if (begin.compareTo(EffectiveKey.MIN) > 0) {
            given.add(
                    new SeenState.Again(
                            new KeyRange(EffectiveKey.MIN, begin),
                            new Place.Unread(),
                            new Place.Done()));
        }
        for (Part part : start.parts()) {
            if (part.place() instanceof Place.At at) {
                given.add(new SeenState.Again(part.keys(), new Place.Unread(), at));
            }
        }
        return given;
    }

    /** Returns true if the page ended before the answer did. */
    private boolean walk(AnswerPage page, PartitionMap map) {
        int stretch = 1;
        while (!left.isEmpty() && !limit.isReached()) {
            if (page.isFull() || job.work().isEnough()) {
                return true;
            }
            Part part = left.getFirst();
            List<Part> rest = new ArrayList<>(left.subList(1, left.size()));
            List<QueryJob.Visit> visits = job.visits(map, part.keys());
            for (int i = visits.size() - 1; i > 0; i--) {
                rest.addFirst(new Part(visits.get(i).keys(), part.place()));
            }
            if (!visits.isEmpty()) {
                Optional<ReadResponse.QueryPage> read =
                        read(page, visits.getFirst(), part, stretch);
                if (read.isEmpty()) {
                    return true;
                }
                long unseen = unseen(read.get());
                if (unseen > page.room() + limit.skip()) {
                    stretch = 1;
                    continue;
                }
                stretch = unseen > 0 ? 1 : Math.min(2 * stretch, MAX_STRETCH);
                add(page, read.get());
                read.get()
                        .next()
                        .ifPresent(
                                next ->
                                        rest.addFirst(
                                                new Part(
                                                        visits.getFirst().keys(),
                                                        new Place.At(next))));
            }
            left = rest;
        }
        return false;
    }

    private long unseen(ReadResponse.QueryPage read) {
        return isDistinct
                ? read.hashes().stream().filter(hash -> !seen.orElseThrow().contains(hash)).count()
                : read.rows().size();
    }

    private Optional<ReadResponse.QueryPage> read(
            AnswerPage page, QueryJob.Visit visit, Part part, int stretch) {
        long room = Math.min(page.room() + limit.skip(), QueryJob.BATCH_ROWS);
        long wanted = Math.min(stretch * room, QueryJob.BATCH_ROWS);
        return job.readIfAllowed(
                visit,
                part.place().after(),
                Optional.of(QueryPart.WHOLE),
                (int) Math.max(1, wanted),
                page.roomBytes());
    }

    private void add(AnswerPage page, ReadResponse.QueryPage read) {
        for (int i = 0; i < read.rows().size() && !limit.isReached(); i++) {
            if (isDistinct && !seen.orElseThrow().addIfUnseen(read.hashes().get(i))) {
                continue;
            }
            if (limit.skip() == 0) {
                int at = i;
                page.append(read.rows().get(i), () -> read.hashes().get(at));
            }
            limit = limit.behind(1);
        }
    }
}
