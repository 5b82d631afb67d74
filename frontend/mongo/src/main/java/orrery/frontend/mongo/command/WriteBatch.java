package orrery.frontend.mongo.command;

import java.util.List;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;

/** The statements of a write, which come in the command or beside it. */
final class WriteBatch {
    private WriteBatch() {}

    /** Only a write of one statement is explained. */
    static void requireOne(CommandRequest request, String field) {
        if (size(request, field) != 1) {
            throw MongoCode.INVALID_LENGTH.failure("explained write batches must be of size 1");
        }
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

    /** Returns one statement of a command whose statements are documents. */
    static Arguments statement(CommandRequest request, String field, int i) {
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
