package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;

/** A server whose directory has lost something since it stopped. */
class LostStoreTest {
    @TempDir private Path directory;

    private Path data() {
        return directory.resolve("data");
    }

    private ServerFixture start() {
        return ServerFixture.start(Optional.of(data()), AccountSettings.DEFAULT);
    }

    /** Makes containers c1 and c2, with copies of both stores from between them. */
    @BeforeEach
    void fill() {
        try (ServerFixture server = start()) {
            server.createDatabase("d");
            server.createContainer("d", "c1");
            server.createItem("d", "c1", "k", "1", "");
            FileTrees.copy(data().resolve("catalog"), directory.resolve("catalog"));
            FileTrees.copy(data().resolve("sets/0"), directory.resolve("items"));
            server.createContainer("d", "c2");
            server.createItem("d", "c2", "k", "2", "");
        }
    }

    private void assertRefused(String... words) {
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> start().close())
                .satisfies(
                        refusal ->
                                assertThat(refusal)
                                        .hasMessageContainingAll(words)
                                        .hasMessageContaining("Put back the whole data directory"));
        ServerFixture.Output check = ServerFixture.command("check", "--data", data().toString());
        boolean hasFindings = check.out().matches("(?s).*\\d findings? in .*");
        assertThat(check.exitCode()).as(check.out()).isEqualTo(hasFindings ? 3 : 1);
        assertThat(check.out() + check.err()).contains(words);
    }

    @Test
    void startsWithAllItHas() {
        assertThat(ServerFixture.command("check", "--data", data().toString()).exitCode()).isZero();
        try (ServerFixture server = start()) {
            assertThat(server.readItem("d", "c1", "k", "1").statusCode()).isEqualTo(200);
            assertThat(server.readItem("d", "c2", "k", "2").statusCode()).isEqualTo(200);
        }
    }

    /** Before, it began with an empty catalog, and the next container showed items of the lost. */
    @Test
    void aLostCatalogIsNotAnEmptyOne() {
        FileTrees.delete(data().resolve("catalog"));

        assertRefused("catalog", "missing");
    }

    @Test
    void lostItemsAreNotNone() {
        FileTrees.delete(data().resolve("sets"));

        assertRefused("items", "missing");
    }

    /** The older catalog comes from the same start, so all stores name that start. */
    @Test
    void aCatalogThatGaveOutFewerNumbersIsRefused() {
        FileTrees.replace(data().resolve("catalog"), directory.resolve("catalog"));
        assertRefused("lost writes that were acknowledged", "catalog");

        FileTrees.delete(data().resolve("marks"));
        assertRefused("catalog is older", "number of container 2");
    }

    @Test
    void itemsWithoutTheLatestContainerAreRefused() {
        FileTrees.replace(data().resolve("sets/0"), directory.resolve("items"));
        assertRefused("lost writes that were acknowledged", "sets");

        FileTrees.delete(data().resolve("marks"));
        assertRefused("items are older", "container 'c2'");
    }
}
