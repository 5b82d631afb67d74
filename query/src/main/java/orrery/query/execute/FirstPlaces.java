package orrery.query.execute;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import orrery.model.Bytes;

/** Keeps the first places in the order of creation, of all that are offered in any order. */
final class FirstPlaces {
    private final long after;
    private final int max;
    private final TreeMap<Long, Bytes> keys = new TreeMap<>(Long::compareUnsigned);
    private boolean isAll = true;

    /**
     * @param after the docid behind which they begin
     */
    FirstPlaces(long after, int max) {
        this.after = after;
        this.max = max;
    }

    /** Takes a place in, unless it is known already or too late. */
    void offer(long docid, Supplier<Bytes> key) {
        if (Long.compareUnsigned(docid, after) <= 0 || keys.containsKey(docid)) {
            return;
        }
        if (keys.size() == max) {
            isAll = false;
            if (Long.compareUnsigned(docid, keys.lastKey()) > 0) {
                return;
            }
            keys.pollLastEntry();
        }
        keys.put(docid, key.get());
    }

    /** Returns the last place, if others were left out because there were too many. */
    Optional<Position> rest() {
        return isAll ? Optional.empty() : Optional.of(Position.created(keys.lastKey()));
    }

    List<ItemSource.Place> places() {
        return keys.entrySet().stream()
                .map(
                        (Map.Entry<Long, Bytes> each) ->
                                new ItemSource.Place(each.getKey(), each.getValue()))
                .toList();
    }
}
