package orrery.frontend.mongo.command;

import orrery.document.BsonCodec;

/**
 * Bounds what is told of the failures of one command beside their numbers and messages: a command
 * has up to 100,000 statements, and its answer must fit a message. Used by one thread.
 */
final class DetailBudget {
    /** Servers leave out the words of further failures at the same size. */
    private static final long MAX_BYTES = 1 << 20;

    private long told;

    /** Returns the failure, without its details where too much has been told before. */
    MongoFailure within(MongoFailure failure) {
        if (failure.details().properties().isEmpty()) {
            return failure;
        }
        if (told >= MAX_BYTES) {
            return new MongoFailure(failure.code(), failure.message());
        }
        told += BsonCodec.write(failure.details()).length();
        return failure;
    }
}
