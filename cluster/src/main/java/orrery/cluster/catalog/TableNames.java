package orrery.cluster.catalog;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import orrery.model.ContainerKind;
import orrery.model.resource.Container;

/**
 * The tables of each database, sorted by their names. No two names differ in case only: a shared
 * access signature signs a name in lower case, so one for the first would open the second too.
 */
public final class TableNames {
    private final Map<Integer, ConcurrentSkipListMap<String, Container>> byDatabase =
            new ConcurrentHashMap<>();

    /** Finds a table by its name in letters of either case. */
    public Optional<Container> find(int database, String name) {
        return Optional.ofNullable(byDatabase.get(database)).map(names -> names.get(name));
    }

    /** The tables from a name on, whether or not there is one with this name. */
    public List<Container> from(int database, String first, int limit) {
        ConcurrentSkipListMap<String, Container> names = byDatabase.get(database);
        return names == null
                ? List.of()
                : names.tailMap(first, true).values().stream().limit(limit).toList();
    }

    void put(Container container) {
        if (container.definition().kind() == ContainerKind.TABLE) {
            byDatabase
                    .computeIfAbsent(
                            container.database(),
                            _ -> new ConcurrentSkipListMap<>(String.CASE_INSENSITIVE_ORDER))
                    .put(container.name(), container);
        }
    }

    void remove(Container container) {
        ConcurrentSkipListMap<String, Container> names = byDatabase.get(container.database());
        if (names != null) {
            names.computeIfPresent(
                    container.name(),
                    (_, present) -> present.number() == container.number() ? null : present);
        }
    }

    void removeDatabase(int number) {
        byDatabase.remove(number);
    }
}
