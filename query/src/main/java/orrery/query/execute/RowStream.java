package orrery.query.execute;

import java.util.Optional;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.query.dialect.ProgramRun;

/**
 * The rows that the filter accepts, one at a time: finds candidates, reads them and cuts them into
 * rows. The program stands at the present row. Whoever takes the rows may stop before or behind any
 * of them.
 */
final class RowStream implements AutoCloseable {
    enum Step {
        /** A row that the filter accepts. */
        ROW,
        /** Enough work was done; {@link #position} is behind it. */
        PAUSED,
        /** There are no more. */
        FINISHED
    }

    private final PreparedQuery query;
    private final ProgramRun program;
    private final ItemReader reader;
    private final PageWork work;
    private final Candidates candidates;
    private final Optional<Position> start;
    private final Optional<PositionBound> until;

    /**
     * Items only go into groups, and the index can decide the whole filter. There may be many, and
     * few are places to pause at, so the place of one is made when it is asked for.
     */
    private final boolean isCounted;

    private Optional<Position> here = Optional.empty();
    private Optional<Position> before = Optional.empty();
    private Optional<Item> item = Optional.empty();

    /** Rows of the present item that were looked at; some of them by the page before. */
    private long count;

    private long done;
    private boolean hasRows;
    private boolean isWhole;
    private boolean hasMatched;

    /**
     * @param start where the candidates begin
     * @param until where the rows end, if before the last candidate
     */
    RowStream(
            PreparedQuery query,
            ProgramRun program,
            ItemReader reader,
            PageWork work,
            Candidates candidates,
            Optional<Position> start,
            Optional<PositionBound> until) {
        this.query = query;
        this.program = program;
        this.reader = reader;
        this.work = work;
        this.candidates = candidates;
        this.start = start;
        this.until = until;
        this.isCounted = query.answer().isGrouped() && query.isExact() && until.isEmpty();
    }

    /** Goes to the next row. */
    Step next() {
        while (true) {
            if (hasRows) {
                Optional<Step> step = nextRow();
                if (step.isPresent()) {
                    return step.get();
                }
            }
            leave();
            switch (reader.next(candidates)) {
                case FINISHED -> {
                    return Step.FINISHED;
                }
                case PAUSED -> {
                    here = Optional.of(candidates.position());
                    isWhole = true;
                    return Step.PAUSED;
                }
                case FOUND -> {
                    Optional<Step> step = enter();
                    if (step.isPresent()) {
                        return step.get();
                    }
                }
            }
        }
    }

    private void leave() {
        before = here;
        hasRows = false;
    }

    /** Goes to a candidate; returns a step if that decides already what comes. */
    private Optional<Step> enter() {
        if (isCounted && candidates.isSure()) {
            // The index has said which items match: each is a row that needs no filter any more.
            work.row();
            program.open(reader.readMatch(candidates));
            program.next();
            isWhole = true;
            here = Optional.empty();
            return Optional.of(Step.ROW);
        }
        Position place = candidates.position();
        if (until.isPresent() && until.get().isBehind(place, 0)) {
            return Optional.of(Step.FINISHED);
        }
        here = Optional.of(place);
        item = Optional.empty();
        count = 0;
        done =
                start.filter(place::isAtPlaceOf)
                        .map(position -> Math.max(0, position.rows()))
                        .orElse(0L);
        isWhole = false;
        hasMatched = false;
        boolean isRow = query.isItems() && candidates.isSure();
        if (isRow && done > 0) {
            // The page before came another way, stood in front of the item's end, and gave its row.
            return Optional.empty();
        }
        Item loaded = reader.load(candidates);
        if (isRow) {
            reader.matched(candidates);
            item = Optional.of(loaded);
            isWhole = true;
            return Optional.of(Step.ROW);
        }
        if (!program.mayMatch(loaded)) {
            work.row();
            return Optional.empty();
        }
        Value value = reader.read(loaded);
        if (!candidates.accepts(reader.paths(value))) {
            return Optional.empty();
        }
        item = query.isWholeItem() ? Optional.of(loaded) : Optional.empty();
        program.open(value);
        hasRows = true;
        return Optional.empty();
    }

    /** Absent at the end of the item. */
    private Optional<Step> nextRow() {
        while (program.hasNext()) {
            if (count > done && work.isEnough()) {
                return Optional.of(Step.PAUSED);
            }
            if (until.isPresent() && until.get().isBehind(here.orElseThrow(), count)) {
                return Optional.of(Step.FINISHED);
            }
            program.next();
            count++;
            if (count <= done) {
                continue;
            }
            work.row();
            if (program.matches()) {
                if (!hasMatched) {
                    hasMatched = true;
                    reader.matched(candidates);
                }
                return Optional.of(Step.ROW);
            }
        }
        return Optional.empty();
    }

    /** Returns the item that the present row is, where results are items. */
    Optional<Item> item() {
        return item;
    }

    /** Returns the key of the item that the present row is made of. */
    Bytes key() {
        return candidates.key();
    }

    /** Returns the place behind the present row, or the one of the pause. */
    Position position() {
        Position place = here.orElseGet(candidates::position);
        return isWhole ? place : place.atRow(count);
    }

    /** Returns the place before the present row. */
    Position beforeRow() {
        return here.orElseThrow().atRow(isWhole ? 0 : count - 1);
    }

    /** Returns the place of the candidate before, from which another page can begin as well. */
    Optional<Position> before() {
        return before;
    }

    @Override
    public void close() {
        candidates.close();
    }
}
