package orrery.gateway;

import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.api.Catalog;
import orrery.model.ChangedItem;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.ItemVersion;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.ScriptDefinition;
import orrery.model.Throughput;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.Budget;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;
import orrery.query.QueryRequest;
import orrery.script.ScriptEngine;

/** The engine behind the door: resources from the catalog, items from the partitions. */
public final class Gateway implements Engine {
    private static final int DEFAULT_RESOURCES_PER_PAGE = 100;
    private static final int MAX_RESOURCES_PER_PAGE = 1000;

    private final Catalog catalog;
    private final Resolver resolver;
    private final PartitionCalls partitions;
    private final ItemRouter items;
    private final BatchRouter batches;
    private final KeyDeleteRouter keyDeletes;
    private final FeedRouter feeds;
    private final ChangeRouter changes;
    private final QueryRouter queries;
    private final Continuations continuations;
    private final ServiceQuotas quotas;
    private final ScriptRouter scripts;
    private final Faults faults;

    /**
     * @param engine runs functions of users over what is merged here; shared with the partitions
     */
    public Gateway(
            Catalog catalog, PartitionService service, ScriptEngine engine, SecureRandom random) {
        this(catalog, service, engine, random, System::nanoTime);
    }

    /**
     * @param nanoTime by which quotas of the service are counted
     */
    Gateway(
            Catalog catalog,
            PartitionService service,
            ScriptEngine engine,
            SecureRandom random,
            LongSupplier nanoTime) {
        this.catalog = catalog;
        this.resolver = new Resolver(catalog);
        this.partitions = new PartitionCalls(service);
        this.continuations = new Continuations(catalog.sealingKey());
        this.faults = new Faults(random);
        this.items = new ItemRouter(resolver, partitions, faults, random);
        this.batches = new BatchRouter(resolver, partitions, faults, items);
        this.keyDeletes = new KeyDeleteRouter(resolver, partitions, faults, items);
        this.feeds = new FeedRouter(resolver, partitions, faults, continuations);
        this.changes = new ChangeRouter(resolver, partitions, faults, continuations);
        this.queries =
                new QueryRouter(
                        resolver,
                        partitions,
                        faults,
                        continuations,
                        new QueryFunctions(catalog, engine));
        this.quotas = new ServiceQuotas(nanoTime);
        this.scripts =
                new ScriptRouter(
                        catalog,
                        resolver,
                        continuations,
                        quotas,
                        faults,
                        new ScriptRuns(catalog, partitions, items),
                        engine);
    }

    @Override
    public Database createDatabase(
            RequestContext context, String name, Optional<Throughput> throughput) {
        Access.requireWrite(context);
        throughput.ifPresent(value -> rules().checkNewDatabase(value));
        quotas.countCreate(catalog.settings());
        return catalog.createDatabase(context, name, throughput);
    }

    @Override
    public Database readDatabase(RequestContext context, ResourceRef database) {
        quotas.countMetadata(catalog.settings());
        return resolver.database(database);
    }

    @Override
    public void deleteDatabase(
            RequestContext context, ResourceRef database, Precondition precondition) {
        Access.requireWrite(context);
        Database present = resolver.database(database);
        catalog.deleteDatabase(context, present, precondition);
        faults.clearDatabase(present.number());
    }

    @Override
    public Page<Database> listDatabases(RequestContext context, PageRequest page) {
        quotas.countMetadata(catalog.settings());
        return page("databases", page, catalog::databases, Database::number);
    }

    @Override
    public Container createContainer(
            RequestContext context,
            ResourceRef database,
            String name,
            ContainerDefinition definition,
            Optional<Throughput> throughput) {
        Access.requireWrite(context);
        Database owner = resolver.owner(database);
        boolean shares =
                throughput.isEmpty() && catalog.findDatabaseOffer(owner.number()).isPresent();
        Optional<Throughput> own =
                shares
                        ? Optional.empty()
                        : Optional.of(throughput.orElseGet(() -> rules().defaultFor(definition)));
        own.ifPresent(value -> rules().checkNewContainer(value, definition));
        ContainerRules.checkCreate(definition, shares);
        ComputedRules.check(definition);
        quotas.countCreate(catalog.settings());
        return catalog.createContainer(context, owner, name, definition, own);
    }

    @Override
    public Container readContainer(RequestContext context, ContainerRef container) {
        quotas.countMetadata(catalog.settings());
        return resolver.container(container);
    }

    @Override
    public Database readOwner(RequestContext context, ResourceRef database) {
        return resolver.owner(database);
    }

    @Override
    public Container readOwner(RequestContext context, ContainerRef container) {
        return resolver.owner(container);
    }

