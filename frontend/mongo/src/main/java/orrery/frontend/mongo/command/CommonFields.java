package orrery.frontend.mongo.command;

import java.util.Optional;
import java.util.Set;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;

/** The fields that every command may have, and what of them is refused. */
final class CommonFields {
    private static final Set<String> READ_CONCERNS =
            Set.of("local", "available", "majority", "linearizable");
    private static final Set<String> READ_PREFERENCES =
            Set.of("primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest");
    private static final Set<String> WRITE_CONCERN =
            Set.of(
                    "w",
                    "j",
                    "fsync",
                    "wtimeout",
                    "wElectionId",
                    "wOpTime",
                    "getLastError",
                    "provenance");
    private static final int MAX_NODES = 50;

    private CommonFields() {}

    /**
     * @param isInTransaction whether the fields of transactions, which have been checked, allow
     *     more
     */
    static void check(Arguments command, boolean isInTransaction) {
        checkVersion(command);
        checkSession(command);
        command.inner("$readPreference").ifPresent(CommonFields::checkReadPreference);
        command.inner("writeConcern").ifPresent(CommonFields::checkWriteConcern);
        if (!isInTransaction) {
            command.inner("readConcern").ifPresent(CommonFields::checkReadConcern);
            Statements.check(command, command.owner());
        }
    }

    private static void checkVersion(Arguments command) {
        Optional<String> version = command.text("apiVersion");
        if (version.isPresent() && !version.get().equals("1")) {
            throw MongoCode.API_VERSION_ERROR.failure("API version must be \"1\"");
        }
        if (version.isEmpty()
                && (command.find("apiStrict").isPresent()
                        || command.find("apiDeprecationErrors").isPresent())) {
            throw MongoCode.API_VERSION_ERROR.failure(
                    "Provided apiStrict and/or apiDeprecationErrors without apiVersion");
        }
    }

    /** Nearly every command has a session, and it nearly always is one. */
    private static void checkSession(Arguments command) {
        if (command.fields().properties().get("lsid") instanceof Value.Obj(var usual)
                && usual.get("id") instanceof BsonValue.Binary) {
            return;
        }
        Optional<Arguments> session =
                new Arguments("OperationSessionInfo", command.fields()).inner("lsid");
        if (session.isEmpty()) {
            return;
        }
        Value id = session.get().find("id").orElseThrow(() -> session.get().missing("id"));
        if (!(id instanceof BsonValue.Binary)) {
            throw session.get().mismatch("id", id, "binData");
        }
    }

    private static void checkReadPreference(Arguments preference) {
        preference
                .text("mode")
                .filter(mode -> !READ_PREFERENCES.contains(mode))
                .ifPresent(
                        mode -> {
                            throw MongoCode.FAILED_TO_PARSE.failure(
                                    "Could not parse $readPreference mode '"
                                            + mode
                                            + "'. Only the modes 'primary', 'primaryPreferred',"
                                            + " 'secondary', 'secondaryPreferred', and 'nearest'"
                                            + " are supported.");
                        });
    }

    private static void checkReadConcern(Arguments concern) {
        concern.allowOnly(Set.of("level", "afterClusterTime", "atClusterTime", "provenance"));
        if (concern.text("level").filter("snapshot"::equals).isPresent()) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "the read concern 'snapshot' is not supported: each page of a read shows what"
                            + " is there now");
        }
        concern.text("level")
                .filter(level -> !READ_CONCERNS.contains(level))
                .ifPresent(
                        level -> {
                            throw MongoCode.FAILED_TO_PARSE.failure(
                                    "Unrecognized read concern level '" + level + "'");
                        });
    }

    /** Every write is on disk before it is answered; still a wish must be one that servers have. */
    private static void checkWriteConcern(Arguments concern) {
        concern.allowOnly(WRITE_CONCERN);
        concern.flag("j", false);
        concern.flag("fsync", false);
        concern.whole("wtimeout");
        Optional<Value> acknowledged = concern.find("w");
        if (acknowledged.isEmpty()) {
            return;
        }
        switch (acknowledged.get()) {
            case Value.Text(String mode) when mode.equals("majority") -> {}
            case Value.Text(String mode) ->
                    throw MongoCode.UNKNOWN_REPL_WRITE_CONCERN.failure(
                            "No write concern mode named '"
                                    + mode
                                    + "' found in replica set configuration");
            case Value number when Arguments.number(number).isPresent() -> {
                long nodes = concern.whole("w").orElse(0);
                if (nodes < 0 || nodes > MAX_NODES) {
                    throw MongoCode.FAILED_TO_PARSE.failure(
                            "w has to be a non-negative number and not greater than " + MAX_NODES);
                }
            }
            case Value other ->
                    throw MongoCode.FAILED_TO_PARSE.failure(
                            "w has to be a number or a string, and not of the type "
                                    + TypeNames.of(other));
        }
    }
}
