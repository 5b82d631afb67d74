package orrery.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.random.RandomGenerator;
import orrery.cluster.catalog.CatalogState;
import orrery.cluster.catalog.NodeRecord;
import orrery.cluster.catalog.SetRecord;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreBatch;
import orrery.storage.StoreOptions;
import orrery.storage.Table;
import orrery.storage.format.Extensions;
import orrery.storage.format.Keys;
import orrery.storage.format.StoreIdentity;

/**
 * The stores of a data directory, which know each other: each one holds the account it belongs to
 * and the start that it has seen last. A store that is missing, of another account or older than
 * the other is refused. A number that was given out twice would show a container the items of
 * another one.
 *
 * <p>The catalog's store is made after that of the replica set; and a start is noted in the replica
 * set's as under way, then in the catalog's, then in the replica set's as done. So whatever a crash
 * leaves is told from a loss.
 */
final class Stores implements AutoCloseable {
    /** The set whose store is in every data directory: that of the node which made the account. */
    private static final int REPLICA_SET = SetRecord.FIRST;

    static final String WHAT_TO_DO =
            " Put back the whole data directory from one copy, or choose another directory with"
                    + " --data to begin anew.";

    private final ReplicaStore catalog;
    private final ReplicaStore set;
    private final Optional<StoreIdentity> catalogIdentity;
    private final Optional<StoreIdentity> setIdentity;

    /** An identity on its way into a store. */
    record Note(ReplicaStore store, StoreIdentity identity) {
        /** Is on disk when this returns. */
        void write() {
            try (StoreBatch batch = store.newBatch()) {
                batch.put(Table.META, Keys.identity(), identity.encode());
                store.write(batch, true);
            }
        }
    }

    private Stores(ReplicaStore set, ReplicaStore catalog) {
        this.set = set;
        this.catalog = catalog;
        this.setIdentity = identity(set);
        this.catalogIdentity = identity(catalog);
    }

    /** Opens the stores, or makes them, where none were; refuses those that do not agree. */
    static Stores open(DataDirectory data, StoreOptions catalogOptions, StoreOptions setOptions) {
        Path catalogPath = data.catalog();
        Path setPath = data.replicaSet(REPLICA_SET);
        boolean hasCatalog = ReplicaStore.isIn(catalogPath);
        boolean hasSet = ReplicaStore.isIn(setPath);
        if (hasCatalog && !hasSet) {
            throw missing("items", setPath, "the catalog");
        }
        if (!hasCatalog && !hasSet && data.hadStores()) {
            throw new StartupException(
                    "Both stores, "
                            + catalogPath
                            + " and "
                            + setPath
                            + ", are missing from a data directory that was in use."
                            + WHAT_TO_DO);
        }
        ReplicaStore set = ReplicaStore.open(setPath, setOptions);
        try {
            if (!hasCatalog) {
                Optional<StoreIdentity> founded = identity(set);
                if (founded.isPresent() && !founded.get().isFirst()) {
                    throw missing("catalog", catalogPath, "the store of items");
                }
            }
            ReplicaStore catalog = ReplicaStore.open(catalogPath, catalogOptions);
            try {
                Stores stores = new Stores(set, catalog);
                stores.expectNumbers(setPath, catalogPath);
                set.holdAgainst(data.watermark("set-" + REPLICA_SET));
                catalog.holdAgainst(data.watermark("catalog"));
                stores.compare(setPath, catalogPath);
                return stores;
            } catch (RuntimeException refused) {
                catalog.close();
                throw refused;
            }
        } catch (RuntimeException refused) {
            set.close();
            throw refused;
        }
    }

    /** Opens the stores to look at them, and makes none. */
    static Stores openExisting(DataDirectory data) {
        boolean hasCatalog = ReplicaStore.isIn(data.catalog());
        boolean hasSet = ReplicaStore.isIn(data.replicaSet(REPLICA_SET));
        if (hasSet && !hasCatalog) {
            throw missing("catalog", data.catalog(), "the store of items");
        }
        if (!hasSet && !hasCatalog && !data.hadStores()) {
            throw new StartupException(
                    "The data directory "
                            + data.root()
                            + " has no stores. They are missing, or no server has ever finished a"
                            + " start there."
                            + WHAT_TO_DO);
        }
        return open(data, StoreOptions.DEFAULT, StoreOptions.DEFAULT);
    }

    /** Names the stores for which nothing tells how far their acknowledged writes go. */
    List<String> lostMarks() {
        List<String> lost = new ArrayList<>();
        if (catalog.isMarkLost()) {
            lost.add(lostMark("the catalog"));
        }
        if (set.isMarkLost()) {
            lost.add(lostMark("items"));
        }
        return lost;
    }

    private static String lostMark(String what) {
        return "the mark of the store of "
                + what
                + " is missing or damaged, so nobody can tell whether the store has lost writes; the"
                + " next start makes a new one";
    }

