package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.PageRequest;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.query.QueryCall;
import orrery.query.sql.SqlStatement;

/** Requests whose time ends while a partition is at them. */
final class DeadlineTest {
    /** Takes far longer than it has, on any machine. */
    private static final String SLOW =
            "SELECT VALUE COUNT(1) FROM c JOIN x IN c.a JOIN y IN c.a JOIN z IN c.a WHERE x + y < z";

    /** Enough to come to the partition, on a machine that is busy, too. */
    private static final Duration TIME = Duration.ofSeconds(2);

    private static RequestContext within(Duration time) {
        return new RequestContext(
                UUID.randomUUID(),
                new RequestContext.Principal.Account(false),
                Optional.empty(),
                Optional.empty(),
                System.nanoTime() + time.toNanos());
    }

    @Test
    void aPageOfAQueryEndsWithTheRequest(@TempDir Path directory) {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            ContainerRef container = fixture.container("c", 400, EngineFixture.definition("/pk"));
            String list = IntStream.range(0, 1000).boxed().toList().toString();
            fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\",\"a\":" + list + "}");

            OrreryException failure =
                    catchThrowableOfType(
                            OrreryException.class,
                            () ->
                                    fixture.engine
                                            .items()
                                            .query(
                                                    within(TIME),
                                                    container,
                                                    new FeedScope.Everything(),
                                                    QueryCall.of(
                                                            SqlStatement.parse(SLOW, Map.of())),
                                                    new PageRequest(
                                                            OptionalInt.empty(),
                                                            Optional.empty())));

            assertThat(failure.code()).isEqualTo(ErrorCode.TIMEOUT);
            // Inside of the page, and not where the next would have been asked for.
            assertThat(failure.text()).contains("before it could be answered");
        }
    }
}
