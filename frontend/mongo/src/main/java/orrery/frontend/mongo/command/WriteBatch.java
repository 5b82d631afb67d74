package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;

/** The statements of a write, which come in the command or beside it. */
final class WriteBatch {
    private WriteBatch() {}

    /** Returns the statement of a write that is explained, which must have one. */
    static <T> T one(CommandRequest request, String field, Function<Arguments, T> read) {
        if (size(request, field) != 1) {
            throw MongoCode.INVALID_LENGTH.failure("explained write batches must be of size 1");
        }
        return statements(request, field, read).getFirst();
    }

    /** Returns the number of statements. Throws if there are none, or too many. */
    static int size(CommandRequest request, String field) {
        int size = count(request, field);
        if (size < 1 || size > Handshake.MAX_WRITE_BATCH) {
            throw MongoCode.INVALID_LENGTH.failure(
                    "Write batch sizes must be between 1 and "
                            + Handshake.MAX_WRITE_BATCH
                            + ". Got "
                            + size
                            + " operations.");
        }
        return size;
    }

    private static int count(CommandRequest request, String field) {
        List<Bytes> raw = request.sequences().get(field);
        return raw != null
                ? raw.size()
                : request.arguments()
                        .array(field)
                        .orElseThrow(() -> request.arguments().missing(field))
                        .size();
    }

    /** Returns the documents of a field, of which there may be none. */
    static List<Arguments> elements(CommandRequest request, String field) {
        int count = count(request, field);
        List<Arguments> elements = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            elements.add(statement(request, field, i));
        }
        return elements;
    }

    /**
     * Returns the statements of a command. One that has no meaning makes the command fail as a
     * whole, before any is carried out.
     *
     * @param read fails for a statement that lacks a field, or has one that it cannot have
     */
    static <T> List<T> statements(
            CommandRequest request, String field, Function<Arguments, T> read) {
        int count = size(request, field);
        requireDocuments(request, field);
        List<T> statements = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            statements.add(read.apply(statement(request, field, i)));
        }
        return statements;
    }

    /** An element that is no document makes the command fail as a whole. */
    static void requireDocuments(CommandRequest request, String field) {
        if (!request.sequences().containsKey(field)) {
            int count = count(request, field);
            for (int i = 0; i < count; i++) {
                var _ = inside(request, field, i);
            }
        }
    }

    private static Arguments statement(CommandRequest request, String field, int i) {
        List<Bytes> raw = request.sequences().get(field);
        return raw == null
                ? inside(request, field, i)
                : new Arguments(owner(request, field), read(() -> BsonCodec.read(raw.get(i))));
    }

    /** Names a statement in refusals. */
    static String owner(CommandRequest request, String field) {
        return request.name() + "." + field;
    }

    /** Returns a statement that is an element of an array of the command. */
    static Arguments inside(CommandRequest request, String field, int i) {
        Value element = request.arguments().array(field).orElseThrow().get(i);
        if (element instanceof Value.Obj document) {
            return new Arguments(owner(request, field), document);
        }
        throw request.arguments().mismatch(field + "." + i, element, "object");
    }

    /** Reads bytes of a client. Those that are no BSON are refused as such. */
    static <T> T read(Supplier<T> bson) {
        try {
            return bson.get();
        } catch (OrreryException malformed) {
            throw malformed.withLanguageCode(MongoCode.INVALID_BSON.number());
        }
    }
}
