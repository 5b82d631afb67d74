package orrery.frontend.http;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task when the present deadline has passed. Requests move it far more often than it passes,
 * so the timer is lazy: moving the deadline later costs nothing, the timer looks when it fires.
 * Belongs to one event loop.
 */
public final class DeadlineTimer {
    private static final long NEVER = Long.MAX_VALUE;

    private final EventExecutor loop;
    private final Runnable onDue;
    private long deadline = NEVER;
    private long firesAt = NEVER;
    private @Nullable ScheduledFuture<?> timer;

    public DeadlineTimer(EventExecutor loop, Runnable onDue) {
        this.loop = loop;
        this.onDue = onDue;
    }

    public void in(Duration timeout) {
        long now = System.nanoTime();
        deadline = now + timeout.toNanos();
        if (timer == null || firesAt - deadline > 0) {
            schedule(now);
        }
    }

    /** There is no deadline until the next is set. */
    public void clear() {
        deadline = NEVER;
    }

    /** Ends the timer for good and leaves nothing in the event loop. */
    public void cancel() {
        clear();
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private void schedule(long now) {
        if (timer != null) {
            timer.cancel(false);
        }
        firesAt = deadline;
        timer = loop.schedule(this::onTimer, Math.max(0, deadline - now), TimeUnit.NANOSECONDS);
    }

    private void onTimer() {
        timer = null;
        if (deadline == NEVER) {
            return;
        }
        long now = System.nanoTime();
        if (deadline - now > 0) {
            schedule(now);
            return;
        }
        clear();
        onDue.run();
    }
}
