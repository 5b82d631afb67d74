package orrery.frontend.mongo.cursor;

import java.util.Optional;
import orrery.model.Bytes;

/** A result that a client may go on reading. */
public sealed interface OpenCursor permits Cursor, ListCursor, PipelineCursor, StreamCursor {
    /** The full name of the collection, or of what stands for one. */
    String namespace();

    /** The logical session that it ends with. */
    Optional<Bytes> session();

    /** About as many bytes as it keeps. */
    long heapBytes();
}
