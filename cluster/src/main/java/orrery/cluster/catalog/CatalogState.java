package orrery.cluster.catalog;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.Script;
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
    private final MapWatch mapWatch = new MapWatch();

    /** By their key: what records have behind the fields that this release knows. */
    private final Map<Bytes, Bytes> extensions = new ConcurrentHashMap<>();

    private volatile AccountRecord account = AccountRecord.NONE;

    private record ContainerName(int database, String name) {}

    /** The kinds of records, in the order of their codes in the store. */
    enum Kind {
        ACCOUNT(AccountRecord.VERSION),
        DATABASE(2),
        CONTAINER(Container.VERSION),
        PARTITION_MAP(PartitionMap.VERSION),
        OFFER(2),
        RESHAPE(2),
        EVENTS(2),
        SCRIPT(2);

        private final int version;

        Kind(int version) {
            this.version = version;
        }
    }

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
    Optional<Container> livingContainer(int number) {
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

    /** A script with its body, as it is in the store now. */
    public static Optional<Script> readScript(StoreView store, int number) {
        byte[] key = Keys.catalog(Kind.SCRIPT.ordinal(), number);
        byte[] value = store.get(Table.META, key);
        if (value == null) {
            return Optional.empty();
        }
        return Optional.ofNullable(((Change.OfScript) read(key, value)).value());
    }

    /** A record to write or, where {@code value} is null, to remove. */
    sealed interface Change {
        Kind kind();

        int number();

        record Account(AccountRecord value) implements Change {
            @Override
            public Kind kind() {
                return Kind.ACCOUNT;
            }

            @Override
            public int number() {
                return 0;
            }
        }

        record OfDatabase(int number, @Nullable Database value) implements Change {
            @Override
            public Kind kind() {
                return Kind.DATABASE;
            }
        }

        record OfContainer(int number, @Nullable Container value) implements Change {
            @Override
            public Kind kind() {
                return Kind.CONTAINER;
            }
        }

        record OfMap(int number, @Nullable PartitionMap value) implements Change {
            @Override
            public Kind kind() {
                return Kind.PARTITION_MAP;
            }
        }

        record OfEvents(int number, @Nullable ReshapeEvents value) implements Change {
            @Override
            public Kind kind() {
                return Kind.EVENTS;
            }
        }

        record OfReshape(int number, @Nullable Reshape value) implements Change {
            @Override
            public Kind kind() {
                return Kind.RESHAPE;
            }
        }

        record OfScript(int number, @Nullable Script value) implements Change {
            @Override
            public Kind kind() {
                return Kind.SCRIPT;
            }
        }

        record OfOffer(int number, @Nullable Offer value) implements Change {
            @Override
            public Kind kind() {
                return Kind.OFFER;
            }
        }
    }

    /** Writes a record, or removes it. Extensions that the record had stay behind it. */
    void write(Change change, StoreBatch batch) {
        byte[] key = Keys.catalog(change.kind().ordinal(), change.number());
        BinaryWriter record = new BinaryWriter(256);
        boolean present =
                switch (change) {
                    case Change.Account(AccountRecord value) ->
                            put(value, record, AccountRecord::write);
                    case Change.OfDatabase(int _, Database value) ->
                            put(value, record, Database::write);
                    case Change.OfContainer(int _, Container value) ->
                            put(value, record, Container::write);
                    case Change.OfMap(int _, PartitionMap value) ->
                            put(value, record, PartitionMap::write);
                    case Change.OfOffer(int _, Offer value) -> put(value, record, Offer::write);
                    case Change.OfReshape(int _, Reshape value) ->
                            put(value, record, Reshape::write);
                    case Change.OfEvents(int _, ReshapeEvents value) ->
                            put(value, record, ReshapeEvents::write);
                    case Change.OfScript(int _, Script value) -> put(value, record, Script::write);
                };
        if (present) {
            Bytes kept = extensions.getOrDefault(Bytes.wrap(key), Bytes.EMPTY);
            batch.put(
                    Table.META,
                    key,
                    new BinaryWriter(8 + record.length() + kept.length())
                            .u8(change.kind().version)
                            .bytes(record.toBytes())
                            .raw(kept)
                            .toArray());
        } else {
            batch.delete(Table.META, key);
            extensions.remove(Bytes.wrap(key));
        }
    }

    private static <T> boolean put(
            @Nullable T value, BinaryWriter out, BiConsumer<T, BinaryWriter> write) {
        if (value == null) {
            return false;
        }
        write.accept(value, out);
        return true;
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
        }
    }

    private void acceptContainer(int number, @Nullable Container value) {
        Container before = containers.get(number);
        boolean named = value != null && value.state() != Container.State.DELETING;
        if (value != null) {
            containers.put(number, value);
        } else {
            containers.remove(number);
        }
        if (named && value != null) {
            containerNames.put(new ContainerName(value.database(), value.name()), number);
            byDatabase
                    .computeIfAbsent(value.database(), _ -> new ConcurrentSkipListMap<>())
                    .put(number, value);
        } else if (before != null) {
            containerNames.remove(new ContainerName(before.database(), before.name()), number);
            ConcurrentSkipListMap<Integer, Container> siblings = byDatabase.get(before.database());
            if (siblings != null) {
                siblings.remove(number);
            }
        }
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
        accept(read(key, value));
        BinaryReader in = new BinaryReader(value);
        in.u8();
        in.bytes();
        if (in.remaining() > 0) {
            extensions.put(Bytes.wrap(key), Bytes.wrap(in.rest()));
        }
    }

    private static Change read(byte[] key, byte[] value) {
        BinaryReader keyIn = new BinaryReader(key, 1, key.length - 1);
        Kind kind = keyIn.enumeration(Kind.class);
        int number = keyIn.u32();
        BinaryReader whole = new BinaryReader(value);
        if (whole.u8() != kind.version) {
            throw new MalformedRecordException("unknown version of a catalog record");
        }
        BinaryReader in = new BinaryReader(whole.bytes());
        Change change =
                switch (kind) {
                    case ACCOUNT -> new Change.Account(AccountRecord.read(in));
                    case DATABASE -> new Change.OfDatabase(number, Database.read(in));
                    case CONTAINER -> new Change.OfContainer(number, Container.read(in));
                    case PARTITION_MAP -> new Change.OfMap(number, PartitionMap.read(in));
                    case OFFER -> new Change.OfOffer(number, Offer.read(in));
                    case RESHAPE -> new Change.OfReshape(number, Reshape.read(in));
                    case EVENTS -> new Change.OfEvents(number, ReshapeEvents.read(in));
                    case SCRIPT -> new Change.OfScript(number, Script.read(in));
                };
        in.expectEnd();
        return change;
    }
}
