package orrery.cluster.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.cluster.catalog.CatalogState.Change;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.Throughput;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.model.resource.Script;
import orrery.storage.StoreBatch;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.AppliedRecord;
import orrery.storage.format.Keys;

/**
 * Applies catalog commands, one per batch: they are rare, and each then sees the one before it in
 * the state itself.
 */
public final class CatalogMachine {
    private final CatalogState state;
    private final AccountCommands account;
    private final RangeCommands ranges;
    private final ScriptCommands scripts;
    private AppliedRecord applied;

    public CatalogMachine(StoreView store) {
        byte[] position = store.get(Table.META, Keys.applied());
        this.applied = position == null ? AppliedRecord.NOTHING : AppliedRecord.decode(position);
        this.state = CatalogState.load(store);
        this.account = new AccountCommands(state);
        this.ranges = new RangeCommands(state);
        this.scripts = new ScriptCommands(state);
    }

    public CatalogState state() {
        return state;
    }

    public long appliedPosition() {
        return applied.position();
    }

    /** The changes of a command; {@link #committed} puts them into effect. */
    public static final class Effects {
        private final CatalogOutcome outcome;
        private final List<Change> changes;

        private Effects(CatalogOutcome outcome, List<Change> changes) {
            this.outcome = outcome;
            this.changes = changes;
        }

        public CatalogOutcome outcome() {
            return outcome;
        }
    }

    /** Adds the effects of a command to a batch without changing the state. */
    public Effects apply(CatalogCommand command, StoreBatch batch) {
        List<Change> changes = new ArrayList<>();
        CatalogOutcome outcome = run(command, changes);
        if (outcome instanceof CatalogOutcome.Rejected) {
            changes.clear();
        }
        for (Change change : changes) {
            state.write(change, batch);
        }
        return new Effects(outcome, changes);
    }

    public void committed(Effects effects) {
        effects.changes.forEach(state::accept);
    }

    /** Notes in the batch that the entry at this position is done. */
    public void advance(long position, StoreBatch batch) {
        applied = applied.next(position, applied.timeMillis(), position);
        batch.put(Table.META, Keys.applied(), applied.encode());
    }

    private CatalogOutcome run(CatalogCommand command, List<Change> changes) {
        return switch (command) {
            case CatalogCommand.SetUpAccount c -> account.setUp(c, changes);
            case CatalogCommand.ChangeSettings c -> account.changeSettings(c, changes);
            case CatalogCommand.ReplaceKeys c -> account.replaceKeys(c, changes);
            case CatalogCommand.CreateDatabase c -> createDatabase(c, changes);
            case CatalogCommand.DeleteDatabase c -> deleteDatabase(c, changes);
            case CatalogCommand.CreateContainer c -> createContainer(c, changes);
            case CatalogCommand.ContainerReady c -> ready(c, changes);
            case CatalogCommand.ReplaceContainer c -> replaceContainer(c, changes);
            case CatalogCommand.DeleteContainer c -> deleteContainer(c, changes);
            case CatalogCommand.ForgetContainer c -> forget(c, changes);
            case CatalogCommand.ReplaceOffer c -> replaceOffer(c, changes);
            case CatalogCommand.BeginSplit c -> ranges.beginSplit(c, changes);
            case CatalogCommand.BeginMerge c -> ranges.beginMerge(c, changes);
            case CatalogCommand.PublishReshape c -> ranges.publish(c, changes);
            case CatalogCommand.CancelReshape c -> ranges.cancel(c, changes);
            case CatalogCommand.Redistribute c -> ranges.redistribute(c, changes);
            case CatalogCommand.CreateScript c -> scripts.create(c, changes);
            case CatalogCommand.ReplaceScript c -> scripts.replace(c, changes);
            case CatalogCommand.DeleteScript c -> scripts.delete(c, changes);
        };
    }

    private CatalogOutcome createDatabase(
            CatalogCommand.CreateDatabase command, List<Change> changes) {
        if (state.database(command.name()).isPresent()) {
            return exists(ErrorCode.DATABASE_EXISTS, "Database", command.name());
        }
        Optional<CatalogOutcome> over = overQuota();
        if (over.isPresent()) {
            return over.get();
        }
        Numbers numbers = new Numbers(state.account());
        Database database =
                new Database(
                        numbers.database(), command.name(), numbers.etag(), command.stampMillis());
        changes.add(new Change.OfDatabase(database.number(), database));
        command.throughput()
                .ifPresent(
                        throughput ->
                                changes.add(
                                        offer(
                                                numbers,
                                                database.number(),
                                                0,
                                                throughput,
                                                command.stampMillis())));
        changes.add(new Change.Account(numbers.record()));
        return new CatalogOutcome.OfDatabase(database);
    }

