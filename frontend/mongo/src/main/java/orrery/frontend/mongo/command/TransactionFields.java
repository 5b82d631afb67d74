package orrery.frontend.mongo.command;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.mongo.MongoCode;

/**
 * The fields by which a command is an operation of a transaction, or its end.
 *
 * @param starts whether it is the first
 */
record TransactionFields(Bytes session, long number, boolean starts) {
    /** The commands that end a transaction. */
    static final Set<String> ENDS = Set.of("commitTransaction", "abortTransaction");

    /** A command of the database admin, whose operations name other ones. */
    private static final String BULK_WRITE = "bulkWrite";

    /** The commands that may go to any database: that one, and those about its cursor. */
    private static final Set<String> OF_ANY_DATABASE = Set.of(BULK_WRITE, "getMore", "killCursors");

    private static final Set<String> OPERATIONS =
            Set.of(
                    "find",
                    "getMore",
                    "killCursors",
                    "aggregate",
                    "distinct",
                    "insert",
                    "update",
                    "delete",
                    "findAndModify",
                    BULK_WRITE);

    /** Stages that write, or look beyond the documents of a collection. */
    private static final Set<String> REFUSED_STAGES =
            Set.of(
                    "$out",
                    "$merge",
                    "$changeStream",
                    "$collStats",
                    "$indexStats",
                    "$currentOp",
                    "$listSessions",
                    "$listLocalSessions",
                    "$planCacheStats");

    private static final Set<String> READ_CONCERNS = Set.of("local", "majority", "snapshot");
    private static final Set<String> OTHER_DATABASES = Set.of("admin", "config", "local");

    /** Empty for a command outside of transactions. Throws if its fields have no meaning. */
    static Optional<TransactionFields> of(Arguments command, String name, String database) {
        boolean starts = command.find("startTransaction").isPresent();
        if (!starts && command.find("autocommit").isEmpty()) {
            return Optional.empty();
        }
        if (command.find("autocommit").isEmpty()) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "'startTransaction' field requires 'autocommit' field to also be specified");
        }
        if (command.find("txnNumber").isEmpty()) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "'autocommit' field requires a transaction number to also be specified");
        }
        if (command.flag("autocommit", true)) {
            throw MongoCode.INVALID_OPTIONS.failure("Specifying autocommit=true is not allowed.");
        }
        if (starts && !command.flag("startTransaction", false)) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "Specifying startTransaction=false is not allowed.");
        }
        Statements.checkNumber(command);
        TransactionFields fields =
                new TransactionFields(
                        Statements.sessionId(command), Statements.transaction(command), starts);
        if (ENDS.contains(name)) {
            if (starts) {
                throw unsupported("Cannot start a transaction with '" + name + "'.");
            }
        } else {
            checkOperation(command, name, database, starts);
        }
        return Optional.of(fields);
    }

    private static void checkOperation(
            Arguments command, String name, String database, boolean starts) {
        if (!OPERATIONS.contains(name)) {
            throw unsupported(
                    "Cannot run '"
                            + name
                            + "' in a multi-document transaction."
                            + (name.equals("count")
                                    ? " Count with the aggregation stages $match and $count."
                                    : ""));
        }
        if (!OF_ANY_DATABASE.contains(name)) {
            requireDatabase(database);
        }
        if (command.find("writeConcern").isPresent()) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "writeConcern is not allowed within a multi-statement transaction");
        }
        Optional<Arguments> concern = command.inner("readConcern");
        if (concern.isPresent() && !starts) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "Only the first command in a transaction may specify a readConcern");
        }
        concern.flatMap(given -> given.text("level"))
                .filter(level -> !READ_CONCERNS.contains(level))
                .ifPresent(
                        _ -> {
                            throw MongoCode.INVALID_OPTIONS.failure(
                                    "The readConcern level must be either 'local' (default),"
                                            + " 'majority' or 'snapshot' in order to run in a"
                                            + " transaction");
                        });
        if (name.equals("aggregate")) {
            checkStages(command.array("pipeline").orElse(List.of()));
        }
    }

    /** Throws if transactions cannot touch a database. */
    static void requireDatabase(String database) {
        if (OTHER_DATABASES.contains(database)) {
            throw unsupported(
                    "Cannot run command against the '" + database + "' database in a transaction.");
        }
    }

    private static void checkStages(List<Value> pipeline) {
        for (Value stage : pipeline) {
            if (stage instanceof Value.Obj(Map<String, Value> fields)) {
                fields.keySet().stream()
                        .filter(REFUSED_STAGES::contains)
                        .findFirst()
                        .ifPresent(
                                refused -> {
                                    throw unsupported(
                                            "Stage not supported inside of a multi-document"
                                                    + " transaction: "
                                                    + refused);
                                });
            }
        }
    }

    private static RuntimeException unsupported(String text) {
        return MongoCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION.failure(text);
    }
}
