package orrery.frontend.gremlin.wire;

import java.io.IOException;
import java.util.Iterator;
import java.util.Optional;
import java.util.UUID;

/**
 * The results that one message carries: so many as the client wants, but no more than fit into the
 * frames that old drivers take. A result that no longer fits begins the next message; only one that
 * is larger than that by itself makes a larger message. Used by one thread.
 */
public final class Chunk implements AutoCloseable {
    /** Drivers of version 3.4 take frames of 64 KB by default; this leaves room for a status. */
    static final int MAX_BYTES = 60 << 10;

    private final ResultForm form;
    private final int batchSize;
    private final HeapBuffer results = HeapBuffer.growing();
    private Optional<byte[]> left = Optional.empty();
    private int count;

    public Chunk(ResultForm form, int batchSize) {
        this.form = form;
        this.batchSize = batchSize;
    }

    /** Takes results until a message is full. Returns false if there are no more behind it. */
    public boolean fill(Iterator<Object> run) {
        left.ifPresent(
                result -> {
                    results.writeBytes(result);
                    count++;
                });
        left = Optional.empty();
        while (run.hasNext()) {
            if (count >= batchSize || results.length() >= MAX_BYTES) {
                return true;
            }
            int before = results.length();
            form.add(run.next(), results);
            if (count > 0 && results.length() > MAX_BYTES) {
                left = Optional.of(results.cut(before));
                return true;
            }
            count++;
        }
        return false;
    }

    /** Returns the results in a message, and begins anew. */
    public byte[] message(UUID request, Status status) {
        try {
            return form.message(request, status, results, count);
        } catch (IOException unexpected) {
            throw new IllegalStateException("a status cannot be written", unexpected);
        } finally {
            results.clear();
            count = 0;
        }
    }

    @Override
    public void close() {
        results.close();
    }
}
