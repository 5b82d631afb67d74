package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.cluster.catalog.CatalogMachine;
import orrery.cluster.catalog.CatalogState;
import orrery.model.Bytes;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreBatch;
import orrery.storage.StoreOptions;
import orrery.storage.Table;
import orrery.storage.format.Extensions;
import orrery.storage.format.Keys;
import orrery.storage.format.StoreIdentity;

/** Stores of a data directory that somebody has laid hands on. */
class StoresTest {
    private static final StoreOptions SMALL = new StoreOptions(4 << 20, 8 << 20);

    private final Random random = new Random(42);

    @TempDir private Path directory;

    private enum Store {
        CATALOG("catalog", "marks/catalog"),
        ITEMS("sets/0", "marks/set-0");

        private final String path;
        private final String mark;

        Store(String path, String mark) {
            this.path = path;
            this.mark = mark;
        }

        Path in(Path root) {
            return root.resolve(path);
        }

        Path markIn(Path root) {
            return root.resolve(mark);
        }
    }

    private Path data() {
        return directory.resolve("data");
    }

    private void start() {
        start(data());
    }

    private void start(Path root) {
        try (DataDirectory data = DataDirectory.open(Optional.of(root));
                Stores stores = Stores.open(data, SMALL, SMALL)) {
            stores.notesOfStart(random).forEach(Stores.Note::write);
        }
    }

