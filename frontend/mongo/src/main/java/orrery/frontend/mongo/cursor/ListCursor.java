package orrery.frontend.mongo.cursor;

import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;

/**
 * The rest of a short list that was made at once, such as that of the indexes.
 *
 * @param rows those that were not handed out yet
 */
public record ListCursor(String namespace, List<Bytes> rows, Optional<Bytes> session)
        implements OpenCursor {
    public ListCursor {
        rows = List.copyOf(rows);
    }

    public List<Bytes> first(int most) {
        return rows.subList(0, Math.min(most, rows.size()));
    }

    /** The cursor behind so many rows; empty if nothing is left. */
    public Optional<ListCursor> behind(int most) {
        return most >= rows.size()
                ? Optional.empty()
                : Optional.of(new ListCursor(namespace, rows.subList(most, rows.size()), session));
    }

    @Override
    public long heapBytes() {
        return 512L + rows.stream().mapToLong(row -> 32L + row.length()).sum();
    }
}
