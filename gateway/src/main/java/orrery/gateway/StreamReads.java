package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.ItemVersion;
import orrery.model.KeyRange;
import orrery.model.RequestContext;
import orrery.model.SizeLimits;
import orrery.model.VersionPlace;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;

/** Reads what is new in all ranges of the containers of a stream. */
final class StreamReads {
    /** A page of a range has at least so much room, however many ranges there are. */
    private static final int LEAST_BYTES = 64 << 10;

    private final Resolver resolver;
    private final PartitionCalls partitions;

    StreamReads(Resolver resolver, PartitionCalls partitions) {
        this.resolver = resolver;
        this.partitions = partitions;
    }

    /**
     * A range of keys of a container, in one partition.
     *
     * @param source the number of the source among those of the place
     */
    record Piece(
            int source,
            Container container,
            PhysicalPartition partition,
            KeyRange keys,
            VersionPlace after) {}

    /** The versions that a piece had to give. */
    record Part(Piece piece, List<ItemVersion> versions, VersionPlace next, long headLsn) {
        /** Returns true if there was more than the page had room for. */
        boolean hasMore() {
            return next.wholeLsn() < headLsn;
        }
    }

    /** All parts of a read, in the order of the sources and their keys. */
    record Read(List<Part> parts, Charge charge) {}

    /** Cuts the ranges of a source at the bounds of the partitions that have them now. */
    List<Piece> pieces(int number, StreamPlace.Source source, Container container) {
        return pieces(number, source, container, resolver.map(container));
    }

    private static List<Piece> pieces(
            int number, StreamPlace.Source source, Container container, PartitionMap map) {
        List<Piece> pieces = new ArrayList<>();
        for (ChangeCursor.Part part : source.parts()) {
            for (PhysicalPartition partition : map.overlapping(part.keys())) {
                part.keys()
                        .intersect(partition.keys())
                        .ifPresent(
                                keys ->
                                        pieces.add(
                                                new Piece(
                                                        number,
                                                        container,
                                                        partition,
                                                        keys,
                                                        part.after())));
            }
        }
        return pieces;
    }

    /**
     * Reads all pieces at once.
     *
     * @param containers of the sources of the place, in their order
     */
    Read read(
            RequestContext context,
            StreamPlace place,
            List<Container> containers,
            int maxEvents,
            int pieceCount) {
        int bytes = Math.max(LEAST_BYTES, SizeLimits.DEFAULT.maxPageBytes() / pieceCount);
        List<Part> parts = new ArrayList<>();
        Charge charge = Charge.NONE;
        for (int i = 0; i < containers.size(); i++) {
            int number = i;
            StreamPlace.Source source = place.sources().get(number);
            Container container = containers.get(number);
            List<Answered> answered =
                    resolver.routed(
                            context,
                            container,
                            map -> {
                                List<Answered> all = new ArrayList<>();
                                FanOut.run(
                                        pieces(number, source, container, map),
                                        piece ->
                                                read(
                                                        context,
                                                        piece,
                                                        place.sinceMillis(),
                                                        maxEvents,
                                                        bytes),
                                        all::add);
                                return all;
                            });
            for (Answered each : answered) {
                parts.add(each.part());
                charge = charge.plus(each.charge());
            }
        }
        return new Read(parts, PartitionCalls.charge(context, charge));
    }

    private record Answered(Part part, Charge charge) {}

    private Answered read(
            RequestContext context, Piece piece, long sinceMillis, int maxEvents, int bytes) {
        ReadResponse.Versions page =
                (ReadResponse.Versions)
                        partitions.read(
                                context,
                                piece.partition(),
                                new ReadRequest.ReadVersions(
                                        piece.container().partition(piece.partition()),
                                        piece.keys(),
                                        Optional.empty(),
                                        piece.after(),
                                        sinceMillis,
                                        maxEvents,
                                        bytes,
                                        partitions.minLsn(context, piece.partition())));
        return new Answered(
                new Part(piece, page.versions(), page.next(), page.headLsn()), page.charge());
    }
}
