package orrery.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.model.Precondition;
import orrery.model.resource.Container;

/** A container takes the name of another, which is gone at the same moment. */
final class TakeNameTest {
    private MachineFixture catalog;

    @BeforeEach
    void open(@TempDir Path directory) {
        catalog = new MachineFixture(directory);
        catalog.createContainer();
        catalog.apply(MachineFixture.container("new", 2));
        catalog.apply(new ResourceCommand.ContainerReady(2, 1));
    }

    @AfterEach
    void close() {
        catalog.close();
    }

    private Container container(int number) {
        return catalog.state().container(number).orElseThrow();
    }

    private Precondition etag() {
        return new Precondition.Matches(container(1).etag());
    }

    @Test
    void oneTakesThePlaceOfTheOther() {
        String name = container(1).name();
        assertThat(catalog.apply(new ResourceCommand.TakeName(2, name, etag())))
                .isInstanceOf(CatalogOutcome.OfContainer.class);
        for (int i = 0; i < 2; i++) {
            assertThat(catalog.state().container(1, name)).contains(container(2));
            assertThat(catalog.state().container(1, "new")).isEmpty();
            assertThat(catalog.state().livingContainer(1)).isEmpty();
            assertThat(catalog.state().offerOfContainer(1)).isEmpty();
            assertThat(catalog.state().containersAfter(1, 0, 10)).containsExactly(container(2));
            catalog.restart();
        }
        catalog.apply(new ResourceCommand.ForgetContainer(1));
        assertThat(catalog.state().container(1, name)).contains(container(2));
    }

    @Test
    void aFreeNameIsTakenToo() {
        catalog.apply(new ResourceCommand.TakeName(2, "free", Precondition.NONE));
        assertThat(catalog.state().container(1, "free")).contains(container(2));
        assertThat(catalog.state().livingContainer(1)).isPresent();
    }

    @Test
    void nothingHappensIfSomebodyElseHasTheName() {
        String name = container(1).name();
        Precondition before = etag();
        catalog.apply(
                new ResourceCommand.ReplaceContainer(
                        1, CatalogSamples.DEFINITION.withChangeRetention(5), Precondition.NONE));
        for (ResourceCommand command :
                new ResourceCommand[] {
                    new ResourceCommand.TakeName(2, name, before),
                    new ResourceCommand.TakeName(2, name, Precondition.NONE),
                    new ResourceCommand.TakeName(2, "free", before),
                    new ResourceCommand.TakeName(9, "free", Precondition.NONE),
                }) {
            assertThat(catalog.apply(command)).isInstanceOf(CatalogOutcome.Rejected.class);
        }
        assertThat(catalog.state().container(1, name)).contains(container(1));
        assertThat(catalog.state().container(1, "new")).contains(container(2));
    }
}
