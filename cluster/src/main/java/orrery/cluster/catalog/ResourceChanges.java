package orrery.cluster.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.Throughput;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.model.resource.Script;
import orrery.storage.StoreView;

/** Applies commands about databases, containers and their throughput to the catalog. */
final class ResourceChanges {
    /** The first number of a segment; a container counts its own. */
    private static final int FIRST_SEGMENT = 1;

    /** The epoch of a container's first map. */
    private static final long FIRST_EPOCH = 1;

    private final CatalogState state;
    private final StoreView store;
    private final RangeChanges ranges;

    ResourceChanges(CatalogState state, StoreView store, RangeChanges ranges) {
        this.state = state;
        this.store = store;
        this.ranges = ranges;
    }

    CatalogOutcome apply(ResourceCommand command, CatalogDraft draft) {
        return switch (command) {
            case ResourceCommand.CreateDatabase c -> createDatabase(c, draft);
            case ResourceCommand.DeleteDatabase c -> deleteDatabase(c, draft);
            case ResourceCommand.CreateContainer c -> createContainer(c, draft);
            case ResourceCommand.ContainerReady c -> ready(c, draft);
            case ResourceCommand.ReplaceContainer c -> replaceContainer(c, draft);
            case ResourceCommand.DeleteContainer c -> deleteContainer(c, draft);
            case ResourceCommand.TakeName c -> takeName(c, draft);
            case ResourceCommand.KeepVersions c -> keepVersions(c, draft);
            case ResourceCommand.ForgetContainer c -> forget(c, draft);
            case ResourceCommand.ReplaceOffer c -> replaceOffer(c, draft);
        };
    }

    private CatalogOutcome createDatabase(
            ResourceCommand.CreateDatabase command, CatalogDraft draft) {
        if (state.database(command.name()).isPresent()) {
            return CatalogOutcome.Rejected.exists(
                    ErrorCode.DATABASE_EXISTS, "Database", command.name());
        }
        Optional<CatalogOutcome> over = overQuota(draft.level());
        if (over.isPresent()) {
            return over.get();
        }
        Numbers numbers = new Numbers(state.account());
        Database database =
                new Database(
                        numbers.database(), command.name(), numbers.etag(), draft.stampMillis());
        draft.add(new Change.OfDatabase(database.number(), database));
        command.throughput()
                .ifPresent(
                        throughput ->
                                draft.add(
                                        offer(
                                                numbers,
                                                database.number(),
                                                0,
                                                throughput,
                                                draft.stampMillis())));
        draft.add(new Change.Account(numbers.record()));
        return new CatalogOutcome.OfDatabase(database);
    }

    private CatalogOutcome deleteDatabase(
            ResourceCommand.DeleteDatabase command, CatalogDraft draft) {
        Optional<Database> database = state.database(command.database());
        if (database.isEmpty()) {
            return CatalogOutcome.Rejected.missing();
        }
        if (!Precondition.holds(command.precondition(), database.get().etag())) {
            return CatalogOutcome.Rejected.overtaken();
        }
        for (Container container :
                state.containersAfter(command.database(), 0, Integer.MAX_VALUE)) {
            markDeleted(container, draft);
        }
        state.offerOfDatabase(command.database())
                .ifPresent(offer -> draft.add(new Change.OfOffer(offer.number(), null)));
        state.access().removeAll(command.database(), draft);
        draft.add(new Change.OfDatabase(command.database(), null));
        return new CatalogOutcome.Done();
    }

