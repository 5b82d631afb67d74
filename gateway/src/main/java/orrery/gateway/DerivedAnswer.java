package orrery.gateway;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import orrery.document.Value;
import orrery.gateway.DerivedPlace.Taken;
import orrery.gateway.OuterRows.Row;
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
final class DerivedAnswer implements InnerAnswer {
    /** A page of the inner query grows up to this many times while the outer one wants nothing. */
    private static final int MAX_STRETCH = 1024;

    /** The number of inner results that a continuation has room to name. */
    private static final int MAX_NAMED = 24;

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
        this.state =
                state.map(kept -> (DerivedState) kept)
                        .orElseGet(() -> begin(place(Optional.empty())));
    }

    private DerivedState begin(DerivedPlace place) {
        return new DerivedState(outer.start(new Effort()), job.functions(), place);
    }

    private DerivedPlace place(Optional<Bytes> token) {
        return token.map(bytes -> DerivedPlace.read(bytes, new KeyMarks(innerJob)::find))
                .orElseGet(() -> new DerivedPlace(QueryToken.start(innerJob.limit()), List.of()));
    }

    @Override
    public Optional<KeptState> state() {
        return Optional.of(state);
    }

    private InnerAnswer inner() {
        return InnerAnswer.inner(innerJob, state.inner());
    }

    @Override
    public Optional<QueryToken> fill(AnswerPage page, QueryToken start) {
        return shape.isGrouped() ? grouped(page, start) : streamed(page, start);
    }

    @Override
    public boolean isShownAgain(QueryToken end, Consumer<AnswerPage> shown) {
        if (end.group().isEmpty()) {
            return true;
        }
        Bytes place = end.group().get();
        if (!shape.isGrouped()) {
            goTo(place(Optional.of(place)), true);
            return isRecalled(inner(), Optional.of(shown));
        }
        if (!gather()) {
            return false;
        }
        state.results(shape.isDistinct()).showUpTo(place, job, state.functions(), shown);
        return true;
    }

    private Optional<QueryToken> grouped(AnswerPage page, QueryToken start) {
        return gather()
                ? job.evaluating(
                        state.functions(),
                        () -> state.results(shape.isDistinct()).fill(page, start, job.encoding()))
                : Optional.of(start);
    }

    /** Returns false if inner results are left for another page. */
    private boolean gather() {
        InnerAnswer inner = inner();
        while (state.innerNext().isPresent()) {
            if (innerJob.work().isEnough()) {
                return false;
            }
            read(inner, QueryJob.BATCH_ROWS);
        }
        return true;
    }

    /**
     * Takes up the state of a place, or begins there.
     *
     * @param isRecalled whether to find out what was given before, if it is not known
     */
    private void goTo(DerivedPlace place, boolean isRecalled) {
        if (!state.isAt(place)) {
            state = begin(place);
            if (isRecalled) {
                state.beginRecall(place);
            }
        }
    }

    /** Gives results as they come. */
    private Optional<QueryToken> streamed(AnswerPage page, QueryToken start) {
        goTo(place(start.group()), shape.isDistinct() && start.group().isPresent());
        InnerAnswer inner = inner();
        if (!isRecalled(inner, Optional.empty())) {
            return Optional.of(start);
        }
        RowLimit limit = start.limit();
        int stretch = 1;
        while (!limit.isReached()) {
            Optional<Row> row = state.rows().peek();
            if (row.isPresent()) {
                if (!isSeen(row.get())) {
                    if (limit.skip() == 0
                            && !page.appendIfRoom(row.get().text(), name(row.get()))) {
                        return Optional.of(reached(start, limit));
                    }
                    limit = limit.behind(1);
                    stretch = 1;
                }
                state.rows().take().hash().ifPresent(hash -> state.seen().add(hash, 0));
            } else if (state.innerNext().isEmpty()) {
                return Optional.empty();
            } else if (page.isFull() || innerJob.work().isEnough()) {
                return Optional.of(reached(start, limit));
            } else {
                readFor(page, limit, inner, stretch);
                stretch = Math.min(2 * stretch, MAX_STRETCH);
            }
        }
        return Optional.empty();
    }

    private QueryToken reached(QueryToken start, RowLimit limit) {
        return start.behind(Optional.of(state.place().encode()), limit);
    }

    private boolean isSeen(Row row) {
        return row.hash().isPresent() && state.seen().contains(row.hash().get());
    }

    private Supplier<ValueHash> name(Row row) {
        return () -> row.hash().orElseGet(() -> ValueHash.of(job.encoding().read(row.text())));
    }

    /**
     * Reads what the page has room for, about. A place between two pages of the inner query needs
     * no names, and one within a page names the results that were taken of it. So a large page must
     * fit as a whole, or less is read.
     */
    private void readFor(AnswerPage page, RowLimit limit, InnerAnswer inner, int stretch) {
        long room = page.room() + limit.skip();
        int named = Math.max(1, MAX_NAMED - state.rows().unmet().size());
        long wanted = Math.max(shape.isDistinct() ? named : 1, room / state.rows().perSource());
        int rows = Math.clamp(wanted * stretch, 1, QueryJob.BATCH_ROWS);
        read(inner, rows);
        while (rows > named) {
            Optional<Integer> fitting = state.rows().fitting(room, page.roomBytes(), this::isSeen);
            if (fitting.isEmpty()) {
                return;
            }
            rows = Math.max(named, fitting.get());
            state.undoPage();
            read(inner, rows);
        }
    }

    /** Reads a page of the inner query and shows its results to the outer one. */
    private void read(InnerAnswer inner, int rows) {
        try (AnswerPage page = AnswerPage.ofInner(rows)) {
            Optional<QueryToken> next = inner.fill(page, state.innerNext().orElseThrow());
            state.innerBegins();
            state.rows().beginPage();
            job.evaluating(
                    state.functions(),
                    () -> {
                        for (int i = 0; i < page.rows().size(); i++) {
                            see(page.rows().get(i), page.names().get(i));
                        }
                        return next;
                    });
            state.innerReached(next, inner.state());
        }
    }

    private void see(Bytes row, ValueHash name) {
        ProgramRun run = state.outer();
        if (shape.isGrouped()) {
            evaluate(row, run.groups()::add);
            state.countGroups();
            return;
        }
        OuterRows.Source source = state.rows().open(name);
        evaluate(
                row,
                () ->
                        run.result()
                                .ifPresent(
                                        result ->
                                                state.rows()
                                                        .add(
                                                                new Row(
                                                                        job.encoding()
                                                                                .write(result),
                                                                        hash(result),
                                                                        source))));
    }

    private Optional<ValueHash> hash(Value result) {
        return shape.isDistinct() ? Optional.of(ValueHash.of(result)) : Optional.empty();
    }

    /** Goes through the rows that the outer query makes of an inner result. */
    private void evaluate(Bytes row, Runnable match) {
        ProgramRun run = state.outer();
        run.open(innerJob.encoding().read(row));
        while (run.hasNext()) {
            run.next();
            if (run.matches()) {
                match.run();
            }
        }
    }

    /**
     * Finds out again what was given, where that is not known; false if there is no time for it.
     *
     * @param shown gets it, if somebody wants it
     */
    private boolean isRecalled(InnerAnswer inner, Optional<Consumer<AnswerPage>> shown) {
        if (state.recall().isEmpty()) {
            return true;
        }
        DerivedState.Recall recall = state.recall().get();
        if (!recall.hasAllBefore()) {
            boolean isComplete =
                    inner.isShownAgain(
                            recall.place().inner(), page -> recall(page, _ -> Taken.ALL, shown));
            state.innerHas(inner.state());
            if (!isComplete) {
                return false;
            }
            recall.setAllBefore();
        }
        while (!recall.unmet().isEmpty() && recall.next().isPresent()) {
            if (innerJob.work().isEnough()) {
                return false;
            }
            try (AnswerPage page = AnswerPage.ofInner(MAX_NAMED)) {
                Optional<QueryToken> next = inner.fill(page, recall.next().get());
                recall(page, name -> OuterRows.met(recall.unmet(), name), shown);
                recall.lookedUpTo(next);
                state.innerHas(inner.state());
            }
        }
        state.endRecall();
        return true;
    }

    /**
     * Notes rows of inner results as given.
     *
     * @param given how many of a result's rows were, by its name
     */
    private void recall(
            AnswerPage inner,
            Function<ValueHash, Long> given,
            Optional<Consumer<AnswerPage>> shown) {
        state.innerBegins();
        try (AnswerPage page = AnswerPage.ofInner(inner.rows().size())) {
            job.evaluating(
                    state.functions(),
                    () -> {
                        for (int i = 0; i < inner.rows().size(); i++) {
                            recall(
                                    inner.rows().get(i),
                                    given.apply(inner.names().get(i)),
                                    shown.map(_ -> page));
                        }
                        return page;
                    });
            shown.ifPresent(consumer -> consumer.accept(page));
        }
    }

    private void recall(Bytes row, long given, Optional<AnswerPage> page) {
        ProgramRun run = state.outer();
        AtomicLong left = new AtomicLong(given);
        evaluate(
                row,
                () -> {
                    Optional<Value> result = run.result();
                    if (result.isPresent() && left.getAndDecrement() > 0) {
                        hash(result.get()).ifPresent(hash -> state.seen().add(hash, 0));
                        page.ifPresent(
                                to ->
                                        to.append(
                                                job.encoding().write(result.get()),
                                                () -> ValueHash.of(result.get())));
                    }
                });
    }
}
