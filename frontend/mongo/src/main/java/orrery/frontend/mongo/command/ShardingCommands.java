package orrery.frontend.mongo.command;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Resources;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.NamedIndex;
import orrery.model.OrreryException;
import orrery.model.PropertyPath;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.Throughput;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.query.mongo.MongoCode;

/** Sharding, and the service's own commands about throughput: {@code customAction}. */
final class ShardingCommands {
    /** A part of the maximum that autoscale is never below. */
    private static final int AUTOSCALE_PART = 10;

    private final Resources resources;
    private final Catalogue catalogue;
    private final ChangeStreams changes;

    ShardingCommands(Resources resources, Catalogue catalogue, ChangeStreams changes) {
        this.changes = changes;
        this.resources = resources;
        this.catalogue = catalogue;
    }

    void addTo(CommandTable table) {
        table.manage("enableSharding", Set.of("primaryShard"), this::enable)
                .manage(
                        "shardCollection",
                        Set.of("key", "unique", "numInitialChunks", "collation"),
                        this::shard)
                .manage(
                        "customAction",
                        Set.of(
                                "collection",
                                "offerThroughput",
                                "autoScaleSettings",
                                "shardKey",
                                "indexes",
                                "showIndexes"),
                        this::act);
    }

    private Bytes enable(CommandRequest request) {
        if (!(request.first() instanceof Value.Text(String database))) {
            throw MongoCode.TYPE_MISMATCH.failure("enableSharding needs the name of a database");
        }
        if (request.arguments().find("primaryShard").isPresent()) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "the option 'primaryShard' of enableSharding is not supported");
        }
        catalogue.databaseOrNew(request.context(), database, Optional.empty());
        return new Doc().ok();
    }

    private Bytes shard(CommandRequest request) {
        for (String name : List.of("unique", "numInitialChunks", "collation")) {
            boolean isUsual = name.equals("unique") && !request.arguments().flag(name, false);
            if (request.arguments().find(name).isPresent() && !isUsual) {
                throw MongoCode.INVALID_OPTIONS.failure(
                        "the option '" + name + "' of shardCollection is not supported");
            }
        }
        if (!(request.first() instanceof Value.Text(String full))) {
            throw MongoCode.TYPE_MISMATCH.failure(
                    "shardCollection needs the full name of a collection");
        }
        Namespace namespace = Namespace.parse(full);
        Map<String, Value> key =
                request.arguments()
                        .document("key")
                        .orElseThrow(() -> request.arguments().missing("key"))
                        .properties();
        if (key.size() != 1) {
            throw MongoCode.BAD_VALUE.failure(
                    "a shard key has one field: compound shard keys are not supported");
        }
        if (request.arguments().flag("unique", false)) {
            throw MongoCode.BAD_VALUE.failure("hashed shard keys cannot be declared unique");
        }
        String path = key.keySet().iterator().next();
        try {
            catalogue.create(
                    request.context(),
                    namespace,
                    Optional.of(path(path)),
                    List.of(),
                    Optional.empty());
        } catch (OrreryException exists) {
            if (exists.code() != ErrorCode.CONFLICT) {
                throw exists;
            }
            requireSharded(request.context(), namespace, path);
        }
        return new Doc()
                .put("_t", "ShardCollectionResponse")
                .put("collectionsharded", namespace.toString())
                .ok();
    }

    /** Whoever shards a collection twice in the same way has what they want. */
    private void requireSharded(RequestContext context, Namespace namespace, String path) {
        Container present = catalogue.require(context, namespace).container();
        Optional<String> key = Catalogue.shardKey(present).map(Catalogue::dotted);
        if (!key.equals(Optional.of(path))) {
            throw MongoCode.ILLEGAL_OPERATION.failure(
                    "Collection "
                            + namespace
                            + " already exists and "
                            + key.map(other -> "is sharded by '" + other + "'")
                                    .orElse("is not sharded")
                            + ". The shard key of a collection is chosen when it is created.");
        }
    }

    static PropertyPath path(String dotted) {
        List<String> names = Arrays.asList(dotted.split("\\.", -1));
        if (names.stream().anyMatch(name -> name.isEmpty() || name.startsWith("$"))) {
            throw MongoCode.BAD_VALUE.failure("'" + dotted + "' cannot be a shard key");
        }
        return new PropertyPath(names);
    }

    // ---- customAction

    private Bytes act(CommandRequest request) {
        String action = request.first() instanceof Value.Text(String text) ? text : "";
        return switch (action.toLowerCase(Locale.ROOT)) {
            case "createdatabase" -> createDatabase(request);
            case "updatedatabase" -> updateDatabase(request);
            case "getdatabase" -> getDatabase(request);
            case "createcollection" -> createCollection(request);
            case "updatecollection" -> updateCollection(request);
            case "getcollection" -> getCollection(request);
            case "getchangestreamtokens" -> changes.tokens(request);
            default ->
                    throw MongoCode.COMMAND_NOT_SUPPORTED.failure(
                            "the customAction '" + action + "' is not supported");
        };
    }

    private Bytes createDatabase(CommandRequest request) {
        if (catalogue.findDatabase(request.context(), request.database()).isPresent()) {
            throw MongoCode.NAMESPACE_EXISTS.failure(
                    "Database " + request.database() + " already exists.");
        }
        catalogue.databaseOrNew(request.context(), request.database(), throughput(request));
        return new Doc().ok();
    }

    private Bytes updateDatabase(CommandRequest request) {
        Database database = requireDatabase(request);
        Offer offer =
                resources
                        .findOffer(request.context(), database.rid())
                        .orElseThrow(
                                () ->
                                        MongoCode.ILLEGAL_OPERATION.failure(
                                                "Database "
                                                        + database.name()
                                                        + " has no throughput of its own"));
        resources.replaceOffer(
                request.context(),
                offer.rid(),
                throughput(request).orElseThrow(ShardingCommands::noThroughput));
        return new Doc().ok();
    }

    private static OrreryException noThroughput() {
        return MongoCode.BAD_VALUE.failure("offerThroughput or autoScaleSettings is missing");
    }

    private Bytes getDatabase(CommandRequest request) {
        Database database = requireDatabase(request);
        Doc reply = new Doc().put("database", database.name());
        describe(request.context(), database.rid(), reply);
        return reply.ok();
    }

    private Database requireDatabase(CommandRequest request) {
        return catalogue
                .findDatabase(request.context(), request.database())
                .orElseThrow(
                        () ->
                                MongoCode.NAMESPACE_NOT_FOUND.failure(
                                        "Database " + request.database() + " does not exist."));
    }

    private static Namespace collection(CommandRequest request) {
        return new Namespace(request.database(), request.arguments().requiredText("collection"));
    }

    private Bytes createCollection(CommandRequest request) {
        Namespace namespace = collection(request);
        List<NamedIndex> indexes =
                request.arguments()
                        .array("indexes")
                        .map(IndexCommands::ofNewCollection)
                        .orElse(List.of());
        try {
            catalogue.create(
                    request.context(),
                    namespace,
                    request.arguments().text("shardKey").map(ShardingCommands::path),
                    indexes,
                    throughput(request));
        } catch (OrreryException exists) {
            if (exists.code() != ErrorCode.CONFLICT) {
                throw exists;
            }
            throw MongoCode.NAMESPACE_EXISTS.failure(
                    "Collection " + namespace + " already exists.");
        }
        return new Doc().ok();
    }

    private Bytes updateCollection(CommandRequest request) {
        Namespace namespace = collection(request);
        ContainerRef.Resolved found = catalogue.require(request.context(), namespace);
        Optional<Throughput> throughput = throughput(request);
        if (throughput.isPresent()) {
            Offer offer =
                    resources
                            .findOffer(request.context(), found.container().rid())
                            .orElseThrow(
                                    () ->
                                            MongoCode.ILLEGAL_OPERATION.failure(
                                                    "Collection "
                                                            + namespace
                                                            + " shares the throughput of its"
                                                            + " database"));
            resources.replaceOffer(request.context(), offer.rid(), throughput.get());
        }
        request.arguments()
                .array("indexes")
                .map(IndexCommands::ofNewCollection)
                .ifPresent(
                        indexes ->
                                resources.indexes().change(request.context(), found, _ -> indexes));
        return new Doc().ok();
    }

    private Bytes getCollection(CommandRequest request) {
        Namespace namespace = collection(request);
        Container container = catalogue.require(request.context(), namespace).container();
        Doc reply =
                new Doc()
                        .put("database", namespace.database())
                        .put("collection", namespace.collection());
        Catalogue.shardKey(container)
                .ifPresent(
                        path ->
                                reply.put(
                                        "shardKeyDefinition",
                                        new Doc().put(Catalogue.dotted(path), "hashed")));
        describe(request.context(), container.rid(), reply);
        reply.put("maxContentLength", container.definition().kind().limits().maxItemBytes());
        if (request.arguments().flag("showIndexes", false)) {
            reply.put("indexes", IndexCommands.documents(container));
        }
        return reply.ok();
    }

    private void describe(RequestContext context, ResourceId owner, Doc reply) {
        resources
                .findOffer(context, owner)
                .ifPresent(
                        offer -> {
                            switch (offer.throughput()) {
                                case Throughput.Manual manual ->
                                        reply.put("provisionedThroughput", manual.requestUnits());
                                case Throughput.Autoscale scaling ->
                                        reply.put(
                                                        "provisionedThroughput",
                                                        scaling.maxRequestUnits() / AUTOSCALE_PART)
                                                .put(
                                                        "autoScaleSettings",
                                                        new Doc()
                                                                .put(
                                                                        "maxThroughput",
                                                                        scaling.maxRequestUnits()));
                            }
                        });
    }

    private static Optional<Throughput> throughput(CommandRequest request) {
        OptionalLong manual = request.arguments().whole("offerThroughput");
        Optional<Arguments> scaling = request.arguments().inner("autoScaleSettings");
        if (manual.isPresent() && scaling.isPresent()) {
            throw MongoCode.BAD_VALUE.failure(
                    "offerThroughput and autoScaleSettings exclude each other");
        }
        if (scaling.isPresent()) {
            scaling.get().allowOnly(Set.of("maxThroughput"));
            long max =
                    scaling.get()
                            .whole("maxThroughput")
                            .orElseThrow(() -> scaling.get().missing("maxThroughput"));
            return Optional.of(new Throughput.Autoscale(bounded(max), OptionalInt.empty()));
        }
        return manual.isPresent()
                ? Optional.of(new Throughput.Manual(bounded(manual.getAsLong())))
                : Optional.empty();
    }

    private static int bounded(long requestUnits) {
        if (requestUnits != (int) requestUnits) {
            throw MongoCode.BAD_VALUE.failure(requestUnits + " is not a possible throughput");
        }
        return (int) requestUnits;
    }
}
