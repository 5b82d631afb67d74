package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemPage;
import orrery.gateway.api.PageRequest;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.query.dialect.RowLimit;

/**
 * Pages of items over one or many partitions: one partition after the other in the order of their
 * keys, and in each the items in the order of their creation. No more than one page is ever in
 * memory.
 */
final class FeedRouter {
    private final Resolver resolver;
    private final PartitionCalls partitions;
    private final Continuations continuations;

    FeedRouter(Resolver resolver, PartitionCalls partitions, Continuations continuations) {
        this.resolver = resolver;
        this.partitions = partitions;
        this.continuations = continuations;
    }

    ItemPage read(
            RequestContext context, Container container, FeedScope scope, PageRequest request) {
        FeedExtent extent = FeedExtent.of(container, scope);
        // A place among the items of one key says nothing about those of another.
        String feed =
                "items of "
                        + container.number()
                        + (extent.key().isPresent() ? " in " + extent.keys() : "");
        QueryToken start =
                request.continuation()
                        .map(token -> continuations.open(feed, token, QueryToken::readWalk))
                        .orElseGet(() -> QueryToken.start(RowLimit.NONE));
        Walk walk = new Walk(context, container, extent, request);
        Optional<QueryToken> next = walk.from(start);
        return new ItemPage(
                walk.items,
                next.map(where -> continuations.seal(feed, where.encode())),
                container,
                walk.lsns.size() == 1 ? OptionalInt.of(walk.lsns.firstKey()) : OptionalInt.empty(),
                new SessionToken(walk.lsns),
                PartitionCalls.charge(context, walk.charge));
    }

    /** One page being filled. */
    private final class Walk {
        private final RequestContext context;
        private final Container container;
        private final FeedExtent extent;
        private final int maxItems;
        private final List<Item> items = new ArrayList<>();
        private final SortedMap<Integer, Long> lsns = new TreeMap<>();
        private long bytes;
        private Charge charge = Charge.NONE;
        private List<QueryToken.Part> left = List.of();

        Walk(RequestContext context, Container container, FeedExtent extent, PageRequest request) {
            this.context = context;
            this.container = container;
            this.extent = extent;
            this.maxItems = request.size();
        }

        /** Fills the page; returns where the next begins, if anything is left. */
        Optional<QueryToken> from(QueryToken start) {
            left = start.parts();
            while (true) {
                PartitionMap map = resolver.map(container);
                List<Step> steps = steps(extent.partitions(map));
                try {
                    return fill(steps);
                } catch (OrreryException failure) {
                    if (!Resolver.hasMoved(failure)) {
                        throw failure;
                    }
                    resolver.awaitNewMap(context, container, map, failure);
                }
            }
        }

        /** The partitions that have the keys that are left, in order. */
        private List<Step> steps(List<PhysicalPartition> targets) {
            List<Step> steps = new ArrayList<>();
            for (QueryToken.Part part : left) {
                for (PhysicalPartition partition : targets) {
                    part.keys()
                            .intersect(extent.keys())
                            .flatMap(partition.keys()::intersect)
                            .map(keys -> new QueryToken.Part(keys, part.place()))
                            .ifPresent(keys -> steps.add(new Step(partition, keys)));
                }
            }
            return steps;
        }

        private Optional<QueryToken> fill(List<Step> steps) {
            List<QueryToken.Part> parts = steps.stream().map(Step::part).toList();
            for (int i = 0; i < steps.size(); i++) {
                boolean full = items.size() >= maxItems || bytes >= ReadRequest.MAX_PAGE_BYTES;
                ReadResponse.Feed page = read(steps.get(i), full);
                if (full) {
                    if (!page.items().isEmpty()) {
                        return Optional.of(
                                QueryToken.at(
                                        parts, i, parts.get(i).place().after(), RowLimit.NONE));
                    }
                } else {
                    add(steps.get(i).partition(), page);
                    if (page.next().isPresent()) {
                        return Optional.of(QueryToken.at(parts, i, page.next(), RowLimit.NONE));
                    }
                }
                // If the next partition has moved, the parts that were read stay read.
                left = QueryToken.left(parts, i + 1);
            }
            return Optional.empty();
        }

        private void add(PhysicalPartition partition, ReadResponse.Feed page) {
            items.addAll(page.items());
            page.items().forEach(item -> bytes += item.body().length());
            charge = charge.plus(page.charge());
            lsns.put(partition.range(), page.headLsn());
        }

        /** Once the page is full, one item is enough to know whether a continuation is due. */
        private ReadResponse.Feed read(Step step, boolean full) {
            PhysicalPartition partition = step.partition();
            PartitionResponse response =
                    partitions.read(
                            context,
                            partition,
                            new ReadRequest.ReadFeed(
                                    container.partition(partition),
                                    step.part().keys(),
                                    extent.key(),
                                    step.part().place().after(),
                                    full ? 1 : maxItems - items.size(),
                                    (int) Math.max(1, ReadRequest.MAX_PAGE_BYTES - bytes),
                                    partitions.minLsn(context, partition)));
            return (ReadResponse.Feed) response;
        }
    }

    /** A partition to read, and the keys in it that are meant. */
    private record Step(PhysicalPartition partition, QueryToken.Part part) {}
}
