package orrery.cluster.catalog;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.Permission;
import orrery.model.resource.Script;
import orrery.model.resource.StoredAccessPolicy;
import orrery.model.resource.TableServiceProperties;
import orrery.model.resource.User;
import orrery.storage.Cursor;
import orrery.storage.StoreBatch;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.Keys;

/**
 * The catalog in memory. One thread changes it, after the change is in the store; any thread looks
 * things up. Each look-up is right by itself; a change of several records is not seen at one
 * moment.
 */
public final class CatalogState {
    private final ConcurrentSkipListMap<Integer, Database> databases =
            new ConcurrentSkipListMap<>();
    private final Map<String, Integer> databaseNames = new ConcurrentHashMap<>();
    private final ConcurrentSkipListMap<Integer, Container> containers =
            new ConcurrentSkipListMap<>();
    private final Map<ContainerName, Integer> containerNames = new ConcurrentHashMap<>();
    private final Map<Integer, ConcurrentSkipListMap<Integer, Container>> byDatabase =
            new ConcurrentHashMap<>();
    private final Map<Integer, PartitionMap> partitionMaps = new ConcurrentHashMap<>();
    private final ConcurrentSkipListMap<Integer, Offer> offers = new ConcurrentSkipListMap<>();
    private final Map<Integer, Integer> containerOffers = new ConcurrentHashMap<>();
    private final Map<Integer, Integer> databaseOffers = new ConcurrentHashMap<>();
    private final Map<Integer, Reshape> reshapes = new ConcurrentHashMap<>();
    private final Map<Integer, ReshapeEvents> events = new ConcurrentHashMap<>();
    private final ScriptDirectory scripts = new ScriptDirectory();
    private final AccessDirectory access = new AccessDirectory();
    private final TableNames tableNames = new TableNames();
    private final Map<Integer, TablePolicies> tablePolicies = new ConcurrentHashMap<>();
    private final ConcurrentSkipListMap<Integer, NodeRecord> nodes = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<Integer, SetRecord> sets = new ConcurrentSkipListMap<>();
    private final AnsweredRequests requests = new AnsweredRequests();
    private final MapWatch mapWatch = new MapWatch();

    /** By their key: what records have behind the fields that this release knows. */
    private final Map<Bytes, Bytes> extensions = new ConcurrentHashMap<>();

    private volatile AccountRecord account = AccountRecord.NONE;
    private volatile TableServiceProperties tableService = TableServiceProperties.DEFAULT;

    private record ContainerName(int database, String name) {}

    public AccountRecord account() {
        return account;
    }

    public Optional<Database> database(int number) {
        return Optional.ofNullable(databases.get(number));
    }

    public Optional<Database> database(String name) {
        return Optional.ofNullable(databaseNames.get(name)).flatMap(this::database);
    }

    public List<Database> databasesAfter(int after, int limit) {
        return databases.tailMap(after, false).values().stream().limit(limit).toList();
    }

    /** Also finds a container that is being deleted; by name such a one is not found. */
    public Optional<Container> container(int number) {
        return Optional.ofNullable(containers.get(number));
    }

    /** Not one that is being deleted. */
    public Optional<Container> livingContainer(int number) {
        return container(number).filter(container -> container.state() != Container.State.DELETING);
    }

    public Optional<Container> container(int database, String name) {
        return Optional.ofNullable(containerNames.get(new ContainerName(database, name)))
                .flatMap(this::container);
    }

    public List<Container> containersAfter(int database, int after, int limit) {
        ConcurrentSkipListMap<Integer, Container> mine = byDatabase.get(database);
        return mine == null
                ? List.of()
                : mine.tailMap(after, false).values().stream().limit(limit).toList();
    }

    public List<Container> allContainers() {
        return List.copyOf(containers.values());
    }

    public int resourceCount() {
        return databases.size() + containerNames.size();
    }

    public Optional<PartitionMap> partitionMap(int container) {
        return Optional.ofNullable(partitionMaps.get(container));
    }

    /** Waits for a map with an epoch above this one, or for the container to go. */
    public boolean awaitMapAfter(int container, long epoch, Duration timeout) {
        return mapWatch.await(
                () -> partitionMap(container).map(map -> map.epoch() > epoch).orElse(true),
                timeout);
    }