    @Override
    public Container replaceContainer(
            RequestContext context,
            ContainerRef container,
            ContainerDefinition definition,
            Precondition precondition) {
        Access.requireWrite(context);
        Container present = resolver.container(container);
        ContainerRules.checkReplace(present.definition(), definition);
        ComputedRules.check(definition);
        return catalog.replaceContainer(context, present, definition, precondition);
    }

    @Override
    public void deleteContainer(
            RequestContext context, ContainerRef container, Precondition precondition) {
        Access.requireWrite(context);
        Container present = resolver.container(container);
        catalog.deleteContainer(context, present, precondition);
        faults.clear(present.number());
    }

    @Override
    public Page<Container> listContainers(
            RequestContext context, ResourceRef database, PageRequest page) {
        quotas.countMetadata(catalog.settings());
        int owner = resolver.owner(database).number();
        return page(
                "containers of " + owner,
                page,
                (after, limit) -> catalog.containers(owner, after, limit),
                Container::number);
    }

    @Override
    public PartitionMap readPartitionMap(RequestContext context, ContainerRef container) {
        quotas.countMetadata(catalog.settings());
        return catalog.partitionMap(resolver.owner(container));
    }

    @Override
    public ContainerUsage readUsage(RequestContext context, ContainerRef ref) {
        return usage(context, resolver.container(ref));
    }

    private ContainerUsage usage(RequestContext context, Container container) {
        long items = 0;
        long itemBytes = 0;
        long indexBytes = 0;
        long indexedItems = 0;
        for (PartitionResponse.Description description : describe(context, container)) {
            items += description.items();
            itemBytes += description.itemBytes();
            indexBytes += description.indexBytes();
            indexedItems += description.items() * description.reindexPercent() / 100;
        }
        return new ContainerUsage(
                items,
                itemBytes,
                indexBytes,
                maxBytes(container),
                items == 0 ? 100 : (int) (indexedItems * 100 / items),
                catalog.countScripts(container, ScriptDefinition.Kind.PROCEDURE),
                catalog.countScripts(container, ScriptDefinition.Kind.TRIGGER),
                catalog.countScripts(container, ScriptDefinition.Kind.FUNCTION));
    }

    private List<PartitionResponse.Description> describe(
            RequestContext context, Container container) {
        return onEachPartition(
                context,
                container,
                partition ->
                        (PartitionResponse.Description)
                                partitions.call(
                                        context,
                                        partition,
                                        new PartitionRequest.Describe(
                                                new PartitionId(
                                                        container.number(), partition.range()))));
    }

    /** Every partition at about one moment; from the start where one was split under way. */
    private <T> List<T> onEachPartition(
            RequestContext context, Container container, Function<PhysicalPartition, T> question) {
        while (true) {
            PartitionMap map = catalog.partitionMap(container);
            try {
                return map.partitions().stream().map(question).toList();
            } catch (OrreryException failure) {
                if (!Resolver.hasMoved(failure)) {
                    throw failure;
                }
                resolver.awaitNewMap(context, container, map, failure);
            }
        }
    }

    @Override
    public ContainerReport inspect(RequestContext context, ContainerRef ref, int keys) {
        Container container = resolver.container(ref);
        return new ContainerReport(
                container,
                catalog.findContainerOffer(container.number())
                        .or(() -> catalog.findDatabaseOffer(container.database())),
                onEachPartition(
                        context,
                        container,
                        partition -> report(context, container, partition, keys)),
                catalog.reshapeEvents(container),
                container.isKeyless()
                        ? catalog.settings().fixedMaxBytes()
                        : catalog.settings().logicalPartitionMaxBytes());
    }

    private ContainerReport.Partition report(
            RequestContext context, Container container, PhysicalPartition partition, int keys) {
        PartitionId id = new PartitionId(container.number(), partition.range());
        PartitionResponse.Inspection seen =
                (PartitionResponse.Inspection)
                        partitions.call(context, partition, new PartitionRequest.Inspect(id, keys));
        return new ContainerReport.Partition(
                partition,
                seen.description().items(),
                seen.description().itemBytes(),
                seen.description().indexBytes(),
                seen.description().reindexPercent(),
                seen.budget().map(Budget::ruPerSecond).orElse(0.0),
                seen.budget().flatMap(Budget::slot).isPresent(),
                seen.lastSecond(),
                seen.lastMinute(),
                seen.lastHour(),
                seen.largestKeys(),
                seen.hottestKeys());
    }

    @Override
    public boolean isReplacePending(RequestContext context, Offer offer) {
        return catalog.isScaling(offer);
    }

