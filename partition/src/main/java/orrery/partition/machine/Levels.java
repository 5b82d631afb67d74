package orrery.partition.machine;

import java.util.ArrayList;
import java.util.List;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.AppliedRecord;
import orrery.storage.format.Keys;

/**
 * The feature levels that a machine knows. A server has those of its release. A test may take
 * others, for limits that it could not reach otherwise; all replicas of a set must have the same.
 */
public final class Levels {
    /** All levels of this release. */
    public static final Levels RELEASED = new Levels(Level.known());

    private final List<Level> known;

    private Levels(List<Level> known) {
        this.known = List.copyOf(known);
    }

    /**
     * Returns levels of which the newest has other limits for the creation order of keys.
     *
     * @param sortedItems a logical partition with more items keeps its order in rows
     * @param sortedBytes one whose items have more bytes does so too
     * @param rowsPerWrite rows that each write adds while some are missing
     */
    public Levels withCreationOrder(long sortedItems, long sortedBytes, int rowsPerWrite) {
        List<Level> changed = new ArrayList<>(known);
        changed.set(
                changed.size() - 1,
                known.getLast().withCreationOrder(sortedItems, sortedBytes, rowsPerWrite));
        return new Levels(changed);
    }

    /** Returns levels of which the newest remembers statements of sessions for another time. */
    public Levels withSessions(long millis) {
        List<Level> changed = new ArrayList<>(known);
        changed.set(changed.size() - 1, known.getLast().withSessions(millis));
        return new Levels(changed);
    }

    /** Throws if this release does not know the level: it must not guess what entries mean. */
    Level of(int number) {
        for (Level level : known) {
            if (level.number() == number) {
                return level;
            }
        }
        throw new UnknownLevelException(number, known.getLast().number());
    }

    /** Returns the level of a store, or of a snapshot of one. */
    Level of(StoreView view) {
        byte[] row = view.get(Table.META, Keys.applied());
        return of((row == null ? AppliedRecord.NOTHING : AppliedRecord.decode(row)).level());
    }
}
