package orrery.query.execute;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.model.Item;
import orrery.query.dialect.ProgramRun;
import orrery.query.dialect.RowLimit;
import orrery.query.evaluate.ValueHash;

/**
 * A page whose results come row by row. When it is full it goes on until it has seen one more
 * result, or the end: only then is it known whether another page follows.
 *
 * <p>DISTINCT leaves out what is on this page already. Another page may have it too: whoever puts
 * the pages together leaves it out then.
 */
final class RowPage {
    private final PreparedQuery query;
    private final ProgramRun program;
    private final ItemReader reader;
    private final PageRows page;
    private final boolean hasPlaces;
    private final @Nullable SeenHashes seen;
    private RowLimit limit;

    /**
     * @param hasPlaces whether the place of each row is wanted
     */
    RowPage(
            PreparedQuery query,
            ProgramRun program,
            ItemReader reader,
            PageRows page,
            boolean hasPlaces,
            RowLimit limit) {
        this.query = query;
        this.program = program;
        this.reader = reader;
        this.page = page;
        this.hasPlaces = hasPlaces;
        this.limit = limit;
        this.seen = query.answer().isDistinct() ? new SeenHashes() : null;
    }

    /** Takes rows and returns the place where the next page begins, if there is one. */
    Optional<Progress> fill(RowStream rows) {
        while (!limit.isReached()) {
            switch (rows.next()) {
                case FINISHED -> {
                    return Optional.empty();
                }
                case PAUSED -> {
                    return Optional.of(Progress.at(rows.position(), rows.before(), limit));
                }
                case ROW -> {
                    if (!isTaken(rows)) {
                        return Optional.of(Progress.at(rows.beforeRow(), rows.before(), limit));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** Takes in the one row of a query that reads no items. */
    void fillFromNothing() {
        program.open(Value.Undefined.UNDEFINED);
        while (program.hasNext() && !limit.isReached()) {
            program.next();
            if (program.matches()) {
                program.result()
                        .ifPresent(
                                result ->
                                        add(
                                                Optional.empty(),
                                                Optional.of(result),
                                                Optional.empty()));
            }
        }
    }

    /** Returns false if the page has no room for the present row. */
    private boolean isTaken(RowStream rows) {
        Optional<Item> item = rows.item();
        Optional<Value> result = item.isPresent() ? Optional.empty() : program.result();
        if (item.isEmpty() && result.isEmpty()) {
            return true;
        }
        return add(
                item,
                result,
                hasPlaces ? Optional.of(RowPlace.of(rows.position())) : Optional.empty());
    }

    private boolean add(Optional<Item> item, Optional<Value> result, Optional<RowPlace> place) {
        Optional<ValueHash> hash = seen == null ? Optional.empty() : result.map(ValueHash::of);
        if (seen != null && hash.isPresent() && seen.contains(hash.get())) {
            return true;
        }
        if (limit.skip() == 0) {
            if (page.isFull()
                    || !page.add(
                            item.map(reader::write).orElseGet(() -> reader.write(result.get())),
                            place,
                            query.isPart() ? hash : Optional.empty())) {
                return false;
            }
        }
        limit = limit.behind(1);
        if (seen != null && hash.isPresent()) {
            page.makeRoom(seen.nextSizeBytes());
            seen.add(hash.get(), 0);
        }
        return true;
    }
}
