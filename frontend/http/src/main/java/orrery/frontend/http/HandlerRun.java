package orrery.frontend.http;

import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import orrery.model.Cancellation;
import orrery.model.RequestScope;
import orrery.model.memory.MemoryAccount;

/**
 * The handler of the present request, on a thread of its own. The request counts as in flight from
 * {@link #begin} to {@link #end}. Belongs to the event loop of the connection.
 *
 * @param <R> a reply
 */
public final class HandlerRun<R> {
    private final SocketServer<?> server;
    private final EventLoop loop;
    private final Consumer<R> onReply;
    private final Runnable onLoopEnded;
    private boolean isCounted;
    private @Nullable Cancellation cancellation;
    private volatile @Nullable Thread thread;

    /**
     * @param onReply takes the reply, on the event loop
     * @param onLoopEnded runs on the handler's thread if the loop cannot take the reply any more
     */
    public HandlerRun(
            SocketServer<?> server, EventLoop loop, Consumer<R> onReply, Runnable onLoopEnded) {
        this.server = server;
        this.loop = loop;
        this.onReply = onReply;
        this.onLoopEnded = onLoopEnded;
    }

    /** Answers on the loop, where nothing is left to be done. */
    void answer(R reply) {
        count();
        onReply.accept(reply);
    }

    /** Has the answer made on a thread of its own. */
    public void begin(Supplier<R> work) {
        count();
        // Replies that need no blocking could be made right here, on the loop.
        Cancellation begun = new Cancellation();
        cancellation = begun;
        thread = server.startThread(() -> handle(work, begun));
    }

    private void count() {
        isCounted = true;
        server.onRequestStarted();
    }

    /** Runs on the request's own thread. */
    private void handle(Supplier<R> work, Cancellation begun) {
        MemoryAccount account = server.memory().open();
        R reply = new RequestScope(account, begun).during(work);
        try {
            loop.execute(
                    () -> {
                        // Only the reply is left of what the handler made; its taker counts it.
                        account.close();
                        thread = null;
                        cancellation = null;
                        onReply.accept(reply);
                    });
        } catch (RejectedExecutionException e) {
            account.close();
            onLoopEnded.run();
        }
    }

    /**
     * Tells the handler that nobody waits for its reply. It is not interrupted: what it has
     * submitted goes on, and the request counts until it has ended.
     */
    public void cancel() {
        Cancellation running = cancellation;
        if (running != null) {
            running.cancel();
        }
    }

    /** Interrupts the handler if it still runs. Any thread may call it. */
    public void interrupt() {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    /** Counts the request as over. A second call does nothing. */
    public void end() {
        if (isCounted) {
            isCounted = false;
            server.onRequestEnded();
        }
    }
}
