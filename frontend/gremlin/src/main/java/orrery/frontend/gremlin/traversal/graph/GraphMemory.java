package orrery.frontend.gremlin.traversal.graph;

import org.apache.tinkerpop.gremlin.structure.Element;
import org.jspecify.annotations.Nullable;
import orrery.document.HeapSize;
import orrery.frontend.gremlin.traversal.GraphException;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;

/**
 * What a traversal has gathered: steps such as order(), fold() and group() see everything before
 * they pass anything on. Used by the thread of the request.
 */
public final class GraphMemory implements AutoCloseable {
    /** A traverser without what it is at, about. */
    private static final int TRAVERSER_BYTES = 200;

    private final long limit;
    private final MemoryAccount.Part part = MemoryAccount.current().part();
    private long gathered;

    /**
     * @param limit the most bytes that one traversal may gather
     */
    public GraphMemory(long limit) {
        this.limit = limit;
    }

    /** Returns about how many bytes a traverser has that is at something. */
    public static long size(@Nullable Object at) {
        return TRAVERSER_BYTES
                + switch (at) {
                    case StoredElement element when element.item != null ->
                            HeapSize.of(element.item.body());
                    case Element _ -> TRAVERSER_BYTES;
                    case String text -> 2L * text.length();
                    case null, default -> 0;
                };
    }

    /** Counts bytes that stay. Throws MEMORY if there are too many. */
    public void gather(long bytes) {
        if (gathered + bytes > limit) {
            throw exceeded(gathered + bytes, limit);
        }
        try {
            part.take(bytes);
        } catch (OrreryException refused) {
            if (refused.code() == ErrorCode.TOO_LARGE) {
                throw exceeded(gathered + bytes, MemoryAccount.current().limit());
            }
            throw refused;
        }
        gathered += bytes;
    }

    /** Gives back what was gathered and has gone. */
    public void release(long bytes) {
        part.give(bytes);
        gathered -= bytes;
    }

    private static GraphException exceeded(long bytes, long most) {
        return new GraphException(
                GraphException.Fault.MEMORY,
                "Query exceeded memory limit. Bytes Consumed: "
                        + bytes
                        + ", Max: "
                        + most
                        + ". Let the traversal begin at fewer elements, or order and group fewer.");
    }

    @Override
    public void close() {
        part.close();
    }
}
