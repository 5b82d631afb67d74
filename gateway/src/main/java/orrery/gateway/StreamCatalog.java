package orrery.gateway;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import orrery.gateway.api.StreamEvent;
import orrery.gateway.api.StreamScope;
import orrery.model.resource.Database;

/**
 * Compares the containers that a reader of a stream knows with those that are there, and makes
 * events of the differences.
 */
final class StreamCatalog {
    private final StreamScope scope;
    private final StreamSources sources;
    private final Set<String> databases;
    private final Optional<Database> database;
    private final SortedMap<Integer, StreamSources.Found> present;
    private final long nowMillis;
    private final Function<StreamPlace, String> tokens;
    private final List<StreamEvent> events = new ArrayList<>();
    private StreamPlace place;

    /**
     * @param tokens seals places
     */
    StreamCatalog(
            StreamScope scope,
            StreamSources sources,
            StreamPlace place,
            long nowMillis,
            Function<StreamPlace, String> tokens) {
        this.scope = scope;
        this.sources = sources;
        this.database = sources.database(scope);
        this.present = sources.find(scope);
        this.databases = new HashSet<>();
        sources.databases().forEach(each -> databases.add(each.name()));
        this.place = place;
        this.nowMillis = nowMillis;
        this.tokens = tokens;
    }

    /** Returns the place behind all events. */
    StreamPlace place() {
        return place;
    }

    /** Returns the containers that are there, by their numbers. */
    SortedMap<Integer, StreamSources.Found> present() {
        return present;
    }

    /** Returns what has happened to containers and databases since the place. */
    List<StreamEvent> events() {
        if (place.stage() == StreamPlace.Stage.ENDING) {
            end();
            return events;
        }
        if (scope instanceof StreamScope.OneDatabase(String name) && wasDropped()) {
            place.sources().forEach(this::drop);
            place = place.in(StreamPlace.Stage.ENDING);
            events.add(new StreamEvent.DatabaseDropped(name, nowMillis, tokens.apply(place)));
            end();
            return events;
        }
        Set<String> dropped = new HashSet<>();
        for (StreamPlace.Source source : place.sources()) {
            StreamSources.Found found = present.get(source.container());
            if (found == null && scope instanceof StreamScope.OneContainer) {
                place = place.in(StreamPlace.Stage.ENDING);
                sources.nameOf(source)
                        .ifPresentOrElse(name -> rename(source, name), () -> drop(source));
            } else if (found == null) {
                drop(source);
                if (!databases.contains(source.database())) {
                    dropped.add(source.database());
                }
            } else if (!found.container().name().equals(source.name())) {
                rename(source, found.container().name());
            }
        }
        if (place.stage() == StreamPlace.Stage.ENDING) {
            end();
            return events;
        }
        for (String each : dropped) {
            events.add(new StreamEvent.DatabaseDropped(each, nowMillis, tokens.apply(place)));
        }
        addNew();
        return events;
    }

    private boolean wasDropped() {
        return place.database() != 0
                && database.filter(each -> each.number() == place.database()).isEmpty();
    }

    private void drop(StreamPlace.Source source) {
        place = place.without(source.container());
        events.add(
                new StreamEvent.Dropped(
                        source.database(), source.name(), nowMillis, tokens.apply(place)));
    }

    private void rename(StreamPlace.Source source, String name) {
        place = place.changing(source.container(), each -> each.named(name));
        events.add(
                new StreamEvent.Renamed(
                        source.database(), source.name(), name, nowMillis, tokens.apply(place)));
    }

    private void end() {
        place = place.in(StreamPlace.Stage.ENDED);
        events.add(new StreamEvent.Ended(nowMillis, tokens.apply(place)));
    }

    private void addNew() {
        if (scope instanceof StreamScope.OneDatabase && database.isPresent()) {
            place = place.of(OptionalInt.of(database.get().number()));
        }
        Set<Integer> known = new HashSet<>();
        place.sources().forEach(source -> known.add(source.container()));
        present.values().stream()
                .filter(StreamSources.Found::isOpen)
                .filter(found -> !known.contains(found.container().number()))
                .forEach(
                        found ->
                                place =
                                        place.and(
                                                StreamPlace.whole(
                                                        found.container().number(),
                                                        found.database(),
                                                        found.container().name())));
    }
}
