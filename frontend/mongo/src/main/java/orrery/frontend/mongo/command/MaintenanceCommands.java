package orrery.frontend.mongo.command;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ContainerUsage;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.Items;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.gateway.api.Resources;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.query.QueryCall;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.aggregate.PipelineReader;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.find.FindStatement;
import orrery.query.mongo.validate.DocumentRule;

/** The commands that look after a collection. What the engine has no need of is refused by name. */
final class MaintenanceCommands {
    private static final QueryCall ALL =
            QueryCall.of(new FindStatement(FindOptions.of(FindOptions.NONE)));

    /** Commands of MongoDB that tools know, and that there is nothing for here. */
    private static final List<String> NOT_SUPPORTED =
            List.of(
                    "createUser",
                    "updateUser",
                    "dropUser",
                    "dropAllUsersFromDatabase",
                    "grantRolesToUser",
                    "revokeRolesFromUser",
                    "createRole",
                    "updateRole",
                    "dropRole",
                    "mapReduce",
                    "profile",
                    "setParameter",
                    "planCacheClear",
                    "reshardCollection",
                    "unshardCollection",
                    "fsync",
                    "fsyncUnlock",
                    "compact",
                    "connPoolStats",
                    "connPoolSync",
                    "convertToCapped",
                    "cloneCollectionAsCapped",
                    "dbHash",
                    "features",
                    "filemd5",
                    "getClusterParameter",
                    "setClusterParameter",
                    "setDefaultRWConcern",
                    "lockInfo",
                    "logRotate",
                    "planCacheClearFilters",
                    "planCacheListFilters",
                    "planCacheSetFilter",
                    "replSetGetConfig",
                    "replSetReconfig",
                    "replSetStepDown",
                    "rotateCertificates",
                    "setFeatureCompatibilityVersion",
                    "setIndexCommitQuorum",
                    "shutdown");

    /** Commands of Atlas about its search. */
    private static final List<String> SEARCH =
            List.of(
                    "createSearchIndexes",
                    "updateSearchIndex",
                    "dropSearchIndex",
                    "listSearchIndexes");

    private final Items items;
    private final Resources resources;
    private final Catalogue catalogue;
    private final CollectionUse use;

    MaintenanceCommands(Items items, Resources resources, Catalogue catalogue, CollectionUse use) {
        this.items = items;
        this.resources = resources;
        this.catalogue = catalogue;
        this.use = use;
    }

    void addTo(CommandTable table) {
        table.read(
                        "validate",
                        Set.of("full", "repair", "metadata", "background", "checkBSONConformance"),
                        this::validate)
                .read("dataSize", Set.of("keyPattern", "min", "max", "estimate"), this::dataSize)
                .manage("reIndex", Set.of(), MaintenanceCommands::reIndex)
                .read("top", Set.of(), this::top);
        for (String name : NOT_SUPPORTED) {
            table.readAny(name, request -> notSupported(request.name()));
        }
        for (String name : SEARCH) {
            table.readAny(name, request -> noSearch(request.name()));
        }
    }

    private static Bytes notSupported(String command) {
        throw MongoCode.COMMAND_NOT_SUPPORTED.failure(
                "the command " + command + " is not supported");
    }

    private static Bytes noSearch(String command) {
        throw PipelineReader.searchNotEnabled("the command " + command);
    }

    /** Indexes are always as their definition says. A member of a replica set refuses it, too. */
    private static Bytes reIndex(CommandRequest request) {
        throw MongoCode.ILLEGAL_OPERATION.failure(
                "reIndex is only allowed on a standalone mongod instance.");
    }

    // ---- validate

    /** Reads every document, and finds those that are no BSON or do not meet the validator. */
    private Bytes validate(CommandRequest request) {
        Namespace namespace = request.namespace();
        for (String name : List.of("repair", "metadata")) {
            if (request.arguments().flag(name, false)) {
                throw MongoCode.COMMAND_NOT_SUPPORTED.failure(
                        "the option '" + name + "' of validate is not supported");
            }
        }
        ContainerRef.Resolved container =
                catalogue
                        .find(request.context(), namespace)
                        .orElseThrow(
                                () ->
                                        MongoCode.NAMESPACE_NOT_FOUND.failure(
                                                "Collection '"
                                                        + namespace
                                                        + "' does not exist to validate."));
        Optional<DocumentRule> rule = Validators.rule(container.container().definition());
        long documents = 0;
        long invalid = 0;
        long unfit = 0;
        Optional<String> continuation = Optional.empty();
        do {
            QueryPage page =
                    items.query(
                            request.context(),
                            container,
                            new FeedScope.Everything(),
                            ALL,
                            new PageRequest(OptionalInt.empty(), continuation));
            request.charge(page.charge());
            for (Bytes row : page.rows()) {
                documents++;
                Optional<Value.Obj> document = document(row);
                if (document.isEmpty()) {
                    invalid++;
                } else if (rule.isPresent() && !rule.get().accepts(document.get())) {
                    unfit++;
                }
            }
            continuation = page.continuation();
        } while (continuation.isPresent());
        return new Doc()
                .put("ns", namespace.toString())
                .putCount("nInvalidDocuments", invalid)
                .putCount("nNonCompliantDocuments", unfit)
                .putCount("nrecords", documents)
                .put("nIndexes", container.container().definition().indexes().size() + 1)
                .put("valid", invalid == 0)
                .put("repaired", false)
                .putTexts(
                        "warnings",
                        unfit == 0
                                ? List.of()
                                : List.of(
                                        "Detected one or more documents not compliant with the"
                                                + " collection's schema."))
                .putTexts(
                        "errors", invalid == 0 ? List.of() : List.of("documents that are no BSON"))
                .ok();
    }

    /** Empty for what is no document. */
    private static Optional<Value.Obj> document(Bytes row) {
        try {
            return Optional.of(BsonCodec.read(row))
                    .filter(document -> document.properties().containsKey("_id"));
        } catch (OrreryException damaged) {
            return Optional.empty();
        }
    }

    // ---- top

    /** Clients may have asked for what is not there; only collections are shown. */
    private Bytes top(CommandRequest request) {
        RunningOperations.requireAdmin(request, "top");
        Map<String, Value.Obj> used = use.shown();
        Doc totals = new Doc().put("note", "all times in microseconds");
        for (Database database : catalogue.databases(request.context())) {
            for (Container each : catalogue.collections(request.context(), database.name())) {
                String name = database.name() + "." + each.name();
                Value.Obj work = used.get(name);
                if (work != null) {
                    totals.put(name, work);
                }
            }
        }
        return new Doc().put("totals", totals).ok();
    }

    // ---- dataSize

    private Bytes dataSize(CommandRequest request) {
        for (String name : List.of("keyPattern", "min", "max")) {
            if (request.arguments().find(name).isPresent()) {
                throw MongoCode.COMMAND_NOT_SUPPORTED.failure(
                        "the option '" + name + "' of dataSize is not supported");
            }
        }
        if (!(request.first() instanceof Value.Text(String full))) {
            throw request.arguments().mismatch("dataSize", request.first(), "string");
        }
        long start = System.nanoTime();
        Optional<ContainerUsage> usage =
                catalogue
                        .find(request.context(), Namespace.parse(full))
                        .map(container -> resources.readUsage(request.context(), container));
        return new Doc()
                .put("estimate", false)
                .putCount("size", usage.map(ContainerUsage::itemBytes).orElse(0L))
                .putCount("numObjects", usage.map(ContainerUsage::items).orElse(0L))
                .putCount("millis", (System.nanoTime() - start) / 1_000_000)
                .ok();
    }
}
