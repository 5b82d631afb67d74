package orrery.frontend.mongo.cursor;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.query.mongo.aggregate.Documents;

/**
 * A pipeline whose stages are run here, at the place that a client has come to. It keeps what its
 * stages have gathered, so only this gateway can go on with it. What it reads are pages of queries,
 * so it outlives splits.
 */
public record PipelineCursor(String namespace, Documents documents, Optional<Bytes> session)
        implements OpenCursor {
    @Override
    public long heapBytes() {
        return 2048L + documents.heapBytes();
    }
}
