package orrery.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.catalog.DefinitionHistory.Earlier;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.Precondition;
import orrery.storage.Table;

final class DefinitionHistoryTest {
    private MachineFixture catalog;

    @BeforeEach
    void open(@TempDir Path directory) {
        catalog = new MachineFixture(directory);
        catalog.createContainer();
    }

    @AfterEach
    void close() {
        catalog.close();
    }

    private static ContainerDefinition retaining(int minutes) {
        return CatalogSamples.DEFINITION.withChangeRetention(minutes);
    }

    /** A definition that takes so many bytes and some more. */
    private static ContainerDefinition ofBytes(int bytes) {
        return CatalogSamples.DEFINITION.withComputedProperties(
                List.of(new ComputedProperty("x", "y".repeat(bytes))));
    }

    private void replace(ContainerDefinition definition) {
        catalog.pass(1000);
        catalog.apply(new ResourceCommand.ReplaceContainer(1, definition, Precondition.NONE));
    }

    private DefinitionHistory history() {
        return CatalogState.readHistory(catalog.store(), 1);
    }

    @Test
    void aNewContainerHasNone() {
        assertThat(history().definitions()).isEmpty();
    }

    @Test
    void earlierDefinitionsStayWithTheirTimes() {
        replace(retaining(1));
        replace(retaining(2));
        catalog.restart();

        long created = CatalogSamples.STAMP;
        assertThat(history().definitions())
                .containsExactly(
                        new Earlier(1, created, CatalogSamples.DEFINITION),
                        new Earlier(2, created + 1000, retaining(1)));
    }

    /** Changed limits are told under a new version, with the same definition. */
    @Test
    void versionsWithOneDefinitionAreOne() {
        AccountSettings settings = catalog.state().account().settings();
        catalog.apply(
                new AccountCommand.ChangeSettings(
                        settings, settings.withStorage(30L << 30, 10L << 30)));
        replace(retaining(1));

        assertThat(history().definitions())
                .containsExactly(new Earlier(2, CatalogSamples.STAMP, CatalogSamples.DEFINITION));
    }

    @Test
    void aRefusedReplaceLeavesNone() {
        catalog.apply(
                new ResourceCommand.ReplaceContainer(
                        1, retaining(1), new Precondition.Impossible()));

        assertThat(history().definitions()).isEmpty();
    }

    @Test
    void theLatestAreKept() {
        for (int i = 1; i <= CatalogLevel.FIRST.maxDefinitions(); i++) {
            replace(retaining(i));
        }
        assertThat(history().definitions()).hasSize(CatalogLevel.FIRST.maxDefinitions());
        assertThat(history().definitions().getFirst().version()).isEqualTo(1);

        replace(retaining(1000));

        assertThat(history().definitions()).hasSize(CatalogLevel.FIRST.maxDefinitions());
        assertThat(history().definitions().getFirst().version()).isEqualTo(2);
        assertThat(history().definitions().getLast().definition())
                .isEqualTo(retaining(CatalogLevel.FIRST.maxDefinitions()));
    }

    @Test
    void largeOnesPushOutTheOlder() {
        int third = CatalogLevel.FIRST.maxDefinitionBytes() / 3;
        for (ContainerDefinition large : Collections.nCopies(4, ofBytes(third))) {
            replace(large);
        }

        assertThat(history().definitions()).extracting(Earlier::version).containsExactly(3, 4);
    }

    @Test
    void theLastStaysHoweverLarge() {
        replace(ofBytes(CatalogLevel.FIRST.maxDefinitionBytes()));
        replace(retaining(1));

        assertThat(history().definitions()).extracting(Earlier::version).containsExactly(2);
    }

    @Test
    void itIsInOrderWhenTheClockGoesBack() {
        replace(retaining(1));
        catalog.pass(-5000);
        replace(retaining(2));
        replace(retaining(3));

        assertThat(history().definitions())
                .extracting(Earlier::sinceMillis)
                .containsExactly(
                        CatalogSamples.STAMP,
                        CatalogSamples.STAMP + 1000,
                        CatalogSamples.STAMP + 1000);
    }

    @Test
    void itGoesWithItsContainer() {
        replace(retaining(1));
        catalog.apply(new ResourceCommand.DeleteContainer(1, Precondition.NONE));
        assertThat(history().definitions()).hasSize(1);

        catalog.apply(new ResourceCommand.ForgetContainer(1));

        assertThat(history().definitions()).isEmpty();
        assertThat(catalog.store().get(Table.META, Change.Kind.HISTORY.key(1))).isNull();
    }
}
