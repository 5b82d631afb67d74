package orrery.gateway;

import java.util.Optional;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.query.BoundQuery;
import orrery.query.dialect.AnswerShape;
import orrery.query.dialect.Effort;
import orrery.query.dialect.Program;
import orrery.query.dialect.ProgramRun;
import orrery.query.dialect.RowLimit;
import orrery.query.evaluate.ValueHash;

/**
 * A query over the results of another that cannot be told from one item at a time, such as {@code
 * SELECT COUNT(1) FROM (SELECT DISTINCT c.x FROM c)}. The inner one is answered over all
 * partitions, a page at a time; no page is kept once the outer one has seen it.
 */
final class DerivedAnswer implements Answer {
    /** A page of the inner query grows up to this many times while the outer one wants nothing. */
    private static final int MAX_STRETCH = 1024;

    private final QueryJob job;
    private final QueryJob innerJob;
    private final Program outer;
    private final AnswerShape shape;
    private DerivedState state;

    DerivedAnswer(QueryJob job, Optional<KeptState> state) {
        this.job = job;
        BoundQuery.Derived derived = job.query().derived().orElseThrow();
        this.outer = derived.outer();
        this.shape = job.answer();
        this.innerJob = job.inner(derived.inner());
        this.state = state.map(kept -> (DerivedState) kept).orElseGet(() -> begin(innerFirst()));
    }

    private DerivedState begin(QueryToken innerStart) {
        return new DerivedState(outer.start(new Effort()), job.functions(), innerStart);
    }

    private QueryToken innerFirst() {
        return QueryToken.start(innerJob.limit());
    }

    /** Returns where the inner query was when the token began to count. */
    private QueryToken innerStart(QueryToken start) {
        if (start.group().isEmpty()) {
            return innerFirst();
        }
        BinaryReader in = new BinaryReader(start.group().get());
        QueryToken place = QueryToken.read(in, new KeyMarks(innerJob)::find);
        in.expectEnd();
        return place;
    }

    @Override
    public Optional<KeptState> state() {
        return Optional.of(state);
    }

    @Override
    public Optional<QueryToken> fill(AnswerPage page, QueryToken start) {
        Answer inner = Answer.of(innerJob, state.inner());
        try {
            return shape.isGrouped() ? grouped(page, start, inner) : streamed(page, start, inner);
        } finally {
            job.work().add(innerJob.work());
        }
    }

    private Optional<QueryToken> grouped(AnswerPage page, QueryToken start, Answer inner) {
        while (state.innerNext().isPresent()) {
            if (innerJob.work().isEnough()) {
                return Optional.of(start);
            }
            read(inner, QueryJob.BATCH_ROWS);
        }
        return job.evaluating(
                state.functions(),
                () -> state.results(shape.isDistinct()).fill(page, start, job.encoding()));
    }

    /**
     * Gives results as they come. Where no duplicates have to be told, a token says where the inner
     * query is, so it holds whatever becomes of the partitions; else it counts results from the
     * first one.
     */
    private Optional<QueryToken> streamed(AnswerPage page, QueryToken start, Answer first) {
        Answer inner = first;
        if (!state.isBehind(start.group().orElseGet(innerFirst()::encode), start.given())) {
            state = begin(innerStart(start));
            inner = Answer.of(innerJob, Optional.empty());
        }
        RowLimit limit = start.limit();
        long given = start.given();
        int stretch = 1;
        while (!limit.isReached()) {
            Optional<DerivedState.Row> row = state.peek();
            if (row.isEmpty()) {
                if (state.innerNext().isEmpty()) {
                    return Optional.empty();
                }
                if (!shape.isDistinct() && state.taken() >= given) {
                    state.countFromHere();
                    given = 0;
                }
                if (page.isFull() || innerJob.work().isEnough()) {
                    return Optional.of(reached(start, given, limit));
                }
                long wanted = page.room() + limit.skip() + given - state.taken();
                read(inner, shape.isDistinct() ? QueryJob.BATCH_ROWS : rows(wanted, stretch));
                stretch = state.peek().isPresent() ? 1 : Math.min(2 * stretch, MAX_STRETCH);
                continue;
            }
            boolean isNew = state.taken() >= given && !state.isSeen(row.get());
            if (isNew) {
                if (limit.skip() == 0 && !page.appendIfRoom(row.get().text())) {
                    return Optional.of(reached(start, given, limit));
                }
                limit = limit.behind(1);
            }
            state.take();
        }
        return Optional.empty();
    }

    /**
     * Reads no more than the page has room for: a place between two pages of the inner query is
     * exact, one within a page only as long as the partitions stay as they are.
     */
    private static int rows(long wanted, int stretch) {
        return Math.clamp(wanted * stretch, 1, QueryJob.BATCH_ROWS);
    }

    private QueryToken reached(QueryToken start, long given, RowLimit limit) {
        if (state.taken() < given) {
            return start;
        }
        Optional<Bytes> from =
                shape.isDistinct() ? Optional.empty() : Optional.of(state.innerFrom().encode());
        return start.given(state.taken(), Optional.empty()).behind(from, limit);
    }

    /** Reads a page of the inner query and shows its results to the outer one. */
    private void read(Answer inner, int rows) {
        try (AnswerPage page = new AnswerPage(rows)) {
            Optional<QueryToken> next = inner.fill(page, state.innerNext().orElseThrow());
            state.innerBegins();
            job.evaluating(
                    state.functions(),
                    () -> {
                        page.rows().forEach(this::see);
                        return next;
                    });
            state.innerReached(next, inner.state());
        }
    }

    private void see(Bytes row) {
        ProgramRun run = state.outer();
        run.open(innerJob.encoding().read(row));
        while (run.hasNext()) {
            run.next();
            if (run.matches()) {
                if (shape.isGrouped()) {
                    run.groups().add();
                    state.countGroups();
                } else {
                    run.result().ifPresent(result -> state.add(row(result)));
                }
            }
        }
    }

    private DerivedState.Row row(Value result) {
        return new DerivedState.Row(
                job.encoding().write(result),
                shape.isDistinct() ? Optional.of(ValueHash.of(result)) : Optional.empty());
    }
}
