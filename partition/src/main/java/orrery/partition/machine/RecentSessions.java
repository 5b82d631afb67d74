package orrery.partition.machine;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;

/**
 * The rows of the sessions that wrote most recently. A session that writes again needs its row, and
 * the store takes longer to find it than all else that is done with it. What is here is what the
 * store has, or will have when the entries before the present one are in it.
 */
final class RecentSessions {
    /** Drivers have at most a hundred connections by default, and a session for each. */
    private static final int MOST = 1024;

    /** Records that show longer versions of items are left to the store. */
    private static final int MAX_IMAGE_BYTES = 1024;

    private final Map<Bytes, SessionRecord> rows =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Bytes, SessionRecord> eldest) {
                    return size() > MOST;
                }
            };

    /** Returns null for a row that is not here; the store may have it. */
    @Nullable SessionRecord find(Bytes key) {
        return rows.get(key);
    }

    /** Takes over what an entry has changed. */
    void add(EntryRows entry) {
        if (entry.hidesRows()) {
            rows.clear();
        }
        entry.sessions()
                .forEach(
                        (key, record) -> {
                            if (record.isPresent()
                                    && record.get().image().length() <= MAX_IMAGE_BYTES) {
                                rows.put(key, record.get());
                            } else {
                                rows.remove(key);
                            }
                        });
    }
}
