package orrery.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.catalog.CatalogCommandKind;
import orrery.cluster.catalog.CatalogOutcome;
import orrery.cluster.catalog.CatalogRequest;
import orrery.cluster.catalog.NodeRecord;
import orrery.cluster.catalog.RegisterNode;
import orrery.model.RequestId;
import orrery.model.resource.Container;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.PartitionEnvelope;
import orrery.replication.CommandLog;

final class NodeRegistrationTest {
    private CatalogFixture fixture;
    private final List<CatalogRequest> sent = new CopyOnWriteArrayList<>();
    private final List<PartitionEnvelope> calls = new CopyOnWriteArrayList<>();

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new CatalogFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private ControlPlane start() {
        return fixture.catalog(
                envelope -> {
                    calls.add(envelope);
                    return fixture.host().call(envelope);
                },
                log -> new HeardLog(log, sent),
                Executors.newSingleThreadScheduledExecutor());
    }

    private record HeardLog(
            CommandLog<CatalogRequest, CatalogOutcome> inner, List<CatalogRequest> sent)
            implements CommandLog<CatalogRequest, CatalogOutcome> {
        @Override
        public CatalogOutcome submit(CatalogRequest request, Duration timeout) {
            sent.add(request);
            return inner.submit(request, timeout);
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    private List<CatalogCommandKind> kinds() {
        return sent.stream().map(request -> request.command().kind()).toList();
    }

    @Test
    void aNodeRegistersItselfOnce() {
        start().close();

        assertThat(kinds())
                .containsExactly(
                        CatalogCommandKind.SET_UP_ACCOUNT, CatalogCommandKind.REGISTER_NODE);
        assertThat(sent.getLast().command()).isEqualTo(new RegisterNode(NodeRecord.alone()));

        sent.clear();
        start().close();

        assertThat(sent).isEmpty();
    }

    @Test
    void rangesArePlacedInItsSet() {
        try (ControlPlane catalog = start()) {
            Container container =
                    CatalogFixture.create(
                            catalog,
                            catalog.createDatabase(
                                    CatalogFixture.context(), "d", Optional.empty()));

            assertThat(catalog.partitionMap(container).partitions())
                    .extracting(PhysicalPartition::replicaSet)
                    .containsOnly(0);
            assertThat(catalog.setEpoch(0)).isZero();
        }
        assertThat(calls.stream().map(PartitionEnvelope::replicaSet)).isNotEmpty().containsOnly(0);
    }

    /** Also those of two starts, else one would get the outcome of the other. */
    @Test
    void everyCommandHasAnIdOfItsOwn() {
        for (String name : List.of("a", "b")) {
            try (ControlPlane catalog = start()) {
                catalog.createDatabase(CatalogFixture.context(), name, Optional.empty());
                catalog.createDatabase(CatalogFixture.context(), name + name, Optional.empty());
            }
        }

        List<RequestId> ids = sent.stream().map(CatalogRequest::id).toList();
        assertThat(ids).hasSize(6).doesNotHaveDuplicates();
    }
}
