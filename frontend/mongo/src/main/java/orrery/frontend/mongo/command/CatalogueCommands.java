package orrery.frontend.mongo.command;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import orrery.document.BsonCodec;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ContainerUsage;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Resources;
import orrery.gateway.api.Streams;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.ItemValidator;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.expression.ValueText;
import orrery.query.mongo.match.MatchContext;
import orrery.query.mongo.match.Matcher;

/** The commands that make, list and drop databases and collections. */
final class CatalogueCommands {
    private static final Optional<Value.Obj> ID_KEY = Optional.of(new Doc().put("_id", 1).build());

    private final Resources resources;
    private final Streams streams;
    private final Catalogue catalogue;
    private final Batches batches;
    private final Clock clock;

    CatalogueCommands(
            Resources resources,
            Streams streams,
            Catalogue catalogue,
            Batches batches,
            Clock clock) {
        this.resources = resources;
        this.streams = streams;
        this.catalogue = catalogue;
        this.batches = batches;
        this.clock = clock;
    }

    void addTo(CommandTable table) {
        table.manage(
                        "create",
                        Set.of(
                                "capped",
                                "size",
                                "max",
                                "validator",
                                "validationLevel",
                                "validationAction",
                                "viewOn",
                                "pipeline",
                                "collation",
                                "timeseries",
                                "expireAfterSeconds",
                                "clusteredIndex",
                                "changeStreamPreAndPostImages",
                                "storageEngine",
                                "encryptedFields",
                                "autoIndexId",
                                "flags",
                                "idIndex",
                                "indexOptionDefaults"),
                        this::create)
                .manage("drop", Set.of("encryptedFields"), this::drop)
                .manage("dropDatabase", Set.of(), this::dropDatabase)
                .read(
                        "listDatabases",
                        Set.of("nameOnly", "filter", "authorizedDatabases"),
                        this::listDatabases)
                .read(
                        "listCollections",
                        Set.of("filter", "nameOnly", "authorizedCollections", "cursor"),
                        this::listCollections)
                .read("collStats", Set.of("scale"), this::collectionStatistics)
                .alias("collstats", "collStats")
                .read("dbStats", Set.of("scale", "freeStorage"), this::databaseStatistics)
                .alias("dbstats", "dbStats");
    }

    // ---- create and drop

