package orrery.gateway;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import orrery.document.IndexPathCodec;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.MatchPage;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ValueLookup;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.RequestContext;
import orrery.model.SessionToken;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;

/**
 * Looks values up in the indexes of partitions, one after the other, a page at a time. Nothing is
 * read ahead of the page, so a slow reader holds no memory here.
 */
final class MatchRouter {
    private static final int DEFAULT_PAGE_ITEMS = 1000;

    private final Resolver resolver;
    private final PartitionCalls partitions;
    private final Continuations continuations;

    MatchRouter(Resolver resolver, PartitionCalls partitions, Continuations continuations) {
        this.resolver = resolver;
        this.partitions = partitions;
        this.continuations = continuations;
    }

    MatchPage read(
            RequestContext context,
            Container container,
            FeedScope scope,
            ValueLookup lookup,
            PageRequest request) {
        List<Bytes> values = encoded(lookup.values());
        FeedExtent extent = FeedExtent.of(container, scope);
        String feed = feed(container, extent, lookup, values);
        List<Part> parts =
                request.continuation()
                        .map(token -> continuations.open(feed, token, in -> in.list(Part::read)))
                        .orElseGet(() -> List.of(new Part(extent.keys(), Optional.empty())));
        Walk walk = new Walk(context, container, extent, lookup, values, request);
        List<Part> left = walk.read(parts);
        return new MatchPage(
                walk.matches,
                left.isEmpty()
                        ? Optional.empty()
                        : Optional.of(continuations.seal(feed, bytes(left))),
                container,
                new SessionToken(walk.lsns),
                PartitionCalls.charge(context, walk.charge));
    }

    /** A token is good for the same request only: its place is one among the same values. */
    private static String feed(
            Container container, FeedExtent extent, ValueLookup lookup, List<Bytes> values) {
        BinaryWriter request = new BinaryWriter(1024).bytes(IndexPathCodec.encode(lookup.path()));
        extent.keys().write(request);
        request.optional(extent.key(), (w, key) -> key.write(w)).list(values, BinaryWriter::bytes);
        return "matches of " + container.number() + " " + sha256(request.toBytes());
    }

