package orrery.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.model.Bytes;
import orrery.model.KeyRange;
import orrery.model.codec.MalformedRecordException;
import orrery.partition.api.SplitAim;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreBatch;
import orrery.storage.StoreOptions;
import orrery.storage.Table;
import orrery.storage.format.Keys;

final class CatalogRecordTest {
    private static final byte[] ACCOUNT = Keys.catalog(0, 0);
    private static final Bytes EXTENSION = Bytes.ofHex("E1030A0B0C");

    private ReplicaStore store;

    @BeforeEach
    void open(@TempDir Path directory) {
        store = ReplicaStore.open(directory, new StoreOptions(4 << 20, 4 << 20));
        apply(
                new CatalogMachine(store),
                new CatalogCommand.SetUpAccount(
                        AccountIdentity.first(new UUID(0x0102030405060708L, 0x090A0B0C0D0E0F10L)),
                        Bytes.ofHex("010203"),
                        AccountSettings.DEFAULT,
                        Optional.empty()));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void apply(CatalogMachine machine, CatalogCommand command) {
        try (StoreBatch batch = store.newBatch()) {
            CatalogMachine.Effects effects = machine.apply(command, batch);
            store.write(batch, false);
            machine.committed(effects);
        }
    }

    private void put(byte[] row) {
        try (StoreBatch batch = store.newBatch()) {
            batch.put(Table.META, ACCOUNT, row);
            store.write(batch, false);
        }
    }

    private byte[] row() {
        return Objects.requireNonNull(store.get(Table.META, ACCOUNT));
    }

    /** The bytes are those in docs/formats/catalog.md. */
    @Test
    void aRecordHasAVersionAndALength() {
        assertThat(Bytes.wrap(row()).toHex())
                .isEqualTo(
                        "0554"
                                + "0102030405060708090A0B0C0D0E0F10"
                                + "00000001"
                                + "00"
                                + "03010203"
                                + "00002710000000050000000000020000000C80000000010000"
                                + "020000006400000005"
                                + "00"
                                + "00000001000000010000000100000001"
                                + "0000000000000001");
    }

    @Test
    void extensionsStayBehindARecordThatIsWrittenAgain() {
        byte[] extended = Arrays.copyOf(row(), row().length + EXTENSION.length());
        System.arraycopy(EXTENSION.unsafeArray(), 0, extended, row().length, EXTENSION.length());
        put(extended);

        CatalogMachine machine = new CatalogMachine(store);
        apply(machine, new CatalogCommand.CreateDatabase("d", Optional.empty(), 5));

        assertThat(machine.state().account().nextDatabase()).isEqualTo(2);
        assertThat(Bytes.wrap(row()).toHex()).endsWith(EXTENSION.toHex());
        assertThat(row()).hasSameSizeAs(extended);
    }

    /** Also those of a reshape that came to nothing stay used, and a restart forgets none. */
    @Test
    void segmentsAreNumberedOnce() {
        CatalogMachine machine = new CatalogMachine(store);
        apply(machine, new CatalogCommand.CreateDatabase("d", Optional.empty(), 5));
        apply(
                machine,
                new CatalogCommand.CreateContainer(
                        1,
                        "c",
                        CatalogCommandProperties.DEFINITION,
                        Optional.empty(),
                        List.of(KeyRange.FULL),
                        0,
                        5));
        apply(machine, new CatalogCommand.ContainerReady(1, 1));
        CatalogCommand split = new CatalogCommand.BeginSplit(1, 0, SplitAim.OPERATOR);
        apply(machine, split);
        Reshape first = machine.state().reshape(1).orElseThrow();
        apply(machine, new CatalogCommand.CancelReshape(1, first));

        CatalogMachine restarted = new CatalogMachine(store);
        apply(restarted, split);

        assertThat(first).isEqualTo(new Reshape.Split(0, 1, 2, 1, 2, SplitAim.OPERATOR));
        assertThat(restarted.state().reshape(1))
                .contains(new Reshape.Split(0, 1, 2, 3, 4, SplitAim.OPERATOR));
        assertThat(new CatalogMachine(store).state().reshape(1))
                .isEqualTo(restarted.state().reshape(1));
        assertThat(restarted.state().container(1).orElseThrow().nextSegment()).isEqualTo(5);
    }

    @Test
    void anotherVersionIsRefused() {
        byte[] older = row();
        older[0] = 4;
        put(older);

        assertThatExceptionOfType(MalformedRecordException.class)
                .isThrownBy(() -> new CatalogMachine(store));
    }
}
