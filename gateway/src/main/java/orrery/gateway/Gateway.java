package orrery.gateway;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import orrery.cluster.api.Catalog;
import orrery.model.ChangedItem;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.ItemVersion;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.Throughput;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.partition.api.PartitionService;
import orrery.query.QueryRequest;
import orrery.script.ScriptEngine;

/** The engine behind the door: resources from the catalog, items from the partitions. */
public final class Gateway implements Engine {
    private static final int DATABASES_AT_ONCE = 100;

    private final Catalog catalog;
    private final Resolver resolver;
    private final ItemRouter items;
    private final BatchRouter batches;
    private final KeyDeleteRouter keyDeletes;
    private final FeedRouter feeds;
    private final ChangeRouter changes;
    private final QueryRouter queries;
    private final ResourcePages pages;
    private final ServiceQuotas quotas;
    private final ContainerSurvey survey;
    private final OfferRouter offers;
    private final ScriptRouter scripts;
    private final Faults faults;

    /**
     * @param engine runs functions of users over what is merged here; shared with the partitions
     */
    public Gateway(
            Catalog catalog, PartitionService service, ScriptEngine engine, SecureRandom random) {
        this(catalog, service, engine, random, InstantSource.system(), System::nanoTime);
    }

    /**
     * @param clock for queries that ask for the time
     * @param nanoTime by which quotas of the service are counted, and by which long queries pause
     */
    public Gateway(
            Catalog catalog,
            PartitionService service,
            ScriptEngine engine,
            SecureRandom random,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.catalog = catalog;
        this.resolver = new Resolver(catalog);
        PartitionCalls partitions = new PartitionCalls(service, catalog::setEpoch);
        Continuations continuations = new Continuations(catalog.sealingKey());
        this.pages = new ResourcePages(continuations);
        this.quotas = new ServiceQuotas(nanoTime);
        this.survey = new ContainerSurvey(catalog, resolver, partitions);
        this.offers = new OfferRouter(catalog, resolver, quotas, survey);
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
                        new QueryFunctions(catalog, engine),
                        new KeptStates(random, nanoTime),
                        clock,
                        nanoTime);
        this.scripts =
                new ScriptRouter(
                        catalog,
                        resolver,
                        continuations,
                        quotas,
                        faults,
                        new ScriptRuns(catalog, partitions, items));
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

    /**
     * Deletes all databases and forgets what was set or counted since the start: what a test leaves
     * for the next one.
     */
    public void clear(RequestContext context) {
        Access.requireWrite(context);
        for (List<Database> some = someDatabases(); !some.isEmpty(); some = someDatabases()) {
            for (Database database : some) {
                deleteIfPresent(context, database);
            }
        }
        faults.clear();
        quotas.clear();
    }

    private List<Database> someDatabases() {
        return catalog.databases(0, DATABASES_AT_ONCE);
    }

    private void deleteIfPresent(RequestContext context, Database database) {
        try {
            catalog.deleteDatabase(context, database, Precondition.NONE);
        } catch (OrreryException failure) {
            if (failure.code() != ErrorCode.NOT_FOUND) {
                throw failure;
            }
        }
    }

    @Override
    public Page<Database> listDatabases(RequestContext context, PageRequest page) {
        quotas.countMetadata(catalog.settings());
        return pages.page("databases", page, catalog::databases, Database::number);
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
        return pages.page(
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
        return survey.usage(context, resolver.container(ref));
    }

    @Override
    public ContainerReport inspect(RequestContext context, ContainerRef container, int keys) {
        return survey.inspect(context, resolver.container(container), keys);
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
    public void repairPartition(RequestContext context, ContainerRef container, int range) {
        Access.requireWrite(context);
        survey.repair(context, resolver.container(container), range);
    }

    @Override
    public PartitionMap redistribute(
            RequestContext context, ContainerRef container, Redistribution wanted) {
        Access.requireWrite(context);
        return offers.redistribute(context, resolver.container(container), wanted);
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
        return pages.page("offers", page, catalog::offers, Offer::number);
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
            ResourceId offer,
            Throughput throughput,
            Precondition precondition) {
        Access.requireWrite(context);
        return offers.replace(context, resolver.offer(offer), throughput, precondition);
    }

    @Override
    public boolean isReplacePending(RequestContext context, Offer offer) {
        return catalog.isScaling(offer);
    }

    @Override
    public Offer migrateOffer(RequestContext context, ResourceId offer, Throughput.Mode target) {
        Access.requireWrite(context);
        return offers.migrate(context, resolver.offer(offer), target);
    }

    @Override
    public int minimumThroughput(RequestContext context, Offer offer) {
        return offers.minimum(context, offer);
    }

    private ThroughputRules rules() {
        return new ThroughputRules(catalog.settings());
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
        if (!batch.isWithoutWrites()) {
            Access.requireWrite(context);
        }
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
}
