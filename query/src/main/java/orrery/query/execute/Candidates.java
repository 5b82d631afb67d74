package orrery.query.execute;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.query.index.PathValues;

/** Items that may belong to the answer, in the order of the answer, each once. */
interface Candidates extends AutoCloseable {
    /** The result of a step. */
    enum Step {
        /** A candidate. */
        FOUND,
        /** Enough work was done; {@link #position} is behind it. */
        PAUSED,
        /** There are no more. */
        FINISHED
    }

    Step next();

    /** The key of the present candidate. */
    Bytes key();

    /** The present candidate, if it was read already. */
    default Optional<Item> item() {
        return Optional.empty();
    }

    /** Returns true if the candidate, now that it is read, fits and was not met before. */
    default boolean accepts(PathValues item) {
        return true;
    }

    /** Returns true if what was read and matched has been counted before, to sort it. */
    default boolean isCounted() {
        return false;
    }

    /** Returns what the time of a step counts as; empty if the candidates measure it themselves. */
    default Optional<Timings.Kind> measuredAs() {
        return Optional.of(Timings.Kind.INDEX);
    }

    /**
     * Returns true if the candidate belongs to the answer without a look at the item, where an item
     * makes one row.
     */
    default boolean isSure() {
        return false;
    }

    /** Behind all rows of the present candidate, or of the last place that was looked at. */
    Position position();

    @Override
    void close();
}
