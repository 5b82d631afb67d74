package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Resources;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.ItemValidator;
import orrery.model.NamedIndex;
import orrery.model.NamedIndexes;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.model.RequestContext;
import orrery.model.Throughput;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.query.mongo.MongoCode;

/** Databases and collections as this API sees those of the engine. */
final class Catalogue {
    /** The throughput of a collection whose creator asks for none, as in the service. */
    static final int DEFAULT_THROUGHPUT = 400;

    private static final int HASH_VERSION = 2;

    private final Resources resources;

    Catalogue(Resources resources) {
        this.resources = resources;
    }

    // ---- databases

    Optional<Database> findDatabase(RequestContext context, String name) {
        return present(() -> resources.resolve(context, new ResourceRef.Named(name)));
    }

    Database databaseOrNew(RequestContext context, String name, Optional<Throughput> throughput) {
        Optional<Database> present = findDatabase(context, name);
        if (present.isPresent()) {
            return present.get();
        }
        Namespace.checkDatabase(name);
        try {
            return resources.createDatabase(context, name, throughput);
        } catch (OrreryException lost) {
            if (lost.code() != ErrorCode.DATABASE_EXISTS) {
                throw lost;
            }
            return resources.resolve(context, new ResourceRef.Named(name));
        }
    }

    /** Those that have a collection, or nothing at all: others belong to other APIs. */
    List<Database> databases(RequestContext context) {
        return all(page -> resources.listDatabases(context, page)).stream()
                .filter(
                        database -> {
                            List<Container> containers = containers(context, database);
                            return containers.isEmpty()
                                    || containers.stream().anyMatch(Catalogue::isCollection);
                        })
                .toList();
    }

    // ---- collections

    List<Container> collections(RequestContext context, String database) {
        return findDatabase(context, database)
                .map(
                        found ->
                                containers(context, found).stream()
                                        .filter(Catalogue::isCollection)
                                        .toList())
                .orElse(List.of());
    }

    private List<Container> containers(RequestContext context, Database database) {
        return all(page -> resources.listContainers(context, database, page));
    }

    private static boolean isCollection(Container container) {
        return container.definition().kind() == ContainerKind.MONGODB;
    }

    /** Finds a collection. One that another client's write is just making is waited for. */
    Optional<ContainerRef.Resolved> find(RequestContext context, Namespace namespace) {
        Optional<ContainerRef.Resolved> found =
                present(
                        () ->
                                resources.resolve(
                                        context,
                                        namespace.container(),
                                        ContainerRef.Role.AWAITED_OWNER));
        found.filter(resolved -> !isCollection(resolved.container()))
                .ifPresent(
                        _ -> {
                            throw MongoCode.ILLEGAL_OPERATION.failure(
                                    "namespace "
                                            + namespace
                                            + " is a container of another API, which this one does"
                                            + " not serve");
                        });
        return found;
    }

    ContainerRef.Resolved require(RequestContext context, Namespace namespace) {
        return find(context, namespace)
                .orElseThrow(
                        () ->
                                MongoCode.NAMESPACE_NOT_FOUND.failure(
                                        "ns does not exist: " + namespace));
    }

    /** Returns the collection as it is now, if there is one. */
    Optional<Container> present(CommandRequest request, Namespace namespace) {
        return find(request.context(), namespace).map(ContainerRef.Resolved::container);
    }

    /**
     * A write makes the collection that it goes to; not in a transaction, which could not abort it.
     */
    ContainerRef.Resolved findOrCreate(CommandRequest request, Namespace namespace) {
        RequestContext context = request.context();
        Optional<ContainerRef.Resolved> found = find(context, namespace);
        if (found.isPresent()) {
            return found.get();
        }
        if (request.isInTransaction()) {
            throw MongoCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION.failure(
                    "Cannot create namespace "
                            + namespace
                            + " in multi-document transaction. Create the collection first.");
        }
        try {
            create(context, namespace, Optional.empty(), List.of(), Optional.empty());
        } catch (OrreryException lost) {
            if (lost.code() != ErrorCode.CONFLICT) {
                throw lost;
            }
        }
        return require(context, namespace);
    }

    /**
     * @param shardKey the path of the partition key; absent for a collection in one piece
     * @param throughput absent for that of the database, or the usual one
     */
    Container create(
            RequestContext context,
            Namespace namespace,
            Optional<PropertyPath> shardKey,
            List<NamedIndex> indexes,
            Optional<Throughput> throughput) {
        return create(context, namespace, definition(shardKey, indexes), throughput);
    }

    /** Makes a collection in one piece, whose documents are held to a rule. */
    Container create(
            RequestContext context, Namespace namespace, Optional<ItemValidator> validator) {
        ContainerDefinition plain = definition(Optional.empty(), List.of());
        return create(context, namespace, plain.withValidator(validator), Optional.empty());
    }

