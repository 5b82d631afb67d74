package orrery.gateway;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import orrery.cluster.api.Catalog;
import orrery.gateway.api.StreamEvent;
import orrery.gateway.api.StreamPage;
import orrery.gateway.api.StreamRequest;
import orrery.gateway.api.StreamScope;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.VersionPlace;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;
import orrery.partition.api.ControlRequest;

/**
 * Pages of streams: what has changed in the containers of a scope, and what became of the
 * containers. A place is sealed for its scope, so it is none of another stream.
 */
final class StreamRouter {
    /** A place has one entry for each range; with more, tokens would be larger than documents. */
    private static final int MAX_RANGES = 1000;

    private final Catalog catalog;
    private final StreamSources sources;
    private final StreamReads reads;
    private final PartitionCalls partitions;
    private final Continuations continuations;
    private final InstantSource clock;

    StreamRouter(
            Catalog catalog,
            Resolver resolver,
            PartitionCalls partitions,
            Continuations continuations,
            InstantSource clock) {
        this.catalog = catalog;
        this.sources = new StreamSources(catalog);
        this.reads = new StreamReads(resolver, partitions);
        this.partitions = partitions;
        this.continuations = continuations;
        this.clock = clock;
    }

    StreamSources sources() {
        return sources;
    }

    StreamPage read(RequestContext context, StreamRequest request) {
        long deadlineNanos = System.nanoTime() + request.patience().toNanos();
        StreamPlace place = opened(context, request);
        String startToken = "";
        Charge charge = Charge.NONE;
        while (true) {
            Page page = page(context, request, place);
            charge = charge.plus(page.charge());
            if (startToken.isEmpty()) {
                startToken = seal(request.scope(), page.start());
            }
            Duration left = Duration.ofNanos(deadlineNanos - System.nanoTime());
            // An empty page is an answer as well: its token says how far the reader has come.
            boolean isDone = !page.events().isEmpty() || !left.isPositive();
            if (isDone) {
                return page(request, page, startToken, charge);
            }
            place = page.place();
            if (!page.hasMore() && !await(context, request.scope(), place, page.present(), left)) {
                return page(request, page, startToken, charge);
            }
        }
    }

    private StreamPage page(StreamRequest request, Page page, String startToken, Charge charge) {
        return new StreamPage(
                page.events(),
                startToken,
                seal(request.scope(), page.place()),
                page.place().stage() == StreamPlace.Stage.ENDED,
                charge);
    }

    // ---- places

    private StreamPlace opened(RequestContext context, StreamRequest request) {
        return switch (request.start()) {
            case StreamRequest.Start.Now _ -> fromNow(context, request);
            case StreamRequest.Start.At(var time) ->
                    StreamPlace.start(Math.max(1, time.toEpochMilli()));
            case StreamRequest.Start.After(String token) -> {
                StreamPlace place = open(request.scope(), token);
                if (place.stage() == StreamPlace.Stage.ENDED) {
                    throw new OrreryException(
                            ErrorCode.PLACE_UNKNOWN,
                            "The stream of this resume token has ended, so nothing comes behind it."
                                    + " A stream that starts after it shows what came later.");
                }
                yield place;
            }
            case StreamRequest.Start.Anew(String token) -> {
                StreamPlace place = open(request.scope(), token);
                yield place.stage() == StreamPlace.Stage.ENDED
                        ? StreamPlace.start(place.sinceMillis())
                        : place;
            }
        };
    }

    /** Containers that come later are read from their beginning, those that are there from now. */
    private StreamPlace fromNow(RequestContext context, StreamRequest request) {
        while (true) {
            SortedMap<Integer, StreamSources.Found> present = sources.find(request.scope());
            StreamPlace place =
                    StreamPlace.start(0)
                            .with(
                                    present.values().stream()
                                            .filter(StreamSources.Found::isOpen)
                                            .map(StreamRouter::fromNow)
                                            .toList());
            try {
                return changes(context, request, place, present).place();
            } catch (OrreryException failure) {
                if (failure.code() != ErrorCode.OWNER_NOT_FOUND) {
                    throw failure;
                }
                // A container was dropped meanwhile.
            }
        }
    }

    private static StreamPlace.Source fromNow(StreamSources.Found found) {
        return StreamPlace.whole(
                        found.container().number(), found.database(), found.container().name())
                .at(List.of(new ChangeCursor.Part(KeyRange.FULL, VersionPlace.NOW)));
    }

    /** Divides a stream of one container that begins here by its present partitions. */
    List<String> split(
            RequestContext context, StreamScope.OneContainer scope, StreamRequest.Start start) {
        StreamRequest request = new StreamRequest(scope, start, 1, Duration.ZERO);
        StreamPlace place = page(context, request, opened(context, request)).start();
        StreamSources.Found found = sources.find(scope).values().iterator().next();
        List<String> tokens = new ArrayList<>();
        for (StreamPlace.Source source : place.sources()) {
            for (StreamReads.Piece piece : reads.pieces(0, source, found.container())) {
                tokens.add(
                        seal(
                                scope,
                                place.with(
                                        List.of(
                                                source.at(
                                                        List.of(
                                                                new ChangeCursor.Part(
                                                                        piece.keys(),
                                                                        piece.after())))))));
            }
        }
        return tokens;
    }

