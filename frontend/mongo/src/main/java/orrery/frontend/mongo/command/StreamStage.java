package orrery.frontend.mongo.command;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.frontend.mongo.stream.ClusterTime;
import orrery.frontend.mongo.stream.StreamOptions;
import orrery.frontend.mongo.stream.StreamOptions.BeforeChange;
import orrery.frontend.mongo.stream.StreamOptions.FullDocument;
import orrery.gateway.api.StreamRequest.Start;
import orrery.gateway.api.StreamScope;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;
import orrery.query.mongo.MongoOrder;

/**
 * A {@code $changeStream} as a client has written it.
 *
 * @param namespace the one that the cursor has
 */
record StreamStage(StreamScope scope, String namespace, Start start, StreamOptions options) {
    static final String NAME = "$changeStream";

    private static final Set<String> INTERNAL = Set.of("admin", "config", "local");

    /** Returns the operand of the stage, if the pipeline begins with it. */
    static Optional<Value> find(List<Value> pipeline) {
        return pipeline.stream()
                .findFirst()
                .filter(
                        stage ->
                                stage instanceof Value.Obj(Map<String, Value> fields)
                                        && fields.size() == 1
                                        && fields.containsKey(NAME))
                .map(stage -> ((Value.Obj) stage).properties().get(NAME));
    }

    static StreamStage read(CommandRequest request, Value operand) {
        if (!(operand instanceof Value.Obj fields)) {
            throw MongoCode.failure(
                    50808, NAME + " must take a nested object but found: " + TypeNames.of(operand));
        }
        Arguments options = new Arguments(NAME, fields);
        options.allowOnly(
                Set.of(
                        "fullDocument",
                        "fullDocumentBeforeChange",
                        "resumeAfter",
                        "startAfter",
                        "startAtOperationTime",
                        "allChangesForCluster",
                        "showExpandedEvents",
                        "showSystemEvents"));
        for (String name : List.of("showExpandedEvents", "showSystemEvents")) {
            if (options.flag(name, false)) {
                throw MongoCode.NOT_IMPLEMENTED.failure(
                        "the option '" + name + "' of " + NAME + " is not supported");
            }
        }
        StreamScope scope = scope(request, options.flag("allChangesForCluster", false));
        return new StreamStage(
                scope,
                namespace(scope),
                start(options),
                new StreamOptions(fullDocument(options), before(options)));
    }

    private static StreamScope scope(CommandRequest request, boolean isOfAll) {
        boolean hasNoCollection =
                MongoOrder.isNumber(request.first())
                        && MongoNumbers.whole(request.first()).orElse(0) == 1;
        if (isOfAll) {
            if (!request.database().equals("admin") || !hasNoCollection) {
                throw MongoCode.INVALID_OPTIONS.failure(
                        "A "
                                + NAME
                                + " with allChangesForCluster can only be opened on the database"
                                + " admin, without a collection");
            }
            return new StreamScope.Everything();
        }
        if (INTERNAL.contains(request.database())) {
            throw MongoCode.INVALID_NAMESPACE.failure(
                    NAME + " cannot be opened on the internal database " + request.database());
        }
        if (hasNoCollection) {
            Namespace.checkDatabase(request.database());
            return new StreamScope.OneDatabase(request.database());
        }
        Namespace namespace = request.namespace();
        return new StreamScope.OneContainer(namespace.database(), namespace.collection());
    }

    private static String namespace(StreamScope scope) {
        return switch (scope) {
            case StreamScope.OneContainer(String database, String container) ->
                    database + "." + container;
            case StreamScope.OneDatabase(String database) -> database + ".$cmd.aggregate";
            case StreamScope.Everything _ -> "admin.$cmd.aggregate";
        };
    }

    private static Start start(Arguments options) {
        Optional<Value.Obj> after = options.document("resumeAfter");
        Optional<Value.Obj> anew = options.document("startAfter");
        Optional<Value> time = options.find("startAtOperationTime");
        if (after.isPresent() && anew.isPresent()) {
            throw MongoCode.failure(
                    50865, "resumeAfter and startAfter cannot both be given to a " + NAME);
        }
        if (time.isPresent() && (after.isPresent() || anew.isPresent())) {
            throw MongoCode.failure(
                    40674, "A " + NAME + " can start in one way only, and more than one was given");
        }
        if (after.isPresent()) {
            return new Start.After(token(after.get()));
        }
        if (anew.isPresent()) {
            return new Start.Anew(token(anew.get()));
        }
        return time.<Start>map(value -> new Start.At(time(options, value)))
                .orElseGet(Start.Now::new);
    }

    private static String token(Value.Obj token) {
        if (token.properties().get("_data") instanceof Value.Text(String data)) {
            return data;
        }
        throw MongoCode.INVALID_RESUME_TOKEN.failure(
                "A resume token is a document with the text _data, as an event has it in its _id");
    }

    /** The start at a time that a command has for it. */
    static Start at(Arguments command, Value value) {
        return new Start.At(time(command, value));
    }

    private static Instant time(Arguments options, Value value) {
        if (value instanceof BsonValue.Timestamp time) {
            return Instant.ofEpochMilli(ClusterTime.millis(time));
        }
        throw options.mismatch("startAtOperationTime", value, "timestamp");
    }

    private static FullDocument fullDocument(Arguments options) {
        String name = options.text("fullDocument").orElse("default");
        return switch (name) {
            case "default" -> FullDocument.DEFAULT;
            case "updateLookup" -> FullDocument.UPDATE_LOOKUP;
            case "whenAvailable" -> FullDocument.WHEN_AVAILABLE;
            case "required" -> FullDocument.REQUIRED;
            default -> throw unknown("fullDocument", name);
        };
    }

    private static BeforeChange before(Arguments options) {
        String name = options.text("fullDocumentBeforeChange").orElse("off");
        return switch (name) {
            case "off" -> BeforeChange.OFF;
            case "whenAvailable" -> BeforeChange.WHEN_AVAILABLE;
            case "required" -> BeforeChange.REQUIRED;
            default -> throw unknown("fullDocumentBeforeChange", name);
        };
    }

    private static RuntimeException unknown(String option, String value) {
        return MongoCode.BAD_VALUE.failure(
                "Enumeration value '"
                        + value
                        + "' for field '"
                        + NAME
                        + "."
                        + option
                        + "' is not a valid value.");
    }
}
