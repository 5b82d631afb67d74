package orrery.gateway;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import orrery.cluster.api.Catalog;
import orrery.gateway.api.StreamScope;
import orrery.model.ContainerKind;
import orrery.model.resource.Container;
import orrery.model.resource.Database;

/** Finds the containers that a stream is of, as they are at this moment. */
final class StreamSources {
    private static final int AT_ONCE = 1000;

    private final Catalog catalog;

    StreamSources(Catalog catalog) {
        this.catalog = catalog;
    }

    /** A container with the name of its database. */
    record Found(String database, Container container) {
        /** Returns true if it has partitions, and so may have items. */
        boolean isOpen() {
            return container.state() != Container.State.CREATING;
        }
    }

    /** Returns all of a scope by their numbers, also those that are just being created. */
    SortedMap<Integer, Found> find(StreamScope scope) {
        SortedMap<Integer, Found> found = new TreeMap<>();
        switch (scope) {
            case StreamScope.OneContainer(String database, String name) ->
                    catalog.findDatabase(database)
                            .flatMap(in -> catalog.findContainer(in.number(), name))
                            .filter(StreamSources::isCovered)
                            .ifPresent(one -> found.put(one.number(), new Found(database, one)));
            case StreamScope.OneDatabase(String database) ->
                    catalog.findDatabase(database).ifPresent(in -> addAll(in, found));
            case StreamScope.Everything _ -> databases().forEach(in -> addAll(in, found));
        }
        return found;
    }

    /** Returns the name that a container has now; empty if it is gone. */
    Optional<String> nameOf(StreamPlace.Source source) {
        return catalog.findDatabase(source.database())
                .flatMap(in -> catalog.findContainer(in.number(), source.container()))
                .map(Container::name);
    }

    /** Returns the database that a scope is of, or in. */
    Optional<Database> database(StreamScope scope) {
        return switch (scope) {
            case StreamScope.OneContainer(String database, var _) -> catalog.findDatabase(database);
            case StreamScope.OneDatabase(String database) -> catalog.findDatabase(database);
            case StreamScope.Everything _ -> Optional.empty();
        };
    }

    List<Database> databases() {
        return catalog.databases(0, Integer.MAX_VALUE);
    }

    private void addAll(Database database, SortedMap<Integer, Found> found) {
        int after = 0;
        while (true) {
            List<Container> some = catalog.containers(database.number(), after, AT_ONCE);
            for (Container container : some) {
                if (isCovered(container)) {
                    found.put(container.number(), new Found(database.name(), container));
                }
                after = container.number();
            }
            if (some.size() < AT_ONCE) {
                return;
            }
        }
    }

    private static boolean isCovered(Container container) {
        return container.definition().kind() == ContainerKind.MONGODB;
    }
}
