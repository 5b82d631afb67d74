package orrery.gateway;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import orrery.cluster.api.Catalog;
import orrery.gateway.api.AccessPolicies;
import orrery.gateway.api.Items;
import orrery.gateway.api.Operations;
import orrery.gateway.api.Resources;
import orrery.gateway.api.Streams;
import orrery.gateway.api.Tokens;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.resource.Database;
import orrery.model.resource.TableServiceProperties;
import orrery.model.resource.TableServiceProperties.CorsRule;
import orrery.partition.api.PartitionService;
import orrery.script.ScriptEngine;

/**
 * The engine behind the door, put together: each part of the door has a class, and they share what
 * knows the catalog, the partitions and the rights of principals.
 */
public final class Gateway {
    private static final int DATABASES_AT_ONCE = 100;

    private final Catalog catalog;
    private final Doorkeeper door;
    private final ServiceQuotas quotas;
    private final Faults faults;
    private final ResourceTokens tokens;
    private final TableRouter tables;
    private final ItemDoor items;
    private final ResourceDoor resources;
    private final OperationDoor operations;
    private final StreamDoor streams;

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
        this(
                catalog,
                service,
                engine,
                random,
                clock,
                nanoTime,
                time -> LockSupport.parkNanos(time.toNanos()));
    }

    /**
     * @param rest waits until so much time has passed for budgets
     */
    public Gateway(
            Catalog catalog,
            PartitionService service,
            ScriptEngine engine,
            SecureRandom random,
            InstantSource clock,
            LongSupplier nanoTime,
            Consumer<Duration> rest) {
        this.catalog = catalog;
        Resolver resolver = new Resolver(catalog);
        this.door = new Doorkeeper(resolver, new Authorizer());
        this.quotas = new ServiceQuotas(nanoTime);
        this.faults = new Faults(random);
        this.tokens = new ResourceTokens(catalog, catalog.access()::findPermission, clock);
        this.tables = new TableRouter(catalog, door, quotas);
        PartitionCalls partitions = new PartitionCalls(service, catalog::setEpoch, rest);
        Continuations continuations = new Continuations(catalog.sealingKey());
        CatalogDoor metadata =
                new CatalogDoor(catalog, resolver, door, new ResourcePages(continuations), quotas);
        ContainerSurvey survey = new ContainerSurvey(catalog, resolver, partitions);
        OfferRouter offers = new OfferRouter(catalog, resolver, quotas, survey);
        ScriptRouter scripts = new ScriptRouter(catalog, door, continuations, quotas);
        ItemRouter single = new ItemRouter(resolver, partitions, random);
        this.items =
                new ItemDoor(
                        door,
                        faults,
                        new ItemDoor.Routers(
                                single,
                                new BatchRouter(resolver, partitions, faults, single),
                                new ManyRouter(resolver, partitions, single, clock),
                                new KeyDeleteRouter(resolver, partitions, single),
                                new FeedRouter(resolver, partitions, continuations),
                                new ChangeRouter(resolver, partitions, continuations),
                                new LookupRouter(resolver, partitions),
                                new MatchRouter(resolver, partitions, continuations),
                                new TimeRouter(resolver, partitions),
                                new StatementRouter(resolver, partitions),
                                new TransactionRouter(partitions, single),
                                new QueryRouter(
                                        resolver,
                                        partitions,
                                        continuations,
                                        new QueryFunctions(catalog, engine),
                                        new KeptStates(random, nanoTime),
                                        clock,
                                        nanoTime),
                                scripts,
                                new ScriptRuns(catalog, partitions, single)));
        this.resources =
                new ResourceDoor(
                        metadata,
                        faults,
                        survey,
                        offers,
                        scripts,
                        new PermissionRouter(metadata, tokens),
                        tables);
        this.streams =
                new StreamDoor(
                        catalog,
                        door,
                        faults,
                        new StreamRouter(catalog, resolver, partitions, continuations, clock));
        this.operations = new OperationDoor(catalog, door, survey, offers, faults);
    }

    public Items items() {
        return items;
    }

    public Resources resources() {
        return resources;
    }

    public Operations operations() {
        return operations;
    }

    public Streams streams() {
        return streams;
    }

    /** For front-ends whose clients bring tokens of permissions. */
    public Tokens tokens() {
        return tokens;
    }

    /** For front-ends whose clients bring signatures that name stored access policies. */
    public AccessPolicies accessPolicies() {
        return tables;
    }

    /** The rules for pages in browsers that the properties of the Table service have. */
    public List<CorsRule> corsRules() {
        return catalog.tables().service().cors();
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
}