    private Bytes create(CommandRequest request) {
        Namespace namespace = request.namespace();
        for (String name : request.arguments().properties().keySet()) {
            switch (name) {
                case "viewOn",
                        "pipeline",
                        "timeseries",
                        "clusteredIndex",
                        "collation",
                        "encryptedFields",
                        "size",
                        "max",
                        "expireAfterSeconds",
                        "storageEngine",
                        "flags",
                        "indexOptionDefaults" ->
                        throw MongoCode.INVALID_OPTIONS.failure(
                                "the option '" + name + "' of create is not supported");
                default -> {}
            }
        }
        if (request.arguments().flag("capped", false)) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "the option 'capped' of create is not supported");
        }
        if (!request.arguments().flag("autoIndexId", true)) {
            throw MongoCode.INVALID_OPTIONS.failure("every collection has an index of _id");
        }
        request.arguments()
                .inner("idIndex")
                .filter(index -> !index.document("key").equals(ID_KEY))
                .ifPresent(
                        _ -> {
                            throw MongoCode.BAD_VALUE.failure(
                                    "The field 'key' for an _id index must be {_id: 1}");
                        });
        boolean keepsImages = keepsImages(request).orElse(false);
        Optional<ItemValidator> validator = Validators.read(request.arguments(), Optional.empty());
        try {
            catalogue.create(request.context(), namespace, validator);
            if (keepsImages) {
                streams.keepVersions(request.context(), namespace.container(), true);
            }
        } catch (OrreryException exists) {
            if (exists.code() != ErrorCode.CONFLICT) {
                throw exists;
            }
            // Servers since 7.0 agree: a collection with the same options is what was asked for.
            requireSame(request, namespace, validator);
        }
        return new Doc().ok();
    }

    private void requireSame(
            CommandRequest request, Namespace namespace, Optional<ItemValidator> validator) {
        catalogue
                .present(request, namespace)
                .filter(present -> !present.definition().validator().equals(validator))
                .ifPresent(
                        present -> {
                            throw MongoCode.NAMESPACE_EXISTS.failure(
                                    "namespace "
                                            + namespace
                                            + " already exists, but with different options: "
                                            + ValueText.of(options(present).build()));
                        });
    }

    /** Returns what a command says of the images of changes, if it does. */
    static Optional<Boolean> keepsImages(CommandRequest request) {
        Optional<Arguments> images = request.arguments().inner("changeStreamPreAndPostImages");
        images.ifPresent(options -> options.allowOnly(Set.of("enabled")));
        return images.map(
                options -> {
                    if (options.find("enabled").isEmpty()) {
                        throw options.missing("enabled");
                    }
                    return options.flag("enabled", false);
                });
    }

    private Bytes drop(CommandRequest request) {
        Namespace namespace = request.namespace();
        if (request.arguments().find("encryptedFields").isPresent()) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "the option 'encryptedFields' of drop is not supported");
        }
        Optional<ContainerRef.Resolved> found = catalogue.find(request.context(), namespace);
        if (found.isEmpty()) {
            return new Doc().ok();
        }
        int indexes = found.get().container().definition().indexes().size() + 1;
        resources.deleteContainer(request.context(), found.get(), Precondition.NONE);
        return new Doc().put("nIndexesWas", indexes).put("ns", namespace.toString()).ok();
    }

    /** A database that other APIs use as well keeps what is theirs. */
    private Bytes dropDatabase(CommandRequest request) {
        Namespace.checkDatabase(request.database());
        Optional<Database> found = catalogue.findDatabase(request.context(), request.database());
        if (found.isPresent()) {
            for (Container each : catalogue.collections(request.context(), request.database())) {
                resources.deleteContainer(
                        request.context(),
                        new Namespace(request.database(), each.name()).container(),
                        Precondition.NONE);
            }
            if (resources
                    .listContainers(
                            request.context(), found.get(), orrery.gateway.api.PageRequest.FIRST)
                    .resources()
                    .isEmpty()) {
                resources.deleteDatabase(
                        request.context(),
                        new ResourceRef.Named(request.database()),
                        Precondition.NONE);
            }
        }
        return new Doc().put("dropped", request.database()).ok();
    }

    // ---- lists

    private Bytes listDatabases(CommandRequest request) {
        Matcher filter = filter(request);
        boolean nameOnly = request.arguments().flag("nameOnly", false);
        List<Value> rows = new ArrayList<>();
        long total = 0;
        for (Database database : catalogue.databases(request.context())) {
            Doc row = new Doc().put("name", database.name());
            if (!nameOnly) {
                long bytes = 0;
                for (Container each : catalogue.collections(request.context(), database.name())) {
                    ContainerUsage usage =
                            usage(request, new Namespace(database.name(), each.name()));
                    bytes += usage.itemBytes() + usage.indexBytes();
                }
                total += bytes;
                row.putInt64("sizeOnDisk", bytes).put("empty", bytes == 0);
            }
            Value.Obj built = row.build();
            if (filter.matches(built)) {
                rows.add(built);
            }
        }
        Doc reply = new Doc().put("databases", rows);
        if (!nameOnly) {
            reply.putInt64("totalSize", total).putInt64("totalSizeMb", total >> 20);
        }
        return reply.ok();
    }

    private Bytes listCollections(CommandRequest request) {
        Matcher filter = filter(request);
        boolean nameOnly = request.arguments().flag("nameOnly", false);
        List<Bytes> rows = new ArrayList<>();
        for (Container each : catalogue.collections(request.context(), request.database())) {
            Value.Obj whole =
                    new Doc()
                            .put("name", each.name())
                            .put("type", "collection")
                            .put("options", options(each))
                            .put("info", new Doc().put("readOnly", false).put("uuid", uuid(each)))
                            .put("idIndex", IndexCommands.idIndex())
                            .build();
            if (filter.matches(whole)) {
                rows.add(
                        BsonCodec.write(
                                nameOnly
                                        ? new Doc()
                                                .put("name", each.name())
                                                .put("type", "collection")
                                                .build()
                                        : whole));
            }
        }
        return batches.first(request, request.database() + ".$cmd.listCollections", rows);
    }

    private static Doc options(Container collection) {
        Doc options = new Doc();
        if (collection.definition().changeRetentionMinutes() > 0) {
            options.put("changeStreamPreAndPostImages", new Doc().put("enabled", true));
        }
        Validators.show(collection.definition(), options);
        return options;
    }

    private Matcher filter(CommandRequest request) {
        return Matcher.compile(
                request.arguments().document("filter").orElseGet(() -> new Doc().build()),
                MatchContext.of(clock.instant()));
    }

    /** The number of a container is never given to another, so an id made of it is its own. */
    private static BsonValue.Binary uuid(Container container) {
        UUID id =
                UUID.nameUUIDFromBytes(
                        ("collection " + container.rid()).getBytes(StandardCharsets.UTF_8));
        return new BsonValue.Binary(
                4,
                Bytes.wrap(
                        ByteBuffer.allocate(2 * Long.BYTES)
                                .putLong(id.getMostSignificantBits())
                                .putLong(id.getLeastSignificantBits())
                                .array()));
    }

    // ---- statistics

    private ContainerUsage usage(CommandRequest request, Namespace namespace) {
        return resources.readUsage(request.context(), namespace.container());
    }

    private static long scale(CommandRequest request) {
        long scale = request.arguments().whole("scale").orElse(1);
        if (scale < 1) {
            throw MongoCode.failure(51024, "BSON field 'scale' value must be >= 1");
        }
        return scale;
    }

    private Bytes collectionStatistics(CommandRequest request) {
        Namespace namespace = request.namespace();
        return statistics(request, namespace, scale(request)).ok();
    }

    /** The numbers of a collection; all are zero for one that does not exist. */
    Doc statistics(CommandRequest request, Namespace namespace, long scale) {
        Optional<ContainerRef.Resolved> found = catalogue.find(request.context(), namespace);
        Optional<ContainerUsage> usage =
                found.map(resolved -> resources.readUsage(request.context(), resolved));
        long items = usage.map(ContainerUsage::items).orElse(0L);
        long itemBytes = usage.map(ContainerUsage::itemBytes).orElse(0L);
        long indexBytes = usage.map(ContainerUsage::indexBytes).orElse(0L);
        int indexes =
                found.map(resolved -> resolved.container().definition().indexes().size() + 1)
                        .orElse(0);
        Doc reply =
                new Doc()
                        .put("ns", namespace.toString())
                        .putCount("size", itemBytes / scale)
                        .putCount("count", items);
        if (items > 0) {
            reply.putCount("avgObjSize", itemBytes / items);
        }
        return reply.putCount("storageSize", itemBytes / scale)
                .putCount("freeStorageSize", 0)
                .put("capped", false)
                .put("nindexes", indexes)
                .put("indexBuilds", List.of())
                .putCount("totalIndexSize", indexBytes / scale)
                .putCount("totalSize", (itemBytes + indexBytes) / scale)
                .put("indexSizes", new Doc())
                .putCount("scaleFactor", scale)
                .put(
                        "sharded",
                        found.flatMap(resolved -> Catalogue.shardKey(resolved.container()))
                                .isPresent());
    }

    private Bytes databaseStatistics(CommandRequest request) {
        long scale = scale(request);
        long items = 0;
        long itemBytes = 0;
        long indexBytes = 0;
        int indexes = 0;
        List<Container> collections = catalogue.collections(request.context(), request.database());
        for (Container each : collections) {
            ContainerUsage usage = usage(request, new Namespace(request.database(), each.name()));
            items += usage.items();
            itemBytes += usage.itemBytes();
            indexBytes += usage.indexBytes();
            indexes += each.definition().indexes().size() + 1;
        }
        Doc free = new Doc();
        if (request.arguments().flag("freeStorage", false)) {
            // Files are shared by all databases, so none of their space is one's own.
            free.put("freeStorageSize", 0).put("indexFreeStorageSize", 0);
        }
        return new Doc()
                .put("db", request.database())
                .putCount("collections", collections.size())
                .put("views", 0)
                .putCount("objects", items)
                .putDouble("avgObjSize", items == 0 ? 0 : (double) itemBytes / items)
                .putDouble("dataSize", (double) itemBytes / scale)
                .putDouble("storageSize", (double) itemBytes / scale)
                .put("indexes", indexes)
                .putDouble("indexSize", (double) indexBytes / scale)
                .putDouble("totalSize", (double) (itemBytes + indexBytes) / scale)
                .putCount("scaleFactor", scale)
                .putAll(free.build())
                .ok();
    }
}
