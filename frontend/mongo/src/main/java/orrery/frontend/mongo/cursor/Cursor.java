package orrery.frontend.mongo.cursor;

import java.util.Optional;
import orrery.gateway.api.FeedScope;
import orrery.model.Bytes;
import orrery.query.Statement;

/**
 * The place that a client has come to. All of it can be written down and sent, so another gateway
 * could go on with it.
 *
 * @param namespace the full name of the collection
 * @param statement the query
 * @param scope the part of the collection that it is over
 * @param continuation of the last page; absent before the first
 * @param session the logical session that it ends with
 */
public record Cursor(
        String namespace,
        Statement statement,
        FeedScope scope,
        Optional<String> continuation,
        Optional<Bytes> session)
        implements OpenCursor {
    public Cursor at(Optional<String> next) {
        return new Cursor(namespace, statement, scope, next, session);
    }

    @Override
    public long heapBytes() {
        return 512L
                + statement.encoded().payload().length() * 4L
                + continuation.map(String::length).orElse(0);
    }
}