    private CatalogOutcome deleteDatabase(
            CatalogCommand.DeleteDatabase command, List<Change> changes) {
        Optional<Database> database = state.database(command.database());
        if (database.isEmpty()) {
            return missing();
        }
        if (!Precondition.holds(command.precondition(), database.get().etag())) {
            return overtaken();
        }
        for (Container container :
                state.containersAfter(command.database(), 0, Integer.MAX_VALUE)) {
            markDeleted(container, changes);
        }
        state.offerOfDatabase(command.database())
                .ifPresent(offer -> changes.add(new Change.OfOffer(offer.number(), null)));
        changes.add(new Change.OfDatabase(command.database(), null));
        return new CatalogOutcome.Done();
    }

    private CatalogOutcome createContainer(
            CatalogCommand.CreateContainer command, List<Change> changes) {
        if (state.database(command.database()).isEmpty()) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.NOT_FOUND, "The database of the container does not exist.");
        }
        if (state.container(command.database(), command.name()).isPresent()) {
            return exists("Container", command.name());
        }
        Optional<CatalogOutcome> over = overQuota();
        if (over.isPresent()) {
            return over.get();
        }
        if (command.throughput().isEmpty() && isSharedSetFull(command.database())) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.SHARED_CONTAINER_LIMIT,
                    "A database with shared throughput holds at most 25 containers. Give this one"
                            + " throughput of its own.");
        }
        Numbers numbers = new Numbers(state.account());
        Container container =
                new Container(
                        numbers.container(),
                        command.database(),
                        command.name(),
                        keyed(command.definition()),
                        state.account()
                                .settings()
                                .makesFixed(command.definition(), command.throughput()),
                        command.ranges().size(),
                        1,
                        Container.State.CREATING,
                        numbers.etag(),
                        command.stampMillis());
        List<PhysicalPartition> partitions = new ArrayList<>();
        for (KeyRange keys : command.ranges()) {
            partitions.add(
                    new PhysicalPartition(
                            partitions.size(),
                            keys,
                            List.of(),
                            command.replicaSet(),
                            command.stampMillis()));
        }
        changes.add(new Change.OfContainer(container.number(), container));
        changes.add(new Change.OfMap(container.number(), new PartitionMap(1, partitions)));
        command.throughput()
                .ifPresent(
                        throughput ->
                                changes.add(
                                        offer(
                                                numbers,
                                                command.database(),
                                                container.number(),
                                                throughput,
                                                command.stampMillis())));
        changes.add(new Change.Account(numbers.record()));
        return new CatalogOutcome.OfContainer(container);
    }

    private CatalogOutcome ready(CatalogCommand.ContainerReady command, List<Change> changes) {
        Optional<Container> found = state.container(command.container());
        if (found.isEmpty()) {
            return missing();
        }
        Container container = found.get();
        boolean applies =
                container.state() != Container.State.DELETING
                        && container.definitionVersion() == command.definitionVersion();
        if (!applies) {
            return new CatalogOutcome.OfContainer(container);
        }
        Container online = container.withState(Container.State.ONLINE);
        changes.add(new Change.OfContainer(online.number(), online));
        return new CatalogOutcome.OfContainer(online);
    }

    private CatalogOutcome replaceContainer(
            CatalogCommand.ReplaceContainer command, List<Change> changes) {
        Optional<Container> found = state.livingContainer(command.container());
        if (found.isEmpty()) {
            return missing();
        }
        Container container = found.get();
        if (!Precondition.holds(command.precondition(), container.etag())) {
            return overtaken();
        }
        Numbers numbers = new Numbers(state.account());
        Container changed =
                container.replaced(command.definition(), numbers.etag(), command.stampMillis());
        changes.add(new Change.OfContainer(changed.number(), changed));
        changes.add(new Change.Account(numbers.record()));
        return new CatalogOutcome.OfContainer(changed);
    }

    private CatalogOutcome deleteContainer(
            CatalogCommand.DeleteContainer command, List<Change> changes) {
        Optional<Container> found = state.livingContainer(command.container());
        if (found.isEmpty()) {
            return missing();
        }
        if (!Precondition.holds(command.precondition(), found.get().etag())) {
            return overtaken();
        }
        markDeleted(found.get(), changes);
        return new CatalogOutcome.Done();
    }

    private void markDeleted(Container container, List<Change> changes) {
        changes.add(
                new Change.OfContainer(
                        container.number(), container.withState(Container.State.DELETING)));
        state.offerOfContainer(container.number())
                .ifPresent(offer -> changes.add(new Change.OfOffer(offer.number(), null)));
    }

    private CatalogOutcome forget(CatalogCommand.ForgetContainer command, List<Change> changes) {
        Optional<Container> found = state.container(command.container());
        if (found.isPresent() && found.get().state() == Container.State.DELETING) {
            changes.add(new Change.OfContainer(command.container(), null));
            changes.add(new Change.OfMap(command.container(), null));
            changes.add(new Change.OfReshape(command.container(), null));
            changes.add(new Change.OfEvents(command.container(), null));
            for (Script.Head script : state.scripts().all(command.container())) {
                changes.add(new Change.OfScript(script.number(), null));
            }
        }
        return new CatalogOutcome.Done();
    }

    private CatalogOutcome replaceOffer(CatalogCommand.ReplaceOffer command, List<Change> changes) {
        Optional<Offer> found = state.offer(command.offer());
        if (found.isEmpty()) {
            return missing();
        }
        Offer offer = found.get();
        if (!Precondition.holds(command.precondition(), offer.etag())) {
            return overtaken();
        }
        Numbers numbers = new Numbers(state.account());
        Offer changed =
                new Offer(
                        offer.number(),
                        offer.database(),
                        offer.container(),
                        command.throughput(),
                        Math.max(offer.highestEver(), command.throughput().ceiling()),
                        numbers.etag(),
                        command.stampMillis());
        changes.add(new Change.OfOffer(changed.number(), changed));
        changes.add(new Change.Account(numbers.record()));
        ranges.keepFractions(changed, changes);
        return new CatalogOutcome.OfOffer(changed);
    }

    /** The service holds 500 databases and containers together unless it is asked for more. */
    private Optional<CatalogOutcome> overQuota() {
        if (!state.account().settings().serviceQuotas() || state.resourceCount() < 500) {
            return Optional.empty();
        }
        return Optional.of(
                new CatalogOutcome.Rejected(
                        ErrorCode.PROVISION_LIMIT_REACHED,
                        "The account has 500 databases and containers, the quota of the service."
                                + " Delete some, or switch quotas off with `orrery account set --no-service-quotas`."));
    }

    private boolean isSharedSetFull(int database) {
        if (!state.account().settings().serviceQuotas()
                || state.offerOfDatabase(database).isEmpty()) {
            return false;
        }
        long sharing =
                state.containersAfter(database, 0, Integer.MAX_VALUE).stream()
                        .filter(c -> state.offerOfContainer(c.number()).isEmpty())
                        .count();
        return sharing >= 25;
    }

    /** A definition without a key gets one that items need not have. */
    private static ContainerDefinition keyed(ContainerDefinition definition) {
        return definition.partitionKey().paths().isEmpty()
                ? definition.withPartitionKey(PartitionKeyDefinition.OF_THE_SYSTEM)
                : definition;
    }

    private static Change offer(
            Numbers numbers, int database, int container, Throughput throughput, long stamp) {
        Offer offer =
                new Offer(
                        numbers.offer(),
                        database,
                        container,
                        throughput,
                        throughput.ceiling(),
                        numbers.etag(),
                        stamp);
        return new Change.OfOffer(offer.number(), offer);
    }

    static CatalogOutcome exists(String kind, String name) {
        return exists(ErrorCode.CONFLICT, kind, name);
    }

    private static CatalogOutcome exists(ErrorCode code, String kind, String name) {
        return new CatalogOutcome.Rejected(
                code, kind + " with the specified id or name already exists: " + name);
    }

    static CatalogOutcome missing() {
        return new CatalogOutcome.Rejected(ErrorCode.NOT_FOUND, "Resource Not Found.");
    }

    static CatalogOutcome overtaken() {
        return new CatalogOutcome.Rejected(
                ErrorCode.PRECONDITION_FAILED, "One of the specified pre-condition is not met.");
    }
}
