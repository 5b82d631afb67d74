package orrery.query.execute;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.codec.MalformedRecordException;
import orrery.query.dialect.Effort;
import orrery.query.dialect.GroupTable;
import orrery.query.dialect.ProgramRun;
import orrery.query.dialect.RowLimit;

/**
 * A page of a query that aggregates: the groups of the rows that this page has read. Another page
 * may have the same groups over other rows. Whoever puts the pages together merges them. What is
 * little is not given but carried to the next page, so that few groups come whole.
 */
final class GroupPage {
    /** Bytes of state that a continuation has room for. */
    private static final int CARRIED_BYTES = 600;

    private final PreparedQuery query;
    private final ProgramRun program;
    private final GroupTable groups;
    private final ItemReader reader;
    private final PageRows page;

    GroupPage(PreparedQuery query, ProgramRun program, ItemReader reader, PageRows page) {
        this.query = query;
        this.program = program;
        this.groups = program.groups();
        this.reader = reader;
        this.page = page;
    }

    /** Adds what the page before carried. Fails with BAD_REQUEST for what is no such state. */
    void carry(List<Bytes> states) {
        try {
            states.forEach(groups::merge);
        } catch (MalformedRecordException notOurs) {
            throw Progress.invalid();
        }
    }

    /** Takes rows and returns the place where the next page begins, if there is one. */
    Optional<Progress> fill(RowStream rows) {
        while (true) {
            switch (rows.next()) {
                case FINISHED -> {
                    give(groups);
                    return Optional.empty();
                }
                case PAUSED -> {
                    return Optional.of(pause(rows));
                }
                case ROW -> {
                    int before = groups.size();
                    groups.add();
                    page.makeRoom(groups.sizeBytes());
                    boolean isFull =
                            (groups.size() > before && groups.size() >= page.maxRows())
                                    || groups.sizeBytes() >= page.maxBytes();
                    if (isFull) {
                        return end(rows);
                    }
                }
            }
        }
    }

    /**
     * Ends a page that is full. The next has at least one group: a client takes an empty page for
     * the end of all groups. The gateway does not.
     */
    private Optional<Progress> end(RowStream rows) {
        Progress here = progress(rows, List.of());
        boolean isLast = !query.isPart() && rows.next() == RowStream.Step.FINISHED;
        give(groups);
        return isLast ? Optional.empty() : Optional.of(here);
    }

    /** Takes in the one row of a query that reads no items. */
    void fillFromNothing() {
        program.open(Value.Undefined.UNDEFINED);
        while (program.hasNext()) {
            program.next();
            if (program.matches()) {
                groups.add();
            }
        }
        give(groups);
    }

    private static Progress progress(RowStream rows, List<Bytes> carried) {
        return new Progress(Optional.of(rows.position()), rows.before(), RowLimit.NONE, carried);
    }

    private Progress pause(RowStream rows) {
        List<Bytes> states = new ArrayList<>();
        long bytes = 0;
        Iterator<Bytes> all = groups.states();
        while (all.hasNext() && bytes <= CARRIED_BYTES) {
            Bytes state = all.next();
            states.add(state);
            bytes += state.length();
        }
        return progress(rows, bytes <= CARRIED_BYTES ? states : giveButOne());
    }

    /**
     * Gives the groups but one that a continuation has room for, so that the next page has at least
     * that one. Returns its state.
     */
    private List<Bytes> giveButOne() {
        GroupTable given = query.program().start(new Effort()).groups();
        Optional<Bytes> carried = Optional.empty();
        Iterator<Bytes> all = groups.states();
        while (all.hasNext()) {
            Bytes state = all.next();
            boolean isCarried =
                    carried.isEmpty() && groups.size() > 1 && state.length() <= CARRIED_BYTES;
            if (isCarried) {
                carried = Optional.of(state);
            } else {
                given.merge(state);
            }
        }
        give(given);
        return carried.map(List::of).orElse(List.of());
    }

    private void give(GroupTable given) {
        if (query.isPart()) {
            given.states().forEachRemaining(page::addWhole);
        } else {
            given.results().forEachRemaining(result -> page.addWhole(reader.write(result)));
        }
    }
}
