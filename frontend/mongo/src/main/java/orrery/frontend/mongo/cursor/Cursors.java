package orrery.frontend.mongo.cursor;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.memory.KeptMemory;
import orrery.model.memory.MemoryAccount;
import orrery.query.mongo.MongoCode;

/**
 * The cursors that clients may go on with, by their ids. An id is known on every connection. Its
 * upper bits name the gateway that made it, so that another one can find whom to ask; there is one
 * gateway today. Thread-safe.
 */
public final class Cursors {
    /** A cursor that nobody has asked for so long is forgotten. */
    private static final Duration IDLE = Duration.ofMinutes(10);

    /** More than these are kept by nobody's driver; the one that was idle longest goes. */
    private static final int MOST = 100_000;

    private static final int RANDOM_BITS = 47;

    private static final class Entry {
        private KeptMemory memory;
        private OpenCursor cursor;
        private long usedAt;
        private boolean isInUse;
        private Runnable end = () -> {};

        Entry(OpenCursor cursor, KeptMemory memory, long usedAt) {
            this.cursor = cursor;
            this.memory = memory;
            this.usedAt = usedAt;
        }
    }

    private final long gateway;
    private final SecureRandom random;
    private final LongSupplier nanos;

    /** In the order of their last use. */
    private final Map<Long, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * @param gateway the number of this gateway, 16 bits of which count
     * @param nanos a clock that only runs forward
     */
    public Cursors(int gateway, SecureRandom random, LongSupplier nanos) {
        this.gateway = gateway & 0xFFFF;
        this.random = random;
        this.nanos = nanos;
    }

    /** Keeps a cursor and returns its id. Where there is no memory for it, the query is refused. */
    public long open(OpenCursor cursor) {
        KeptMemory memory = memory(cursor);
        synchronized (this) {
            long now = nanos.getAsLong();
            forgetIdle(now);
            long id;
            do {
                id = gateway << RANDOM_BITS | (random.nextLong() & ((1L << RANDOM_BITS) - 1)) | 1;
            } while (entries.containsKey(id));
            entries.put(id, new Entry(cursor, memory, now));
            return id;
        }
    }

    private static KeptMemory memory(OpenCursor cursor) {
        return MemoryAccount.current()
                .keep(cursor.heapBytes())
                .orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.TOO_MANY_REQUESTS,
                                        "The server has no memory for another cursor."));
    }

    /** Takes a cursor for one batch; until {@link #release} nobody else gets it. */
    public OpenCursor take(long id) {
        return take(id, () -> {});
    }

    /**
     * Takes a cursor for one batch.
     *
     * @param end called if the cursor is killed meanwhile: who waits for its documents should stop
     */
    public synchronized OpenCursor take(long id, Runnable end) {
        long now = nanos.getAsLong();
        Entry entry = entries.get(id);
        if (entry != null && isIdle(entry, now)) {
            remove(id);
            entry = null;
        }
        if (entry == null) {
            throw MongoCode.CURSOR_NOT_FOUND.failure("cursor id " + id + " not found");
        }
        if (entry.isInUse) {
            throw MongoCode.failure(12051, "cursor id " + id + " is already in use");
        }
        entry.isInUse = true;
        entry.end = end;
        entry.usedAt = now;
        return entry.cursor;
    }

    /**
     * Gives a cursor back. One that keeps more than before is killed where there is no memory for
     * it.
     *
     * @param next where it goes on; null if it has ended
     * @return false if somebody has killed it meanwhile
     */
    public synchronized boolean release(long id, @Nullable OpenCursor next) {
        Entry entry = entries.get(id);
        if (entry == null) {
            return false;
        }
        entry.end = () -> {};
        if (next == null) {
            remove(id);
        } else {
            if (next instanceof PipelineCursor || next instanceof StreamCursor) {
                keepAnew(id, entry, next);
            }
            entry.cursor = next;
            entry.isInUse = false;
            entry.usedAt = nanos.getAsLong();
        }
        return true;
    }

    private void keepAnew(long id, Entry entry, OpenCursor next) {
        entry.memory.close();
        try {
            entry.memory = memory(next);
        } catch (OrreryException refused) {
            entries.remove(id);
            throw refused;
        }
    }

    /** Returns the collection of a cursor, if there is that cursor. */
    public synchronized Optional<String> namespace(long id) {
        return Optional.ofNullable(entries.get(id)).map(entry -> entry.cursor.namespace());
    }

    /** Returns true for the cursor of a change stream. */
    public synchronized boolean isStream(long id) {
        Entry entry = entries.get(id);
        return entry != null && entry.cursor instanceof StreamCursor;
    }

    /** Returns false if there is no such cursor. */
    public synchronized boolean kill(long id) {
        return remove(id);
    }

    public synchronized void killSession(Bytes session) {
        forget(entry -> entry.cursor.session().filter(session::equals).isPresent());
    }

    public synchronized void killAll() {
        forget(_ -> true);
    }

    public synchronized int size() {
        return entries.size();
    }

    private static boolean isIdle(Entry entry, long now) {
        return !entry.isInUse && now - entry.usedAt > IDLE.toNanos();
    }

    /** Those that were used least lately come first, so it stops at the first that stays. */
    private void forgetIdle(long now) {
        Iterator<Entry> oldest = entries.values().iterator();
        while (oldest.hasNext()) {
            Entry entry = oldest.next();
            if (!isIdle(entry, now) && entries.size() < MOST) {
                return;
            }
            entry.memory.close();
            oldest.remove();
        }
    }

    private void forget(Predicate<Entry> condition) {
        List<Long> gone = new ArrayList<>();
        entries.forEach(
                (id, entry) -> {
                    if (condition.test(entry)) {
                        gone.add(id);
                    }
                });
        gone.forEach(this::remove);
    }

    private boolean remove(long id) {
        Entry entry = entries.remove(id);
        if (entry != null) {
            entry.memory.close();
            entry.end.run();
        }
        return entry != null;
    }
}
