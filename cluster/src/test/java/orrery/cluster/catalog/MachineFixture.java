package orrery.cluster.catalog;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import orrery.cluster.api.AccountSettings;
import orrery.model.Bytes;
import orrery.model.KeyRange;
import orrery.model.RangeBoundaries;
import orrery.model.RequestId;
import orrery.storage.Cursor;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreBatch;
import orrery.storage.StoreOptions;
import orrery.storage.Table;
import orrery.storage.format.Keys;

/** A catalog without a log: requests are applied one after the other, at a time that tests set. */
final class MachineFixture implements AutoCloseable {
    static final int SET = SetRecord.FIRST;

    private final ReplicaStore store;
    private CatalogMachine machine;
    private long requests;
    private long nowMillis = CatalogSamples.STAMP;

    /** Opens a catalog with an account, a node and the first set. */
    MachineFixture(Path directory) {
        store = ReplicaStore.open(directory, new StoreOptions(4 << 20, 4 << 20));
        machine = new CatalogMachine(store);
        apply(
                new AccountCommand.SetUpAccount(
                        AccountIdentity.first(new UUID(0x0102030405060708L, 0x090A0B0C0D0E0F10L)),
                        Bytes.ofHex("010203"),
                        AccountSettings.DEFAULT,
                        Optional.empty()));
        apply(new RegisterNode(NodeRecord.alone()));
    }

    ReplicaStore store() {
        return store;
    }

    CatalogState state() {
        return machine.state();
    }

    void restart() {
        machine = new CatalogMachine(store);
    }

    void pass(long millis) {
        nowMillis += millis;
    }

    /** Makes a request that has not been sent before. */
    CatalogRequest request(CatalogCommand command) {
        return new CatalogRequest(new RequestId(7, ++requests), nowMillis, command);
    }

    CatalogOutcome apply(CatalogCommand command) {
        return apply(request(command));
    }

    CatalogOutcome apply(CatalogRequest request) {
        try (StoreBatch batch = store.newBatch()) {
            CatalogMachine.Effects effects =
                    machine.apply(machine.appliedPosition() + 1, request, batch);
            store.write(batch, false);
            machine.committed(effects);
            return effects.outcome();
        }
    }

    /** The same request at the present time, as a sender does that has lost the answer. */
    CatalogOutcome resend(CatalogRequest request) {
        return apply(new CatalogRequest(request.id(), nowMillis, request.command()));
    }

    /** Writes a record that no command writes yet. */
    void put(Change change) {
        put(change.key(), Objects.requireNonNull(change.encode(Bytes.EMPTY)));
        restart();
    }

    /** Takes effect with the next restart. */
    void put(byte[] key, byte[] row) {
        try (StoreBatch batch = store.newBatch()) {
            batch.put(Table.META, key, row);
            store.write(batch, false);
        }
    }

    /** Returns the rows whose keys begin with a prefix. */
    List<String> rows(byte[] prefix) {
        List<String> rows = new ArrayList<>();
        try (Cursor cursor = store.scan(Table.META, prefix, Keys.after(prefix))) {
            while (cursor.next()) {
                rows.add(
                        Bytes.wrap(cursor.key()).toHex()
                                + " "
                                + Bytes.wrap(cursor.value()).toHex());
            }
        }
        return rows;
    }

    /** Makes the container 1 in the database 1, with one range, and puts it online. */
    void createContainer() {
        apply(new ResourceCommand.CreateDatabase("d", Optional.empty()));
        apply(container("c", 1));
        apply(new ResourceCommand.ContainerReady(1, 1));
    }

    static ResourceCommand.CreateContainer container(String name, int ranges) {
        return new ResourceCommand.CreateContainer(
                1,
                name,
                CatalogSamples.DEFINITION,
                Optional.empty(),
                RangeBoundaries.initial(CatalogSamples.DEFINITION.partitionKey(), ranges).stream()
                        .map(MachineFixture::placed)
                        .toList());
    }

    static ResourceCommand.PlacedRange placed(KeyRange keys) {
        return new ResourceCommand.PlacedRange(keys, SET);
    }

    @Override
    public void close() {
        store.close();
    }
}
