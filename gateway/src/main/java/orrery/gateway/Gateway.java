package orrery.gateway;

import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import orrery.cluster.api.Catalog;
import orrery.gateway.Authorizer.Reach;
import orrery.gateway.api.AccessPolicies;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.ChangePage;
import orrery.gateway.api.ChangeRequest;
import orrery.gateway.api.ClientEncryptionKeys;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ContainerReport;
import orrery.gateway.api.ContainerUsage;
import orrery.gateway.api.Fault;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.FirstWrite;
import orrery.gateway.api.ItemAddress;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemPage;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.Items;
import orrery.gateway.api.KeyAnswer;
import orrery.gateway.api.KeyDeleteAnswer;
import orrery.gateway.api.LookupAnswer;
import orrery.gateway.api.MatchPage;
import orrery.gateway.api.Operations;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.Permissions;
import orrery.gateway.api.ProcedureAnswer;
import orrery.gateway.api.QueryPage;
import orrery.gateway.api.Redistribution;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Resources;
import orrery.gateway.api.Scripts;
import orrery.gateway.api.TableSettings;
import orrery.gateway.api.TimeReached;
import orrery.gateway.api.Tokens;
import orrery.gateway.api.TriggerNames;
import orrery.gateway.api.TriggeredAnswer;
import orrery.gateway.api.Users;
import orrery.gateway.api.ValueLookup;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.model.ChangedItem;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.ItemVersion;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.ScriptDefinition;
import orrery.model.Throughput;
import orrery.model.ThroughputBuckets;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.Script;
import orrery.model.resource.TableServiceProperties;
import orrery.partition.api.PartitionService;
import orrery.query.QueryCall;
import orrery.script.ScriptEngine;

/**
 * The engine behind the door: resources from the catalog, items from the partitions. Each part of
 * the door has a section here, which lets requests in and hands them to the router that knows them.
 */
public final class Gateway implements Items, Resources, Operations {
    private static final int DATABASES_AT_ONCE = 100;

