package orrery.gateway.fake;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ContainerReport;
import orrery.gateway.api.ContainerUsage;
import orrery.gateway.api.Indexes;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Resources;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.KeyRange;
import orrery.model.NamedIndexes;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RangeBoundaries;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.Throughput;
import orrery.model.ThroughputBuckets;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;

/**
 * Databases, containers and offers in memory. A container has a range for every 10,000 RU/s it is
 * created with.
 */
public final class FakeResources implements Resources {
    private static final int RU_PER_RANGE = 10_000;

    private final Map<Integer, Database> databases = new LinkedHashMap<>();
    private final Map<Integer, Container> containers = new LinkedHashMap<>();
    private final Map<Integer, Offer> offers = new LinkedHashMap<>();
    private final Map<Integer, PartitionMap> maps = new LinkedHashMap<>();
    private final FakeScripts scripts = new FakeScripts();
    private final FakeUsers users = new FakeUsers(this);
    private final FakePermissions permissions = new FakePermissions(users);
    private final FakeClientEncryptionKeys encryptionKeys = new FakeClientEncryptionKeys(this);
    private final FakeTableSettings tableSettings = new FakeTableSettings(this);
    private int nextNumber = 1;

    /** True if a new throughput is said to wait for splits. */
    public volatile boolean splitsTakeAWhile;

    /** How often a database was looked up. */
    public int databasesSought;

    /** The context of the last call that found a database or a container. */
    public Optional<RequestContext> lastContext = Optional.empty();

    @Override
    public FakeScripts scripts() {
        return scripts;
    }

    @Override
    public FakeUsers users() {
        return users;
    }

    @Override
    public FakePermissions permissions() {
        return permissions;
    }

    /** The names of all tables. */
    synchronized List<String> tableNames() {
        return containers.values().stream()
                .filter(container -> container.definition().kind() == ContainerKind.TABLE)
                .map(Container::name)
                .toList();
    }

    @Override
    public Indexes indexes() {
        return (context, ref, change) -> {
            synchronized (this) {
                ContainerDefinition present = readContainer(context, ref).definition();
                return replaceContainer(
                        context,
                        ref,
                        NamedIndexes.define(present, change.apply(present.indexes())),
                        Precondition.NONE);
            }
        };
    }

    @Override
    public FakeTableSettings tableSettings() {
        return tableSettings;
    }

    @Override
    public FakeClientEncryptionKeys clientEncryptionKeys() {
        return encryptionKeys;
    }

    @Override
    public synchronized Database createDatabase(
            RequestContext context, String name, Optional<Throughput> throughput) {
        if (databases.values().stream().anyMatch(database -> database.name().equals(name))) {
            throw new OrreryException(ErrorCode.DATABASE_EXISTS, "exists");
        }
        int number = nextNumber++;
        Database database = new Database(number, name, new Etag(number, 0), FakeItems.NOW_MILLIS);
        databases.put(number, database);
        throughput.ifPresent(reserved -> offer(number, 0, reserved));
        return database;
    }

    private void offer(int database, int container, Throughput throughput) {
        int number = nextNumber++;
        offers.put(
                number,
                new Offer(
                        number,
                        database,
                        container,
                        throughput,
                        throughput.ceiling(),
                        new Etag(number, 0),
                        FakeItems.NOW_MILLIS));
    }

    @Override
    public synchronized Database readDatabase(RequestContext context, ResourceRef ref) {
        lastContext = Optional.of(context);
        databasesSought++;
        return databases.values().stream()
                .filter(database -> isNamed(ref, database.name(), database.rid()))
                .findFirst()
                .orElseThrow(() -> new OrreryException(ErrorCode.NOT_FOUND, "no database"));
    }

    private static boolean isNamed(ResourceRef ref, String name, ResourceId rid) {
        return switch (ref) {
            case ResourceRef.Named(String wanted) -> name.equals(wanted);
            case ResourceRef.Identified(ResourceId wanted) -> rid.equals(wanted);
        };
    }

