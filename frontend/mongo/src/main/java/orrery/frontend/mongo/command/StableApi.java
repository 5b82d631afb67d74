package orrery.frontend.mongo.command;

import java.util.Set;
import orrery.query.mongo.MongoCode;

/** The commands of version 1 of the stable API, to which a client may hold itself. */
final class StableApi {
    private static final Set<String> COMMANDS =
            Set.of(
                    "abortTransaction",
                    "aggregate",
                    "authenticate",
                    "bulkWrite",
                    "collMod",
                    "commitTransaction",
                    "count",
                    "create",
                    "createIndexes",
                    "delete",
                    "drop",
                    "dropDatabase",
                    "dropIndexes",
                    "endSessions",
                    "explain",
                    "find",
                    "findAndModify",
                    "getMore",
                    "hello",
                    "insert",
                    "killCursors",
                    "listCollections",
                    "listDatabases",
                    "listIndexes",
                    "logout",
                    "ping",
                    "refreshSessions",
                    "saslContinue",
                    "saslStart",
                    "update");

    private StableApi() {}

    static void check(String command, Arguments arguments) {
        if (arguments.flag("apiStrict", false) && !COMMANDS.contains(command)) {
            throw MongoCode.API_STRICT_ERROR.failure(
                    "Provided apiStrict:true, but the command "
                            + command
                            + " is not in API Version 1");
        }
    }
}
