package orrery.query.execute;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.dialect.GroupTable;
import orrery.query.dialect.ProgramRun;
import orrery.query.syntax.QueryError;

/**
 * A page of a query that aggregates: it has results only when everything has been read. What was
 * gathered is carried from page to page while it is little; more has to be gathered in one page,
 * and a partial result is never returned.
 */
final class GroupedPage {
    /** JSON bytes of what a continuation has room for. */
    private static final int CARRIED_BYTES = 600;

    private static final long MAX_GROUP_BYTES = 64L << 20;

    private final QueryExecution execution;
    private final PreparedQuery query;
    private final ProgramRun program;
    private final PageRows page;
    private final GroupTable groups;
    private boolean hasMatched;
    private long countedBytes;

    GroupedPage(QueryExecution execution, PreparedQuery query, ProgramRun program, PageRows page) {
        this.execution = execution;
        this.query = query;
        this.program = program;
        this.page = page;
        this.groups = program.groups();
    }

    Optional<Progress> fill(Progress from) {
        if (from.groups().isPresent()) {
            try {
                groups.merge(from.groups().get());
            } catch (IllegalArgumentException notOurs) {
                throw Progress.invalid();
            }
        }
        if (!query.answer().readsItems()) {
            gather(Value.Undefined.UNDEFINED, 0);
            return results(from.emitted());
        }
        // Results that were returned before come from all rows once more.
        Optional<Position> start = from.emitted() > 0 ? Optional.empty() : from.position();
        if (from.emitted() > 0) {
            execution.work().mustFinish();
        }
        try (Candidates candidates = execution.open(start, start)) {
            Optional<Progress> pause = gather(candidates, start);
            return pause.isPresent() ? pause : results(from.emitted());
        }
    }

    private Optional<Progress> gather(Candidates candidates, Optional<Position> start) {
        boolean isFirst = true;
        while (true) {
            Candidates.Step step = execution.next(candidates);
            if (step == Candidates.Step.FINISHED) {
                return Optional.empty();
            }
            if (step == Candidates.Step.PAUSED) {
                Optional<Progress> pause = pause(candidates.position());
                if (pause.isPresent()) {
                    return pause;
                }
                continue;
            }
            // The index has said which items match: each is a row that needs no filter any more.
            if (query.isExact() && candidates.isSure()) {
                execution.work().row();
                program.open(selected(candidates));
                program.next();
                groups.add();
                checkSize();
                continue;
            }
            Value item = execution.read(execution.load(candidates));
            Position here = candidates.position();
            long done =
                    isFirst && start.isPresent() && here.isAtPlaceOf(start.get())
                            ? Math.max(0, start.get().rows())
                            : 0;
            isFirst = false;
            if (candidates.accepts(execution.paths(item))) {
                hasMatched = false;
                long stop = gather(item, done);
                while (stop >= 0) {
                    Optional<Progress> pause = pause(here.atRow(stop));
                    if (pause.isPresent()) {
                        return pause;
                    }
                    stop = gather(item, stop);
                }
                if (hasMatched) {
                    execution.matched(candidates);
                }
            }
            checkSize();
        }
    }

    /** Reads the part of a matching item that the groups need. */
    private Value selected(Candidates candidates) {
        if (query.names().isNothingOfMatches()) {
            return QueryExecution.NOTHING_READ;
        }
        Value item = execution.readSelected(execution.load(candidates));
        execution.matched(candidates);
        return item;
    }

    private void checkSize() {
        long bytes = groups.sizeBytes();
        if (bytes > countedBytes) {
            execution.work().memory().take(bytes - countedBytes);
            countedBytes = bytes;
        }
        if (bytes > MAX_GROUP_BYTES) {
            throw QueryError.engine(
                    "The groups of the query take more memory than one partition may use for"
                            + " them.");
        }
    }

    /** The number of rows done when enough work was done; negative if all of them are. */
    private long gather(Value item, long done) {
        program.open(item);
        long count = 0;
        while (program.hasNext()) {
            program.next();
            count++;
            if (count <= done) {
                continue;
            }
            execution.work().row();
            if (program.matches()) {
                groups.add();
                checkSize();
                hasMatched = true;
            }
            if (execution.work().isEnough() && program.hasNext()) {
                return count;
            }
        }
        return -1;
    }

    /** Absent if the work must go on because what was gathered is too much to carry. */
    private Optional<Progress> pause(Position position) {
        Value state = groups.save();
        boolean isLittle =
                groups.size() <= CARRIED_BYTES
                        && JsonText.writeBytes(state).length() <= CARRIED_BYTES;
        if (isLittle) {
            return Optional.of(
                    new Progress(
                            Optional.of(position),
                            Optional.empty(),
                            0,
                            Long.MAX_VALUE,
                            Optional.of(state),
                            Optional.empty(),
                            0));
        }
        if (execution.work().isLate()) {
            throw QueryError.engine(
                    "The query has more groups than can be gathered from one partition in the time"
                            + " of a page. Add a filter, or group by fewer values.");
        }
        execution.work().mustFinish();
        return Optional.empty();
    }

    private Optional<Progress> results(long emitted) {
        if (query.isPart()) {
            // Once as values, once as text.
            execution.work().memory().take(2 * groups.sizeBytes());
            Bytes state = execution.print(groups.save());
            if (state.length() > page.maxRowBytes()) {
                throw QueryError.engine(
                        "The groups of the query in one partition take %d bytes, and a message has"
                                        .formatted(state.length())
                                + " room for %d. Add a filter, or group by fewer values."
                                        .formatted(page.maxRowBytes()));
            }
            if (!page.add(state)) {
                throw new IllegalStateException("a page takes at least one row");
            }
            return Optional.empty();
        }
        SeenResults seen = new SeenResults(execution.work().memory());
        long skip = query.limit().skip() + emitted;
        long take =
                query.limit().take() == Long.MAX_VALUE
                        ? Long.MAX_VALUE
                        : query.limit().take() - emitted;
        long returned = emitted;
        Iterator<Value> results = groups.results();
        while (results.hasNext() && take > 0) {
            Value result = results.next();
            if (query.answer().isDistinct()) {
                if (seen.contains(result)) {
                    continue;
                }
                seen.add(result);
            }
            if (skip > 0) {
                skip--;
                continue;
            }
            if (!page.add(execution.print(result))) {
                return Optional.of(
                        new Progress(
                                Optional.empty(),
                                Optional.empty(),
                                0,
                                Long.MAX_VALUE,
                                Optional.empty(),
                                Optional.of(List.of()),
                                returned));
            }
            take--;
            returned++;
        }
        return Optional.empty();
    }
}
