package orrery.query.execute;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.query.dialect.ProgramRun;
import orrery.query.evaluate.ValueHash;
import orrery.query.syntax.QueryError;

/**
 * A page whose results come row by row. When it is full it goes on until it has seen one more
 * result, or the end: only then is it known whether another page follows.
 */
final class StreamedPage {
    private final QueryExecution execution;
    private final PreparedQuery query;
    private final ProgramRun program;
    private final PageRows page;
    private final @Nullable SeenResults seen;
    private long skip;
    private long take;
    private boolean hasMatched;
    private Optional<RowPlace> place = Optional.empty();

    StreamedPage(QueryExecution execution, PreparedQuery query, ProgramRun program, PageRows page) {
        this.execution = execution;
        this.query = query;
        this.program = program;
        this.page = page;
        this.seen = query.answer().isDistinct() ? new SeenResults(execution.work().memory()) : null;
    }

    /** Reads a page and returns the place where the next one begins, if there is one. */
    Optional<Progress> fill(Progress from) {
        skip = from.skip();
        take = from.take();
        if (take == 0) {
            return Optional.empty();
        }
        if (!query.answer().readsItems()) {
            // One row, whatever the container holds.
            if (from.position().isEmpty()) {
                rows(Value.Undefined.UNDEFINED, Optional.empty(), 0, Optional.empty());
            }
            return Optional.empty();
        }
        Optional<Position> start = from.position();
        Optional<Position> replayTo = Optional.empty();
        if (seen != null) {
            if (from.seen().isPresent()) {
                seen.addAll(from.seen().get());
            } else {
                // The token had no room for the results so far, so they are found again.
                replayTo = start;
                start = Optional.empty();
                execution.work().mustFinish();
            }
        }
        try (Candidates candidates = execution.open(from.position(), start)) {
            return fill(candidates, start, replayTo);
        }
    }

    private Optional<Progress> fill(
            Candidates candidates, Optional<Position> start, Optional<Position> replayTo) {
        boolean isReplaying = replayTo.isPresent();
        Optional<Position> before = Optional.empty();
        while (true) {
            switch (execution.next(candidates)) {
                case FINISHED -> {
                    return Optional.empty();
                }
                case PAUSED -> {
                    if (isReplaying) {
                        throw QueryError.engine(
                                "The query returns more distinct values than can be remembered from"
                                        + " one page to the next. Use larger pages.");
                    }
                    return Optional.of(progress(candidates.position(), before));
                }
                case FOUND -> {}
            }
            Position here = candidates.position();
            long done = 0;
            if (isReplaying) {
                int order = compare(here, replayTo.get());
                if (order < 0 || (order == 0 && replayTo.get().isBehind())) {
                    remember(candidates, Long.MAX_VALUE);
                    continue;
                }
                isReplaying = false;
                execution.work().mayPause();
                if (order == 0) {
                    done = replayTo.get().rows();
                    remember(candidates, done);
                }
            } else if (start.isPresent() && compare(here, start.get()) == 0) {
                done = Math.max(0, start.get().rows());
            }
            Optional<Position> stop = candidate(candidates, here, done);
            if (stop.isPresent()) {
                return take == 0 ? Optional.empty() : Optional.of(progress(stop.get(), before));
            }
            before = Optional.of(here);
        }
    }

    private int compare(Position left, Position right) {
        if (execution.sorting().isPresent()) {
            return execution
                    .sorting()
                    .get()
                    .compare(left.key(), left.docid(), right.key(), right.docid());
        }
        int byBranch = Integer.compare(left.branch(), right.branch());
        int byKey = byBranch != 0 ? byBranch : left.key().compareTo(right.key());
        return byKey != 0 ? byKey : Long.compareUnsigned(left.docid(), right.docid());
    }

    /** Takes in the rows of a candidate; where the page ends among them, says where. */
    private Optional<Position> candidate(Candidates candidates, Position here, long done) {
        Item item = execution.load(candidates);
        if (query.isItems() && candidates.isSure()) {
            place = place(here);
            execution.matched(candidates);
            return appendIfRoom(Optional.of(item), Value.Undefined.UNDEFINED)
                    ? finished(here)
                    : Optional.of(here.atRow(0));
        }
        Value value = execution.read(item);
        if (!candidates.accepts(execution.paths(value))) {
            return Optional.empty();
        }
        hasMatched = false;
        long stop =
                rows(
                        value,
                        query.isWholeItem() ? Optional.of(item) : Optional.empty(),
                        done,
                        Optional.of(here));
        if (hasMatched) {
            execution.matched(candidates);
        }
        return stop < 0 ? finished(here) : Optional.of(here.atRow(stop));
    }

    /** Only those who put sorted parts together need to know. */
    private Optional<RowPlace> place(Position position) {
        return query.isPart() && execution.sorting().isPresent()
                ? Optional.of(RowPlace.of(position))
                : Optional.empty();
    }

    private Optional<Position> finished(Position here) {
        return take == 0 ? Optional.of(here) : Optional.empty();
    }

    /** The number of rows done when the page ended; negative if it did not. */
    private long rows(Value value, Optional<Item> item, long done, Optional<Position> here) {
        program.open(value);
        long count = 0;
        while (program.hasNext() && take > 0) {
            program.next();
            count++;
            if (count <= done) {
                continue;
            }
            execution.work().row();
            long upToHere = count;
            place = here.flatMap(position -> place(position.atRow(upToHere)));
            if (program.matches()) {
                hasMatched = true;
                if (!appendIfRoom(item)) {
                    return count - 1;
                }
            }
            if (execution.work().isEnough() && program.hasNext()) {
                return count;
            }
        }
        return -1;
    }

    private boolean appendIfRoom(Optional<Item> item) {
        if (item.isPresent()) {
            return appendIfRoom(item, Value.Undefined.UNDEFINED);
        }
        Optional<Value> result = program.result();
        return result.isEmpty() || appendIfRoom(Optional.empty(), result.get());
    }

    /** False if the page has no room for it. */
    private boolean appendIfRoom(Optional<Item> item, Value result) {
        if (seen != null && seen.contains(result)) {
            return true;
        }
        if (skip == 0) {
            if (page.isFull()) {
                return false;
            }
            Bytes text = item.isPresent() ? execution.print(item.get()) : execution.print(result);
            if (!page.add(text, place)) {
                return false;
            }
            take--;
        } else {
            skip--;
        }
        if (seen != null) {
            seen.add(result);
        }
        return true;
    }

    /** Adds the results that an earlier page has returned for a candidate. */
    private void remember(Candidates candidates, long done) {
        if (seen == null) {
            throw new IllegalStateException("only DISTINCT needs to remember");
        }
        Value value = execution.read(execution.load(candidates));
        if (!candidates.accepts(execution.paths(value))) {
            return;
        }
        program.open(value);
        for (long count = 0; count < done && program.hasNext(); count++) {
            program.next();
            if (program.matches()) {
                program.result().ifPresent(seen::add);
            }
        }
    }

    /** The reader that merges parts drops repeated results, so a part may forget them. */
    private Optional<List<ValueHash>> carried(SeenResults results) {
        Optional<List<ValueHash>> carried = results.carried();
        return carried.isEmpty() && query.isPart() ? Optional.of(List.of()) : carried;
    }

    private Progress progress(Position position, Optional<Position> before) {
        return new Progress(
                Optional.of(position),
                before,
                skip,
                take,
                Optional.empty(),
                seen == null ? Optional.empty() : carried(seen),
                0);
    }
}
