package orrery.model.sharing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Work of many containers that waits for few threads. The container that has the least under way
 * goes first, and among equals the one that was served longest ago. So a container may have all
 * threads while nobody else wants one, and its fair share of them otherwise. What one container
 * makes wait fills its own part of the queue and nobody else's.
 *
 * <p>Not thread-safe: whoever owns it has a lock anyway.
 */
public final class FairQueue<T> {
    private final int maxWaiting;

    /** Containers that have work, in the order in which they were last served. */
    private final Map<Integer, Share<T>> shares = new LinkedHashMap<>();

    private int running;

    private static final class Share<T> {
        private final Deque<T> waiting = new ArrayDeque<>();
        private int running;

        private boolean isIdle() {
            return running == 0 && waiting.isEmpty();
        }
    }

    /**
     * @param maxWaiting for each container
     */
    public FairQueue(int maxWaiting) {
        this.maxWaiting = maxWaiting;
    }

    /** False if too much waits for this container already. */
    public boolean offer(int container, T work) {
        Share<T> share = shares.computeIfAbsent(container, _ -> new Share<>());
        if (share.waiting.size() >= maxWaiting) {
            return false;
        }
        share.waiting.add(work);
        return true;
    }

    /**
     * Takes the work that is to begin now, if any may. {@link #end} is owed for it.
     *
     * @param places for everybody
     * @param spares more of them, each for a container that has nothing under way: one container
     *     that takes all places leaves these to others
     */
    public Optional<T> begin(int places, int spares) {
        Map.Entry<Integer, Share<T>> next = null;
        for (Map.Entry<Integer, Share<T>> each : shares.entrySet()) {
            if (!each.getValue().waiting.isEmpty()
                    && (next == null || each.getValue().running < next.getValue().running)) {
                next = each;
            }
        }
        if (next == null || running >= places + (next.getValue().running == 0 ? spares : 0)) {
            return Optional.empty();
        }
        int container = next.getKey();
        Share<T> share = next.getValue();
        shares.remove(container);
        shares.put(container, share);
        share.running++;
        running++;
        return Optional.of(share.waiting.remove());
    }

    /** Takes back work that waits; false if it does not wait any more. */
    public boolean withdraw(int container, T work) {
        Share<T> share = shares.get(container);
        if (share == null || !share.waiting.remove(work)) {
            return false;
        }
        if (share.isIdle()) {
            shares.remove(container);
        }
        return true;
    }

    /** Work of the container has ended, or does not count any more. */
    public void end(int container) {
        Share<T> share = shares.get(container);
        if (share == null || share.running == 0) {
            throw new IllegalStateException("nothing of container " + container + " has begun");
        }
        share.running--;
        running--;
        if (share.isIdle()) {
            shares.remove(container);
        }
    }

    /** Takes all that waits: it will not begin. */
    public List<T> drain() {
        List<T> drained = new ArrayList<>();
        for (Share<T> share : shares.values()) {
            drained.addAll(share.waiting);
            share.waiting.clear();
        }
        shares.values().removeIf(Share::isIdle);
        return drained;
    }
}
