package orrery.gateway;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import orrery.gateway.Authorizer.Reach;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.ChangePage;
import orrery.gateway.api.ChangeRequest;
import orrery.gateway.api.CommitAnswer;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.FirstWrite;
import orrery.gateway.api.FoundStatement;
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
import orrery.gateway.api.ManyAnswer;
import orrery.gateway.api.ManyWrite;
import orrery.gateway.api.MatchPage;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ProcedureAnswer;
import orrery.gateway.api.QueryExplanation;
import orrery.gateway.api.QueryPage;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.TimeReached;
import orrery.gateway.api.TriggerNames;
import orrery.gateway.api.TriggeredAnswer;
import orrery.gateway.api.ValueLookup;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.model.ChangedItem;
import orrery.model.ItemVersion;
import orrery.model.KeyTransaction;
import orrery.model.PartitionKey;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.ScriptDefinition;
import orrery.model.Statement;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;
import orrery.model.resource.Script;
import orrery.query.QueryCall;

/**
 * The part of the door for items: finds the container, checks who asks, lets requests fail that are
 * meant to, and hands the others to the router that knows them.
 */
final class ItemDoor implements Items {
    /** Those who know the partitions of a container, and what to send them. */
    record Routers(
            ItemRouter items,
            BatchRouter batches,
            ManyRouter many,
            KeyDeleteRouter keyDeletes,
            FeedRouter feeds,
            ChangeRouter changes,
            LookupRouter lookups,
            MatchRouter matches,
            TimeRouter times,
            StatementRouter statements,
            TransactionRouter transactions,
            QueryRouter queries,
            ScriptRouter scripts,
            ScriptRuns runs) {}

    private final Doorkeeper door;
    private final Faults faults;
    private final Routers routers;
    private final ItemKeeper keeper;
    private final TableProcedure tableProcedure;

    ItemDoor(Doorkeeper door, Faults faults, Routers routers) {
        this.door = door;
        this.faults = faults;
        this.routers = routers;
        this.keeper = new ItemKeeper(door, routers.items(), faults);
        this.tableProcedure = new TableProcedure(routers.batches());
    }

    /** Lets in a request for items of a key, unless it is one of those that fail on demand. */
    private Container admit(
            RequestContext context, ContainerRef ref, Action action, PartitionKey key) {
        Container container = door.owner(context, ref, action, key);
        faults.check(container);
        return container;
    }

    private Container admit(RequestContext context, ContainerRef ref, Action action) {
        Container container = door.owner(context, ref, action);
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
        return routers.items().read(context, keeper.read(context, ref, key, item), key, item);
    }

    @Override
    public ItemAnswer writeItem(
            RequestContext context,
            ContainerRef ref,
            ItemWrite write,
            Optional<Statement> statement) {
        Container container = keeper.write(context, ref, write);
        ItemRouter.CheckedWrite checked = routers.items().checked(context, container, write);
        ItemKeeper.checkTarget(context, checked);
        return routers.items().write(context, container, checked, statement);
    }

    @Override
    public FoundStatement findStatement(
            RequestContext context, ContainerRef ref, Statement statement) {
        return routers.statements()
                .find(context, admit(context, ref, new FeedScope.Everything()), statement);
    }

    @Override
    public TriggeredAnswer writeItem(
            RequestContext context, ContainerRef ref, ItemWrite write, TriggerNames triggers) {
        Container container = keeper.writeWithTriggers(context, ref, write);
        return routers.runs().write(context, container, write, triggers);
    }

    @Override
    public ItemAnswer writeFirst(RequestContext context, ContainerRef ref, FirstWrite write) {
        Container container = admit(context, ref, Action.WRITE_ITEMS, write.key());
        return routers.items().write(context, container, write);
    }

    @Override
    public ManyAnswer changeMany(RequestContext context, ContainerRef ref, ManyWrite write) {
        Container container =
                write.scope()
                        .namedKey()
                        .map(key -> admit(context, ref, Action.WRITE_ITEMS, key))
                        .orElseGet(() -> admit(context, ref, Action.WRITE_ITEMS));
        return routers.many().run(context, container, write);
    }

