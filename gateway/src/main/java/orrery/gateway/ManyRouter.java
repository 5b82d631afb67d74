package orrery.gateway;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import orrery.gateway.api.ManyAnswer;
import orrery.gateway.api.ManyWrite;
import orrery.model.ContainerDefinition;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.RequestContext;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.CreationPlace;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.StepResult;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.query.PlanningThreads;
import orrery.query.QuerySurroundings;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.evaluate.UserFunctions;
import orrery.query.index.IndexUse;
import orrery.query.write.Images;

/**
 * Writes all items that a search finds: one partition after the other, a page at a time. No item
 * comes here; what is kept is how far each range of keys has come, which splits and merges do not
 * change.
 */
final class ManyRouter {
    /** The items of a page: one of a few hundred is as cheap for each item as a longer one. */
    private static final int PAGE_ITEMS = 256;

    private static final int PAGE_BYTES = 1 << 20;

    private final Resolver resolver;
    private final PartitionCalls partitions;
    private final ItemRouter items;
    private final InstantSource clock;

    /**
     * @param clock for searches that ask for the time
     */
    ManyRouter(
            Resolver resolver, PartitionCalls partitions, ItemRouter items, InstantSource clock) {
        this.resolver = resolver;
        this.partitions = partitions;
        this.items = items;
        this.clock = clock;
    }

    ManyAnswer run(RequestContext context, Container container, ManyWrite write) {
        Walk walk = new Walk(context, container, write);
        Optional<OrreryException> failure = Optional.empty();
        try {
            failure = walk.run();
        } catch (OrreryException ended) {
            if (walk.matched == 0) {
                throw ended.withCharge(walk.charge.plus(ended.charge()));
            }
            walk.charge = walk.charge.plus(ended.charge());
            failure = Optional.of(ended);
        }
        return new ManyAnswer(
                walk.matched,
                walk.modified,
                failure,
                container,
                new SessionToken(walk.lsns),
                walk.used,
                walk.charge);
    }

    private static WriteAction.Computed action(Container container, ManyWrite.Change change) {
        return switch (change) {
            case ManyWrite.Change.Evaluate(var evaluation) ->
                    ItemRouter.evaluation(container, evaluation, false, Images.NONE);
            case ManyWrite.Change.Delete _ -> new WriteAction.Delete();
        };
    }

    /** The keys that the filter leaves; empty if any. */
    private Optional<List<PartitionKey>> wantedKeys(Container container, ManyWrite write) {
        ContainerDefinition definition = container.definition();
        return PlanningThreads.ofProcess()
                .plan(
                        container.number(),
                        write.search().isShort(),
                        () ->
                                write.search()
                                        .bind(
                                                new QuerySurroundings(
                                                        clock,
                                                        definition.geospatial(),
                                                        UserFunctions.NONE,
                                                        ComputedProperties.NONE))
                                        .keys(
                                                definition.partitionKey(),
                                                definition.kind().encoding()));
    }

    /** Keys whose items are still to be written. */
    private record Part(KeyRange keys, Optional<CreationPlace> from) {}

    private final class Walk {
        private final RequestContext context;
        private final Container container;
        private final ManyWrite write;
        private final WriteAction.Computed action;
        private final QueryPlaces places;
        private final Deque<Part> left = new ArrayDeque<>();
        private final SortedMap<Integer, Long> lsns = new TreeMap<>();
        private Charge charge = Charge.NONE;
        private IndexUse used = IndexUse.NONE;
        private long matched;
        private long modified;

        Walk(RequestContext context, Container container, ManyWrite write) {
            this.context = context;
            this.container = container;
            this.write = write;
            this.action = action(container, write.change());
            FeedExtent extent = FeedExtent.of(container, write.scope());
            this.places =
                    QueryPlaces.of(
                            container.definition().partitionKey(),
                            extent.keys(),
                            extent.key(),
                            wantedKeys(container, write));
            left.add(new Part(extent.keys(), Optional.empty()));
        }

        /** Returns the reason for which the walk ended early. */
        Optional<OrreryException> run() {
            while (!left.isEmpty()) {
                PartitionMap map = resolver.map(container);
                try {
                    Optional<OrreryException> failure = page(map);
                    if (failure.isPresent()) {
                        return failure;
                    }
                } catch (OrreryException failure) {
                    if (Resolver.hasMoved(failure)) {
                        resolver.awaitNewMap(context, container, map, failure);
                    } else {
                        awaitBudget(failure);
                    }
                }
            }
            return Optional.empty();
        }

        /** Writes a page of the first part that is left, as far as one partition has it. */
        private Optional<OrreryException> page(PartitionMap map) {
            Part part = left.getFirst();
            PhysicalPartition partition = map.overlapping(part.keys()).getFirst();
            KeyRange keys = partition.keys().intersect(part.keys()).orElseThrow();
            Optional<QueryPlaces.Place> place = places.in(keys);
            Optional<WriteResponse.ManyChanged> page =
                    place.map(wanted -> changed(partition, wanted, part.from()));
            left.removeFirst();
            if (keys.max().compareTo(part.keys().max()) < 0) {
                left.addFirst(new Part(new KeyRange(keys.max(), part.keys().max()), part.from()));
            }
            page.flatMap(WriteResponse.ManyChanged::next)
                    .ifPresent(next -> left.addFirst(new Part(keys, Optional.of(next))));
            return page.flatMap(WriteResponse.ManyChanged::refusal).map(ManyRouter::failure);
        }

        private WriteResponse.ManyChanged changed(
                PhysicalPartition partition,
                QueryPlaces.Place place,
                Optional<CreationPlace> from) {
            PartitionResponse response =
                    partitions.call(
                            context,
                            partition,
                            new WriteRequest.ChangeMany(
                                    container.partition(partition),
                                    items.newRequestId(),
                                    write.search().encoded(),
                                    container.database(),
                                    place.keys(),
                                    place.key(),
                                    action,
                                    from,
                                    PAGE_ITEMS,
                                    PAGE_BYTES));
            WriteResponse.ManyChanged page =
                    switch (response) {
                        case WriteResponse.Searched(
                                        WriteResponse.ManyChanged found,
                                        IndexUse indexes) -> {
                            used = used.plus(indexes);
                            yield found;
                        }
                        default -> (WriteResponse.ManyChanged) response;
                    };
            matched += page.matched();
            modified += page.modified();
            charge = charge.plus(page.charge());
            lsns.merge(partition.range(), page.headLsn(), Math::max);
            return page;
        }

        /**
         * Waits where the budget of a partition is used up, if items have been written already: a
         * client that sent the write again would write those twice. The first page is refused like
         * any other request, and so is one for which the time does not suffice.
         */
        private void awaitBudget(OrreryException failure) {
            if (matched == 0) {
                throw failure;
            }
            partitions.awaitBudget(context, failure);
        }
    }

    private static OrreryException failure(StepResult.Refused refused) {
        return new OrreryException(refused.code(), refused.text())
                .withLanguageCode(refused.languageCode())
                .withViolation(refused.violation());
    }
}