    private void compare(Path setPath, Path catalogPath) {
        expectContentOnlyWith(setIdentity, set, setPath);
        expectContentOnlyWith(catalogIdentity, catalog, catalogPath);
        if (setIdentity.isEmpty()) {
            if (catalogIdentity.isPresent()) {
                throw missing("items", setPath, "the catalog");
            }
            return;
        }
        StoreIdentity mine = setIdentity.get();
        if (catalogIdentity.isEmpty()) {
            if (!mine.isFirst()) {
                throw missing("catalog", catalogPath, "the store of items");
            }
            return;
        }
        StoreIdentity other = catalogIdentity.get();
        if (!mine.account().equals(other.account())) {
            throw new StartupException(
                    "The stores "
                            + catalogPath
                            + " and "
                            + setPath
                            + " belong to two different accounts."
                            + WHAT_TO_DO);
        }
        if (!mine.agreesWith(other.incarnation())) {
            throw disagreement(mine, setPath, other, catalogPath);
        }
    }

    private static StartupException disagreement(
            StoreIdentity mine, Path setPath, StoreIdentity other, Path catalogPath) {
        if (mine.start() == other.start()) {
            return new StartupException(
                    "The stores "
                            + catalogPath
                            + " and "
                            + setPath
                            + " come from two copies of the account that went on apart."
                            + WHAT_TO_DO);
        }
        boolean isCatalogOlder = other.start() < mine.start();
        return new StartupException(
                "The store "
                        + (isCatalogOlder ? catalogPath : setPath)
                        + " is older than "
                        + (isCatalogOlder ? setPath : catalogPath)
                        + ": it has not seen the last start of the server."
                        + WHAT_TO_DO);
    }

    private static StartupException missing(String what, Path path, String by) {
        return new StartupException(
                "The store of the "
                        + what.replace("catalog", "account's catalog")
                        + ", "
                        + path
                        + ", is missing or empty, though "
                        + by
                        + " is there."
                        + WHAT_TO_DO);
    }

    /** A store in a wrong place must not be held against the mark of another one. */
    private void expectNumbers(Path setPath, Path catalogPath) {
        expectNumber(setIdentity, StoreIdentity.ofReplicaSet(REPLICA_SET), setPath);
        expectNumber(catalogIdentity, StoreIdentity.CATALOG, catalogPath);
    }

    private static void expectNumber(Optional<StoreIdentity> identity, int number, Path path) {
        if (identity.isPresent() && identity.get().store() != number) {
            throw new StartupException(
                    "The directory "
                            + path
                            + " holds another store than belongs there."
                            + WHAT_TO_DO);
        }
    }

    private static void expectContentOnlyWith(
            Optional<StoreIdentity> identity, ReplicaStore store, Path path) {
        if (identity.isEmpty() && store.get(Table.META, Keys.applied()) != null) {
            throw new StartupException(
                    "The store "
                            + path
                            + " does not say to which account it belongs."
                            + WHAT_TO_DO);
        }
    }

    /** Returns the notes of a start, in order; each is on disk before the next. */
    List<Note> notesOfStart(RandomGenerator random) {
        UUID account =
                setIdentity
                        .map(StoreIdentity::account)
                        .orElseGet(() -> new UUID(random.nextLong(), random.nextLong()));
        long start = 1 + Math.max(start(setIdentity), start(catalogIdentity));
        long previous = catalogIdentity.map(StoreIdentity::incarnation).orElse(0L);
        long incarnation = random.nextLong(1, Long.MAX_VALUE);
        int mine = StoreIdentity.ofReplicaSet(REPLICA_SET);
        StoreIdentity beginning =
                new StoreIdentity(
                        account,
                        mine,
                        start,
                        incarnation,
                        OptionalLong.of(previous),
                        extensions(setIdentity));
        StoreIdentity ofCatalog =
                new StoreIdentity(
                        account,
                        StoreIdentity.CATALOG,
                        start,
                        incarnation,
                        OptionalLong.empty(),
                        extensions(catalogIdentity));
        return List.of(
                new Note(set, beginning),
                new Note(catalog, ofCatalog),
                new Note(set, beginning.settled()));
    }

    private static Extensions extensions(Optional<StoreIdentity> identity) {
        return identity.map(StoreIdentity::extensions).orElse(Extensions.NONE);
    }

    private static long start(Optional<StoreIdentity> identity) {
        return identity.map(StoreIdentity::start).orElse(0L);
    }

    private static Optional<StoreIdentity> identity(ReplicaStore store) {
        return Optional.ofNullable(store.get(Table.META, Keys.identity()))
                .map(StoreIdentity::decode);
    }

    /** Both refuse writes from now on. */
    void refuseWrites(String reason) {
        set.refuseWrites(reason);
        catalog.refuseWrites(reason);
    }

    ReplicaStore catalog() {
        return catalog;
    }

    ReplicaStore replicaSet() {
        return set;
    }

    /** The number of the replica set, which the catalog says this node carries. */
    int expectHosted(CatalogState known) {
        List<Integer> hosted = known.setsOf(NodeRecord.FIRST);
        if (!hosted.equals(List.of(REPLICA_SET))) {
            throw new StartupException(
                    "The catalog says that this node carries the replica sets "
                            + hosted
                            + ", but the data directory has the store of set "
                            + REPLICA_SET
                            + "."
                            + WHAT_TO_DO);
        }
        return REPLICA_SET;
    }

    @Override
    public void close() {
        catalog.close();
        set.close();
    }
}