    private final Catalog catalog;
    private final Resolver resolver;
    private final Doorkeeper door;
    private final ItemRouter items;
    private final ItemKeeper keeper;
    private final BatchRouter batches;
    private final TableProcedure tableProcedure;
    private final KeyDeleteRouter keyDeletes;
    private final FeedRouter feeds;
    private final ChangeRouter changes;
    private final LookupRouter lookups;
    private final MatchRouter matches;
    private final TimeRouter times;
    private final QueryRouter queries;
    private final ResourcePages pages;
    private final ServiceQuotas quotas;
    private final CatalogDoor metadata;
    private final ContainerSurvey survey;
    private final OfferRouter offers;
    private final ScriptRouter scripts;
    private final ScriptRuns runs;
    private final ResourceTokens tokens;
    private final UserRouter users;
    private final PermissionRouter permissions;
    private final ClientEncryptionKeyRouter encryptionKeys;
    private final TableRouter tables;
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
        this.door = new Doorkeeper(resolver, new Authorizer());
        PartitionCalls partitions = new PartitionCalls(service, catalog::setEpoch);
        Continuations continuations = new Continuations(catalog.sealingKey());
        this.pages = new ResourcePages(continuations);
        this.quotas = new ServiceQuotas(nanoTime);
        this.metadata = new CatalogDoor(catalog, resolver, door, pages, quotas);
        this.survey = new ContainerSurvey(catalog, resolver, partitions);
        this.offers = new OfferRouter(catalog, resolver, quotas, survey);
        this.faults = new Faults(random);
        this.items = new ItemRouter(resolver, partitions, random);
        this.keeper = new ItemKeeper(door, items, faults);
        this.batches = new BatchRouter(resolver, partitions, faults, items);
        this.tableProcedure = new TableProcedure(batches);
        this.keyDeletes = new KeyDeleteRouter(resolver, partitions, items);
        this.feeds = new FeedRouter(resolver, partitions, continuations);
        this.changes = new ChangeRouter(resolver, partitions, continuations);
        this.lookups = new LookupRouter(resolver, partitions);
        this.matches = new MatchRouter(resolver, partitions, continuations);
        this.times = new TimeRouter(resolver, partitions);
        this.queries =
                new QueryRouter(
                        resolver,
                        partitions,
                        continuations,
                        new QueryFunctions(catalog, engine),
                        new KeptStates(random, nanoTime),
                        clock,
                        nanoTime);
        this.scripts = new ScriptRouter(catalog, door, continuations, quotas);
        this.runs = new ScriptRuns(catalog, partitions, items);
        this.tokens = new ResourceTokens(catalog, catalog.access()::findPermission, clock);
        this.users = new UserRouter(metadata);
        this.permissions = new PermissionRouter(metadata, tokens);
        this.tables = new TableRouter(catalog, door);
        this.encryptionKeys = new ClientEncryptionKeyRouter(metadata);
    }

    /**
     * Deletes all databases and forgets what was set or counted since the start: what a test leaves
     * for the next one.
     */
    public void clear(RequestContext context) {
        door.check(context, Action.CHANGE_RESOURCES);
        for (List<Database> some = someDatabases(); !some.isEmpty(); some = someDatabases()) {
            for (Database database : some) {
                deleteIfPresent(context, database);
            }
        }
        if (!catalog.tables().service().equals(TableServiceProperties.DEFAULT)) {
            catalog.tables().setService(context, TableServiceProperties.DEFAULT);
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

    // ---- Resources -----------------------------------------------------------------------------

    @Override
    public Database createDatabase(
            RequestContext context, String name, Optional<Throughput> throughput) {
        door.check(context, Action.CREATE_DATABASE, new Reach.OneDatabase(name));
        throughput.ifPresent(value -> rules().checkNewDatabase(value));
        quotas.countCreate(catalog.settings());
        return catalog.createDatabase(context, name, throughput);
    }

    @Override
    public Database readDatabase(RequestContext context, ResourceRef database) {
        metadata.admit(context, Action.READ_RESOURCES);
        return resolver.database(database);
    }

    @Override
    public void deleteDatabase(
            RequestContext context, ResourceRef database, Precondition precondition) {
        door.check(context, Action.CHANGE_RESOURCES);
        Database present = resolver.database(database);
        catalog.deleteDatabase(context, present, precondition);
        faults.clearDatabase(present.number());
    }

    @Override
    public Page<Database> listDatabases(RequestContext context, PageRequest page) {
        metadata.admit(context, Action.READ_RESOURCES);
        return pages.page("databases", page, catalog::databases, Database::number);
    }

    @Override
    public Container createContainer(
            RequestContext context,
            Database database,
            String name,
            ContainerDefinition definition,
            Optional<Throughput> throughput) {
        door.check(context, Action.CREATE_CONTAINER, new Reach.OneDatabase(database.name()));
        boolean shares =
                throughput.isEmpty() && catalog.findDatabaseOffer(database.number()).isPresent();
        Optional<Throughput> own =
                shares
                        ? Optional.empty()
                        : Optional.of(throughput.orElseGet(() -> rules().defaultFor(definition)));
        own.ifPresent(value -> rules().checkNewContainer(value, definition));
        encryptionKeys.checkKeys(database, definition);
        ContainerRules.checkCreate(definition, shares);
        ComputedRules.check(definition);
        tables.checkName(database, name, definition);
        quotas.countCreate(catalog.settings());
        return catalog.createContainer(context, database, name, definition, own);
    }

    @Override
    public Container readContainer(RequestContext context, ContainerRef container) {
        Container found = door.subject(context, container, Action.READ_CONTAINER);
        quotas.countMetadata(catalog.settings());
        return found;
    }

    @Override
    public Database resolve(RequestContext context, ResourceRef database) {
        door.check(
                context,
                Action.FIND_DATABASE,
                database instanceof ResourceRef.Named(String name)
                        ? new Reach.OneDatabase(name)
                        : Reach.ACCOUNT);
        return resolver.owner(database);
    }

    @Override
    public ContainerRef.Resolved resolve(
            RequestContext context, ContainerRef.Addressed container, ContainerRef.Role role) {
        return door.resolve(context, container, role);
    }

    @Override
    public Container replaceContainer(
            RequestContext context,
            ContainerRef container,
            ContainerDefinition definition,
            Precondition precondition) {
        Container present = door.subject(context, container, Action.CHANGE_CONTAINER);
        ContainerRules.checkReplace(present.definition(), definition);
        ComputedRules.check(definition);
        return catalog.replaceContainer(context, present, definition, precondition);
    }

    @Override
    public void deleteContainer(
            RequestContext context, ContainerRef container, Precondition precondition) {
        Container present = door.subject(context, container, Action.DELETE_CONTAINER);
        catalog.deleteContainer(context, present, precondition);
        faults.clear(present.number());
    }

    @Override
    public Page<Container> listContainers(
            RequestContext context, Database database, PageRequest page) {
        door.check(context, Action.LIST_CONTAINERS, new Reach.OneDatabase(database.name()));
        quotas.countMetadata(catalog.settings());
        return pages.page(
                "containers of " + database.number(),
                page,
                (after, limit) -> catalog.containers(database.number(), after, limit),
                Container::number);
    }

    @Override
    public PartitionMap readPartitionMap(RequestContext context, ContainerRef container) {
        Container owner = door.owner(context, container, Action.READ_CONTAINER);
        quotas.countMetadata(catalog.settings());
        return resolver.map(owner);
    }

    @Override
    public ContainerUsage readUsage(RequestContext context, ContainerRef ref) {
        return survey.usage(context, door.subject(context, ref, Action.INSPECT));
    }

    @Override
    public ContainerReport inspect(RequestContext context, ContainerRef container, int keys) {
        return survey.inspect(context, door.subject(context, container, Action.INSPECT), keys);
    }

    @Override
    public Offer readOffer(RequestContext context, ResourceId offer) {
        metadata.admit(context, Action.READ_RESOURCES);
        return resolver.offer(offer);
    }

    @Override
    public Page<Offer> listOffers(RequestContext context, PageRequest page) {
        metadata.admit(context, Action.READ_RESOURCES);
        return pages.page("offers", page, catalog::offers, Offer::number);
    }

    @Override
    public Optional<Offer> findOffer(RequestContext context, ResourceId resource) {
        door.check(context, Action.READ_RESOURCES);
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
            Optional<ThroughputBuckets> buckets,
            Precondition precondition) {
        door.check(context, Action.CHANGE_RESOURCES);
        return offers.replace(context, resolver.offer(offer), throughput, buckets, precondition);
    }

    @Override
    public boolean isReplacePending(RequestContext context, Offer offer) {
        door.check(context, Action.READ_RESOURCES);
        return catalog.isScaling(offer);
    }

    @Override
    public Offer migrateOffer(RequestContext context, ResourceId offer, Throughput.Mode target) {
        door.check(context, Action.CHANGE_RESOURCES);
        return offers.migrate(context, resolver.offer(offer), target);
    }

    @Override
    public int minimumThroughput(RequestContext context, Offer offer) {
        door.check(context, Action.READ_RESOURCES);
        return offers.minimum(context, offer);
    }

    private ThroughputRules rules() {
        return new ThroughputRules(catalog.settings());
    }

    @Override
    public Scripts scripts() {
        return scripts;
    }

    // ---- Operations ----------------------------------------------------------------------------

    @Override
    public PartitionMap splitPartition(RequestContext context, ContainerRef container, int range) {
        return catalog.splitPartition(
                context, door.subject(context, container, Action.OPERATE), range);
    }

    @Override
    public PartitionMap mergePartitions(RequestContext context, ContainerRef container, int left) {
        return catalog.mergePartitions(
                context, door.subject(context, container, Action.OPERATE), left);
    }

    @Override
    public void repairPartition(RequestContext context, ContainerRef container, int range) {
        survey.repair(context, door.subject(context, container, Action.OPERATE), range);
    }

    @Override
    public PartitionMap redistribute(
            RequestContext context, ContainerRef container, Redistribution wanted) {
        return offers.redistribute(
                context, door.subject(context, container, Action.OPERATE), wanted);
    }

    @Override
    public void setFault(RequestContext context, ContainerRef ref, Optional<Fault> fault) {
        Container container = door.subject(context, ref, Action.OPERATE);
        fault.ifPresentOrElse(
                wanted -> faults.set(container, wanted), () -> faults.clear(container.number()));
    }

    @Override
    public Optional<Fault> findFault(RequestContext context, ContainerRef container) {
        return faults.find(door.subject(context, container, Action.INSPECT));
    }

    // ---- Items ---------------------------------------------------------------------------------

    @Override
    public Users users() {
        return users;
    }

    @Override
    public Permissions permissions() {
        return permissions;
    }

    /** For front-ends whose clients bring tokens of permissions. */
    public Tokens tokens() {
        return tokens;
    }

    @Override
    public ClientEncryptionKeys clientEncryptionKeys() {
        return encryptionKeys;
    }

    @Override
    public TableSettings tableSettings() {
        return tables;
    }

    /** For front-ends whose clients bring signatures that name stored access policies. */
    public AccessPolicies accessPolicies() {
        return tables;
    }

    /** Lets in a request for items of a key, unless it is one of those that fail on demand. */
    private Container admit(
            RequestContext context, ContainerRef ref, Action action, PartitionKey key) {
        Container container = door.owner(context, ref, action, key);
        faults.check(container);
        return container;
    }

    private Container admit(RequestContext context, ContainerRef ref, FeedScope scope) {
        Container container = door.owner(context, ref, scope);
        faults.check(container);
        return container;
    }

    @Override
    public ItemAnswer readItem(
            RequestContext context, ContainerRef ref, PartitionKey key, ItemRef item) {
        return items.read(context, keeper.read(context, ref, key, item), key, item);
    }

    @Override
    public ItemAnswer writeItem(RequestContext context, ContainerRef ref, ItemWrite write) {
        Container container = keeper.write(context, ref, write);
        ItemRouter.CheckedWrite checked = items.checked(context, container, write);
        ItemKeeper.checkTarget(context, checked);
        return items.write(context, container, checked);
    }

    @Override
    public TriggeredAnswer writeItem(
            RequestContext context, ContainerRef ref, ItemWrite write, TriggerNames triggers) {
        Container container = keeper.writeWithTriggers(context, ref, write);
        return runs.write(context, container, write, triggers);
    }

    @Override
    public ItemAnswer writeFirst(RequestContext context, ContainerRef ref, FirstWrite write) {
        Container container = admit(context, ref, Action.WRITE_ITEMS, write.key());
        return items.write(context, container, write);
    }

    @Override
    public KeyAnswer readKey(RequestContext context, ContainerRef ref, PartitionKey key) {
        Container container = admit(context, ref, Action.READ_ITEMS, key);
        return items.readKey(context, container, key);
    }

    @Override
    public ProcedureAnswer execute(
            RequestContext context,
            ContainerRef ref,
            PartitionKey key,
            ResourceRef procedure,
            Bytes arguments,
            boolean logs) {
        Container container = door.owner(context, ref, Action.RUN_PROCEDURES, key);
        if (TableProcedure.isMeant(container, procedure)) {
            return tableProcedure.execute(context, container, key, arguments);
        }
        faults.check(container);
        Script script = scripts.require(container, ScriptDefinition.Kind.PROCEDURE, procedure);
        return runs.execute(context, container, key, script, arguments, logs);
    }

    /** The operations of a bulk fail on demand one by one, so the router asks for that. */
    @Override
    public BatchAnswer batch(RequestContext context, ContainerRef ref, ItemBatch batch) {
        Container container = door.owner(context, ref, Action.RESOLVE);
        return batches.run(context, container, door.admitted(context, container, batch));
    }

    @Override
    public KeyDeleteAnswer deleteItems(RequestContext context, ContainerRef ref, PartitionKey key) {
        Container container = admit(context, ref, Action.WRITE_ITEMS, key);
        return keyDeletes.run(context, container, key);
    }

    @Override
    public ItemPage readItems(
            RequestContext context, ContainerRef ref, FeedScope scope, PageRequest page) {
        return feeds.read(context, admit(context, ref, scope), scope, page);
    }

    @Override
    public ChangePage<ChangedItem> readChanges(
            RequestContext context, ContainerRef ref, FeedScope scope, ChangeRequest request) {
        return changes.readLatest(context, admit(context, ref, scope), scope, request);
    }

    @Override
    public LookupAnswer readMany(
            RequestContext context, ContainerRef ref, List<ItemAddress> addresses) {
        Container container = door.owner(context, ref, Action.RESOLVE);
        for (ItemAddress address : addresses) {
            door.check(context, Action.READ_ITEMS, new Reach.OneKey(container, address.key()));
        }
        faults.check(container);
        return lookups.read(context, container, addresses);
    }

    @Override
    public MatchPage findItems(
            RequestContext context,
            ContainerRef ref,
            FeedScope scope,
            ValueLookup lookup,
            PageRequest page) {
        return matches.read(context, admit(context, ref, scope), scope, lookup, page);
    }

    @Override
    public TimeReached awaitTime(RequestContext context, ContainerRef ref, Instant time) {
        return times.await(context, door.owner(context, ref, Action.READ_ITEMS), time);
    }

    @Override
    public ChangePage<ItemVersion> readVersions(
            RequestContext context, ContainerRef ref, FeedScope scope, ChangeRequest request) {
        return changes.readAll(context, admit(context, ref, scope), scope, request);
    }

    @Override
    public QueryPage query(
            RequestContext context,
            ContainerRef ref,
            FeedScope scope,
            QueryCall query,
            PageRequest page) {
        Doorkeeper.AdmittedQuery admitted = door.query(context, ref, scope, query);
        Container container = admitted.container();
        faults.check(container);
        return Cancellation.current()
                .within(context.remaining())
                .during(() -> queries.query(context, container, scope, admitted.call(), page));
    }
}
