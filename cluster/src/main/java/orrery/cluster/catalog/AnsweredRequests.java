package orrery.cluster.catalog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import orrery.model.RequestId;

/**
 * The requests of the last minute. Outcomes stay in the store: this knows the numbers of their
 * records. Only the thread that applies uses it.
 *
 * <p>Time is that of the log, which stands still while the clock is behind it. So there is a limit
 * of requests, too.
 */
final class AnsweredRequests {
    private final NavigableMap<Long, Answered> byPosition = new TreeMap<>();
    private final Map<RequestId, Long> positions = new HashMap<>();

    private record Answered(RequestId id, long timeMillis) {
        boolean isOver(long nowMillis, CatalogLevel level) {
            return timeMillis + level.requestMillis() <= nowMillis;
        }
    }

    /** Returns the number of the record of a request that counts at this time. */
    OptionalInt find(RequestId id, long nowMillis, CatalogLevel level) {
        Long position = positions.get(id);
        if (position == null) {
            return OptionalInt.empty();
        }
        Answered answered = byPosition.get(position);
        return answered == null || answered.isOver(nowMillis, level)
                ? OptionalInt.empty()
                : OptionalInt.of(RequestRecord.number(position));
    }

    /** Returns the numbers of the records that an entry at this time has to remove. */
    List<Integer> overdue(long nowMillis, CatalogLevel level) {
        List<Integer> overdue = new ArrayList<>();
        for (Map.Entry<Long, Answered> oldest : byPosition.entrySet()) {
            int left = byPosition.size() - overdue.size();
            boolean isOverdue =
                    left >= level.maxRequests() || oldest.getValue().isOver(nowMillis, level);
            if (!isOverdue || overdue.size() == level.forgottenPerEntry()) {
                break;
            }
            overdue.add(RequestRecord.number(oldest.getKey()));
        }
        return overdue;
    }

    int size() {
        return byPosition.size();
    }

    /** Notes a record, or that the oldest with this number is gone. */
    void accept(int number, @Nullable RequestRecord record) {
        if (record != null) {
            byPosition.put(record.position(), new Answered(record.id(), record.timeMillis()));
            positions.merge(record.id(), record.position(), Math::max);
            return;
        }
        byPosition.keySet().stream()
                .filter(position -> RequestRecord.number(position) == number)
                .findFirst()
                .ifPresent(this::forget);
    }

    private void forget(long position) {
        Answered gone = byPosition.remove(position);
        if (gone != null) {
            positions.remove(gone.id(), position);
        }
    }
}
