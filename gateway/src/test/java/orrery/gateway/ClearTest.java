package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.PageRequest;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.resource.Container;

/** Everything that a test leaves behind goes at once. */
final class ClearTest {
    @TempDir Path directory;

    @Test
    void allDatabasesGoAndTheirNumbersAreNotUsedAgain() {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            // More than are deleted at once.
            for (int i = 0; i < 120; i++) {
                fixture.engine
                        .resources()
                        .createDatabase(EngineFixture.context(), "more-" + i, Optional.empty());
            }
            ContainerRef ref = fixture.container("c", 400, "/pk");
            Container before =
                    fixture.engine.resources().readContainer(EngineFixture.context(), ref);
            fixture.create(ref, "{\"id\":\"1\",\"pk\":\"a\"}");

            fixture.engine.clear(EngineFixture.context());

            assertThat(
                            fixture.engine
                                    .resources()
                                    .listDatabases(
                                            EngineFixture.context(),
                                            new PageRequest(OptionalInt.empty(), Optional.empty()))
                                    .resources())
                    .isEmpty();
            ContainerRef again = fixture.container("c", 400, "/pk");
            Container after =
                    fixture.engine.resources().readContainer(EngineFixture.context(), again);
            assertThat(after.number()).isGreaterThan(before.number());
            assertThat(after.database()).isGreaterThan(before.database());
            assertThat(
                            fixture.all(
                                    again,
                                    new FeedScope.Everything(),
                                    "SELECT VALUE COUNT(1) FROM c",
                                    10))
                    .containsExactly("0");
        }
    }

    @Test
    void quotasBeginAnew() {
        try (EngineFixture fixture =
                new EngineFixture(
                        directory, AccountSettings.DEFAULT.withServiceQuotas(true), () -> 0)) {
            for (int i = 0; i < 100; i++) {
                fixture.engine
                        .resources()
                        .createDatabase(EngineFixture.context(), "d" + i, Optional.empty());
            }
            assertThatExceptionOfType(OrreryException.class)
                    .isThrownBy(
                            () ->
                                    fixture.engine
                                            .resources()
                                            .createDatabase(
                                                    EngineFixture.context(), "x", Optional.empty()))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS));

            fixture.engine.clear(EngineFixture.context());

            assertThat(
                            fixture.engine
                                    .resources()
                                    .createDatabase(EngineFixture.context(), "x", Optional.empty())
                                    .name())
                    .isEqualTo("x");
        }
    }

    @Test
    void readersMayNot() {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            assertThatExceptionOfType(OrreryException.class)
                    .isThrownBy(() -> fixture.engine.clear(EngineFixture.readOnly()))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.FORBIDDEN));
        }
    }
}