    @Override
    public synchronized void deleteDatabase(
            RequestContext context, ResourceRef ref, Precondition precondition) {
        Database database = readDatabase(context, ref);
        FakeItems.check(precondition, database.etag());
        databases.remove(database.number());
        containers.values().removeIf(container -> container.database() == database.number());
        offers.values().removeIf(offer -> offer.database() == database.number());
    }

    @Override
    public synchronized Page<Database> listDatabases(RequestContext context, PageRequest page) {
        return FakePages.page(List.copyOf(databases.values()), page);
    }

    @Override
    public synchronized Container createContainer(
            RequestContext context,
            Database database,
            String name,
            ContainerDefinition definition,
            Optional<Throughput> throughput) {
        int owner = database.number();
        if (containers.values().stream()
                .anyMatch(other -> other.database() == owner && other.name().equals(name))) {
            throw new OrreryException(ErrorCode.CONFLICT, "exists");
        }
        int number = nextNumber++;
        Container container =
                new Container(
                        number,
                        owner,
                        name,
                        definition,
                        definition.partitionKey().paths().isEmpty(),
                        1,
                        1,
                        Container.State.ONLINE,
                        new Etag(number, 0),
                        FakeItems.NOW_MILLIS);
        Throughput reserved = throughput.orElse(new Throughput.Manual(400));
        List<PhysicalPartition> partitions = new ArrayList<>();
        for (KeyRange keys :
                RangeBoundaries.initial(
                        definition.partitionKey(),
                        Math.ceilDiv(reserved.ceiling(), RU_PER_RANGE))) {
            partitions.add(
                    new PhysicalPartition(
                            partitions.size(), keys, List.of(), 0, 1, 1, FakeItems.NOW_MILLIS));
        }
        containers.put(number, container);
        maps.put(number, new PartitionMap(1, partitions));
        offer(owner, number, reserved);
        return container;
    }

    @Override
    public synchronized Container readContainer(RequestContext context, ContainerRef ref) {
        lastContext = Optional.of(context);
        return switch (ref) {
            case ContainerRef.Addressed addressed ->
                    find(resolve(context, addressed.database()), addressed.container());
            case ContainerRef.Resolved resolved ->
                    Objects.requireNonNull(containers.get(resolved.container().number()));
        };
    }

    private Container find(Database database, ResourceRef ref) {
        return containers.values().stream()
                .filter(container -> container.database() == database.number())
                .filter(container -> isNamed(ref, container.name(), container.rid()))
                .findFirst()
                .orElseThrow(() -> new OrreryException(ErrorCode.NOT_FOUND, "no container"));
    }

    @Override
    public synchronized Database resolve(RequestContext context, ResourceRef ref) {
        try {
            return readDatabase(context, ref);
        } catch (OrreryException missing) {
            throw new OrreryException(ErrorCode.OWNER_NOT_FOUND, "no database", missing);
        }
    }

    @Override
    public synchronized ContainerRef.Resolved resolve(
            RequestContext context, ContainerRef.Addressed ref, ContainerRef.Role role) {
        Database database = resolve(context, ref.database());
        try {
            Container container = find(database, ref.container());
            return new ContainerRef.Resolved(database, container, map(container));
        } catch (OrreryException failure) {
            throw role == ContainerRef.Role.SUBJECT
                    ? failure
                    : failure.withCode(ErrorCode.OWNER_NOT_FOUND);
        }
    }

    @Override
    public ContainerReport inspect(RequestContext context, ContainerRef container, int keys) {
        throw new OrreryException(ErrorCode.NOT_IMPLEMENTED, "nothing to see here");
    }

