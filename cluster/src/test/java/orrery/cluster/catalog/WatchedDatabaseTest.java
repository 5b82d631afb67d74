package orrery.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;

/** Collections that are made in a database that somebody has watched. */
final class WatchedDatabaseTest {
    private static final ContainerDefinition COLLECTION =
            CatalogSamples.DEFINITION.withChangeRetention(0).withKind(ContainerKind.MONGODB);

    private MachineFixture catalog;

    @BeforeEach
    void open(@TempDir Path directory) {
        catalog = new MachineFixture(directory);
        catalog.apply(new ResourceCommand.CreateDatabase("d", Optional.empty()));
        catalog.apply(new ResourceCommand.CreateDatabase("e", Optional.empty()));
    }

    @AfterEach
    void close() {
        catalog.close();
    }

    private int retention(int database, ContainerDefinition definition) {
        ResourceCommand.CreateContainer usual = MachineFixture.container("c", 1);
        CatalogOutcome outcome =
                catalog.apply(
                        new ResourceCommand.CreateContainer(
                                database, "c", definition, Optional.empty(), usual.ranges()));
        return ((CatalogOutcome.OfContainer) outcome)
                .container()
                .definition()
                .changeRetentionMinutes();
    }

    @Test
    void nobodyWatches() {
        assertThat(retention(1, COLLECTION)).isZero();
    }

    @Test
    void collectionsOfAWatchedDatabaseKeepVersionsFromTheirCreation() {
        catalog.apply(new ResourceCommand.KeepVersions(1, 90));
        catalog.restart();

        assertThat(retention(1, COLLECTION)).isEqualTo(90);
        assertThat(retention(2, COLLECTION)).isZero();
    }

    @Test
    void collectionsOfAllDatabasesDoSoWhereAllAreWatched() {
        catalog.apply(new ResourceCommand.KeepVersions(0, 90));
        catalog.restart();

        assertThat(retention(2, COLLECTION)).isEqualTo(90);
    }

    /** A retention that somebody has chosen stays, and other APIs have nothing to do with it. */
    @Test
    void whatWasChosenStays() {
        catalog.apply(new ResourceCommand.KeepVersions(0, 90));

        assertThat(retention(1, COLLECTION.withChangeRetention(5))).isEqualTo(5);
        assertThat(retention(2, COLLECTION.withKind(ContainerKind.DOCUMENT))).isZero();
    }

    @Test
    void aDatabaseThatIsGoneIsNotWatched() {
        assertThat(catalog.apply(new ResourceCommand.KeepVersions(7, 90)))
                .isInstanceOf(CatalogOutcome.Rejected.class);
    }
}
