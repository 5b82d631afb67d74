package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import orrery.gateway.Continuations.Position;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemPage;
import orrery.gateway.api.PageRequest;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.Item;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.RequestContext;
import orrery.model.SessionToken;
import orrery.model.SizeLimits;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;

/**
 * Pages of items over one or many partitions, walked in key order. No more than one page is ever in
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
        String feed = "items of " + container.number();
        Optional<Position> position =
                request.continuation().map(token -> continuations.open(feed, token));
        Walk walk = new Walk(context, container, scope, request);
        Optional<Position> next = walk.from(position);
        return new ItemPage(
                walk.items,
                next.map(where -> continuations.seal(feed, where)),
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

        /** Everything below has been read: a partition that was merged since may reach there. */
        private EffectiveKey reached = EffectiveKey.MIN;

        Walk(RequestContext context, Container container, FeedScope scope, PageRequest request) {
            this.context = context;
            this.container = container;
            this.extent = FeedExtent.of(container, scope);
            this.maxItems =
                    Math.min(
                            SizeLimits.MAX_PAGE_ROWS,
                            Math.max(1, request.maxItems().orElse(SizeLimits.MAX_PAGE_ROWS)));
        }

        /** Fills the page; returns where the next begins, if anything is left. */
        Optional<Position> from(Optional<Position> start) {
            if (start.isPresent()
                    && start.get() instanceof Position.From(EffectiveKey epk)
                    && epk.compareTo(extent.keys().max()) >= 0) {
                return Optional.empty();
            }
            while (reached.compareTo(extent.keys().max()) < 0) {
                PartitionMap map = resolver.map(container);
                List<PhysicalPartition> targets = extent.partitions(map);
                try {
                    return fill(targets, start);
                } catch (OrreryException failure) {
                    if (!Resolver.hasMoved(failure)) {
                        throw failure;
                    }
                    resolver.awaitNewMap(context, container, map, failure);
                }
            }
            return Optional.empty();
        }

        private Optional<Position> fill(List<PhysicalPartition> targets, Optional<Position> start) {
            for (PhysicalPartition partition : targets) {
                boolean isRead = partition.keys().max().compareTo(reached) <= 0;
                if (isRead || (start.isPresent() && isBefore(partition, start.get()))) {
                    continue;
                }
                boolean full = items.size() >= maxItems || bytes >= ReadRequest.MAX_PAGE_BYTES;
                ReadResponse.Feed page = read(partition, start, full);
                if (full) {
                    if (!page.items().isEmpty()) {
                        return Optional.of(new Position.From(later(partition.keys().min())));
                    }
                    reached = partition.keys().max();
                    continue;
                }
                items.addAll(page.items());
                page.items().forEach(item -> bytes += item.body().length());
                charge = charge.plus(page.charge());
                lsns.put(partition.range(), page.headLsn());
                if (page.next().isPresent()) {
                    return Optional.of(new Position.After(page.next().get()));
                }
                reached = partition.keys().max();
            }
            return Optional.empty();
        }

        private EffectiveKey later(EffectiveKey key) {
            return key.compareTo(reached) > 0 ? key : reached;
        }

        /** Once the page is full, one item is enough to know whether a continuation is due. */
        private ReadResponse.Feed read(
                PhysicalPartition partition, Optional<Position> start, boolean full) {
            KeyRange clip = from(extent.keys(), reached);
            Optional<Bytes> after = Optional.empty();
            if (start.isPresent()) {
                switch (start.get()) {
                    case Position.After(Bytes suffix) -> after = Optional.of(suffix);
                    case Position.From(EffectiveKey epk) -> clip = from(clip, epk);
                }
            }
            PartitionResponse response =
                    partitions.read(
                            context,
                            partition,
                            new ReadRequest.ReadFeed(
                                    new PartitionId(container.number(), partition.range()),
                                    clip,
                                    extent.key(),
                                    after,
                                    full ? 1 : maxItems - items.size(),
                                    (int) Math.max(1, ReadRequest.MAX_PAGE_BYTES - bytes),
                                    partitions.minLsn(context, partition)));
            return (ReadResponse.Feed) response;
        }

        private static KeyRange from(KeyRange keys, EffectiveKey min) {
            return min.compareTo(keys.min()) > 0 ? new KeyRange(min, keys.max()) : keys;
        }

        private static boolean isBefore(PhysicalPartition partition, Position start) {
            return switch (start) {
                case Position.From(EffectiveKey epk) -> partition.keys().max().compareTo(epk) <= 0;
                case Position.After(Bytes suffix) ->
                        partition.keys().max().bytes().compareTo(suffix) <= 0;
            };
        }
    }
}
