package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;

/** The statements of a write, which come in the command or beside it. */
final class WriteBatch {
    private WriteBatch() {}

    /** Returns the statement of a write that is explained, which must have one. */
    static Arguments one(CommandRequest request, String field, Consumer<Arguments> check) {
        if (size(request, field) != 1) {
            throw MongoCode.INVALID_LENGTH.failure("explained write batches must be of size 1");
        }
        return statements(request, field, check).getFirst();
    }

    /** Returns the number of statements. Throws if there are none, or too many. */
    static int size(CommandRequest request, String field) {
        List<Bytes> raw = request.sequences().get(field);
        int size =
                raw != null
                        ? raw.size()
                        : request.arguments()
                                .array(field)
                                .orElseThrow(() -> request.arguments().missing(field))
                                .size();
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

    /**
     * Returns the statements of a command. One that has no meaning makes the command fail as a
     * whole, before any is carried out.
     *
     * @param check fails for a statement that lacks a field, or has one that it cannot have
     */
    static List<Arguments> statements(
            CommandRequest request, String field, Consumer<Arguments> check) {
        int count = size(request, field);
        List<Arguments> statements = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Arguments statement = statement(request, field, i);
            check.accept(statement);
            statements.add(statement);
        }
        return statements;
    }

    private static Arguments statement(CommandRequest request, String field, int i) {
        String owner = request.name() + "." + field;
        List<Bytes> raw = request.sequences().get(field);
        if (raw != null) {
            try {
                return new Arguments(owner, BsonCodec.read(raw.get(i)));
            } catch (OrreryException malformed) {
                throw malformed.withLanguageCode(MongoCode.INVALID_BSON.number());
            }
        }
        Value element = request.arguments().array(field).orElseThrow().get(i);
        if (element instanceof Value.Obj document) {
            return new Arguments(owner, document);
        }
        throw MongoCode.TYPE_MISMATCH.failure(
                "BSON field '" + owner + "." + i + "' is not an object");
    }
}
