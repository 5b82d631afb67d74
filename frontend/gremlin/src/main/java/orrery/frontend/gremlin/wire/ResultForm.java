package orrery.frontend.gremlin.wire;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import orrery.frontend.gremlin.traversal.GraphException;
import orrery.frontend.gremlin.traversal.GraphException.Fault;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;

/** Writes the results of one request in the form that its client reads. Used by one thread. */
public abstract sealed class ResultForm permits ServiceJson, TypedJson, BinaryResults {
    /**
     * Returns the form of the answers to a request, before one is written. GraphSON 1 and 2 are
     * answered with the JSON of the service, and traversals that the client has compiled with
     * types, without which no client can read them.
     */
    public static ResultForm of(Form form, boolean isCompiled) {
        return switch (form) {
            case GRAPH_BINARY -> new BinaryResults();
            case GRAPHSON_3 -> new TypedJson(TypedJson.VERSION_3, true);
            case GRAPHSON_2 ->
                    isCompiled ? new TypedJson(TypedJson.VERSION_2, false) : new ServiceJson();
            case JSON, GRAPHSON_1, GRAPHSON_2_UNTYPED, GRAPHSON_3_UNTYPED -> new ServiceJson();
        };
    }

    /** Returns true if a client that writes this form can read what a compiled traversal gives. */
    public static boolean readsTraversers(Form form) {
        return switch (form) {
            case GRAPH_BINARY, GRAPHSON_3, GRAPHSON_2 -> true;
            case JSON, GRAPHSON_1, GRAPHSON_2_UNTYPED, GRAPHSON_3_UNTYPED -> false;
        };
    }

    /** Adds one result to a chunk. */
    abstract void write(Object result, HeapBuffer chunk) throws IOException;

    /** Returns a whole answer with the results of a chunk. */
    abstract byte[] message(UUID request, Status status, HeapBuffer chunk, int count)
            throws IOException;

    /**
     * Returns an answer without results. It is small and not counted: a request that has used up
     * its memory must still hear of that.
     */
    public final byte[] message(UUID request, Status status) {
        return MemoryAccount.NONE.during(() -> withoutResults(request, status));
    }

    private byte[] withoutResults(UUID request, Status status) {
        try (HeapBuffer nothing = HeapBuffer.growing()) {
            return message(request, status, nothing, 0);
        } catch (IOException unexpected) {
            throw new IllegalStateException("a status cannot be written", unexpected);
        }
    }

    final void add(Object result, HeapBuffer chunk) {
        try {
            write(result, chunk);
        } catch (IOException failure) {
            throw reason(failure)
                    .orElseGet(
                            () ->
                                    new GraphException(
                                            Fault.SERIALIZATION,
                                            "A result has no form that this client reads: "
                                                    + failure.getMessage()));
        }
    }

    /** Elements are read while they are written, and that fails for reasons of its own. */
    private static Optional<RuntimeException> reason(Throwable failure) {
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof GraphException || cause instanceof OrreryException) {
                return Optional.of((RuntimeException) cause);
            }
        }
        return Optional.empty();
    }
}
