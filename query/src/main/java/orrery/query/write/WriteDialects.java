package orrery.query.write;

import java.util.HashMap;
import java.util.Map;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.codec.MalformedRecordException;
import orrery.query.mongo.update.MongoUpdate;

/** The dialects that a node evaluates writes in, by their numbers. Immutable. */
public final class WriteDialects {
    /** The dialects of the engine. */
    public static final WriteDialects STANDARD =
            new WriteDialects(Map.of())
                    .with(PatchDialect.INSTANCE)
                    .with(MergeDialect.INSTANCE)
                    .with(ReplaceDialect.INSTANCE)
                    .with(MongoUpdate.INSTANCE);

    private final Map<Integer, WriteDialect> byNumber;

    private WriteDialects(Map<Integer, WriteDialect> byNumber) {
        this.byNumber = Map.copyOf(byNumber);
    }

    /** The same dialects and one more. */
    public WriteDialects with(WriteDialect dialect) {
        Map<Integer, WriteDialect> more = new HashMap<>(byNumber);
        if (more.putIfAbsent(dialect.number(), dialect) != null) {
            throw new IllegalArgumentException("two dialects have number " + dialect.number());
        }
        return new WriteDialects(more);
    }

    /**
     * Reads a write. Throws NOT_IMPLEMENTED for a dialect or version that this node does not know,
     * and BAD_REQUEST for a payload that it cannot read.
     */
    public ItemUpdate read(Evaluation evaluation, EvaluationPlace place) {
        WriteDialect dialect = byNumber.get(evaluation.dialect());
        if (dialect == null) {
            throw new OrreryException(
                    ErrorCode.NOT_IMPLEMENTED,
                    "This server does not know the write dialect " + evaluation.dialect() + ".");
        }
        if (evaluation.version() > dialect.newestVersion()) {
            throw new OrreryException(
                    ErrorCode.NOT_IMPLEMENTED,
                    "This server knows the write dialect %d up to version %d. The request has version %d."
                            .formatted(
                                    dialect.number(),
                                    dialect.newestVersion(),
                                    evaluation.version()));
        }
        try {
            return dialect.read(evaluation.version(), evaluation.payload(), place);
        } catch (MalformedRecordException fault) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The payload of a write in dialect %d cannot be read: %s."
                            .formatted(dialect.number(), fault.getMessage()),
                    fault);
        }
    }
}
