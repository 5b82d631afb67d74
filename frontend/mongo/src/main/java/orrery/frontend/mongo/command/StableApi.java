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

    /** Stages that tell about servers and not about documents. */
    private static final Set<String> STAGES_OUTSIDE =
            Set.of(
                    "$currentOp",
                    "$indexStats",
                    "$listLocalSessions",
                    "$listSessions",
                    "$planCacheStats");

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
        if (command.equals("aggregate")) {
            arguments.array("pipeline").orElse(List.of()).forEach(StableApi::checkStage);
        }
    }

    private static void checkStage(Value stage) {
        if (!(stage instanceof Value.Obj(Map<String, Value> parts))) {
            return;
        }
        parts.forEach(
                (name, operand) -> {
                    if (STAGES_OUTSIDE.contains(name)) {
                        throw MongoCode.API_STRICT_ERROR.failure(
                                "stage " + name + " is not allowed with 'apiStrict: true'");
                    }
                    if (name.equals("$collStats")
                            && operand instanceof Value.Obj(Map<String, Value> wanted)
                            && !Set.of("count").containsAll(wanted.keySet())) {
                        throw MongoCode.API_STRICT_ERROR.failure(
                                "only the 'count' of $collStats is allowed with"
                                        + " 'apiStrict: true'");
                    }
                    checkInside(operand);
                });
    }

    /** Looks at the pipelines of stages that have some. */
    private static void checkInside(Value operand) {
        switch (operand) {
            case Value.Obj(Map<String, Value> parts) ->
                    parts.values().stream()
                            .filter(Value.Array.class::isInstance)
                            .forEach(
                                    part ->
                                            ((Value.Array) part)
                                                    .elements()
                                                    .forEach(StableApi::checkStage));
            default -> {}
        }
    }
}
