package orrery.cluster.catalog;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import orrery.model.ContainerKind;
import orrery.model.resource.Container;

/**
 * The tables of each database by their names. No two names differ in case only: a shared access
 * signature signs a name in lower case, so one for the first would open the second too.
 */
public final class TableNames {
    private final Map<Integer, Names> byDatabase = new ConcurrentHashMap<>();

    /**
     * The tables of one database.
     *
     * @param sorted as they are listed
     * @param alike found by letters of either case
     */
    private record Names(
            ConcurrentSkipListMap<String, Container> sorted,
            ConcurrentSkipListMap<String, Container> alike) {
        Names() {
            this(
                    new ConcurrentSkipListMap<>(),
                    new ConcurrentSkipListMap<>(String.CASE_INSENSITIVE_ORDER));
        }
    }

    /** Finds a table by its name in letters of either case. */
    public Optional<Container> find(int database, String name) {
        return Optional.ofNullable(byDatabase.get(database)).map(names -> names.alike().get(name));
    }

    /** The tables from a name on, whether or not there is one with this name. */
    public List<Container> from(int database, String first, int limit) {
        Names names = byDatabase.get(database);
        return names == null
                ? List.of()
                : names.sorted().tailMap(first, true).values().stream().limit(limit).toList();
    }

    void put(Container container) {
        if (container.definition().kind() == ContainerKind.TABLE) {
            Names names = byDatabase.computeIfAbsent(container.database(), _ -> new Names());
            names.sorted().put(container.name(), container);
            names.alike().put(container.name(), container);
        }
    }

    void remove(Container container) {
        Names names = byDatabase.get(container.database());
        if (names != null) {
            remove(names.sorted(), container);
            remove(names.alike(), container);
        }
    }

    /** Leaves a table alone that has the name by now. */
    private static void remove(Map<String, Container> names, Container container) {
        names.computeIfPresent(
                container.name(),
                (_, present) -> present.number() == container.number() ? null : present);
    }

    void removeDatabase(int number) {
        byDatabase.remove(number);
    }
}
