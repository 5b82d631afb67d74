package orrery.gateway;

import java.security.SecureRandom;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import orrery.model.Bytes;
import orrery.model.memory.KeptMemory;
import orrery.model.memory.MemoryAccount;

/**
 * The states of answers between their pages, for a short time and within the budget of memory. A
 * continuation names its state and works without it too: then everything is gathered once more.
 *
 * <p>One request has a state at a time. Thread-safe.
 */
final class KeptStates {
    /** Clients ask for the next page at once, or after they have worked on this one. */
    private static final long KEPT_NANOS = 60_000_000_000L;

    private static final int MAX_STATES = 256;
    private static final int NAME_BYTES = 16;

    /**
     * The query that a state belongs to, and where it was asked. SDKs send the token of a range
     * that was split to both halves; what was gathered from the range is of no use to either.
     */
    record Feed(int container, Bytes binding, FeedExtent extent) {}

    private record Kept(Feed feed, KeptState state, KeptMemory memory, long untilNanos) {}

    private final SecureRandom random;
    private final LongSupplier nanoTime;

    /** In the order in which they were put down. */
    private final Map<Bytes, Kept> states = new LinkedHashMap<>();

    private boolean isWatched;

    KeptStates(SecureRandom random, LongSupplier nanoTime) {
        this.random = random;
        this.nanoTime = nanoTime;
    }

    /** Returns a name that no other state has. */
    Bytes newName() {
        byte[] name = new byte[NAME_BYTES];
        random.nextBytes(name);
        return Bytes.wrap(name);
    }

    /**
     * Takes up a state; the request of the calling thread holds its memory then.
     *
     * @param feed the query that it belongs to
     */
    Optional<KeptState> take(Bytes name, Feed feed) {
        Kept kept;
        synchronized (this) {
            forgetOld();
            kept = states.get(name);
            if (kept == null || !kept.feed().equals(feed)) {
                return Optional.empty();
            }
            states.remove(name);
        }
        try {
            MemoryAccount.current().take(kept.state().sizeBytes());
        } catch (RuntimeException refused) {
            // The client comes again with the same continuation.
            put(name, kept);
            throw refused;
        }
        kept.memory().close();
        return Optional.of(kept.state());
    }

    /** Puts a state down; returns false if there is no memory to keep it. */
    boolean keep(Bytes name, Feed feed, KeptState state) {
        Optional<KeptMemory> memory = MemoryAccount.current().keep(state.sizeBytes());
        if (memory.isEmpty()) {
            forgetFirst();
            memory = MemoryAccount.current().keep(state.sizeBytes());
        }
        memory.ifPresent(
                held -> put(name, new Kept(feed, state, held, nanoTime.getAsLong() + KEPT_NANOS)));
        return memory.isPresent();
    }

    private synchronized void put(Bytes name, Kept kept) {
        forgetOld();
        Kept before = states.put(name, kept);
        if (before != null) {
            before.memory().close();
        }
        if (states.size() > MAX_STATES) {
            forgetFirst();
        }
        if (!isWatched) {
            isWatched = true;
            Thread.ofVirtual().name("kept-states").start(this::watch);
        }
    }

    /** Lets go of states that nobody takes up, until there are none. */
    private void watch() {
        do {
            LockSupport.parkNanos(KEPT_NANOS / 4);
        } while (isAnyLeft());
    }

    private synchronized boolean isAnyLeft() {
        forgetOld();
        isWatched = !states.isEmpty();
        return isWatched;
    }

    private synchronized void forgetFirst() {
        Iterator<Kept> all = states.values().iterator();
        if (all.hasNext()) {
            all.next().memory().close();
            all.remove();
        }
    }

    private void forgetOld() {
        long now = nanoTime.getAsLong();
        Iterator<Kept> all = states.values().iterator();
        while (all.hasNext()) {
            Kept each = all.next();
            if (now - each.untilNanos() > 0) {
                each.memory().close();
                all.remove();
            }
        }
    }
}
