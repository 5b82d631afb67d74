package orrery.frontend.gremlin;

import java.time.Duration;
import java.util.function.Supplier;

/** The connection as the thread of a request sees it. */
interface Outlet {
    /**
     * Sends a message. It waits while the client does not read: so a traversal is pulled no faster
     * than its results are taken.
     *
     * @throws InterruptedException when the time of the request is over, or nobody waits any more
     */
    void send(byte[] message) throws InterruptedException;

    /** Interrupts the thread of the request when so much time has passed. */
    void endIn(Duration time);

    /** Returns true if the time of {@link #endIn} has passed. */
    boolean isOverdue();

    /** Returns true if the client has left. */
    boolean isAbandoned();

    /** Works when it is this request's turn: only so many work at one time. */
    <T> T inTurn(Supplier<T> work) throws InterruptedException;
}