    @Override
    public KeyAnswer readKey(RequestContext context, ContainerRef ref, PartitionKey key) {
        Container container = admit(context, ref, Action.READ_ITEMS, key);
        return routers.items().readKey(context, container, key);
    }

    @Override
    public CommitAnswer commit(
            RequestContext context, KeyTransaction transaction, Statement statement) {
        if (transaction.container().isEmpty() || transaction.key().isEmpty()) {
            return new CommitAnswer(Charge.NONE);
        }
        Container begun = transaction.container().get();
        ContainerRef ref =
                new ContainerRef.Addressed(
                        new ResourceRef.Identified(ResourceId.ofDatabase(begun.database())),
                        new ResourceRef.Identified(
                                ResourceId.ofContainer(begun.database(), begun.number())));
        Container container = admit(context, ref, Action.WRITE_ITEMS, transaction.key().get());
        return routers.transactions().commit(context, container, transaction, statement);
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
        Script script =
                routers.scripts().require(container, ScriptDefinition.Kind.PROCEDURE, procedure);
        return routers.runs().execute(context, container, key, script, arguments, logs);
    }

    /** The operations of a bulk fail on demand one by one, so the router asks for that. */
    @Override
    public BatchAnswer batch(RequestContext context, ContainerRef ref, ItemBatch batch) {
        Container container = door.owner(context, ref, Action.RESOLVE);
        return routers.batches().run(context, container, door.admitted(context, container, batch));
    }

    @Override
    public KeyDeleteAnswer deleteItems(RequestContext context, ContainerRef ref, PartitionKey key) {
        Container container = admit(context, ref, Action.WRITE_ITEMS, key);
        return routers.keyDeletes().run(context, container, key);
    }

    @Override
    public ItemPage readItems(
            RequestContext context, ContainerRef ref, FeedScope scope, PageRequest page) {
        return routers.feeds().read(context, admit(context, ref, scope), scope, page);
    }

    @Override
    public ChangePage<ChangedItem> readChanges(
            RequestContext context, ContainerRef ref, FeedScope scope, ChangeRequest request) {
        return routers.changes().readLatest(context, admit(context, ref, scope), scope, request);
    }

    @Override
    public LookupAnswer readMany(
            RequestContext context, ContainerRef ref, List<ItemAddress> addresses) {
        Container container = door.owner(context, ref, Action.RESOLVE);
        for (ItemAddress address : addresses) {
            door.check(context, Action.READ_ITEMS, new Reach.OneKey(container, address.key()));
        }
        faults.check(container);
        return routers.lookups().read(context, container, addresses);
    }

    @Override
    public MatchPage findItems(
            RequestContext context,
            ContainerRef ref,
            FeedScope scope,
            ValueLookup lookup,
            PageRequest page) {
        return routers.matches().read(context, admit(context, ref, scope), scope, lookup, page);
    }

    @Override
    public TimeReached awaitTime(RequestContext context, ContainerRef ref, Instant time) {
        return routers.times().await(context, door.owner(context, ref, Action.READ_ITEMS), time);
    }

    @Override
    public ChangePage<ItemVersion> readVersions(
            RequestContext context, ContainerRef ref, FeedScope scope, ChangeRequest request) {
        return routers.changes().readAll(context, admit(context, ref, scope), scope, request);
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
                .during(
                        () ->
                                routers.queries()
                                        .query(context, container, scope, admitted.call(), page));
    }

    @Override
    public QueryExplanation explain(
            RequestContext context,
            ContainerRef ref,
            FeedScope scope,
            QueryCall query,
            PageRequest page,
            boolean runs) {
        Doorkeeper.AdmittedQuery admitted = door.query(context, ref, scope, query);
        Container container = admitted.container();
        faults.check(container);
        return Cancellation.current()
                .within(context.remaining())
                .during(
                        () ->
                                routers.queries()
                                        .explain(
                                                context,
                                                container,
                                                scope,
                                                admitted.call(),
                                                page,
                                                runs));
    }
}
