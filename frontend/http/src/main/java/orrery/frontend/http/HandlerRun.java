package orrery.frontend.http;

import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import orrery.model.Cancellation;
import orrery.model.RequestScope;
import orrery.model.memory.MemoryAccount;

/**
 * The handler of the present request, on a thread of its own. The request counts as in flight from
 * {@link #begin} to {@link #end}. Belongs to the event loop of the connection.
 */
final class HandlerRun {
    private final HttpServer server;
    private final EventLoop loop;
    private final Consumer<HttpReply> onReply;
    private final Runnable onLoopEnded;
    private boolean isCounted;
    private @Nullable Cancellation cancellation;
    private volatile @Nullable Thread thread;

    /**
     * @param onReply takes the reply, on the event loop
     * @param onLoopEnded runs on the handler's thread if the loop cannot take the reply any more
     */
    HandlerRun(
            HttpServer server, EventLoop loop, Consumer<HttpReply> onReply, Runnable onLoopEnded) {
        this.server = server;
        this.loop = loop;
        this.onReply = onReply;
        this.onLoopEnded = onLoopEnded;
    }

    void begin(Admission admission, HttpRequest request) {
        isCounted = true;
        server.onRequestStarted();
        if (admission instanceof Admission.Refused(HttpReply reply)) {
            onReply.accept(reply);
        } else {
            // Replies that need no blocking could be made right here, on the loop.
            Cancellation begun = new Cancellation();
            cancellation = begun;
            thread = server.startThread(() -> handle(admission, request, begun));
        }
    }

    /** Runs on the request's own thread. */
    private void handle(Admission admission, HttpRequest request, Cancellation begun) {
        MemoryAccount account = server.memory().open();
        HttpReply reply =
                new RequestScope(account, begun).during(() -> server.answer(admission, request));
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
    void cancel() {
        Cancellation running = cancellation;
        if (running != null) {
            running.cancel();
        }
    }

    /** Interrupts the handler if it still runs. Any thread may call it. */
    void interrupt() {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    /** Counts the request as over. A second call does nothing. */
    void end() {
        if (isCounted) {
            isCounted = false;
            server.onRequestEnded();
        }
    }
}
