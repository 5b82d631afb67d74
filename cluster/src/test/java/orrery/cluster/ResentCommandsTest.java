package orrery.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.catalog.CatalogOutcome;
import orrery.cluster.catalog.CatalogRequest;
import orrery.model.Precondition;
import orrery.model.ScriptDefinition;
import orrery.model.Throughput;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PhysicalPartition;
import orrery.model.resource.Script;
import orrery.replication.CommandLog;

/** A catalog whose log loses each first answer: whoever asks hears what the resend was answered. */
final class ResentCommandsTest {
    private CatalogFixture fixture;
    private ControlPlane catalog;

    private record LossyLog(CommandLog<CatalogRequest, CatalogOutcome> inner)
            implements CommandLog<CatalogRequest, CatalogOutcome> {
        @Override
        public CatalogOutcome submit(CatalogRequest request, Duration timeout) {
            CatalogOutcome lost = inner.submit(request, timeout);
            CatalogOutcome heard = inner.submit(request, timeout);
            assertThat(heard).isEqualTo(lost);
            return heard;
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    @BeforeEach
    void open(@TempDir Path directory) {
        fixture = new CatalogFixture(directory);
        catalog =
                fixture.catalog(
                        fixture.host(),
                        LossyLog::new,
                        Executors.newSingleThreadScheduledExecutor());
    }

    @AfterEach
    void close() {
        catalog.close();
        fixture.close();
    }

    @Test
    void nobodyNoticesThatAnswersWereLost() {
        Database database = catalog.createDatabase(CatalogFixture.context(), "d", Optional.empty());
        Container container = CatalogFixture.create(catalog, database);
        Container replaced =
                catalog.replaceContainer(
                        CatalogFixture.context(),
                        container,
                        CatalogFixture.changed(),
                        new Precondition.Matches(container.etag()));
        Script script =
                catalog.createScript(
                        CatalogFixture.context(),
                        replaced,
                        new ScriptDefinition(ScriptDefinition.Kind.FUNCTION, "f", "1"));
        Script changed =
                catalog.replaceScript(
                        CatalogFixture.context(),
                        script,
                        new ScriptDefinition(ScriptDefinition.Kind.FUNCTION, "f", "2"),
                        new Precondition.Matches(script.etag()));
        Offer offer = catalog.findContainerOffer(container.number()).orElseThrow();
        Offer raised =
                catalog.replaceOffer(
                        CatalogFixture.context(),
                        offer,
                        new Throughput.Manual(30_000),
                        Optional.empty(),
                        new Precondition.Matches(offer.etag()));
        catalog.splitPartition(CatalogFixture.context(), replaced, 0);

        assertThat(replaced.definition()).isEqualTo(CatalogFixture.changed());
        assertThat(replaced.definitionVersion()).isEqualTo(2);
        assertThat(catalog.findScript(replaced, ScriptDefinition.Kind.FUNCTION, "f"))
                .contains(changed);
        assertThat(changed.number()).isEqualTo(script.number());
        assertThat(catalog.findOffer(offer.number())).contains(raised);
        assertThat(catalog.partitionMap(replaced).partitions())
                .hasSize(CatalogFixture.PARTITIONS + 1);

        catalog.deleteScript(
                CatalogFixture.context(), changed, new Precondition.Matches(changed.etag()));
        catalog.deleteContainer(CatalogFixture.context(), replaced, Precondition.NONE);
        catalog.deleteDatabase(CatalogFixture.context(), database, Precondition.NONE);

        assertThat(catalog.databases(0, 10)).isEmpty();
    }

    /** Partitions keep their rows under the numbers that the catalog has given out. */
    @Test
    void partitionsAreOpenedWithTheSegmentsOfTheCatalog() {
        Container container =
                CatalogFixture.create(
                        catalog,
                        catalog.createDatabase(CatalogFixture.context(), "d", Optional.empty()));

        List<PhysicalPartition> ranges = catalog.partitionMap(container).partitions();

        assertThat(ranges).extracting(PhysicalPartition::segment).containsExactly(1, 2, 3, 4);
        assertThat(catalog.splitPartition(CatalogFixture.context(), container, 0).partitions())
                .hasSize(CatalogFixture.PARTITIONS + 1);
        assertThat(catalog.partitionMap(container).partitions())
                .extracting(PhysicalPartition::segment)
                .containsExactly(5, 6, 2, 3, 4);
        assertThat(catalog.partitionMap(container).partitions())
                .allSatisfy(
                        range ->
                                assertThat(fixture.segment(container, range))
                                        .isEqualTo(range.segment()));
    }
}