    private static String use(StreamScope scope) {
        return switch (scope) {
            case StreamScope.OneContainer(String database, String container) ->
                    "stream of " + database + "/" + container;
            case StreamScope.OneDatabase(String database) -> "stream of " + database;
            case StreamScope.Everything _ -> "stream of everything";
        };
    }

    private StreamPlace open(StreamScope scope, String token) {
        try {
            return continuations.open(use(scope), token, StreamPlace::read);
        } catch (OrreryException unknown) {
            throw new OrreryException(
                    ErrorCode.PLACE_UNKNOWN,
                    "The resume token is none that a stream over the same collections has handed"
                            + " out.",
                    unknown);
        }
    }

    private String seal(StreamScope scope, StreamPlace place) {
        return continuations.sealPlace(use(scope), place::write);
    }

    // ---- pages

    /**
     * The events that one look has found.
     *
     * @param start the place before all events; with nothing seen before, where "now" was
     * @param hasMore whether to look again at once
     */
    private record Page(
            List<StreamEvent> events,
            StreamPlace start,
            StreamPlace place,
            boolean hasMore,
            SortedMap<Integer, StreamSources.Found> present,
            Charge charge) {}

    private Page page(RequestContext context, StreamRequest request, StreamPlace from) {
        while (true) {
            StreamCatalog now =
                    new StreamCatalog(
                            request.scope(),
                            sources,
                            from,
                            clock.millis(),
                            place -> seal(request.scope(), place));
            List<StreamEvent> events = new ArrayList<>(now.events());
            if (now.place().stage() == StreamPlace.Stage.ENDED || events.size() > 0) {
                return new Page(
                        events,
                        from,
                        ended(now.place(), events),
                        false,
                        now.present(),
                        Charge.NONE);
            }
            try {
                return changes(context, request, now.place(), now.present());
            } catch (OrreryException failure) {
                if (failure.code() != ErrorCode.OWNER_NOT_FOUND) {
                    throw failure;
                }
                // A container was dropped while it was read: the next look sees that.
            }
        }
    }

    /** A stream that begins anew shows what came after its end. */
    private StreamPlace ended(StreamPlace place, List<StreamEvent> events) {
        return place.stage() == StreamPlace.Stage.ENDED && !events.isEmpty()
                ? new StreamPlace(
                        place.stage(),
                        events.getLast().timeMillis(),
                        place.database(),
                        place.sources())
                : place;
    }

    private Page changes(
            RequestContext context,
            StreamRequest request,
            StreamPlace place,
            SortedMap<Integer, StreamSources.Found> present) {
        List<Container> containers = new ArrayList<>();
        int ranges = 0;
        for (int i = 0; i < place.sources().size(); i++) {
            StreamPlace.Source source = place.sources().get(i);
            Container container = container(present, source);
            containers.add(container);
            ranges += reads.pieces(i, source, container).size();
        }
        if (ranges > MAX_RANGES) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "A stream shows the changes of at most "
                            + MAX_RANGES
                            + " partitions, and this would be "
                            + ranges
                            + ". Watch collections one by one.");
        }
        StreamReads.Read read =
                reads.read(context, place, containers, request.maxEvents(), Math.max(1, ranges));
        StreamMerge merge =
                new StreamMerge(place, read.parts(), next -> seal(request.scope(), next));
        merge.take(request.maxEvents());
        return new Page(
                merge.events(), place, merge.place(), merge.hasMore(), present, read.charge());
    }

    // ---- waiting

    /** Returns false if nothing has come in time. */
    private boolean await(
            RequestContext context,
            StreamScope scope,
            StreamPlace place,
            SortedMap<Integer, StreamSources.Found> present,
            Duration time) {
        long deadlineNanos = System.nanoTime() + time.toNanos();
        List<Runnable> waits = new ArrayList<>();
        waits.add(() -> catalog.awaitChange(() -> hasChanged(scope, present), time));
        for (int i = 0; i < place.sources().size(); i++) {
            StreamPlace.Source source = place.sources().get(i);
            Container container = container(present, source);
            reads.pieces(i, source, container)
                    .forEach(piece -> waits.add(() -> await(context, piece, time)));
        }
        FirstOf.await(waits, time);
        return System.nanoTime() - deadlineNanos < 0;
    }

    private static Container container(
            SortedMap<Integer, StreamSources.Found> present, StreamPlace.Source source) {
        return Objects.requireNonNull(present.get(source.container())).container();
    }

    /** Containers that are being created are looked at again once they are there. */
    private boolean hasChanged(StreamScope scope, SortedMap<Integer, StreamSources.Found> present) {
        return !seen(sources.find(scope)).equals(seen(present));
    }

    /** The facts about a container that events tell. */
    private record Seen(int number, String name, boolean isOpen) {}

    private static List<Seen> seen(SortedMap<Integer, StreamSources.Found> found) {
        return found.values().stream()
                .map(
                        each ->
                                new Seen(
                                        each.container().number(),
                                        each.container().name(),
                                        each.isOpen()))
                .toList();
    }

    /** A range that is split or merged has news of another kind: who reads next finds its heirs. */
    private void await(RequestContext context, StreamReads.Piece piece, Duration time) {
        try {
            partitions.call(
                    context,
                    piece.partition(),
                    new ControlRequest.AwaitChange(
                            piece.container().partition(piece.partition()),
                            piece.after().wholeLsn(),
                            time.toMillis()));
        } catch (OrreryException failure) {
            if (!Resolver.hasMoved(failure)) {
                throw failure;
            }
        }
    }
}
