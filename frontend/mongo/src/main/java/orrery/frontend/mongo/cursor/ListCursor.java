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
    /** A batch has no more bytes, unless it is one document. */
    private static final int FULL_BYTES = 16 << 20;

    public ListCursor {
        rows = List.copyOf(rows);
    }

    /** The next rows, as far as a batch may be large; at least one, if any is wanted. */
    public List<Bytes> first(int most) {
        return rows.subList(0, count(most));
    }

    /** The cursor behind the next rows; empty if nothing is left. */
    public Optional<ListCursor> behind(int most) {
        int count = count(most);
        return count == rows.size()
                ? Optional.empty()
                : Optional.of(new ListCursor(namespace, rows.subList(count, rows.size()), session));
    }

    private int count(int most) {
        long bytes = 0;
        int count = 0;
        while (count < Math.min(most, rows.size())
                && (count == 0 || bytes + rows.get(count).length() <= FULL_BYTES)) {
            bytes += rows.get(count).length();
            count++;
        }
        return count;
    }

    @Override
    public long heapBytes() {
        return 512L + rows.stream().mapToLong(row -> 32L + row.length()).sum();
    }
}
