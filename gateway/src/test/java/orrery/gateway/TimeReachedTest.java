package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.TimeReached;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.resource.PhysicalPartition;

/** Waits until a whole container has passed a time, where some of its ranges are idle. */
@Timeout(900)
class TimeReachedTest {
    private static final long START = 1_800_000_000_000L;

    @TempDir Path directory;
    private final AtomicLong now = new AtomicLong(START);
    private EngineFixture fixture;
    private ContainerRef container;

    @BeforeEach
    void open() {
        fixture = new EngineFixture(directory, () -> Instant.ofEpochMilli(now.get()));
        fixture.replica.raiseLevel(EngineFixture.PATIENCE);
        container = fixture.container("c", 50_000, "/pk");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private TimeReached await(long millis) {
        return fixture.engine
                .items()
                .awaitTime(EngineFixture.context(), container, Instant.ofEpochMilli(millis));
    }

    private ItemAnswer create(int number) {
        return fixture.create(
                container, "{\"id\":\"%d\",\"pk\":\"k%d\"}".formatted(number, number));
    }

    private static long timeOf(ItemAnswer answer) {
        return answer.item().orElseThrow().timestampMillis();
    }

    @Test
    void everyRangeTellsHowFarItsChangesGo() {
        now.addAndGet(1000);
        ItemAnswer busy = create(1);
        now.addAndGet(1000);

        Map<Integer, Long> lsns = await(START + 1500).sessionToken().lsnByRange();

        assertThat(lsns).hasSize(5).containsEntry(busy.range(), busy.lsn());
        now.set(START);
        for (int i = 2; i < 50; i++) {
            assertThat(timeOf(create(i))).isGreaterThan(START + 1500);
        }
    }

    @Test
    void aSplitIsFollowedWhileARequestWaits() throws ExecutionException, InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<TimeReached> waiting = threads.submit(() -> await(START + 1000));
            List<ItemAnswer> before = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                before.add(create(i));
            }
            int range =
                    fixture.engine
                            .resources()
                            .readPartitionMap(EngineFixture.context(), container)
                            .partitions()
                            .getFirst()
                            .range();
            fixture.engine.operations().splitPartition(EngineFixture.context(), container, range);
            now.addAndGet(1001);

            Map<Integer, Long> lsns = waiting.get().sessionToken().lsnByRange();

            assertThat(lsns.keySet())
                    .containsExactlyInAnyOrderElementsOf(
                            fixture
                                    .engine
                                    .resources()
                                    .readPartitionMap(EngineFixture.context(), container)
                                    .partitions()
                                    .stream()
                                    .map(PhysicalPartition::range)
                                    .toList());
            for (ItemAnswer each : before) {
                assertThat(each.lsn())
                        .isLessThanOrEqualTo(lsns.getOrDefault(each.range(), Long.MAX_VALUE));
            }
        }
    }

    @Test
    void theRequestEndsWithItsTime() {
        RequestContext context = EngineFixture.context();
        RequestContext brief =
                new RequestContext(
                        context.activityId(),
                        context.principal(),
                        Optional.empty(),
                        Optional.empty(),
                        System.nanoTime() + 1_000_000);
        OrreryException late =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                fixture.engine
                                        .items()
                                        .awaitTime(
                                                brief, container, Instant.ofEpochMilli(START + 1)));
        assertThat(late.code()).isEqualTo(ErrorCode.TIMEOUT);
    }
}