    /**
     * Waits until a condition on what databases and containers there are holds; false when the time
     * is over first.
     */
    public boolean awaitChange(BooleanSupplier condition, Duration timeout) {
        return mapWatch.await(condition, timeout);
    }

    /** The split or merge of a container that is under way. */
    public Optional<Reshape> reshape(int container) {
        return Optional.ofNullable(reshapes.get(container));
    }

    /** The latest splits and merges of a container. */
    public ReshapeEvents events(int container) {
        return events.getOrDefault(container, ReshapeEvents.NONE);
    }

    public Optional<Offer> offer(int number) {
        return Optional.ofNullable(offers.get(number));
    }

    public Optional<Offer> offerOfContainer(int container) {
        return Optional.ofNullable(containerOffers.get(container)).flatMap(this::offer);
    }

    public Optional<Offer> offerOfDatabase(int database) {
        return Optional.ofNullable(databaseOffers.get(database)).flatMap(this::offer);
    }

    public List<Offer> offersAfter(int after, int limit) {
        return offers.tailMap(after, false).values().stream().limit(limit).toList();
    }

    public ScriptDirectory scripts() {
        return scripts;
    }

    /** The users, permissions and client encryption keys. */
    public AccessDirectory access() {
        return access;
    }

    /** The stored access policies of a table, in the order in which they were set. */
    public List<StoredAccessPolicy> tablePolicies(int container) {
        TablePolicies policies = tablePolicies.get(container);
        return policies == null ? List.of() : policies.policies();
    }

    public TableNames tableNames() {
        return tableNames;
    }

    public TableServiceProperties tableService() {
        return tableService;
    }

    /** A script with its body, as it is in the store now. */
    public static Optional<Script> readScript(StoreView store, int number) {
        return read(store, Change.Kind.SCRIPT, number)
                .map(change -> ((Change.OfScript) change).value());
    }

    /**
     * The earlier definitions of a container. They stay in the store, for they are rarely asked.
     */
    public static DefinitionHistory readHistory(StoreView store, int container) {
        return read(store, Change.Kind.HISTORY, container)
                .map(change -> ((Change.OfHistory) change).value())
                .orElse(DefinitionHistory.NONE);
    }

    /** The outcome in the record of an answered request. */
    static CatalogOutcome readOutcome(StoreView store, int number) {
        return read(store, Change.Kind.REQUEST, number)
                .map(change -> ((Change.OfRequest) change).value())
                .map(RequestRecord::outcome)
                .orElseThrow(() -> new IllegalStateException("a request has lost its outcome"));
    }

    private static Optional<Change> read(StoreView store, Change.Kind kind, int number) {
        byte[] key = kind.key(number);
        return Optional.ofNullable(store.get(Table.META, key)).map(row -> Change.decode(key, row));
    }

    /** The nodes of the account, in order of their numbers. */
    public List<NodeRecord> nodes() {
        return List.copyOf(nodes.values());
    }

    public Optional<NodeRecord> node(int number) {
        return Optional.ofNullable(nodes.get(number));
    }

    /** The replica sets of the account, in order of their numbers. */
    public List<SetRecord> sets() {
        return List.copyOf(sets.values());
    }

    public Optional<SetRecord> set(int number) {
        return Optional.ofNullable(sets.get(number));
    }

    /**
     * Returns the sets that a node carries. An account that has none yet is being made, by the node
     * that will carry the first.
     */
    public List<Integer> setsOf(int node) {
        return sets.isEmpty()
                ? List.of(SetRecord.FIRST)
                : sets.values().stream()
                        .filter(set -> set.hasMember(node))
                        .map(SetRecord::number)
                        .toList();
    }

    /** The epoch of a set's members; 0 for one that is not there. */
    public long setEpoch(int number) {
        SetRecord set = sets.get(number);
        return set == null ? 0 : set.epoch();
    }

    AnsweredRequests requests() {
        return requests;
    }

    /** Writes a record, or removes it. Extensions that the record had stay behind it. */
    void write(Change change, StoreBatch batch) {
        byte[] key = change.key();
        byte[] row = change.encode(extensions.getOrDefault(Bytes.wrap(key), Bytes.EMPTY));
        if (row != null) {
            batch.put(Table.META, key, row);
        } else {
            batch.delete(Table.META, key);
            extensions.remove(Bytes.wrap(key));
        }
    }

