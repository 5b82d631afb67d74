package orrery.frontend.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that one connection takes from the budgets of its server for the present request and
 * its reply. A connection is a stranger until one of its requests was admitted as that of a known
 * client; strangers share a small budget of their own. Belongs to the event loop of the connection.
 */
public final class ConnectionBytes<C extends SocketServer.Client> {
    private final C owner;
    private final SocketServer<C> server;
    private boolean isKnown;
    private long held;

    /** Other connections read it to choose one that must give way, and then take it away. */
    private final AtomicLong heldAsStranger = new AtomicLong();

    private volatile boolean hasGivenWay;

    public ConnectionBytes(C owner, SocketServer<C> server) {
        this.owner = owner;
        this.server = server;
    }

    /** Counts the connection among the known ones from now on. */
    public void recognize() {
        giveBackAsStranger();
        if (!isKnown) {
            isKnown = true;
            server.connections().recognize(owner);
        }
    }

    /** Takes bytes for a body. Returns false if there is no room for them. */
    public boolean tryHold(int bytes) {
        if (!isKnown) {
            return tryHoldAsStranger(bytes);
        }
        boolean isHeld = server.heldBytes().tryTake(bytes);
        held += isHeld ? bytes : 0;
        return isHeld;
    }

    /** Takes bytes for a head of which so many have arrived. Returns false if there is no room. */
    boolean tryHoldHead(int bytesSoFar) {
        return isKnown || tryHoldAsStranger(bytesSoFar - heldAsStranger.get());
    }

    /** Takes the bytes of a reply, which exist already. */
    public void holdReply(long bytes) {
        server.heldBytes().take(bytes);
        held += bytes;
    }

    /** When the budget of strangers is used up, others that hold some of it must close. */
    private boolean tryHoldAsStranger(long bytes) {
        // One that has given way is about to close. If it took bytes again, and its decoder may ask
        // for them when it closes, others would have to go for nothing.
        if (bytes <= 0 || hasGivenWay) {
            return true;
        }
        HeldBytes share = server.strangerBytes();
        while (!share.tryTake(bytes)) {
            if (bytes > share.limit()
                    || !server.connections()
                            .evictStranger(other -> other != owner && other.holdsAsStranger())) {
                return false;
            }
        }
        heldAsStranger.addAndGet(bytes);
        return true;
    }

    /** Any thread may ask. */
    public boolean holdsAsStranger() {
        return heldAsStranger.get() > 0;
    }

    /**
     * Gives back the bytes of one of several messages that the connection holds. What was taken as
     * a stranger has gone back already if the connection is known by now.
     */
    public void release(long bytes) {
        if (isKnown) {
            long given = Math.min(bytes, held);
            server.heldBytes().give(given);
            held -= given;
        } else {
            long before = heldAsStranger.getAndUpdate(now -> Math.max(0, now - bytes));
            server.strangerBytes().give(Math.min(bytes, before));
        }
    }

    /** Gives everything back. A second call does nothing. */
    public void release() {
        if (held != 0) {
            server.heldBytes().give(held);
            held = 0;
        }
        giveBackAsStranger();
    }

    /**
     * Leaves the bytes of strangers to others. Any thread may call it. This happens at once: if the
     * bytes came back only when the connection has closed, those who arrive meanwhile would have
     * more connections close than they need to.
     */
    public void giveWay() {
        hasGivenWay = true;
        giveBackAsStranger();
    }

    private void giveBackAsStranger() {
        server.strangerBytes().give(heldAsStranger.getAndSet(0));
    }
}
