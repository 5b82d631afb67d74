package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Fault;
import orrery.gateway.api.Fault.Extent;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemPage;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ResourceRef;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.resource.Container;

/** Failures on demand. */
final class FaultTest {
    @TempDir Path directory;
    private EngineFixture fixture;
    private Gateway engine;
    private ContainerRef container;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory);
        engine = fixture.engine;
        container = fixture.container("c", 400, "/pk");
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"a\"}");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void set(ErrorCode code, Extent extent) {
        engine.operations()
                .setFault(EngineFixture.context(), container, Optional.of(new Fault(code, extent)));
    }

    private ItemAnswer read(ContainerRef from) {
        return engine.items()
                .readItem(
                        EngineFixture.context(),
                        from,
                        PartitionKey.ofText("a"),
                        new ItemRef.Named("1"));
    }

    private ItemPage feed() {
        return engine.items()
                .readItems(
                        EngineFixture.context(),
                        container,
                        new FeedScope.Everything(),
                        new PageRequest(OptionalInt.empty(), Optional.empty()));
    }

    private static Optional<OrreryException> failure(Callable<?> request) {
        return Optional.ofNullable(catchThrowableOfType(OrreryException.class, request::call));
    }

    @ParameterizedTest
    @CsvSource({"408,0", "410,1002", "429,3200", "449,0", "503,0"})
    void requestsOfEveryKindFailWithTheStatus(int status, int substatus) {
        set(Fault.ofStatus(status).orElseThrow(), new Extent.Share(1));

        Stream.<Callable<?>>of(
                        () -> read(container),
                        () -> fixture.create(container, "{\"id\":\"2\",\"pk\":\"a\"}"),
                        () ->
                                engine.items()
                                        .writeItem(
                                                EngineFixture.context(),
                                                container,
                                                new ItemWrite.Delete(
                                                        new ItemRef.Named("1"),
                                                        PartitionKey.ofText("a"),
                                                        Precondition.NONE)),
                        () ->
                                engine.items()
                                        .writeItem(
                                                EngineFixture.context(),
                                                container,
                                                new ItemWrite.Upsert(
                                                        Bytes.ofUtf8("{\"id\":\"1\",\"pk\":\"a\"}"),
                                                        Optional.empty(),
                                                        Precondition.NONE)),
                        this::feed)
                .forEach(
                        request -> {
                            OrreryException failure = failure(request).orElseThrow();
                            assertThat(failure.code().status()).isEqualTo(status);
                            assertThat(failure.code().substatus()).isEqualTo(substatus);
                            assertThat(failure.retryAfter())
                                    .isEqualTo(
                                            status == 429
                                                    ? Optional.of(Duration.ofMillis(100))
                                                    : Optional.empty());
                        });

        engine.operations().setFault(EngineFixture.context(), container, Optional.empty());
        assertThat(feed().items()).hasSize(1);
    }

    @Test
    void nothingElseIsAffected() {
        ContainerRef other = fixture.container("other", 400, "/pk");
        fixture.create(other, "{\"id\":\"1\",\"pk\":\"a\"}");
        set(ErrorCode.UNAVAILABLE, new Extent.Share(1));

        assertThat(failure(() -> read(other))).isEmpty();
        assertThat(engine.resources().readContainer(EngineFixture.context(), container).name())
                .isEqualTo("c");
        assertThat(
                        engine.resources()
                                .readPartitionMap(EngineFixture.context(), container)
                                .partitions())
                .hasSize(1);
        assertThat(engine.resources().inspect(EngineFixture.context(), container, 1).partitions())
                .hasSize(1);
        assertThat(failure(() -> read(container))).isPresent();
    }

    @Test
    void aCountedFaultEndsByItself() {
        set(ErrorCode.RETRY_WITH, new Extent.Next(2));

        assertThat(failure(() -> read(container))).isPresent();
        assertThat(engine.operations().findFault(EngineFixture.readOnly(), container))
                .contains(new Fault(ErrorCode.RETRY_WITH, new Extent.Next(1)));
        assertThat(failure(this::feed)).isPresent();
        assertThat(engine.operations().findFault(EngineFixture.readOnly(), container)).isEmpty();
        assertThat(failure(() -> read(container))).isEmpty();
    }

    @Test
    void aCountIsExactUnderConcurrency() throws Exception {
        set(ErrorCode.TOO_MANY_REQUESTS, new Extent.Next(100));
        int failures = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Optional<OrreryException>> request = () -> failure(() -> read(container));
            for (Future<Optional<OrreryException>> done :
                    threads.invokeAll(Stream.generate(() -> request).limit(150).toList())) {
                failures += done.get().isPresent() ? 1 : 0;
            }
        }
        assertThat(failures).isEqualTo(100);
    }

    @Test
    void aRateIsAProbability() {
        Container present = engine.resources().readContainer(EngineFixture.context(), container);
        Faults faults = new Faults(new SplittableRandom(42));
        faults.set(present, new Fault(ErrorCode.UNAVAILABLE, new Extent.Share(0.25)));
        int failures = 0;
        for (int i = 0; i < 10_000; i++) {
            try {
                faults.check(present);
            } catch (OrreryException failed) {
                failures++;
            }
        }
        assertThat(failures).isBetween(2_350, 2_650);
    }

    @Test
    void endsWithItsContainer() {
        set(ErrorCode.UNAVAILABLE, new Extent.Share(1));
        engine.resources().deleteContainer(EngineFixture.context(), container, Precondition.NONE);
        ContainerRef again = fixture.container("c", 400, "/pk");
        assertThat(engine.operations().findFault(EngineFixture.context(), again)).isEmpty();
        fixture.create(again, "{\"id\":\"1\",\"pk\":\"a\"}");

        set(ErrorCode.UNAVAILABLE, new Extent.Share(1));
        engine.resources()
                .deleteDatabase(
                        EngineFixture.context(), new ResourceRef.Named("d"), Precondition.NONE);
        fixture.create(fixture.container("c", 400, "/pk"), "{\"id\":\"1\",\"pk\":\"a\"}");
    }

    @Test
    void readersCannotSetIt() {
        Fault fault = new Fault(ErrorCode.TIMEOUT, new Extent.Share(1));
        OrreryException refused =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                engine.operations()
                                        .setFault(
                                                EngineFixture.readOnly(),
                                                container,
                                                Optional.of(fault)));
        assertThat(refused.code()).isEqualTo(ErrorCode.FORBIDDEN);
        assertThat(engine.operations().findFault(EngineFixture.readOnly(), container)).isEmpty();
    }

    @Test
    void anUnknownContainerHasNone() {
        OrreryException refused =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                engine.operations()
                                        .setFault(
                                                EngineFixture.context(),
                                                EngineFixture.ref("no"),
                                                Optional.empty()));
        assertThat(refused.code()).isEqualTo(ErrorCode.NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 1.01, Double.NaN, Double.POSITIVE_INFINITY})
    void aRateIsAboveNothingAndAtMostAll(double rate) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Extent.Share(rate));
    }

    @Test
    void onlyWhatClientsLiveThroughCanBeSet() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Extent.Next(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Fault(ErrorCode.INTERNAL, new Extent.Share(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Fault(ErrorCode.COMPLETING_SPLIT, new Extent.Share(1)));
        assertThat(Fault.ofStatus(500)).isEmpty();
    }
}