    @Override
    public synchronized Container replaceContainer(
            RequestContext context,
            ContainerRef ref,
            ContainerDefinition definition,
            Precondition precondition) {
        Container old = readContainer(context, ref);
        FakeItems.check(precondition, old.etag());
        Container next =
                new Container(
                        old.number(),
                        old.database(),
                        old.name(),
                        definition,
                        old.fixed(),
                        old.nextSegment(),
                        old.definitionVersion() + 1,
                        old.state(),
                        new Etag(old.number(), old.definitionVersion()),
                        FakeItems.NOW_MILLIS);
        containers.put(old.number(), next);
        return next;
    }

    @Override
    public synchronized void deleteContainer(
            RequestContext context, ContainerRef ref, Precondition precondition) {
        Container container = readContainer(context, ref);
        FakeItems.check(precondition, container.etag());
        containers.remove(container.number());
        offers.values().removeIf(offer -> offer.container() == container.number());
    }

    @Override
    public synchronized Container takeName(
            RequestContext context,
            ContainerRef container,
            String name,
            Optional<ContainerRef> replaced) {
        Container taker = readContainer(context, container);
        replaced.ifPresent(ref -> deleteContainer(context, ref, Precondition.NONE));
        Container named = taker.named(name, taker.etag(), taker.timestampMillis());
        containers.put(named.number(), named);
        return named;
    }

    @Override
    public synchronized Page<Container> listContainers(
            RequestContext context, Database database, PageRequest page) {
        return FakePages.page(
                containers.values().stream()
                        .filter(container -> container.database() == database.number())
                        .toList(),
                page);
    }

    @Override
    public synchronized PartitionMap readPartitionMap(RequestContext context, ContainerRef ref) {
        return map(readContainer(context, ref));
    }

    @Override
    public synchronized ContainerUsage readUsage(RequestContext context, ContainerRef ref) {
        readContainer(context, ref);
        return new ContainerUsage(1, 22, 22, 10L << 30, 100, 1, 2, 3);
    }

    @Override
    public boolean isReplacePending(RequestContext context, Offer offer) {
        return splitsTakeAWhile;
    }

    @Override
    public synchronized Offer readOffer(RequestContext context, ResourceId rid) {
        return offers.values().stream()
                .filter(offer -> offer.rid().equals(rid))
                .findFirst()
                .orElseThrow(() -> new OrreryException(ErrorCode.NOT_FOUND, "no offer"));
    }

    @Override
    public synchronized Page<Offer> listOffers(RequestContext context, PageRequest page) {
        return FakePages.page(List.copyOf(offers.values()), page);
    }

    @Override
    public synchronized Optional<Offer> findOffer(RequestContext context, ResourceId resource) {
        return offers.values().stream()
                .filter(offer -> offer.resource().equals(resource))
                .findFirst();
    }

    @Override
    public synchronized Offer replaceOffer(
            RequestContext context,
            ResourceId rid,
            Throughput throughput,
            Optional<ThroughputBuckets> buckets,
            Precondition precondition) {
        Offer old = readOffer(context, rid);
        FakeItems.check(precondition, old.etag());
        Offer next =
                new Offer(
                        old.number(),
                        old.database(),
                        old.container(),
                        throughput,
                        Math.max(old.highestEver(), throughput.ceiling()),
                        new Etag(old.number(), 1),
                        FakeItems.NOW_MILLIS,
                        buckets.orElse(old.buckets()));
        offers.put(old.number(), next);
        return next;
    }

    @Override
    public synchronized Offer migrateOffer(
            RequestContext context, ResourceId rid, Throughput.Mode target) {
        int ceiling = readOffer(context, rid).throughput().ceiling();
        return replaceOffer(
                context,
                rid,
                switch (target) {
                    case MANUAL -> new Throughput.Manual(ceiling);
                    case AUTOSCALE -> new Throughput.Autoscale(Math.max(4000, ceiling));
                });
    }

    @Override
    public int minimumThroughput(RequestContext context, Offer offer) {
        return offer.throughput() instanceof Throughput.Autoscale ? 1000 : 400;
    }

    private PartitionMap map(Container container) {
        return Objects.requireNonNull(maps.get(container.number()));
    }
}
