package orrery.gateway;

import java.util.Optional;
import orrery.document.Value;
import orrery.model.Bytes;
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
        this.state = state.map(kept -> (DerivedState) kept).orElseGet(this::begin);
    }

    private DerivedState begin() {
        return new DerivedState(
                outer.start(new Effort()), job.functions(), QueryToken.start(innerJob.limit()));
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
            read(inner);
        }
        return job.evaluating(
                state.functions(),
                () -> state.results(shape.isDistinct()).fill(page, start, job.encoding()));
    }

    private Optional<QueryToken> streamed(AnswerPage page, QueryToken start, Answer first) {
        Answer inner = first;
        if (state.taken() > start.given()) {
            // The client asks for a page again that it had before.
            state = begin();
            inner = Answer.of(innerJob, Optional.empty());
        }
        RowLimit limit = start.limit();
        while (!limit.isReached()) {
            Optional<DerivedState.Row> row = state.peek();
            if (row.isEmpty()) {
                if (state.innerNext().isEmpty()) {
                    return Optional.empty();
                }
                if (innerJob.work().isEnough()) {
                    return Optional.of(reached(start, limit));
                }
                read(inner);
                continue;
            }
            boolean isNew = state.taken() >= start.given() && !state.isSeen(row.get());
            if (isNew) {
                if (limit.skip() == 0 && !page.appendIfRoom(row.get().text())) {
                    return Optional.of(reached(start, limit));
                }
                limit = limit.behind(1);
            }
            state.take();
        }
        return Optional.empty();
    }

    private QueryToken reached(QueryToken start, RowLimit limit) {
        return state.taken() < start.given()
                ? start
                : start.given(state.taken(), Optional.empty()).behind(Optional.empty(), limit);
    }

    /** Reads a page of the inner query and shows its results to the outer one. */
    private void read(Answer inner) {
        try (AnswerPage page = new AnswerPage(QueryJob.BATCH_ROWS)) {
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