    @Override
    public PartitionMap splitPartition(RequestContext context, ContainerRef container, int range) {
        Access.requireWrite(context);
        return catalog.splitPartition(context, resolver.container(container), range);
    }

    @Override
    public PartitionMap mergePartitions(RequestContext context, ContainerRef container, int left) {
        Access.requireWrite(context);
        return catalog.mergePartitions(context, resolver.container(container), left);
    }

    @Override
    public PartitionMap redistribute(
            RequestContext context, ContainerRef ref, Redistribution wanted) {
        Access.requireWrite(context);
        Container container = resolver.container(ref);
        Offer offer =
                catalog.findContainerOffer(container.number())
                        .orElseThrow(
                                () ->
                                        new OrreryException(
                                                ErrorCode.BAD_REQUEST,
                                                "The container shares the throughput of its"
                                                        + " database, whose parts are equal. Only"
                                                        + " throughput of a container is"
                                                        + " redistributed."));
        if (catalog.isScaling(offer)) {
            throw scaling();
        }
        PartitionMap map = catalog.partitionMap(container);
        return catalog.redistribute(
                context, container, map, rules().shares(map, offer.throughput()).of(wanted));
    }

    @Override
    public void setFault(RequestContext context, ContainerRef ref, Optional<Fault> fault) {
        Access.requireWrite(context);
        Container container = resolver.container(ref);
        fault.ifPresentOrElse(
                wanted -> faults.set(container, wanted), () -> faults.clear(container.number()));
    }

    @Override
    public Optional<Fault> findFault(RequestContext context, ContainerRef container) {
        return faults.find(resolver.container(container));
    }

    @Override
    public Offer readOffer(RequestContext context, ResourceId offer) {
        quotas.countMetadata(catalog.settings());
        return resolver.offer(offer);
    }

    @Override
    public Page<Offer> listOffers(RequestContext context, PageRequest page) {
        quotas.countMetadata(catalog.settings());
        return page("offers", page, catalog::offers, Offer::number);
    }

    @Override
    public Optional<Offer> findOffer(RequestContext context, ResourceId resource) {
        if (resource.container().isPresent()) {
            return catalog.findContainerOffer(resource.container().getAsInt());
        }
        return resource.database().isPresent()
                ? catalog.findDatabaseOffer(resource.database().getAsInt())
                : Optional.empty();
    }

