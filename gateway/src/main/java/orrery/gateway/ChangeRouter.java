package orrery.gateway;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import orrery.gateway.api.ChangePage;
import orrery.gateway.api.ChangeRequest;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.PageRequest;
import orrery.model.ChangeStart;
import orrery.model.ChangedItem;
import orrery.model.ErrorCode;
import orrery.model.ItemVersion;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.RequestContext;
import orrery.model.SessionToken;
import orrery.model.VersionPlace;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;

/**
 * Pages of changes. Each is of one partition; where several are read, the next page begins with
 * another, so that a busy one does not keep the rest waiting.
 */
final class ChangeRouter {
    /** The highest LSN has this many digits. */
    private static final int MAX_DIGITS = 19;

    /** Clients send continuations in a header, which has room for so many ranges. */
    private static final int MAX_PARTS = 64;

    private final Resolver resolver;
    private final PartitionCalls partitions;
    private final Continuations continuations;

    ChangeRouter(Resolver resolver, PartitionCalls partitions, Continuations continuations) {
        this.resolver = resolver;
        this.partitions = partitions;
        this.continuations = continuations;
    }

    /** The latest version of every item that has changed. */
    ChangePage<ChangedItem> readLatest(
            RequestContext context, Container container, FeedScope scope, ChangeRequest request) {
        return read(context, container, scope, request, new LatestVersions(request.since()));
    }

