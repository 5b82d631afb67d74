package orrery.gateway;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Function;
import orrery.gateway.api.StreamEvent;
import orrery.model.ItemVersion;
import orrery.model.SizeLimits;
import orrery.model.VersionPlace;

/**
 * Puts the changes of several ranges into the order of their times. Those of one range keep their
 * order, whatever their times say. The place behind an event has for each range how far its events
 * have come.
 */
final class StreamMerge {
    /** A page ends when its images have so many bytes. */
    private static final long FULL_BYTES = SizeLimits.DEFAULT.maxPageBytes();

    private final List<StreamReads.Part> parts;
    private final Function<StreamPlace, String> tokens;
    private final VersionPlace[] reached;
    private final PriorityQueue<Lane> lanes =
            new PriorityQueue<>(
                    Comparator.comparingLong(Lane::timeMillis).thenComparing(Lane::part));
    private final StreamPlace before;
    private final List<StreamEvent> events = new ArrayList<>();

    /** A range at the next of its changes. */
    private record Lane(int part, List<ItemVersion> versions, int at) {
        ItemVersion version() {
            return versions.get(at);
        }

        long timeMillis() {
            return version().timeMillis();
        }
    }

    /**
     * @param parts in the order of the sources of the place and of their keys
     * @param tokens seals places
     */
    StreamMerge(
            StreamPlace before,
            List<StreamReads.Part> parts,
            Function<StreamPlace, String> tokens) {
        this.before = before;
        this.parts = parts;
        this.tokens = tokens;
        this.reached = new VersionPlace[parts.size()];
        for (int i = 0; i < parts.size(); i++) {
            StreamReads.Part part = parts.get(i);
            // Nobody wants what came before "now"; the answer says where that was.
            boolean isEmpty = part.versions().isEmpty();
            reached[i] = isEmpty ? part.next() : part.piece().after();
            if (!isEmpty) {
                lanes.add(new Lane(i, part.versions(), 0));
            }
        }
    }

    /** Makes events of the first changes. */
    void take(int most) {
        long bytes = 0;
        while (events.size() < most && bytes < FULL_BYTES && !lanes.isEmpty()) {
            Lane lane = lanes.remove();
            ItemVersion version = lane.version();
            bytes += bytes(version);
            boolean isLast = lane.at() + 1 == lane.versions().size();
            StreamReads.Part part = parts.get(lane.part());
            reached[lane.part()] = isLast ? part.next() : version.mark().place();
            if (!isLast) {
                lanes.add(new Lane(lane.part(), lane.versions(), lane.at() + 1));
            }
            events.add(
                    new StreamEvent.Changed(
                            before.sources().get(part.piece().source()).database(),
                            part.piece().container(),
                            version,
                            tokens.apply(place())));
        }
    }

    private static long bytes(ItemVersion version) {
        return (long) version.item().body().length()
                + version.previous().map(item -> item.body().length()).orElse(0);
    }

    List<StreamEvent> events() {
        return events;
    }

    /** Returns true if there are changes behind the place already. */
    boolean hasMore() {
        return !lanes.isEmpty() || parts.stream().anyMatch(StreamReads.Part::hasMore);
    }

    /** Returns the place behind the events that were made. */
    StreamPlace place() {
        List<StreamPlace.Source> sources = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < before.sources().size(); i++) {
            List<ChangeCursor.Part> ranges = new ArrayList<>();
            while (at < parts.size() && parts.get(at).piece().source() == i) {
                ranges.add(new ChangeCursor.Part(parts.get(at).piece().keys(), reached[at]));
                at++;
            }
            sources.add(before.sources().get(i).at(ranges));
        }
        return before.with(sources);
    }
}
