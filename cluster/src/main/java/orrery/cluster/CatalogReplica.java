package orrery.cluster;

import java.util.List;
import orrery.cluster.catalog.CatalogMachine;
import orrery.cluster.catalog.CatalogOutcome;
import orrery.cluster.catalog.CatalogRequest;
import orrery.replication.StateMachine;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreBatch;

/** The log's view of the catalog. */
record CatalogReplica(ReplicaStore store, CatalogMachine machine)
        implements StateMachine<CatalogRequest, CatalogOutcome> {
    @Override
    public long appliedPosition() {
        return machine.appliedPosition();
    }

    /** The state is the one that everybody reads, so it is never ahead of the store. */
    @Override
    public boolean readsCommitted(List<CatalogRequest> requests) {
        return true;
    }

    @Override
    public Prepared<CatalogOutcome> prepare(long position, List<CatalogRequest> requests) {
        if (requests.size() != 1) {
            throw new IllegalStateException("an entry of the catalog is one command");
        }
        StoreBatch batch = store.newBatch();
        try {
            CatalogMachine.Effects effects = machine.apply(position, requests.getFirst(), batch);
            return new Entry(this, batch, effects);
        } catch (RuntimeException | Error failure) {
            batch.close();
            throw failure;
        }
    }

    private record Entry(CatalogReplica replica, StoreBatch batch, CatalogMachine.Effects effects)
            implements StateMachine.Prepared<CatalogOutcome> {
        @Override
        public List<CatalogOutcome> outcomes() {
            return List.of(effects.outcome());
        }

        @Override
        public void commit(boolean durable) {
            replica.store().write(batch, durable);
            replica.machine().committed(effects);
        }

        @Override
        public void close() {
            batch.close();
        }
    }
}
