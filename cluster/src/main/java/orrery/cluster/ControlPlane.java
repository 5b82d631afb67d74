package orrery.cluster;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import orrery.cluster.api.AccessCatalog;
import orrery.cluster.api.Account;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.api.Catalog;
import orrery.cluster.api.TableCatalog;
import orrery.cluster.catalog.AccountCommand;
import orrery.cluster.catalog.AccountIdentity;
import orrery.cluster.catalog.CatalogCommand;
import orrery.cluster.catalog.CatalogMachine;
import orrery.cluster.catalog.CatalogOutcome;
import orrery.cluster.catalog.CatalogRequest;
import orrery.cluster.catalog.CatalogState;
import orrery.cluster.catalog.NodeRecord;
import orrery.cluster.catalog.RangeCommand;
import orrery.cluster.catalog.RegisterNode;
import orrery.cluster.catalog.ResourceCommand;
import orrery.cluster.catalog.ScriptCommand;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.NamedIndex;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RangeBoundaries;
import orrery.model.RequestContext;
import orrery.model.ScriptDefinition;
import orrery.model.Throughput;
import orrery.model.ThroughputBuckets;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.ReshapeEvent;
import orrery.model.resource.Script;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;
import orrery.partition.api.PartitionService;
import orrery.partition.api.SplitAim;
import orrery.replication.CommandLog;
import orrery.replication.EntryLimits;
import orrery.replication.StateMachine;
import orrery.storage.ReplicaStore;
import orrery.storage.Table;
import orrery.storage.format.Keys;
import orrery.storage.format.StoreIdentity;

/**
 * The control plane: the catalog, a state machine over a log of its own, and the work that follows
 * from it (reconciler, planner, budgets). Changes that concern partitions are written as intents
 * first and then carried out, so a crash between the two loses nothing.
 */
public final class ControlPlane implements Catalog, Account, AutoCloseable {
    /** One command an entry: then an entry is one batch here too. */
    public static final EntryLimits ENTRY_LIMITS = EntryLimits.ONE_COMMAND;

    private final ReplicaStore store;
    private final CatalogState state;
    private final CatalogWriter writer;
    private final AccessRegister access;
    private final TableRegister tables;
    private final BudgetKeeper budgets;
    private final ContainerReconciler reconciler;
    private final IndexBuilds indexes;
    private final PartitionPlanner planner;

