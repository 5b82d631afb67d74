package orrery.gateway;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import orrery.gateway.api.ItemAddress;
import orrery.gateway.api.LookupAnswer;
import orrery.gateway.api.LookupAnswer.Result;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;

/** Reads many items by their keys: one message to each partition, all at the same time. */
final class LookupRouter {
    private final Resolver resolver;
    private final PartitionCalls partitions;

    LookupRouter(Resolver resolver, PartitionCalls partitions) {
        this.resolver = resolver;
        this.partitions = partitions;
    }

    LookupAnswer read(RequestContext context, Container container, List<ItemAddress> addresses) {
        if (addresses.size() > LookupAnswer.MAX_ADDRESSES) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "More than "
                            + LookupAnswer.MAX_ADDRESSES
                            + " items cannot be read at once. Send several requests.");
        }
        List<ItemKey> keys = new ArrayList<>();
        for (ItemAddress address : addresses) {
            keys.add(
                    ItemRouter.key(
                            container,
                            ItemRouter.wholeKey(container, address.key()),
                            address.row()));
        }
        return new Run(context, container, keys).all();
    }

    /** The items that one partition is asked for. */
    private record Group(PhysicalPartition partition, List<Integer> places) {}

    private record Answered(Group group, ReadResponse.FoundMany items) {}

    /** One request on its way. */
    private final class Run {
        private final RequestContext context;
        private final Container container;
        private final List<ItemKey> keys;
        private final List<Result> results;
        private final SortedMap<Integer, Long> lsns = new TreeMap<>();
        private final List<Charge> charges = new ArrayList<>();
        private long room;

        Run(RequestContext context, Container container, List<ItemKey> keys) {
            this.context = context;
            this.container = container;
            this.keys = keys;
            this.results = new ArrayList<>(Collections.nCopies(keys.size(), new Result.Unread()));
            this.room = ReadRequest.MAX_PAGE_BYTES;
        }

        LookupAnswer all() {
            List<Integer> unread = unread();
            while (!unread.isEmpty() && room > 0) {
                unread = resolver.routed(context, container, this::readSome);
            }
            return new LookupAnswer(
                    results,
                    container,
                    new SessionToken(lsns),
                    PartitionCalls.charge(context, RequestCharge.batch(lsns.size(), charges)));
        }

        /**
         * Asks each partition once and returns what is left. Each has a share of the room; what the
         * others leave is given out in the next round.
         */
        private List<Integer> readSome(PartitionMap map) {
            List<Group> groups = groups(map);
            int share = (int) Math.max(1, room / groups.size());
            FanOut.run(groups, group -> read(group, share), this::take);
            return unread();
        }

        private List<Integer> unread() {
            List<Integer> places = new ArrayList<>();
            for (int i = 0; i < results.size(); i++) {
                if (results.get(i) instanceof Result.Unread) {
                    places.add(i);
                }
            }
            return places;
        }

        private List<Group> groups(PartitionMap map) {
            Map<Integer, Group> groups = new LinkedHashMap<>();
            for (int place : unread()) {
                PhysicalPartition owner = map.owner(keys.get(place).epk());
                groups.computeIfAbsent(owner.range(), _ -> new Group(owner, new ArrayList<>()))
                        .places()
                        .add(place);
            }
            return List.copyOf(groups.values());
        }

        private Answered read(Group group, int maxBytes) {
            PhysicalPartition partition = group.partition();
            return new Answered(
                    group,
                    (ReadResponse.FoundMany)
                            partitions.read(
                                    context,
                                    partition,
                                    new ReadRequest.ReadItems(
                                            container.partition(partition),
                                            group.places().stream().map(keys::get).toList(),
                                            maxBytes,
                                            partitions.minLsn(context, partition))));
        }

        private void take(Answered answered) {
            ReadResponse.FoundMany answer = answered.items();
            for (int i = 0; i < answer.items().size(); i++) {
                Optional<Item> item = answer.items().get(i);
                results.set(
                        answered.group().places().get(i),
                        item.<Result>map(Result.Found::new).orElseGet(Result.Missing::new));
                room -= item.map(found -> found.body().length()).orElse(0);
            }
            charges.add(answer.charge());
            lsns.merge(answered.group().partition().range(), answer.headLsn(), Math::max);
        }
    }
}
