package orrery.script;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.graalvm.polyglot.Context;
import org.jspecify.annotations.Nullable;
import orrery.model.Cancellation;
import orrery.model.OrreryException;

/**
 * Stops scripts that run too long or allocate too much, from outside, as they cannot be trusted to
 * look at a clock. One thread, which sleeps while nothing runs.
 */
final class Watchdog implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(5);

    /** The engine looks up many times a second; a busy machine has its time to let it. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    /** Below this nobody is suspected, however full the heap. */
    private static final long HARMLESS_BYTES = 32 << 20;

    /** Above the mark at which collectors begin to tidy the old generation up by themselves. */
    private static final double FULL = 0.7;

    /** Loaded with the first script, so that no start of a server waits for it. */
    private static final class Jvm {
        static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        static final List<MemoryPoolMXBean> OLD_POOLS =
                ManagementFactory.getMemoryPoolMXBeans().stream()
                        .filter(pool -> pool.getName().contains("Old Gen"))
                        .toList();
    }

    private final Set<Guard> running = ConcurrentHashMap.newKeySet();
    private final BiConsumer<Thread, OrreryException> lost;
    private final Thread thread;
    private volatile boolean isClosed;

    /**
     * @param lost is told of threads whose scripts were stopped and did not end, and why they were
     */
    Watchdog(BiConsumer<Thread, OrreryException> lost) {
        this.lost = lost;
        thread = Thread.ofPlatform().daemon().name("script-watchdog").start(this::watch);
    }

    /** Why a script was stopped. */
    enum Reason {
        TIME,
        MEMORY,

        /** The caller no longer waits for its result. */
        ABANDONED
    }

    /** Watches a context that runs on this thread until the guard is closed. */
    Guard guard(Context context, ScriptLimits limits) {
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("scripts run on threads whose memory can be counted");
        }
        Guard guard = new Guard(context, limits);
        running.add(guard);
        LockSupport.unpark(thread);
        return guard;
    }

    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
    }

    private void watch() {
        while (!isClosed) {
            if (running.isEmpty()) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, TICK.toNanos());
            }
            long now = System.nanoTime();
            running.forEach(guard -> guard.look(now));
            if (isHeapFull()) {
                largest().ifPresent(guard -> guard.stop(Reason.MEMORY));
            }
        }
    }

    private boolean isHeapFull() {
        for (MemoryPoolMXBean pool : Jvm.OLD_POOLS) {
            MemoryUsage usage = pool.getUsage();
            if (usage.getMax() > 0 && usage.getUsed() > FULL * usage.getMax()) {
                return true;
            }
        }
        return false;
    }

    private Optional<Guard> largest() {
        Guard largest = null;
        for (Guard guard : running) {
            boolean isMore = largest == null || guard.allocated() > largest.allocated();
            if (guard.reason == null && guard.allocated() > HARMLESS_BYTES && isMore) {
                largest = guard;
            }
        }
        return Optional.ofNullable(largest);
    }

    /** One run under watch. */
    final class Guard implements AutoCloseable {
        private final Context context;
        private final Thread runner = Thread.currentThread();
        private final long allocatedBefore = Jvm.THREADS.getThreadAllocatedBytes(runner.threadId());
        private final long began = System.nanoTime();
        private final long timeNanos;
        private final long maxAllocated;
        private final Cancellation cancellation = Cancellation.current();
        private volatile @Nullable Reason reason;
        private long stopped;
        private boolean isOver;

        private Guard(Context context, ScriptLimits limits) {
            this.context = context;
            this.timeNanos = limits.time().toNanos();
            this.maxAllocated = limits.allocatedBytes();
        }

        Optional<Reason> reason() {
            return Optional.ofNullable(reason);
        }

        private long allocated() {
            return Jvm.THREADS.getThreadAllocatedBytes(runner.threadId()) - allocatedBefore;
        }

        private void look(long now) {
            if (reason != null) {
                giveUp(now);
            } else if (now - began > timeNanos) {
                stop(Reason.TIME);
            } else if (cancellation.isOver()) {
                stop(Reason.ABANDONED);
            } else if (allocated() > maxAllocated) {
                stop(Reason.MEMORY);
            }
        }

        /** Closing waits until the script has let go, so a thread of its own does it. */
        private synchronized void stop(Reason why) {
            if (reason == null) {
                reason = why;
                stopped = System.nanoTime();
                Thread.ofPlatform().daemon().name("script-stop").start(() -> context.close(true));
            }
        }

        /** Not once it is over: the thread may do other work then. */
        private synchronized void giveUp(long now) {
            Reason why = reason;
            if (why != null && !isOver && now - stopped > GRACE.toNanos()) {
                isOver = true;
                running.remove(this);
                lost.accept(runner, ScriptErrors.stopped(why));
            }
        }

        @Override
        public synchronized void close() {
            isOver = true;
            running.remove(this);
        }
    }
}
