package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import orrery.gateway.QueryToken.Part;
import orrery.gateway.QueryToken.Place;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;
import orrery.model.resource.PartitionMap;
import orrery.partition.api.ReadResponse;
import orrery.query.dialect.Effort;
import orrery.query.dialect.GroupTable;
import orrery.query.execute.QueryPart;

/**
 * The groups of all partitions. First all of them are gathered, a page of each partition at a time;
 * then their results are given in the order of what they are grouped by. A client that waits for
 * long meanwhile gets an empty page, and the groups are kept.
 */
final class GroupedAnswer implements InnerAnswer {
    /** A partition ends its page by bytes and by work, not by the number of its groups. */
    private static final int MAX_GROUPS = 1 << 20;

    private final QueryJob job;
    private final GroupState state;

    GroupedAnswer(QueryJob job, Optional<KeptState> state) {
        this.job = job;
        this.state =
                state.map(kept -> (GroupState) kept)
                        .orElseGet(
                                () ->
                                        new GroupState(
                                                job.program().start(new Effort()).groups(),
                                                job.functions()));
    }

    @Override
    public Optional<KeptState> state() {
        return Optional.of(state);
    }

    @Override
    public Optional<QueryToken> fill(AnswerPage page, QueryToken start) {
        return gather()
                ? job.evaluating(
                        state.functions(),
                        () ->
                                state.results(job.answer().isDistinct())
                                        .fill(page, start, job.encoding()))
                : Optional.of(start);
    }

    @Override
    public boolean isShownAgain(QueryToken end, Consumer<AnswerPage> shown) {
        if (end.group().isEmpty()) {
            return true;
        }
        if (!gather()) {
            return false;
        }
        state.results(job.answer().isDistinct())
                .showUpTo(end.group().get(), job, state.functions(), shown);
        return true;
    }

    /** Returns false if groups are left for another page. */
    private boolean gather() {
        while (!state.left().isEmpty()) {
            if (job.work().isEnoughGathering()) {
                return false;
            }
            PartitionMap map = job.map();
            try {
                round(map);
            } catch (OrreryException failure) {
                // If the client had to begin anew, it would be refused at the same place again.
                if (failure.code().isOfRate() && job.work().hasRead()) {
                    return false;
                }
                job.awaitMove(map, failure);
            }
        }
        return true;
    }

    private record Read(int at, ReadResponse.QueryPage page) {}

    /** Reads a page of each partition that is left. */
    private void round(PartitionMap map) {
        List<Part> parts = new ArrayList<>();
        List<QueryJob.Visit> visits = new ArrayList<>();
        for (Part part : state.left()) {
            for (QueryJob.Visit visit : job.visits(map, part.keys())) {
                visits.add(visit);
                parts.add(new Part(visit.keys(), part.place()));
            }
        }
        List<Integer> steps = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            steps.add(i);
        }
        int bytes = Math.max(1 << 16, QueryJob.BATCH_BYTES / Math.max(1, parts.size()));
        try {
            FanOut.run(
                    steps,
                    at -> new Read(at, read(visits.get(at), parts.get(at), bytes)),
                    read -> {
                        long grown = merged(read.page());
                        Part part = parts.get(read.at());
                        Place place =
                                read.page()
                                        .next()
                                        .<Place>map(Place.At::new)
                                        .orElseGet(Place.Done::new);
                        parts.set(read.at(), new Part(part.keys(), place));
                        // Only now: if it is refused, no page may be merged a second time.
                        MemoryAccount.current().take(grown);
                    });
        } finally {
            parts.removeIf(part -> part.place() instanceof Place.Done);
            state.leave(parts);
        }
    }

    private ReadResponse.QueryPage read(QueryJob.Visit visit, Part part, int bytes) {
        return job.read(
                visit, part.place().after(), Optional.of(QueryPart.WHOLE), MAX_GROUPS, bytes);
    }

    /** Merges the groups of a page; returns the memory that they take. */
    private long merged(ReadResponse.QueryPage page) {
        GroupTable groups = state.groups();
        long before = groups.sizeBytes();
        page.rows().forEach(groups::merge);
        return Math.max(0, groups.sizeBytes() - before);
    }
}
