package orrery.query.mongo.aggregate;

import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;
import orrery.query.mongo.MongoCode;

/**
 * The memory that one stage of a pipeline holds, which has the limit that it has in MongoDB. The
 * request that is answered holds it as well.
 */
final class StageMemory {
    static final long LIMIT_BYTES = 100L << 20;

    private final String stage;
    private long bytes;

    StageMemory(String stage) {
        this.stage = stage;
    }

    /** Takes memory for the stage, and for the request. */
    void take(long more) {
        add(more);
        take(stage, more);
    }

    /** Takes memory for the request; where that may not have so much, no more may the stage. */
    static void take(String stage, long more) {
        try {
            MemoryAccount.current().take(more);
        } catch (OrreryException refused) {
            throw refused.code() == ErrorCode.TOO_LARGE
                    ? exceeded(stage, MemoryAccount.current().limit())
                    : refused;
        }
    }

    /** Counts memory that the request holds already. */
    void add(long more) {
        bytes += more;
        if (bytes > LIMIT_BYTES) {
            throw exceeded(stage, LIMIT_BYTES);
        }
    }

    /**
     * Lets go of memory. The request gives it back at its end, because it may be another one than
     * has taken it.
     */
    void drop(long less) {
        bytes -= less;
    }

    long bytes() {
        return bytes;
    }

    private static RuntimeException exceeded(String stage, long limit) {
        return MongoCode.QUERY_EXCEEDED_MEMORY.failure(
                "Exceeded memory limit of "
                        + limit
                        + " bytes for "
                        + stage
                        + ". No stage of a pipeline uses the disk here, also not with"
                        + " allowDiskUse: true.");
    }
}