    private CatalogOutcome createContainer(
            ResourceCommand.CreateContainer command, CatalogDraft draft) {
        if (state.database(command.database()).isEmpty()) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.NOT_FOUND, "The database of the container does not exist.");
        }
        if (state.container(command.database(), command.name()).isPresent()) {
            return CatalogOutcome.Rejected.exists("Container", command.name());
        }
        Optional<Container> alike =
                command.definition().kind() == ContainerKind.TABLE
                        ? state.tableNames().find(command.database(), command.name())
                        : Optional.empty();
        if (alike.isPresent()) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.CONFLICT,
                    "The table "
                            + alike.get().name()
                            + " exists. Names of tables differ in more than case.");
        }
        if (!command.ranges().stream()
                .allMatch(range -> state.set(range.replicaSet()).isPresent())) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.CONFLICT,
                    "A range of the container was placed in a replica set that does not exist.");
        }
        Optional<CatalogOutcome> over = overQuota(draft.level());
        if (over.isPresent()) {
            return over.get();
        }
        if (command.throughput().isEmpty() && isSharedSetFull(command.database(), draft.level())) {
            return new CatalogOutcome.Rejected(
                    ErrorCode.SHARED_CONTAINER_LIMIT,
                    "A database with shared throughput holds at most "
                            + draft.level().maxSharing()
                            + " containers. Give this one throughput of its own.");
        }
        Numbers numbers = new Numbers(state.account());
        Container container =
                new Container(
                        numbers.container(),
                        command.database(),
                        command.name(),
                        keyed(keepingVersions(command)),
                        state.account()
                                .settings()
                                .makesFixed(command.definition(), command.throughput()),
                        FIRST_SEGMENT + command.ranges().size(),
                        1,
                        Container.State.CREATING,
                        numbers.etag(),
                        draft.stampMillis());
        List<PhysicalPartition> partitions = new ArrayList<>();
        for (ResourceCommand.PlacedRange range : command.ranges()) {
            partitions.add(
                    new PhysicalPartition(
                            partitions.size(),
                            range.keys(),
                            List.of(),
                            range.replicaSet(),
                            FIRST_EPOCH,
                            FIRST_SEGMENT + partitions.size(),
                            draft.stampMillis()));
        }
        draft.add(new Change.OfContainer(container.number(), container));
        draft.add(new Change.OfMap(container.number(), new PartitionMap(FIRST_EPOCH, partitions)));
        command.throughput()
                .ifPresent(
                        throughput ->
                                draft.add(
                                        offer(
                                                numbers,
                                                command.database(),
                                                container.number(),
                                                throughput,
                                                draft.stampMillis())));
        draft.add(new Change.Account(numbers.record()));
        return new CatalogOutcome.OfContainer(container);
    }

    /** A collection that is made while somebody watches must show its first document. */
    private ContainerDefinition keepingVersions(ResourceCommand.CreateContainer command) {
        ContainerDefinition definition = command.definition();
        int ofDatabase = state.database(command.database()).map(Database::keptMinutes).orElse(0);
        int minutes = Math.max(ofDatabase, state.account().keptMinutes());
        return definition.kind() == ContainerKind.MONGODB
                        && definition.changeRetentionMinutes() == 0
                ? definition.withChangeRetention(minutes)
                : definition;
    }

    private CatalogOutcome keepVersions(ResourceCommand.KeepVersions command, CatalogDraft draft) {
        if (command.database() == 0) {
            draft.add(new Change.Account(state.account().keepingVersions(command.minutes())));
            return new CatalogOutcome.Done();
        }
        Optional<Database> database = state.database(command.database());
        if (database.isEmpty()) {
            return CatalogOutcome.Rejected.missing();
        }
        draft.add(
                new Change.OfDatabase(
                        command.database(), database.get().keepingVersions(command.minutes())));
        return new CatalogOutcome.Done();
    }

    private CatalogOutcome ready(ResourceCommand.ContainerReady command, CatalogDraft draft) {
        Optional<Container> found = state.container(command.container());
        if (found.isEmpty()) {
            return CatalogOutcome.Rejected.missing();
        }
        Container container = found.get();
        boolean applies =
                container.state() != Container.State.DELETING
                        && container.definitionVersion() == command.definitionVersion();
        if (!applies) {
            return new CatalogOutcome.OfContainer(container);
        }
        Container online = container.withState(Container.State.ONLINE);
        draft.add(new Change.OfContainer(online.number(), online));
        return new CatalogOutcome.OfContainer(online);
    }

    private CatalogOutcome replaceContainer(
            ResourceCommand.ReplaceContainer command, CatalogDraft draft) {
        Optional<Container> found = state.livingContainer(command.container());
        if (found.isEmpty()) {
            return CatalogOutcome.Rejected.missing();
        }
        Container container = found.get();
        if (!Precondition.holds(command.precondition(), container.etag())) {
            return CatalogOutcome.Rejected.overtaken();
        }
        Numbers numbers = new Numbers(state.account());
        Container changed =
                container.replaced(
                        command.definition().withKind(container.definition().kind()),
                        numbers.etag(),
                        draft.stampMillis());
        draft.add(new Change.OfContainer(changed.number(), changed));
        draft.add(
                new Change.OfHistory(
                        container.number(),
                        CatalogState.readHistory(store, container.number())
                                .plus(container, draft.level())));
        draft.add(new Change.Account(numbers.record()));
        return new CatalogOutcome.OfContainer(changed);
    }

    private CatalogOutcome deleteContainer(
            ResourceCommand.DeleteContainer command, CatalogDraft draft) {
        Optional<Container> found = state.livingContainer(command.container());
        if (found.isEmpty()) {
            return CatalogOutcome.Rejected.missing();
        }
        if (!Precondition.holds(command.precondition(), found.get().etag())) {
            return CatalogOutcome.Rejected.overtaken();
        }
        markDeleted(found.get(), draft);
        return new CatalogOutcome.Done();
    }

    /** The precondition is about the container that has the name, or about there being none. */
    private CatalogOutcome takeName(ResourceCommand.TakeName command, CatalogDraft draft) {
        Optional<Container> found = state.livingContainer(command.container());
        if (found.isEmpty()) {
            return CatalogOutcome.Rejected.missing();
        }
        Container taker = found.get();
        Optional<Container> replaced = state.container(taker.database(), command.name());
        boolean isOvertaken =
                replaced.isPresent() == command.precondition().equals(Precondition.NONE)
                        || (replaced.isPresent()
                                && !Precondition.holds(
                                        command.precondition(), replaced.get().etag()));
        boolean isItself = replaced.filter(taker::equals).isPresent();
        boolean isOfOtherApi =
                taker.definition().kind() == ContainerKind.TABLE
                        || replaced.filter(
                                        each ->
                                                each.definition().kind()
                                                        != taker.definition().kind())
                                .isPresent();
        if (isOvertaken || isItself || isOfOtherApi) {
            return CatalogOutcome.Rejected.overtaken();
        }
        replaced.ifPresent(container -> markDeleted(container, draft));
        Numbers numbers = new Numbers(state.account());
        Container named = taker.named(command.name(), numbers.etag(), draft.stampMillis());
        draft.add(new Change.OfContainer(named.number(), named));
        draft.add(new Change.Account(numbers.record()));
        return new CatalogOutcome.OfContainer(named);
    }

    private void markDeleted(Container container, CatalogDraft draft) {
        draft.add(
                new Change.OfContainer(
                        container.number(), container.withState(Container.State.DELETING)));
        state.offerOfContainer(container.number())
                .ifPresent(offer -> draft.add(new Change.OfOffer(offer.number(), null)));
    }

    private CatalogOutcome forget(ResourceCommand.ForgetContainer command, CatalogDraft draft) {
        Optional<Container> found = state.container(command.container());
        if (found.isPresent() && found.get().state() == Container.State.DELETING) {
            draft.add(new Change.OfContainer(command.container(), null));
            draft.add(new Change.OfMap(command.container(), null));
            draft.add(new Change.OfReshape(command.container(), null));
            draft.add(new Change.OfEvents(command.container(), null));
            draft.add(new Change.OfHistory(command.container(), null));
            draft.add(new Change.OfTablePolicies(command.container(), null));
            for (Script.Head script : state.scripts().all(command.container())) {
                draft.add(new Change.OfScript(script.number(), null));
            }
        }
        return new CatalogOutcome.Done();
    }

    private CatalogOutcome replaceOffer(ResourceCommand.ReplaceOffer command, CatalogDraft draft) {
        Optional<Offer> found = state.offer(command.offer());
        if (found.isEmpty()) {
            return CatalogOutcome.Rejected.missing();
        }
        Offer offer = found.get();
        if (!Precondition.holds(command.precondition(), offer.etag())) {
            return CatalogOutcome.Rejected.overtaken();
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
                        draft.stampMillis(),
                        command.buckets().orElse(offer.buckets()));
        draft.add(new Change.OfOffer(changed.number(), changed));
        draft.add(new Change.Account(numbers.record()));
        ranges.keepFractions(changed, draft);
        return new CatalogOutcome.OfOffer(changed);
    }

    /** The service holds so many databases and containers together unless it is asked for more. */
    private Optional<CatalogOutcome> overQuota(CatalogLevel level) {
        if (!state.account().settings().serviceQuotas()
                || state.resourceCount() < level.maxResources()) {
            return Optional.empty();
        }
        return Optional.of(
                new CatalogOutcome.Rejected(
                        ErrorCode.PROVISION_LIMIT_REACHED,
                        "The account has "
                                + level.maxResources()
                                + " databases and containers, the quota of the service."
                                + " Delete some, or switch quotas off with `orrery account set --no-service-quotas`."));
    }

    private boolean isSharedSetFull(int database, CatalogLevel level) {
        if (!state.account().settings().serviceQuotas()
                || state.offerOfDatabase(database).isEmpty()) {
            return false;
        }
        long sharing =
                state.containersAfter(database, 0, Integer.MAX_VALUE).stream()
                        .filter(c -> state.offerOfContainer(c.number()).isEmpty())
                        .count();
        return sharing >= level.maxSharing();
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
}
