package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.offset;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.cluster.api.AccountSettings;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemAddress;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.LookupAnswer;
import orrery.gateway.api.LookupAnswer.Result;
import orrery.model.ConsistencyLevel;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.RequestContext;
import orrery.model.RowKey;
import orrery.model.SessionToken;

/** Many items in one call of the door. */
@Timeout(900)
class LookupTest {
    @TempDir Path directory;

    private static ItemAddress address(int number) {
        return new ItemAddress(
                PartitionKey.ofText("k" + number), RowKey.ofText(Integer.toString(number)));
    }

    private static Item create(
            EngineFixture fixture, ContainerRef container, int number, int size) {
        return fixture.create(
                        container,
                        "{\"id\":\"%d\",\"pk\":\"k%d\",\"x\":\"%s\"}"
                                .formatted(number, number, "x".repeat(size)))
                .item()
                .orElseThrow();
    }

    private static LookupAnswer read(
            EngineFixture fixture, ContainerRef container, List<ItemAddress> addresses) {
        return fixture.engine.items().readMany(EngineFixture.context(), container, addresses);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 50_000})
    void answersComeInTheOrderAskedFromAllPartitions(int requestUnits) {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            ContainerRef container = fixture.container("c", requestUnits, "/pk");
            List<ItemAddress> addresses = new ArrayList<>();
            List<Result> expected = new ArrayList<>();
            double singles = 0;
            for (int i = 99; i >= 0; i--) {
                addresses.add(address(i));
                if (i % 7 == 0) {
                    expected.add(new Result.Missing());
                    singles += 1;
                } else {
                    Item item = create(fixture, container, i, 30 * i);
                    expected.add(new Result.Found(item));
                    singles +=
                            fixture.engine
                                    .items()
                                    .readItem(
                                            EngineFixture.context(),
                                            container,
                                            address(i).key(),
                                            new ItemRef.Named(address(i).row()))
                                    .charge()
                                    .ru();
                }
            }

            LookupAnswer answer = read(fixture, container, addresses);

            assertThat(answer.results()).isEqualTo(expected);
            assertThat(answer.charge().ru()).isCloseTo(singles, offset(1e-6));
            assertThat(answer.sessionToken().lsnByRange()).hasSize(requestUnits == 400 ? 1 : 5);
            assertThat(read(fixture, container, List.of()).results()).isEmpty();
        }
    }

    @Test
    void strongReadsCostDoubleAndSessionsAreHonoured() {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            ContainerRef container = fixture.container("c", 400, "/pk");
            Item item = create(fixture, container, 1, 10);
            RequestContext plain = EngineFixture.context();
            RequestContext strong =
                    new RequestContext(
                            plain.activityId(),
                            plain.principal(),
                            Optional.empty(),
                            Optional.of(ConsistencyLevel.STRONG),
                            plain.deadlineNanos());
            List<ItemAddress> one = List.of(address(1));
            assertThat(fixture.engine.items().readMany(strong, container, one).charge().ru())
                    .isEqualTo(2 * read(fixture, container, one).charge().ru());
            OrreryException behind =
                    catchThrowableOfType(
                            OrreryException.class,
                            () ->
                                    fixture.engine
                                            .items()
                                            .readMany(
                                                    EngineFixture.context(
                                                            Optional.of(
                                                                    SessionToken.of(
                                                                            0, item.lsn() + 1))),
                                                    container,
                                                    one));
            assertThat(behind.code()).isEqualTo(ErrorCode.READ_SESSION_NOT_AVAILABLE);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 50_000})
    void largeItemsAreAskedForAgain(int requestUnits) {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            ContainerRef container = fixture.container("c", requestUnits, "/pk");
            List<ItemAddress> left = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                create(fixture, container, i, 1_000_000);
                left.add(address(i));
            }
            List<Long> seen = new ArrayList<>();
            int calls = 0;
            while (!left.isEmpty()) {
                LookupAnswer answer = read(fixture, container, left);
                List<ItemAddress> unread = new ArrayList<>();
                for (int i = 0; i < left.size(); i++) {
                    switch (answer.results().get(i)) {
                        case Result.Found(Item item) -> seen.add(item.docid());
                        case Result.Unread _ -> unread.add(left.get(i));
                        case Result.Missing _ -> throw new AssertionError(left.get(i));
                    }
                }
                // One page of 4 MB, and at most one item too many of each partition.
                assertThat(left.size() - unread.size()).isBetween(1, 8);
                left = unread;
                calls++;
            }
            assertThat(seen).hasSize(10).doesNotHaveDuplicates();
            assertThat(calls).isBetween(2, 3);
        }
    }

    /** Each place has its answer and its charge, whether or not another has the same. */
    @ParameterizedTest
    @ValueSource(ints = {400, 50_000})
    void pairsMayComeTwice(int requestUnits) {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            ContainerRef container = fixture.container("c", requestUnits, "/pk");
            Result one = new Result.Found(create(fixture, container, 1, 10));
            Result two = new Result.Found(create(fixture, container, 2, 10));
            Result none = new Result.Missing();
            List<ItemAddress> addresses =
                    Stream.of(1, 9, 2, 1, 9, 1).map(number -> address(number)).toList();

            LookupAnswer answer = read(fixture, container, addresses);

            assertThat(answer.results()).containsExactly(one, none, two, one, none, one);
            double alone = 0;
            for (ItemAddress address : addresses) {
                alone += read(fixture, container, List.of(address)).charge().ru();
            }
            assertThat(answer.charge().ru()).isCloseTo(alone, offset(1e-6));
        }
    }

    /** The key of another item, and an id that the key does not have, are not there. */
    @Test
    void keyAndIdBelongTogether() {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            ContainerRef container = fixture.container("c", 400, "/pk");
            create(fixture, container, 1, 10);
            create(fixture, container, 2, 10);

            assertThat(
                            read(
                                            fixture,
                                            container,
                                            List.of(
                                                    new ItemAddress(
                                                            address(1).key(), address(2).row()),
                                                    new ItemAddress(
                                                            address(2).key(), address(1).row())))
                                    .results())
                    .containsOnly(new Result.Missing());
        }
    }

    @Test
    void whatHasExpiredIsMissing() {
        AtomicLong seconds = new AtomicLong(1_800_000_000);
        try (EngineFixture fixture =
                new EngineFixture(directory, () -> Instant.ofEpochSecond(seconds.get()))) {
            ContainerRef container =
                    fixture.container(
                            "c",
                            400,
                            EngineFixture.definition("/pk").withTimeToLive(new TimeToLive(-1)));
            Result stays = new Result.Found(create(fixture, container, 1, 10));
            fixture.create(container, "{\"id\":\"2\",\"pk\":\"k2\",\"ttl\":10}");
            List<ItemAddress> both = List.of(address(2), address(1));
            assertThat(read(fixture, container, both).results().getFirst())
                    .isInstanceOf(Result.Found.class);

            seconds.addAndGet(10);

            assertThat(read(fixture, container, both).results())
                    .containsExactly(new Result.Missing(), stays);
        }
    }

    /** One pair that cannot be names no item, as alone; nothing of the others is read. */
    @Test
    void keysMayHaveAsManyBytesAsAlone() {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            ContainerRef container = fixture.container("c", 400, "/pk");
            String longest = "k".repeat(2048);
            Item item =
                    fixture.create(container, "{\"id\":\"1\",\"pk\":\"" + longest + "\"}")
                            .item()
                            .orElseThrow();
            ItemAddress most = new ItemAddress(PartitionKey.ofText(longest), RowKey.ofText("1"));
            ItemAddress more =
                    new ItemAddress(PartitionKey.ofText(longest + "k"), RowKey.ofText("1"));

            assertThat(read(fixture, container, List.of(address(1), most)).results())
                    .containsExactly(new Result.Missing(), new Result.Found(item));
            assertThat(refusal(() -> read(fixture, container, List.of(most, more))))
                    .isEqualTo(
                            refusal(
                                    () ->
                                            fixture.engine
                                                    .items()
                                                    .readItem(
                                                            EngineFixture.context(),
                                                            container,
                                                            more.key(),
                                                            new ItemRef.Named(more.row()))));
        }
    }

    private static ErrorCode refusal(ThrowingCallable call) {
        return catchThrowableOfType(OrreryException.class, call).code();
    }

    @Test
    void aThousandIsTheMost() {
        try (EngineFixture fixture = new EngineFixture(directory)) {
            ContainerRef container = fixture.container("c", 400, "/pk");
            assertThat(read(fixture, container, Collections.nCopies(1000, address(1))).results())
                    .hasSize(1000);
            OrreryException refused =
                    catchThrowableOfType(
                            OrreryException.class,
                            () -> read(fixture, container, Collections.nCopies(1001, address(1))));
            assertThat(refused.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        }
    }

    /** The partition is closed, and the map does not say yet what has taken its place. */
    @Test
    void aSplitInTheMiddleIsFollowed() throws ExecutionException, InterruptedException {
        CountDownLatch split = new CountDownLatch(1);
        ReshapeSteps steps =
                new ReshapeSteps(
                        step -> {
                            if (step == ReshapeSteps.Step.SPLIT_COMMITTED) {
                                split.countDown();
                            }
                        });
        try (EngineFixture fixture =
                        new EngineFixture(
                                directory,
                                AccountSettings.DEFAULT.withMetering(false, false, false),
                                steps);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            ContainerRef container = fixture.container("c", 400, "/pk");
            List<ItemAddress> addresses = new ArrayList<>();
            List<Result> expected = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                addresses.add(address(i));
                expected.add(new Result.Found(create(fixture, container, i, 10)));
            }
            Future<LookupAnswer> reading =
                    threads.submit(
                            () -> {
                                split.await();
                                return read(fixture, container, addresses);
                            });
            fixture.engine.operations().splitPartition(EngineFixture.context(), container, 0);

            assertThat(reading.get().results()).isEqualTo(expected);
            assertThat(read(fixture, container, addresses).results()).isEqualTo(expected);
        }
    }
}