    void accept(Change change) {
        switch (change) {
            case Change.Account(AccountRecord value) -> account = value;
            case Change.OfDatabase(int number, Database value) -> acceptDatabase(number, value);
            case Change.OfContainer(int number, Container value) -> acceptContainer(number, value);
            case Change.OfMap(int number, PartitionMap value) -> {
                if (value == null) {
                    partitionMaps.remove(number);
                } else {
                    partitionMaps.put(number, value);
                }
                mapWatch.changed();
            }
            case Change.OfEvents(int number, ReshapeEvents value) -> {
                if (value == null) {
                    events.remove(number);
                } else {
                    events.put(number, value);
                }
            }
            case Change.OfReshape(int number, Reshape value) -> {
                if (value == null) {
                    reshapes.remove(number);
                } else {
                    reshapes.put(number, value);
                }
            }
            case Change.OfOffer(int number, Offer value) -> acceptOffer(number, value);
            case Change.OfScript(int number, Script value) -> scripts.accept(number, value);
            case Change.OfUser(int number, User value) -> access.acceptUser(number, value);
            case Change.OfPermission(int number, Permission value) ->
                    access.acceptPermission(number, value);
            case Change.OfClientEncryptionKey(int number, ClientEncryptionKey value) ->
                    access.acceptKey(number, value);
            case Change.OfTablePolicies(int number, TablePolicies value) -> {
                if (value == null) {
                    tablePolicies.remove(number);
                } else {
                    tablePolicies.put(number, value);
                }
            }
            case Change.OfTableService(TableServiceProperties value) -> tableService = value;
            case Change.OfRequest(int number, RequestRecord value) ->
                    requests.accept(number, value);
            case Change.OfHistory _ -> {
                // It stays in the store.
            }
            case Change.OfNode(NodeRecord value) -> nodes.put(value.number(), value);
            case Change.OfSet(SetRecord value) -> sets.put(value.number(), value);
        }
    }

    private void acceptDatabase(int number, @Nullable Database value) {
        Database before = databases.get(number);
        if (value != null) {
            databases.put(number, value);
            databaseNames.put(value.name(), number);
        } else if (before != null) {
            databaseNames.remove(before.name(), number);
            databases.remove(number);
            byDatabase.remove(number);
            tableNames.removeDatabase(number);
        }
        mapWatch.changed();
    }

    private void acceptContainer(int number, @Nullable Container value) {
        Container before = containers.get(number);
        boolean named = value != null && value.state() != Container.State.DELETING;
        if (value != null) {
            containers.put(number, value);
        } else {
            containers.remove(number);
        }
        if (before != null && value != null && !before.name().equals(value.name())) {
            containerNames.remove(new ContainerName(before.database(), before.name()), number);
        }
        if (named && value != null) {
            containerNames.put(new ContainerName(value.database(), value.name()), number);
            byDatabase
                    .computeIfAbsent(value.database(), _ -> new ConcurrentSkipListMap<>())
                    .put(number, value);
            tableNames.put(value);
        } else if (before != null) {
            tableNames.remove(before);
            containerNames.remove(new ContainerName(before.database(), before.name()), number);
            ConcurrentSkipListMap<Integer, Container> siblings = byDatabase.get(before.database());
            if (siblings != null) {
                siblings.remove(number);
            }
        }
        mapWatch.changed();
    }

    private void acceptOffer(int number, @Nullable Offer value) {
        Offer before = offers.get(number);
        if (value != null) {
            offers.put(number, value);
            if (value.container() == 0) {
                databaseOffers.put(value.database(), number);
            } else {
                containerOffers.put(value.container(), number);
            }
        } else if (before != null) {
            offers.remove(number);
            containerOffers.remove(before.container(), number);
            databaseOffers.remove(before.database(), number);
        }
    }

    static CatalogState load(StoreView store) {
        CatalogState state = new CatalogState();
        byte[] prefix = Keys.catalog();
        try (Cursor rows = store.scan(Table.META, prefix, Keys.after(prefix))) {
            while (rows.next()) {
                state.load(rows.key(), rows.value());
            }
        }
        return state;
    }

    private void load(byte[] key, byte[] value) {
        accept(Change.decode(key, value));
        Bytes kept = Change.extensions(value);
        if (!kept.isEmpty()) {
            extensions.put(Bytes.wrap(key), kept);
        }
    }
}