    private Container create(
            RequestContext context,
            Namespace namespace,
            ContainerDefinition definition,
            Optional<Throughput> throughput) {
        Database database = databaseOrNew(context, namespace.database(), Optional.empty());
        Optional<Throughput> own =
                throughput.isPresent() || resources.findOffer(context, database.rid()).isPresent()
                        ? throughput
                        : Optional.of(new Throughput.Manual(DEFAULT_THROUGHPUT));
        return resources.createContainer(
                context, database, namespace.collection(), definition, own);
    }

    /** Changes what the documents of a collection are held to, from the next write on. */
    void changeValidator(
            RequestContext context,
            Namespace namespace,
            UnaryOperator<Optional<ItemValidator>> change) {
        while (true) {
            ContainerRef.Resolved found = require(context, namespace);
            ContainerDefinition present = found.container().definition();
            Optional<ItemValidator> wanted = change.apply(present.validator());
            if (wanted.equals(present.validator())) {
                return;
            }
            try {
                resources.replaceContainer(
                        context,
                        found,
                        present.withValidator(wanted),
                        new Precondition.Matches(found.container().etag()));
                return;
            } catch (OrreryException overtaken) {
                if (overtaken.code() != ErrorCode.PRECONDITION_FAILED) {
                    throw overtaken;
                }
            }
        }
    }

    /**
     * Makes a collection that is to take the place of another, or of none.
     *
     * @param replaced in one piece; its indexes and its throughput are those of the new one
     */
    ContainerRef.Resolved createLike(
            RequestContext context, Namespace namespace, Optional<Container> replaced) {
        if (replaced.isEmpty()) {
            create(context, namespace, Optional.empty(), List.of(), Optional.empty());
        } else {
            Database database = databaseOrNew(context, namespace.database(), Optional.empty());
            resources.createContainer(
                    context,
                    database,
                    namespace.collection(),
                    replaced.get()
                            .definition()
                            .withPartitionKey(key(Optional.empty()))
                            .withIndexes(ready(replaced.get().definition().indexes())),
                    resources.findOffer(context, replaced.get().rid()).map(Offer::throughput));
        }
        return require(context, namespace);
    }

    /** Gives a collection the name of another, which is gone then. */
    void takeName(
            RequestContext context,
            ContainerRef.Resolved collection,
            String name,
            Optional<ContainerRef.Resolved> replaced) {
        resources.takeName(context, collection, name, replaced.map(ContainerRef.class::cast));
    }

    void drop(RequestContext context, ContainerRef.Resolved collection) {
        resources.deleteContainer(context, collection, Precondition.NONE);
    }

    private static ContainerDefinition definition(
            Optional<PropertyPath> shardKey, List<NamedIndex> indexes) {
        return NamedIndexes.define(
                new ContainerDefinition(
                                key(shardKey),
                                IndexingPolicy.DEFAULT,
                                ContainerDefinition.ConflictResolution.DEFAULT,
                                ContainerDefinition.Geospatial.GEOGRAPHY)
                        .withKind(ContainerKind.MONGODB),
                indexes);
    }

    private static PartitionKeyDefinition key(Optional<PropertyPath> shardKey) {
        return new PartitionKeyDefinition(
                shardKey.stream().toList(), PartitionKeyDefinition.Kind.HASH, HASH_VERSION, false);
    }

    /** A new collection has nothing that an index would have to be built of. */
    private static List<NamedIndex> ready(List<NamedIndex> indexes) {
        return indexes.stream().map(index -> index.withState(NamedIndex.State.READY)).toList();
    }

    /** The path of the shard key; absent for a collection in one piece. */
    static Optional<PropertyPath> shardKey(Container container) {
        return container.isKeyless()
                ? Optional.empty()
                : Optional.of(container.definition().partitionKey().paths().getFirst());
    }

    static String dotted(PropertyPath path) {
        return String.join(".", path.segments());
    }

    private static <T> Optional<T> present(java.util.function.Supplier<T> call) {
        try {
            return Optional.of(call.get());
        } catch (OrreryException missing) {
            return switch (missing.code()) {
                case OWNER_NOT_FOUND, NOT_FOUND -> Optional.empty();
                default -> throw missing;
            };
        }
    }

    private static <T> List<T> all(Function<PageRequest, Page<T>> pages) {
        List<T> all = new ArrayList<>();
        Optional<String> continuation = Optional.empty();
        do {
            Page<T> page = pages.apply(new PageRequest(OptionalInt.empty(), continuation));
            all.addAll(page.resources());
            continuation = page.continuation();
        } while (continuation.isPresent());
        return all;
    }
}