    /**
     * @param log makes the log over the state machine it is given
     * @param sealingKey used only when the account is made, on the first start
     * @param settings likewise
     * @param keys for an account that has none yet
     * @param random for the ids of commands
     */
    public ControlPlane(
            ReplicaStore store,
            Function<
                            StateMachine<CatalogRequest, CatalogOutcome>,
                            CommandLog<CatalogRequest, CatalogOutcome>>
                    log,
            PartitionService partitions,
            Bytes sealingKey,
            AccountSettings settings,
            Optional<AccountKeys> keys,
            InstantSource clock,
            RandomGenerator random) {
        this(
                store,
                log,
                partitions,
                sealingKey,
                settings,
                keys,
                clock,
                random,
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon(true).name("reconcile-retry").factory()));
    }

    /**
     * @param retries waits before what failed is tried again; ends with this
     */
    ControlPlane(
            ReplicaStore store,
            Function<
                            StateMachine<CatalogRequest, CatalogOutcome>,
                            CommandLog<CatalogRequest, CatalogOutcome>>
                    log,
            PartitionService partitions,
            Bytes sealingKey,
            AccountSettings settings,
            Optional<AccountKeys> keys,
            InstantSource clock,
            RandomGenerator random,
            ScheduledExecutorService retries) {
        CatalogMachine machine = new CatalogMachine(store);
        this.store = store;
        this.state = machine.state();
        this.writer =
                new CatalogWriter(log.apply(new CatalogReplica(store, machine)), clock, random);
        this.access = new AccessRegister(state.access(), writer);
        this.tables = new TableRegister(state, writer);
        SetCalls sets = new SetCalls(state, partitions);
        this.budgets = new BudgetKeeper(state, sets);
        this.reconciler = new ContainerReconciler(state, writer, sets, budgets, retries);
        boolean lacksKeys = state.account().keys().isEmpty() && keys.isPresent();
        if (!state.account().isSetUp() || lacksKeys) {
            submit(
                    new AccountCommand.SetUpAccount(identity(store), sealingKey, settings, keys),
                    SetCalls.TIMEOUT);
        }
        register(NodeRecord.alone());
        this.indexes = new IndexBuilds(state, sets, reconciler, retries, reconciler.background());
        reconciler.resume();
        indexes.resume();
        budgets.tellAll();
        this.planner = new PartitionPlanner(state, sets, reconciler);
    }

    /** Says what this node is, where the catalog does not know it yet. */
    private void register(NodeRecord self) {
        if (!state.node(self.number()).equals(Optional.of(self))) {
            submit(new RegisterNode(self), SetCalls.TIMEOUT);
        }
    }

    private static AccountIdentity identity(ReplicaStore store) {
        byte[] row = store.get(Table.META, Keys.identity());
        return row == null
                ? AccountIdentity.NONE
                : AccountIdentity.first(StoreIdentity.decode(row).account());
    }

    @Override
    public Optional<Database> findDatabase(String name) {
        return state.database(name);
    }

    @Override
    public Optional<Database> findDatabase(int number) {
        return state.database(number);
    }

    @Override
    public List<Database> databases(int after, int limit) {
        return state.databasesAfter(after, limit);
    }

    @Override
    public Optional<Container> findContainer(int database, String name) {
        return state.container(database, name);
    }

    @Override
    public Optional<Container> findContainer(int database, int number) {
        return state.container(number)
                .filter(container -> container.database() == database)
                .filter(container -> container.state() != Container.State.DELETING);
    }

    @Override
    public List<Container> containers(int database, int after, int limit) {
        return state.containersAfter(database, after, limit);
    }

    @Override
    public PartitionMap partitionMap(Container container) {
        return state.partitionMap(container.number())
                .orElseThrow(() -> new OrreryException(ErrorCode.NOT_FOUND, "Resource Not Found."));
    }

    @Override
    public boolean awaitPartitionMap(Container container, long epoch, Duration timeout) {
        return state.awaitMapAfter(container.number(), epoch, timeout);
    }

    @Override
    public long setEpoch(int replicaSet) {
        return state.setEpoch(replicaSet);
    }

    @Override
    public PartitionMap splitPartition(RequestContext context, Container container, int range) {
        if (container.fixed()) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "A fixed container has one physical partition and is never split.");
        }
        return reshape(
                context,
                container,
                new RangeCommand.BeginSplit(container.number(), range, SplitAim.OPERATOR));
    }

    @Override
    public PartitionMap mergePartitions(RequestContext context, Container container, int left) {
        Optional<String> objection =
                partitionMap(container)
                        .find(left)
                        .flatMap(partition -> planner.objectionToMerge(container, partition));
        if (objection.isPresent()) {
            throw new OrreryException(ErrorCode.BAD_REQUEST, objection.get());
        }
        return reshape(context, container, new RangeCommand.BeginMerge(container.number(), left));
    }

    private PartitionMap reshape(
            RequestContext context, Container container, CatalogCommand intent) {
        long epoch = partitionMap(container).epoch();
        reconciler.submit(intent);
        try {
            reconciler.reshape(container.number());
        } catch (OrreryException failure) {
            // Entries may have to come home first; it is tried again until they are.
            boolean isDone =
                    failure.code() == ErrorCode.RETRY_WITH
                            && awaitPartitionMap(container, epoch, context.remaining());
            if (!isDone) {
                throw failure;
            }
        }
        return partitionMap(container);
    }

    @Override
    public PartitionMap redistribute(
            RequestContext context, Container container, PartitionMap map, List<Double> fractions) {
        submit(
                new RangeCommand.Redistribute(container.number(), map.epoch(), fractions),
                context.remaining());
        budgets.tell(container);
        return partitionMap(container);
    }

    @Override
    public List<ReshapeEvent> reshapeEvents(Container container) {
        return state.events(container.number()).events();
    }

    @Override
    public boolean isScaling(Offer offer) {
        return state.allContainers().stream()
                .filter(container -> governs(offer, container))
                .anyMatch(
                        container ->
                                partitionMap(container).partitions().size()
                                                < planner.neededFor(container)
                                        && !planner.isRefused(container));
    }

    private boolean governs(Offer offer, Container container) {
        if (container.state() == Container.State.DELETING) {
            return false;
        }
        return offer.container() == 0
                ? offer.database() == container.database()
                        && state.offerOfContainer(container.number()).isEmpty()
                : offer.container() == container.number();
    }

    @Override
    public Optional<Offer> findOffer(int number) {
        return state.offer(number);
    }

    @Override
    public Optional<Offer> findContainerOffer(int container) {
        return state.offerOfContainer(container);
    }

    @Override
    public Optional<Offer> findDatabaseOffer(int database) {
        return state.offerOfDatabase(database);
    }

    @Override
    public List<Offer> offers(int after, int limit) {
        return state.offersAfter(after, limit);
    }

    @Override
    public Database createDatabase(
            RequestContext context, String name, Optional<Throughput> throughput) {
        CatalogOutcome outcome =
                submit(new ResourceCommand.CreateDatabase(name, throughput), context.remaining());
        return ((CatalogOutcome.OfDatabase) outcome).database();
    }

    @Override
    public void deleteDatabase(
            RequestContext context, Database database, Precondition precondition) {
        submit(
                new ResourceCommand.DeleteDatabase(database.number(), precondition),
                context.remaining());
        for (Container container : state.allContainers()) {
            if (container.database() == database.number()) {
                reconciler.remove(container.number());
            }
        }
    }

    @Override
    public Container createContainer(
            RequestContext context,
            Database database,
            String name,
            ContainerDefinition definition,
            Optional<Throughput> throughput) {
        CatalogOutcome outcome =
                submit(
                        new ResourceCommand.CreateContainer(
                                database.number(),
                                name,
                                definition,
                                throughput,
                                ranges(database, definition, throughput)),
                        context.remaining());
        return reconciler.settle(((CatalogOutcome.OfContainer) outcome).container().number());
    }

    @Override
    public boolean awaitChange(BooleanSupplier condition, Duration timeout) {
        return state.awaitChange(condition, timeout);
    }

    @Override
    public void keepVersions(RequestContext context, Optional<Database> database) {
        submit(
                new ResourceCommand.KeepVersions(
                        database.map(Database::number).orElse(0),
                        settings().mongoChangeRetention()),
                context.remaining());
    }

    @Override
    public boolean keepsVersions() {
        return state.account().keptMinutes() > 0;
    }

    @Override
    public Container awaitCreation(Container container) {
        return container.state() == Container.State.CREATING
                ? reconciler.awaitCreation(container.number())
                : container;
    }

    @Override
    public Container replaceContainer(
            RequestContext context,
            Container container,
            ContainerDefinition definition,
            Precondition precondition) {
        submit(
                new ResourceCommand.ReplaceContainer(container.number(), definition, precondition),
                context.remaining());
        Container replaced = reconciler.settle(container.number());
        boolean isBuilding =
                definition.indexes().stream()
                        .anyMatch(index -> index.state() == NamedIndex.State.BUILDING);
        if (isBuilding) {
            indexes.watch(container.number());
        }
        return replaced;
    }

    @Override
    public Container awaitIndexes(RequestContext context, Container container, List<String> names) {
        indexes.await(container.number(), names, context.remaining());
        return state.livingContainer(container.number()).orElse(container);
    }

    @Override
    public Container takeName(
            RequestContext context,
            Container container,
            String name,
            Optional<Container> replaced) {
        CatalogOutcome outcome =
                submit(
                        new ResourceCommand.TakeName(
                                container.number(),
                                name,
                                replaced.<Precondition>map(
                                                each -> new Precondition.Matches(each.etag()))
                                        .orElse(Precondition.NONE)),
                        context.remaining());
        replaced.ifPresent(each -> reconciler.remove(each.number()));
        return ((CatalogOutcome.OfContainer) outcome).container();
    }

    @Override
    public void deleteContainer(
            RequestContext context, Container container, Precondition precondition) {
        submit(
                new ResourceCommand.DeleteContainer(container.number(), precondition),
                context.remaining());
        reconciler.remove(container.number());
    }

    @Override
    public Offer replaceOffer(
            RequestContext context,
            Offer offer,
            Throughput throughput,
            Optional<ThroughputBuckets> buckets,
            Precondition precondition) {
        CatalogOutcome outcome =
                submit(
                        new ResourceCommand.ReplaceOffer(
                                offer.number(), throughput, buckets, precondition),
                        context.remaining());
        state.allContainers().stream()
                .filter(container -> governs(offer, container))
                .forEach(budgets::tell);
        planner.wake();
        return ((CatalogOutcome.OfOffer) outcome).offer();
    }

    @Override
    public Optional<Script> findScript(
            Container container, ScriptDefinition.Kind kind, String name) {
        return state.scripts()
                .find(container.number(), kind, name)
                .flatMap(head -> CatalogState.readScript(store, head.number()));
    }

    @Override
    public Optional<Script> findScript(
            Container container, ScriptDefinition.Kind kind, int number) {
        return state.scripts()
                .find(number)
                .filter(head -> head.container() == container.number() && head.kind() == kind)
                .flatMap(head -> CatalogState.readScript(store, head.number()));
    }

    @Override
    public List<Script.Head> scripts(
            Container container, ScriptDefinition.Kind kind, int after, int limit) {
        return state.scripts().after(container.number(), kind, after, limit);
    }

    @Override
    public int countScripts(Container container, ScriptDefinition.Kind kind) {
        return state.scripts().count(container.number(), kind);
    }

    @Override
    public Script createScript(
            RequestContext context, Container container, ScriptDefinition definition) {
        return script(
                context,
                new ScriptCommand.CreateScript(container.number(), definition),
                container.database(),
                container.number(),
                definition);
    }

    @Override
    public Script replaceScript(
            RequestContext context,
            Script script,
            ScriptDefinition definition,
            Precondition precondition) {
        return script(
                context,
                new ScriptCommand.ReplaceScript(script.number(), definition, precondition),
                script.database(),
                script.container(),
                definition);
    }

    private Script script(
            RequestContext context,
            ScriptCommand command,
            int database,
            int container,
            ScriptDefinition definition) {
        CatalogOutcome.OfScript written =
                (CatalogOutcome.OfScript) submit(command, context.remaining());
        return new Script(
                written.script(),
                database,
                container,
                definition,
                written.etag(),
                written.timestampMillis());
    }

    @Override
    public void deleteScript(RequestContext context, Script script, Precondition precondition) {
        submit(new ScriptCommand.DeleteScript(script.number(), precondition), context.remaining());
    }

    @Override
    public TableCatalog tables() {
        return tables;
    }

    @Override
    public AccessCatalog access() {
        return access;
    }

    @Override
    public Bytes sealingKey() {
        return state.account().sealingKey();
    }

    @Override
    public AccountSettings settings() {
        return state.account().settings();
    }

    @Override
    public Optional<AccountKeys> keys() {
        return state.account().keys();
    }

    @Override
    public void changeSettings(UnaryOperator<AccountSettings> change) {
        AccountSettings before = settings();
        submit(new AccountCommand.ChangeSettings(before, change.apply(before)), SetCalls.TIMEOUT);
        reconciler.redefine();
        budgets.tellAll();
        planner.wake();
    }

    @Override
    public void replaceKeys(Map<KeyKind, String> keys) {
        submit(new AccountCommand.ReplaceKeys(keys), SetCalls.TIMEOUT);
    }

    /** Returns the number of splits and merges since the start, by their reason. */
    public Map<String, Long> reshapes() {
        return reconciler.reshapes();
    }

    /** Why the catalog cannot be changed until a restart, if so. */
    public Optional<OrreryException> failure() {
        return writer.failure();
    }

    @Override
    public void close() {
        planner.close();
        indexes.close();
        reconciler.close();
        writer.close();
        store.close();
    }

    /**
     * A container with its own throughput has as many ranges as that begins with. One that shares
     * its database's throughput is cut as that is, so that range i of every such container draws on
     * the same part of it. A fixed one has one range.
     */
    private List<ResourceCommand.PlacedRange> ranges(
            Database database, ContainerDefinition definition, Optional<Throughput> throughput) {
        int count =
                settings().makesFixed(definition, throughput)
                        ? 1
                        : throughput
                                .map(own -> settings().startingPartitionsFor(own))
                                .or(() -> sharedRanges(database))
                                .orElse(1);
        // The first one: there is no record yet of how much room each has.
        int replicaSet = state.sets().getFirst().number();
        return RangeBoundaries.initial(definition.partitionKey(), count).stream()
                .map(keys -> new ResourceCommand.PlacedRange(keys, replicaSet))
                .toList();
    }

    private Optional<Integer> sharedRanges(Database database) {
        return state.offerOfDatabase(database.number())
                .map(offer -> settings().partitionsFor(offer.throughput().ceiling()));
    }

    private CatalogOutcome submit(CatalogCommand command, Duration timeout) {
        return writer.submit(command, timeout);
    }
}