    @Override
    public Offer replaceOffer(
            RequestContext context,
            ResourceId rid,
            Throughput throughput,
            Precondition precondition) {
        Access.requireWrite(context);
        Offer offer = resolver.offer(rid);
        ThroughputHolder holder = holder(context, offer);
        rules().check(throughput, holder);
        int needed = catalog.settings().partitionsFor(throughput.ceiling());
        if (needed > 1
                && holder.kind() == ThroughputHolder.Kind.DATABASE
                && holder.sharingContainers() == 0) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "More than "
                            + catalog.settings().partitionMaxThroughput()
                            + " RU/s need at least one container that shares the database's"
                            + " throughput. Create one first.");
        }
        if (catalog.isScaling(offer)) {
            throw scaling();
        }
        rules().checkPerMinute(throughput, Math.max(needed, partitionCount(offer)));
        quotas.countThroughputChange(catalog.settings());
        return catalog.replaceOffer(context, offer, throughput, precondition);
    }

    private static OrreryException scaling() {
        return new OrreryException(
                ErrorCode.OFFER_REPLACE_IN_PROGRESS,
                "Another offer replace operation is in progress: partitions are being split."
                        + " Retry when it is done.");
    }

    @Override
    public int minimumThroughput(RequestContext context, Offer offer) {
        return rules().minimum(offer.throughput().mode(), holder(context, offer));
    }

    @Override
    public Offer migrateOffer(RequestContext context, ResourceId rid, Throughput.Mode target) {
        Access.requireWrite(context);
        Offer offer = resolver.offer(rid);
        if (offer.throughput().mode() == target) {
            return offer;
        }
        if (offer.throughput() instanceof Throughput.Manual(int _, boolean perMinute)
                && perMinute) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "Throughput that scales by itself has no budget per minute. Switch that off"
                            + " first.");
        }
        // Judged by what the offer is now: whoever changes it meanwhile goes first.
        return replaceOffer(
                context,
                rid,
                rules().migrated(offer.throughput(), target, holder(context, offer)),
                new Precondition.Matches(offer.etag()));
    }

    private long maxBytes(Container container) {
        AccountSettings settings = catalog.settings();
        return container.fixed()
                ? settings.fixedMaxBytes()
                : settings.partitionMaxBytes()
                        * catalog.partitionMap(container).partitions().size();
    }

    private ThroughputRules rules() {
        return new ThroughputRules(catalog.settings());
    }

    private ThroughputHolder holder(RequestContext context, Offer offer) {
        if (offer.container() == 0) {
            List<Container> sharing = sharing(offer.database());
            return new ThroughputHolder(
                    ThroughputHolder.Kind.DATABASE,
                    offer.highestEver(),
                    sharing.stream().mapToLong(c -> storedBytes(context, c)).sum(),
                    sharing.size());
        }
        Container container = resolver.container(offer);
        int unlimitedMinimum = catalog.settings().ruleSet().manual().unlimitedMinimum();
        ThroughputHolder.Kind kind;
        if (container.fixed()) {
            kind = ThroughputHolder.Kind.FIXED;
        } else if (offer.highestEver() >= unlimitedMinimum || partitionCount(offer) > 1) {
            kind = ThroughputHolder.Kind.UNLIMITED;
        } else {
            kind = ThroughputHolder.Kind.GROWING;
        }
        return new ThroughputHolder(kind, offer.highestEver(), storedBytes(context, container), 0);
    }

    private List<Container> sharing(int database) {
        return catalog.containers(database, 0, Integer.MAX_VALUE).stream()
                .filter(container -> catalog.findContainerOffer(container.number()).isEmpty())
                .toList();
    }

    private long storedBytes(RequestContext context, Container container) {
        if (container.state() == Container.State.CREATING) {
            return 0; // its partitions may not be there yet
        }
        ContainerUsage usage = usage(context, container);
        return usage.itemBytes() + usage.indexBytes();
    }

    @Override
    public Scripts scripts() {
        return scripts;
    }

    @Override
    public ItemAnswer readItem(
            RequestContext context, ContainerRef container, PartitionKey key, ItemRef item) {
        return items.read(context, container, key, item);
    }

    @Override
    public ItemAnswer writeItem(RequestContext context, ContainerRef container, ItemWrite write) {
        Access.requireWrite(context);
        return items.write(context, container, write);
    }

    @Override
    public BatchAnswer batch(RequestContext context, ContainerRef container, ItemBatch batch) {
        Access.requireWrite(context);
        return batches.run(context, container, batch);
    }

    @Override
    public KeyDeleteAnswer deleteItems(
            RequestContext context, ContainerRef container, PartitionKey key) {
        Access.requireWrite(context);
        return keyDeletes.run(context, container, key);
    }

    @Override
    public ItemPage readItems(
            RequestContext context, ContainerRef container, FeedScope scope, PageRequest page) {
        return feeds.read(context, container, scope, page);
    }

    @Override
    public ChangePage<ChangedItem> readChanges(
            RequestContext context,
            ContainerRef container,
            FeedScope scope,
            ChangeRequest request) {
        return changes.readLatest(context, container, scope, request);
    }

    @Override
    public ChangePage<ItemVersion> readVersions(
            RequestContext context,
            ContainerRef container,
            FeedScope scope,
            ChangeRequest request) {
        return changes.readAll(context, container, scope, request);
    }

    @Override
    public QueryPage query(
            RequestContext context,
            ContainerRef container,
            FeedScope scope,
            QueryRequest query,
            PageRequest page) {
        return queries.query(context, container, scope, query, page);
    }

    /**
     * A database's containers share its ranges, so the largest of them tells how many there are.
     */
    private int partitionCount(Offer offer) {
        if (offer.container() != 0) {
            return resolver.map(resolver.container(offer)).partitions().size();
        }
        return Math.max(
                catalog.settings().partitionsFor(offer.throughput().ceiling()),
                sharing(offer.database()).stream()
                        .mapToInt(c -> catalog.partitionMap(c).partitions().size())
                        .max()
                        .orElse(1));
    }

    private interface Listing<T> {
        List<T> after(int number, int limit);
    }

    private <T> Page<T> page(
            String feed, PageRequest request, Listing<T> listing, ToIntFunction<T> numberOf) {
        int limit =
                Math.min(
                        MAX_RESOURCES_PER_PAGE,
                        request.maxItems().orElse(DEFAULT_RESOURCES_PER_PAGE));
        int after =
                request.continuation().map(text -> continuations.openNumber(feed, text)).orElse(0);
        List<T> found = listing.after(after, limit + 1);
        if (found.size() <= limit) {
            return new Page<>(found, Optional.empty());
        }
        List<T> page = found.subList(0, limit);
        return new Page<>(
                page,
                Optional.of(continuations.sealNumber(feed, numberOf.applyAsInt(page.getLast()))));
    }
}