    private void assertRefused(String... words) {
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(this::start)
                    .satisfies(
                            refusal ->
                                    assertThat(refusal)
                                            .hasMessageContainingAll(words)
                                            .hasMessageContaining(
                                                    "Put back the whole data directory"));
        }
        ServerFixture.Output check = ServerFixture.command("check", "--data", data().toString());
        assertThat(check.exitCode()).isEqualTo(1);
        assertThat(check.err()).contains(words);
    }

    @Test
    void agreeStartAfterStart() {
        for (int i = 0; i < 4; i++) {
            start();
        }
        assertThat(ServerFixture.command("check", "--data", data().toString()).exitCode()).isZero();
        start();
    }

    /** A later release has added a field to the identity, and this one starts in between. */
    @ParameterizedTest
    @EnumSource(Store.class)
    void aStartKeepsExtensionsOfAnIdentity(Store store) {
        start();
        Extensions unknown = Extensions.NONE.and(0xE1, Bytes.ofHex("0A0B0C"));
        StoreIdentity before = identity(store);
        StoreIdentity extended =
                new StoreIdentity(
                        before.account(),
                        before.store(),
                        before.start(),
                        before.incarnation(),
                        before.previous(),
                        unknown);
        try (ReplicaStore opened = ReplicaStore.open(store.in(data()), SMALL)) {
            new Stores.Note(opened, extended).write();
        }

        start();

        assertThat(identity(store).start()).isEqualTo(before.start() + 1);
        assertThat(identity(store).extensions()).isEqualTo(unknown);
    }

    private StoreIdentity identity(Store store) {
        try (ReplicaStore opened = ReplicaStore.open(store.in(data()), SMALL)) {
            byte[] row = Objects.requireNonNull(opened.get(Table.META, Keys.identity()));
            return StoreIdentity.decode(row);
        }
    }

    /** Another node carries what is in this directory. */
    @Test
    void aSetThatTheCatalogGivesToAnotherNodeIsRefused() {
        start();
        try (ReplicaStore catalog = ReplicaStore.open(Store.CATALOG.in(data()), SMALL);
                StoreBatch batch = catalog.newBatch()) {
            // Set 0 after one change of its members, with node 2.
            batch.put(
                    Table.META,
                    Keys.catalog(0x0B, 0),
                    HexFormat.of()
                            .parseHex("0112" + "00000000" + "0000000000000001" + "010000000200"));
            catalog.write(batch, true);
        }

        try (DataDirectory data = DataDirectory.open(Optional.of(data()));
                Stores stores = Stores.open(data, SMALL, SMALL)) {
            CatalogState known = new CatalogMachine(stores.catalog()).state();
            assertThatExceptionOfType(StartupException.class)
                    .isThrownBy(() -> stores.expectHosted(known))
                    .withMessageContaining("carries the replica sets []");
        }
        ServerFixture.Output check = ServerFixture.command("check", "--data", data().toString());
        assertThat(check.exitCode()).isEqualTo(1);
        assertThat(check.err()).contains("replica sets");
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aMissingStoreIsRefused(Store store) {
        start();
        FileTrees.delete(store.in(data()));

        assertRefused("missing", store.in(data()).toString());
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void anEmptyStoreInItsPlaceIsRefused(Store store) {
        start();
        FileTrees.delete(store.in(data()));
        FileTrees.delete(store.markIn(data()));
        ReplicaStore.open(store.in(data()), SMALL).close();

        assertRefused("empty", store.in(data()).toString());
    }

    /** RocksDB would make a new database over the files of the old one. */
    @ParameterizedTest
    @EnumSource(Store.class)
    void aStoreWithoutItsFirstFileIsRefused(Store store) throws IOException {
        start();
        Files.delete(store.in(data()).resolve("CURRENT"));

        assertRefused("missing", store.in(data()).toString());
    }

    @Test
    void bothMissingIsRefused() {
        start();
        FileTrees.delete(data().resolve("catalog"));
        FileTrees.delete(data().resolve("sets"));

        assertRefused("Both stores");
    }

    @Test
    void aMissingFormatIsRefused() throws IOException {
        start();
        Files.delete(data().resolve("format"));

        assertRefused("format", "which version");
    }

    @ParameterizedTest
    @ValueSource(strings = {"orrery-data 5", "orrery-data 6", "orrery-data 8"})
    void anotherFormatIsRefused(String format) throws IOException {
        start();
        Files.writeString(data().resolve("format"), format + "\n");

        assertThatExceptionOfType(StartupException.class)
                .isThrownBy(this::start)
                .withMessageContaining("another version of Orrery (" + format + ")")
                .withMessageContaining("orrery export")
                .withMessageContaining("orrery import");
    }

    @Test
    void aDamagedFormatIsRefusedInWords() throws IOException {
        start();
        Files.write(data().resolve("format"), new byte[] {(byte) 0xC3, 0x28, 0, 'x'});

        assertThatExceptionOfType(StartupException.class)
                .isThrownBy(this::start)
                .withMessageContaining("(?(?x)")
                .withMessageContaining("damaged");
    }

    @Test
    void aDamagedStoreSaysWhatToDo() throws IOException {
        start();
        Files.writeString(Store.ITEMS.in(data()).resolve("CURRENT"), "nonsense");

        assertRefused("damaged", Store.ITEMS.in(data()).toString());
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aStoreOfAnotherAccountIsRefused(Store store) {
        Path other = directory.resolve("other");
        for (int i = 0; i < 3; i++) {
            start();
            start(other);
        }
        FileTrees.replace(store.in(data()), store.in(other));

        assertRefused("different accounts");
    }

    @Test
    void swappedStoresAreRefused() {
        start();
        Path aside = directory.resolve("aside");
        FileTrees.copy(Store.CATALOG.in(data()), aside);
        FileTrees.replace(Store.CATALOG.in(data()), Store.ITEMS.in(data()));
        FileTrees.replace(Store.ITEMS.in(data()), aside);

        assertRefused("another store than belongs there");
        FileTrees.delete(data().resolve("marks"));
        assertRefused("another store than belongs there");
    }

    @ParameterizedTest
    @CsvSource({"CATALOG,1", "CATALOG,2", "ITEMS,1", "ITEMS,2"})
    void aStoreFromBeforeTheLastStartsIsRefused(Store store, int starts) {
        start();
        Path copy = directory.resolve("copy");
        FileTrees.copy(store.in(data()), copy);
        for (int i = 0; i < starts; i++) {
            start();
        }
        FileTrees.replace(store.in(data()), copy);

        assertRefused("lost writes that were acknowledged", store.in(data()).toString());
        FileTrees.delete(store.markIn(data()));
        assertRefused("older", store.in(data()).toString());
    }

    @Test
    void storesOfTwoCopiesThatWentOnApartAreRefused() {
        start();
        Path copy = directory.resolve("copy");
        FileTrees.copy(data(), copy);
        start();
        start(copy);
        FileTrees.replace(Store.CATALOG.in(data()), Store.CATALOG.in(copy));

        assertRefused("went on apart");
    }

    @Test
    void aWholeDirectoryPutBackIsAccepted() {
        start();
        Path copy = directory.resolve("copy");
        FileTrees.copy(data(), copy);
        start();
        start();
        FileTrees.replace(data(), copy);

        assertThatNoException().isThrownBy(this::start);
    }

    private ServerFixture.Output check() {
        return ServerFixture.command("check", "--data", data().toString());
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aLostMarkIsFoundAndMadeAnew(Store store) {
        start();
        FileTrees.delete(store.markIn(data()));
        for (int attempt = 0; attempt < 2; attempt++) {
            ServerFixture.Output check = check();
            assertThat(check.exitCode()).isEqualTo(3);
            assertThat(check.out()).contains("1 finding in", "whether the store has lost writes");
        }

        start();
        assertThat(check().exitCode()).isZero();
    }

    /** A check that made stores would hide from the next one that they are gone. */
    @Test
    void aCheckMakesNoStores() {
        start();
        for (String name : List.of("catalog", "sets", "marks")) {
            FileTrees.delete(data().resolve(name));
        }

        for (int attempt = 0; attempt < 2; attempt++) {
            ServerFixture.Output check = check();
            assertThat(check.exitCode()).isEqualTo(1);
            assertThat(check.err()).contains("has no stores");
        }
    }

    /** Killed after each of the writes of a start, the first and a later one, and at each again. */
    @ParameterizedTest
    @CsvSource({"0,0", "0,1", "0,2", "0,3", "1,0", "1,1", "1,2", "1,3"})
    void aCrashWithinAStartIsNoLoss(int startsBefore, int writes) {
        for (int i = 0; i < startsBefore; i++) {
            start();
        }
        for (int more = 0; more <= 3; more++) {
            crashAfter(writes);
            crashAfter(more);
        }

        start();
        start();
    }

    private void crashAfter(int writes) {
        try (DataDirectory data = DataDirectory.open(Optional.of(data()));
                Stores stores = Stores.open(data, SMALL, SMALL)) {
            List<Stores.Note> notes = stores.notesOfStart(random);
            notes.subList(0, writes).forEach(Stores.Note::write);
        }
    }

    /** Directories are made before what is in them. */
    @ParameterizedTest
    @ValueSource(strings = {"", "sets", "sets/0", "catalog"})
    void aCrashBeforeTheStoresAreMadeIsNoLoss(String made) throws IOException {
        DataDirectory.open(Optional.of(data())).close();
        Files.createDirectories(data().resolve(made));

        assertThatNoException().isThrownBy(this::start);
    }

    @Test
    void aCrashBeforeTheCatalogIsMadeIsNoLoss() {
        crashAfter(1);
        FileTrees.delete(Store.CATALOG.in(data()));
        FileTrees.delete(Store.CATALOG.markIn(data()));

        assertThatNoException().isThrownBy(this::start);
        assertThatNoException().isThrownBy(this::start);
    }
}
