package orrery.frontend.mongo.cursor;

import java.util.List;
import java.util.Optional;
import orrery.frontend.mongo.stream.StreamOptions;
import orrery.gateway.api.StreamScope;
import orrery.model.Bytes;
import orrery.query.mongo.aggregate.Pipeline;
import orrery.query.mongo.expression.ExpressionContext;

/**
 * The place that a client has come to in a change stream. It is a token, so it holds nothing open
 * and outlives splits.
 *
 * @param pipeline the stages behind the first one
 * @param context in which their expressions are read
 * @param token behind the last event that was handed out
 */
public record StreamCursor(
        String namespace,
        StreamScope scope,
        StreamOptions options,
        Pipeline pipeline,
        ExpressionContext context,
        String token,
        Optional<Bytes> session)
        implements OpenCursor {
    public StreamCursor at(String next) {
        return new StreamCursor(namespace, scope, options, pipeline, context, next, session);
    }

    @Override
    public long heapBytes() {
        return 4096L + token.length() + 1024L * List.copyOf(pipeline.stages()).size();
    }
}
