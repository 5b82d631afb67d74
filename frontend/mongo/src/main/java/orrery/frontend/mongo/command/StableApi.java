package orrery.frontend.mongo.command;

import java.util.List;
import java.util.Map;
import java.util.Set;
import orrery.document.Value;
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

    /** Stages of pipelines that version 1 does not have. */
    private static final Set<String> OTHER_STAGES =
            Set.of(
                    "$currentOp",
                    "$indexStats",
                    "$listLocalSessions",
                    "$listSampledQueries",
                    "$listSearchIndexes",
                    "$listSessions",
                    "$planCacheStats",
                    "$search",
                    "$searchMeta",
                    "$shardedDataDistribution",
                    "$vectorSearch");

    /** Options of find that version 1 does not have. */
    private static final List<String> OTHER_FIND_OPTIONS =
            List.of(
                    "awaitData",
                    "max",
                    "min",
                    "noCursorTimeout",
                    "oplogReplay",
                    "returnKey",
                    "showRecordId",
                    "tailable");

    private StableApi() {}

    static void check(String command, Arguments arguments) {
        if (!arguments.flag("apiStrict", false)) {
            return;
        }
        if (!COMMANDS.contains(command)) {
            throw MongoCode.API_STRICT_ERROR.failure(
                    "Provided apiStrict:true, but the command "
                            + command
                            + " is not in API Version 1");
        }
        switch (command) {
            case "aggregate" -> checkStages(arguments.array("pipeline").orElse(List.of()));
            case "find" -> checkOptions(arguments);
            default -> {}
        }
    }

    private static void checkOptions(Arguments find) {
        for (String name : OTHER_FIND_OPTIONS) {
            if (find.find(name).isPresent()) {
                throw MongoCode.API_STRICT_ERROR.failure(
                        "BSON field 'find." + name + "' is not allowed with apiStrict:true.");
            }
        }
    }

    private static void checkStages(List<Value> pipeline) {
        for (Value stage : pipeline) {
            if (stage instanceof Value.Obj(Map<String, Value> fields)) {
                fields.forEach(StableApi::checkStage);
            }
        }
    }

    private static void checkStage(String name, Value operand) {
        // The version has the count of a collection, and no other statistics.
        boolean isOther =
                name.equals("$collStats")
                        ? operand instanceof Value.Obj(Map<String, Value> parts)
                                && !Set.of("count").containsAll(parts.keySet())
                        : OTHER_STAGES.contains(name);
        if (isOther) {
            throw MongoCode.API_STRICT_ERROR.failure(
                    "stage " + name + " is not allowed with 'apiStrict: true' in API Version 1");
        }
        checkInside(operand);
    }

    /** Looks at the pipelines that a stage has. */
    private static void checkInside(Value operand) {
        if (operand instanceof Value.Obj(Map<String, Value> parts)) {
            for (Value part : parts.values()) {
                if (part instanceof Value.Array(List<Value> stages)) {
                    checkStages(stages);
                }
            }
        }
    }
}
