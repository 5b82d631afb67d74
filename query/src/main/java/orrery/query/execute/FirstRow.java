package orrery.query.execute;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.query.dialect.ProgramRun;
import orrery.query.dialect.RowLimit;

/** A page that ends at its first row, of which it keeps the item only. */
final class FirstRow {
    private final ProgramRun program;
    private RowLimit limit;
    private Optional<Bytes> key = Optional.empty();

    FirstRow(ProgramRun program, RowLimit limit) {
        this.program = program;
        this.limit = limit;
    }

    /** Takes rows up to the first that counts, and returns where to go on if the page pauses. */
    Optional<Progress> find(RowStream rows) {
        while (!limit.isReached() && key.isEmpty()) {
            switch (rows.next()) {
                case FINISHED -> {
                    return Optional.empty();
                }
                case PAUSED -> {
                    return Optional.of(Progress.at(rows.position(), rows.before(), limit));
                }
                case ROW -> take(rows);
            }
        }
        return Optional.empty();
    }

    private void take(RowStream rows) {
        boolean hasResult = rows.item().isPresent() || program.result().isPresent();
        if (hasResult && limit.skip() == 0) {
            key = Optional.of(rows.key());
        } else if (hasResult) {
            limit = limit.behind(1);
        }
    }

    /** Returns the key of the item that the row is made of, if there was one. */
    Optional<Bytes> key() {
        return key;
    }
}
