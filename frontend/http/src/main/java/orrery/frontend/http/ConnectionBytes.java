package orrery.frontend.http;

/**
 * The bytes that one connection takes from the budgets of its server for the present request and
 * its reply. A connection is a stranger until one of its requests was admitted as that of a known
 * client; strangers share a small budget of their own. Belongs to the event loop of the connection.
 */
final class ConnectionBytes {
    private final Connection owner;
    private final HttpServer server;
    private boolean isKnown;
    private long held;

    /** Other connections read it to choose one that must give way. */
    private volatile long heldAsStranger;

    ConnectionBytes(Connection owner, HttpServer server) {
        this.owner = owner;
        this.server = server;
    }

    /** Counts the connection among the known ones from now on. */
    void recognize() {
        giveBackAsStranger();
        if (!isKnown) {
            isKnown = true;
            server.connections().recognize(owner);
        }
    }

    /** Takes bytes for a body. Returns false if there is no room for them. */
    boolean tryHold(int bytes) {
        if (!isKnown) {
            return tryHoldAsStranger(bytes);
        }
        boolean isHeld = server.heldBytes().tryTake(bytes);
        held += isHeld ? bytes : 0;
        return isHeld;
    }

    /** Takes bytes for a head of which so many have arrived. Returns false if there is no room. */
    boolean tryHoldHead(int bytesSoFar) {
        return isKnown || tryHoldAsStranger(bytesSoFar - heldAsStranger);
    }

    /** Takes the bytes of a reply, which exist already. */
    void holdReply(long bytes) {
        server.heldBytes().take(bytes);
        held += bytes;
    }

    /**
     * When the budget of strangers is used up, another stranger that holds some of it must close.
     * Its bytes come back a moment later; until then the strangers hold more than their budget.
     */
    private boolean tryHoldAsStranger(long bytes) {
        if (bytes <= 0) {
            return true;
        }
        long total = heldAsStranger + bytes;
        HeldBytes share = server.strangerBytes();
        if (!share.tryTake(bytes)) {
            if (!server.connections()
                    .evictStranger(other -> other != owner && other.holdsAsStranger())) {
                return false;
            }
            share.take(bytes);
        }
        heldAsStranger = total;
        return true;
    }

    /** Any thread may ask. */
    boolean holdsAsStranger() {
        return heldAsStranger > 0;
    }

    /** Gives everything back. A second call does nothing. */
    void release() {
        if (held != 0) {
            server.heldBytes().give(held);
            held = 0;
        }
        giveBackAsStranger();
    }

    private void giveBackAsStranger() {
        if (heldAsStranger != 0) {
            server.strangerBytes().give(heldAsStranger);
            heldAsStranger = 0;
        }
    }
}