    private static String sha256(Bytes bytes) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.unsafeArray()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static List<Bytes> encoded(List<Value> values) {
        if (values.isEmpty() || values.size() > ValueLookup.MAX_VALUES) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "A look-up has from 1 to " + ValueLookup.MAX_VALUES + " values.");
        }
        List<Bytes> encoded = new ArrayList<>();
        long bytes = 0;
        for (Value value : values) {
            if (!canBeFound(value)) {
                throw new OrreryException(
                        ErrorCode.BAD_REQUEST,
                        "An index cannot find arrays and objects with contents, nor what is"
                                + " undefined.");
            }
            Bytes whole = IndexValue.encodeWhole(value);
            encoded.add(whole);
            bytes += whole.length();
        }
        if (bytes > ReadRequest.MAX_PAGE_BYTES) {
            throw new OrreryException(
                    ErrorCode.TOO_LARGE, "The values of a look-up have more than 4 MB together.");
        }
        return encoded;
    }

    private static boolean canBeFound(Value value) {
        return switch (value) {
            case Value.Undefined _ -> false;
            case Value.Array(List<Value> elements) -> elements.isEmpty();
            case Value.Obj(Map<String, Value> properties) -> properties.isEmpty();
            default -> true;
        };
    }

    /**
     * A range of keys that has to be read, and the place in the index behind which it goes on. A
     * place is the same for all partitions that the keys may come to lie in.
     */
    private record Part(KeyRange keys, Optional<Bytes> after) {
        void write(BinaryWriter out) {
            keys.write(out);
            out.optional(after, BinaryWriter::bytes);
        }

        static Part read(BinaryReader in) {
            return new Part(KeyRange.read(in), in.optional(BinaryReader::bytes));
        }
    }

    private static Bytes bytes(List<Part> parts) {
        return new BinaryWriter(128).list(parts, (w, part) -> part.write(w)).toBytes();
    }

    /** One page being filled. */
    private final class Walk {
        private final RequestContext context;
        private final Container container;
        private final FeedExtent extent;
        private final ValueLookup lookup;
        private final List<Bytes> values;
        private final int maxItems;
        private final List<MatchPage.Match> matches = new ArrayList<>();
        private final SortedMap<Integer, Long> lsns = new TreeMap<>();
        private long bytes;
        private Charge charge = Charge.NONE;

        /** In the order of the keys. */
        private List<Part> left = List.of();

        Walk(
                RequestContext context,
                Container container,
                FeedExtent extent,
                ValueLookup lookup,
                List<Bytes> values,
                PageRequest request) {
            this.context = context;
            this.container = container;
            this.extent = extent;
            this.lookup = lookup;
            this.values = values;
            this.maxItems =
                    Math.min(
                            DEFAULT_PAGE_ITEMS,
                            Math.max(1, request.maxItems().orElse(DEFAULT_PAGE_ITEMS)));
        }

        /** Fills the page; returns what is left for the next. */
        List<Part> read(List<Part> parts) {
            left = parts;
            while (true) {
                PartitionMap map = resolver.map(container);
                List<PhysicalPartition> targets = extent.partitions(map);
                try {
                    fill(targets);
                    return left;
                } catch (OrreryException failure) {
                    if (!Resolver.hasMoved(failure)) {
                        throw failure;
                    }
                    resolver.awaitNewMap(context, container, map, failure);
                }
            }
        }

        private boolean isFull() {
            return matches.size() >= maxItems || bytes >= ReadRequest.MAX_PAGE_BYTES;
        }

        /** Ends with the first partition that has more: it has done what one page may cost. */
        private void fill(List<PhysicalPartition> targets) {
            left = cut(targets);
            while (!left.isEmpty() && !isFull()) {
                Part first = left.getFirst();
                List<Part> next = new ArrayList<>();
                ReadResponse.Matches page = read(owner(targets, first), first);
                page.next().ifPresent(at -> next.add(new Part(first.keys(), Optional.of(at))));
                next.addAll(left.subList(1, left.size()));
                left = next;
                if (page.next().isPresent()) {
                    return;
                }
            }
        }

        /** Cuts what is left so that each part lies in one partition. */
        private List<Part> cut(List<PhysicalPartition> targets) {
            List<Part> pieces = new ArrayList<>();
            for (Part part : left) {
                for (PhysicalPartition partition : targets) {
                    part.keys()
                            .intersect(partition.keys())
                            .ifPresent(keys -> pieces.add(new Part(keys, part.after())));
                }
            }
            return pieces;
        }

        private static PhysicalPartition owner(List<PhysicalPartition> targets, Part part) {
            return targets.stream()
                    .filter(partition -> partition.keys().contains(part.keys().min()))
                    .findFirst()
                    .orElseThrow();
        }

        private ReadResponse.Matches read(PhysicalPartition partition, Part part) {
            ReadResponse.Matches page =
                    (ReadResponse.Matches)
                            partitions.read(
                                    context,
                                    partition,
                                    new ReadRequest.FindEqual(
                                            new PartitionId(container.number(), partition.range()),
                                            lookup.path(),
                                            values,
                                            part.keys(),
                                            extent.key(),
                                            part.after(),
                                            maxItems - matches.size(),
                                            (int) (ReadRequest.MAX_PAGE_BYTES - bytes),
                                            partitions.minLsn(context, partition)));
            page.matches()
                    .forEach(
                            match -> {
                                matches.add(new MatchPage.Match(match.values(), match.item()));
                                bytes += match.item().body().length();
                            });
            charge = charge.plus(page.charge());
            lsns.merge(partition.range(), page.headLsn(), Math::max);
            return page;
        }
    }
}
