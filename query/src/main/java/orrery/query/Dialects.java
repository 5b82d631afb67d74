package orrery.query;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.codec.MalformedRecordException;

/** The query languages that a node can run. Safe to share. */
public final class Dialects {
    private final Map<String, Dialect> byName;

    public Dialects(Dialect... dialects) {
        this.byName =
                Arrays.stream(dialects)
                        .collect(Collectors.toUnmodifiableMap(Dialect::name, Function.identity()));
    }

    /** Throws BAD_REQUEST for a language or a version that this node does not know. */
    public Statement read(EncodedQuery query) {
        Dialect dialect = byName.get(query.dialect());
        if (dialect == null) {
            throw invalid("This node does not know the query language '" + query.dialect() + "'.");
        }
        if (dialect.version() != query.version()) {
            throw invalid(
                    "This node reads version %d of %s queries, and this one has version %d."
                            .formatted(dialect.version(), dialect.name(), query.version()));
        }
        try {
            return dialect.read(query.payload());
        } catch (MalformedRecordException damaged) {
            throw invalid("The query that was sent is damaged: " + damaged.getMessage() + ".");
        }
    }

    private static OrreryException invalid(String message) {
        return new OrreryException(ErrorCode.BAD_REQUEST, message);
    }
}