    /** Every version and every delete. */
    ChangePage<ItemVersion> readAll(
            RequestContext context, Container container, FeedScope scope, ChangeRequest request) {
        if (request.start() instanceof ChangeRequest.Start.Beginning
                || request.since().isPresent()) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "You must read the change feed from within the retention period. All versions"
                            + " and deletes can be read from now or from a continuation, not from"
                            + " the beginning and not from a time.");
        }
        return read(context, container, scope, request, new AllVersions());
    }

    private <T> ChangePage<T> read(
            RequestContext context,
            Container container,
            FeedScope scope,
            ChangeRequest request,
            Kind<T> kind) {
        FeedExtent extent = FeedExtent.of(container, scope);
        ChangeCursor start = start(container, extent, request.start());
        while (true) {
            PartitionMap map = resolver.map(container);
            List<Piece> pieces = pieces(start, extent, map);
            try {
                return new Walk<>(context, container, extent, request, kind).read(pieces);
            } catch (OrreryException failure) {
                if (!Resolver.hasMoved(failure)) {
                    throw failure;
                }
                resolver.awaitNewMap(context, container, map, failure);
            }
        }
    }

    private ChangeCursor start(Container container, FeedExtent extent, ChangeRequest.Start start) {
        return switch (start) {
            case ChangeRequest.Start.Beginning _ -> everything(extent, VersionPlace.after(0));
            case ChangeRequest.Start.Now _ -> everything(extent, VersionPlace.NOW);
            case ChangeRequest.Start.After(String token) ->
                    isNumber(token)
                            ? everything(extent, VersionPlace.after(afterLsn(token)))
                            : continuations.open(feed(container), token, ChangeCursor::read);
        };
    }

    private static ChangeCursor everything(FeedExtent extent, VersionPlace after) {
        return new ChangeCursor(List.of(new ChangeCursor.Part(extent.keys(), after)));
    }

    private static boolean isNumber(String token) {
        return !token.isEmpty()
                && token.length() <= MAX_DIGITS
                && token.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** A number that no LSN reaches has nothing behind it; the highest one would mean "now". */
    private static long afterLsn(String digits) {
        try {
            return Math.min(Long.parseLong(digits), Long.MAX_VALUE - 1);
        } catch (NumberFormatException beyond) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The continuation '"
                            + digits
                            + "' is none that was handed out here: it is beyond 64 bits.");
        }
    }

    private static String feed(Container container) {
        return "changes of " + container.number();
    }

    /** A part of what is read that lies in one partition. */
    private record Piece(PhysicalPartition partition, KeyRange keys, VersionPlace after) {}

    private static List<Piece> pieces(ChangeCursor start, FeedExtent extent, PartitionMap map) {
        List<Piece> pieces = new ArrayList<>();
        List<PhysicalPartition> targets = extent.partitions(map);
        for (ChangeCursor.Part part : start.parts()) {
            for (PhysicalPartition partition : targets) {
                part.keys()
                        .intersect(extent.keys())
                        .flatMap(partition.keys()::intersect)
                        .ifPresent(keys -> pieces.add(new Piece(partition, keys, part.after())));
            }
        }
        if (pieces.isEmpty()) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The continuation, or the keys between x-ms-start-epk and x-ms-end-epk, and the"
                            + " partition key range of the request have nothing in common.");
        }
        if (pieces.size() > MAX_PARTS) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The changes of more than "
                            + MAX_PARTS
                            + " partition key ranges cannot be read at once. Read them range by"
                            + " range, as the change feed of the SDKs does.");
        }
        return pieces;
    }

    /** The changes of one partition. */
    private record Part<T>(List<T> changes, VersionPlace next, long headLsn, Charge charge) {}

    /** The kind of changes that is read. */
    private sealed interface Kind<T> {
        PartitionRequest request(Wanted wanted);

        Part<T> part(PartitionResponse response);
    }

    /** The changes to ask one partition for. */
    private record Wanted(
            PartitionId partition,
            KeyRange keys,
            Optional<PartitionKey> key,
            VersionPlace after,
            int maxItems,
            long minLsn) {}

    /** A cursor within an LSN, from a feed of all versions, reads that LSN from its beginning. */
    private record LatestVersions(Optional<Instant> since) implements Kind<ChangedItem> {
        @Override
        public PartitionRequest request(Wanted wanted) {
            long sinceMillis = Math.max(0, since.map(Instant::toEpochMilli).orElse(0L));
            return new ReadRequest.ReadChanges(
                    wanted.partition(),
                    wanted.keys(),
                    wanted.key(),
                    new ChangeStart(wanted.after().wholeLsn(), sinceMillis),
                    wanted.maxItems(),
                    ReadRequest.MAX_PAGE_BYTES,
                    wanted.minLsn());
        }

        @Override
        public Part<ChangedItem> part(PartitionResponse response) {
            ReadResponse.Changes page = (ReadResponse.Changes) response;
            return new Part<>(
                    page.changes(),
                    VersionPlace.after(page.nextLsn()),
                    page.headLsn(),
                    page.charge());
        }
    }

    private record AllVersions() implements Kind<ItemVersion> {
        @Override
        public PartitionRequest request(Wanted wanted) {
            return new ReadRequest.ReadVersions(
                    wanted.partition(),
                    wanted.keys(),
                    wanted.key(),
                    wanted.after(),
                    wanted.maxItems(),
                    ReadRequest.MAX_PAGE_BYTES,
                    wanted.minLsn());
        }

        @Override
        public Part<ItemVersion> part(PartitionResponse response) {
            ReadResponse.Versions page = (ReadResponse.Versions) response;
            return new Part<>(page.versions(), page.next(), page.headLsn(), page.charge());
        }
    }

    /** One page being read. */
    private final class Walk<T> {
        private final RequestContext context;
        private final Container container;
        private final FeedExtent extent;
        private final Kind<T> kind;
        private final int maxItems;
        private final SortedMap<Integer, Long> lsns = new TreeMap<>();
        private Charge charge = Charge.NONE;

        Walk(
                RequestContext context,
                Container container,
                FeedExtent extent,
                ChangeRequest request,
                Kind<T> kind) {
            this.context = context;
            this.container = container;
            this.extent = extent;
            this.kind = kind;
            this.maxItems = PageRequest.size(request.maxItems());
        }

        /** Asks one after the other until one has something new. */
        ChangePage<T> read(List<Piece> pieces) {
            List<ChangeCursor.Part> done = new ArrayList<>();
            List<T> changes = List.of();
            boolean hasMore = false;
            int next = 0;
            while (changes.isEmpty() && next < pieces.size()) {
                Piece piece = pieces.get(next);
                Part<T> page = read(piece);
                changes = page.changes();
                hasMore |= page.next().wholeLsn() < page.headLsn();
                charge = charge.plus(page.charge());
                lsns.merge(piece.partition().range(), page.headLsn(), Math::max);
                done.add(new ChangeCursor.Part(piece.keys(), page.next()));
                next++;
            }
            hasMore |= next < pieces.size();
            List<ChangeCursor.Part> parts = new ArrayList<>();
            for (Piece piece : pieces.subList(next, pieces.size())) {
                parts.add(new ChangeCursor.Part(piece.keys(), piece.after()));
            }
            parts.addAll(done);
            return new ChangePage<>(
                    changes,
                    hasMore,
                    continuation(new ChangeCursor(parts).joined()),
                    container,
                    lsns.size() == 1 ? OptionalInt.of(lsns.firstKey()) : OptionalInt.empty(),
                    new SessionToken(lsns),
                    PartitionCalls.charge(context, charge));
        }

        private String continuation(ChangeCursor cursor) {
            OptionalLong lsn = cursor.singleLsn();
            return lsn.isPresent()
                    ? Long.toString(lsn.getAsLong())
                    : continuations.seal(feed(container), cursor.toBytes());
        }

        private Part<T> read(Piece piece) {
            return kind.part(
                    partitions.read(
                            context,
                            piece.partition(),
                            kind.request(
                                    new Wanted(
                                            container.partition(piece.partition()),
                                            piece.keys(),
                                            extent.key(),
                                            piece.after(),
                                            maxItems,
                                            partitions.minLsn(context, piece.partition())))));
        }
    }
}
