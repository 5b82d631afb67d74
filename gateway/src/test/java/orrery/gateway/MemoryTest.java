package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ChangeRequest;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.ResourceRef;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.ScriptDefinition;
import orrery.model.memory.MemoryAccount;
import orrery.model.memory.MemoryBudget;
import orrery.query.QueryCall;
import orrery.query.sql.SqlStatement;

/** Checks what each kind of request does when memory is short. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MemoryTest {
    private static final int ITEMS = 60;
    private static final long MB = 1 << 20;
    private static final PartitionKey KEY = PartitionKey.ofText("k");
    private static final FeedScope EVERYWHERE = new FeedScope.Everything();
    private static final FeedScope ONE_KEY = new FeedScope.Key(KEY);

    private EngineFixture fixture;
    private ContainerRef container;

    /** Requests that hold more than a small one may, and less than 16 MB. */
    enum Kind {
        PAGE(test -> test.query(EVERYWHERE, "SELECT * FROM c")),
        SORT(test -> test.query(ONE_KEY, "SELECT VALUE 1 FROM c ORDER BY c.n")),
        MERGED_SORT(test -> test.query(EVERYWHERE, "SELECT * FROM c ORDER BY c.n")),
        GROUPS(test -> test.query(ONE_KEY, "SELECT c.pad, COUNT(1) FROM c GROUP BY c.pad")),
        MERGED_GROUPS(
                test -> test.query(EVERYWHERE, "SELECT c.pad, COUNT(1) FROM c GROUP BY c.pad")),
        DISTINCT(test -> test.query(ONE_KEY, "SELECT DISTINCT VALUE a FROM c JOIN a IN c.list")),
        MERGED_DISTINCT(test -> test.query(EVERYWHERE, "SELECT DISTINCT VALUE c.pad FROM c")),
        ARRAY(
                test ->
                        test.query(
                                ONE_KEY,
                                "SELECT ARRAY_LENGTH(ARRAY(SELECT a, b FROM a IN c.list JOIN b IN"
                                        + " c.list)) AS n FROM c")),
        TEXT(test -> test.query(ONE_KEY, "SELECT VALUE LENGTH(REPLICATE(c.pad, 20)) FROM c")),
        DERIVED(
                test ->
                        test.query(
                                EVERYWHERE,
                                "SELECT VALUE d.pad FROM (SELECT DISTINCT c.pad FROM c) AS d")),
        FEED(
                test ->
                        test.fixture
                                .engine
                                .items()
                                .readItems(
                                        EngineFixture.context(),
                                        test.container,
                                        EVERYWHERE,
                                        new PageRequest(OptionalInt.of(1000), Optional.empty()))),
        CHANGES(
                test ->
                        test.fixture
                                .engine
                                .items()
                                .readChanges(
                                        EngineFixture.context(),
                                        test.container,
                                        EVERYWHERE,
                                        ChangeRequest.FROM_BEGINNING)),
        CHANGES_OF_A_KEY(
                test ->
                        test.fixture
                                .engine
                                .items()
                                .readChanges(
                                        EngineFixture.context(),
                                        test.container,
                                        ONE_KEY,
                                        ChangeRequest.FROM_BEGINNING)),
        READ(
                test ->
                        test.fixture
                                .engine
                                .items()
                                .readItem(
                                        EngineFixture.context(),
                                        test.container,
                                        KEY,
                                        new ItemRef.Named("large"))),
        WRITE(test -> test.upsert(large("large"))),
        PATCH(
                test ->
                        test.fixture
                                .engine
                                .items()
                                .writeItem(EngineFixture.context(), test.container, patch())),
        BATCH(
                test ->
                        refused(
                                test.fixture
                                        .engine
                                        .items()
                                        .batch(
                                                EngineFixture.context(),
                                                test.container,
                                                new ItemBatch.Atomic(
                                                        KEY,
                                                        List.of(
                                                                read("large"),
                                                                new BatchOperation.Write(
                                                                        patch())))))),
        BULK(
                test ->
                        refused(
                                test.fixture
                                        .engine
                                        .items()
                                        .batch(
                                                EngineFixture.context(),
                                                test.container,
                                                new ItemBatch.Bulk(
                                                        List.of(
                                                                read("large"),
                                                                new BatchOperation.Write(patch())),
                                                        false,
                                                        true))));

        @SuppressWarnings("ImmutableEnumChecker") // a lambda without state
        private final Consumer<MemoryTest> request;

        Kind(Consumer<MemoryTest> request) {
            this.request = request;
        }
    }

    private static ItemWrite patch() {
        return new ItemWrite.Evaluate(
                new ItemRef.Named("large"),
                KEY,
                EngineFixture.patch("[{\"op\":\"set\",\"path\":\"/x\",\"value\":1}]"),
                Precondition.NONE);
    }

    private static BatchOperation read(String id) {
        return new BatchOperation.Read(id, KEY, new Precondition.Impossible());
    }

    private static String large(String id) {
        return "{\"id\":\"" + id + "\",\"pk\":\"k\",\"pad\":\"" + "y".repeat(100_000) + "\"}";
    }

    /** Operations are refused one by one. */
    private static void refused(BatchAnswer answer) {
        for (BatchAnswer.Result result : answer.results()) {
            if (result instanceof BatchAnswer.Result.Refused(OrreryException failure)
                    && failure.code() != ErrorCode.FAILED_DEPENDENCY) {
                throw failure;
            }
        }
    }

    @BeforeAll
    void open(@TempDir Path directory) {
        fixture = new EngineFixture(directory);
        container = fixture.container("c", 50_000, "/pk");
        for (int i = 0; i < ITEMS; i++) {
            String list =
                    String.join(
                            ",",
                            IntStream.range(i * 40, i * 40 + 40)
                                    .mapToObj(String::valueOf)
                                    .toList());
            upsert(
                    "{\"id\":\"%d\",\"pk\":\"%s\",\"n\":%d,\"pad\":\"%d%s\",\"list\":[%s]}"
                            .formatted(
                                    i, i % 2 == 0 ? "k" : "k" + i, i, i, "x".repeat(8000), list));
        }
        upsert(large("large"));
    }

    @AfterAll
    void close() {
        fixture.close();
    }

    private void upsert(String json) {
        fixture.engine
                .items()
                .writeItem(
                        EngineFixture.context(),
                        container,
                        new ItemWrite.Upsert(
                                Bytes.ofUtf8(json), Optional.empty(), Precondition.NONE));
    }

    private void query(FeedScope scope, String text) {
        fixture.engine
                .items()
                .query(
                        EngineFixture.context(),
                        container,
                        scope,
                        QueryCall.of(SqlStatement.parse(text, Map.of())),
                        new PageRequest(OptionalInt.of(1000), Optional.empty()));
    }

    private static void run(MemoryBudget budget, Runnable request) {
        try (MemoryAccount account = budget.open()) {
            account.during(
                    () -> {
                        request.run();
                        return account;
                    });
        }
    }

    @ParameterizedTest
    @EnumSource
    void isRefusedForNowWhereOthersHoldTheRest(Kind kind) {
        MemoryBudget budget = new MemoryBudget(64 * MB);
        try (MemoryAccount older = budget.open()) {
            older.take(MB);
            long others = 64 * MB * 11 / 20 - budget.reserved();
            budget.reserve(others);
            long before = budget.reserved();
            assertThatExceptionOfType(OrreryException.class)
                    .isThrownBy(() -> run(budget, () -> kind.request.accept(this)))
                    .matches(failure -> failure.code() == ErrorCode.TOO_MANY_REQUESTS)
                    .matches(failure -> failure.retryAfter().isPresent())
                    .withMessageContaining("short of memory");
            assertThat(budget.reserved()).isEqualTo(before);
            assertThat(budget.refusals()).isPositive();
            budget.release(others);
            run(budget, () -> kind.request.accept(this));
            assertThat(budget.reserved() - (before - others)).isBetween(0L, kept(kind));
        }
        assertThat(budget.reserved()).isBetween(0L, kept(kind));
    }

    /** The results seen are kept for the next page; all others have one page. */
    private static long kept(Kind kind) {
        return kind == Kind.DISTINCT ? MB / 8 : 0;
    }

    @ParameterizedTest
    @EnumSource
    void isTooLargeWhereItAloneNeedsMoreThanARequestMayHave(Kind kind) {
        MemoryBudget budget = new MemoryBudget(256 << 10);
        assertThatExceptionOfType(OrreryException.class)
                .isThrownBy(() -> run(budget, () -> kind.request.accept(this)))
                .matches(failure -> failure.code() == ErrorCode.TOO_LARGE)
                .withMessageContaining("more memory than");
        assertThat(budget.reserved()).isZero();
    }

    /** The memory that a page took while it was made is given back before the request ends. */
    @ParameterizedTest
    @EnumSource(names = {"SORT", "ARRAY", "TEXT"})
    void givesBackWhatItHeldMeanwhile(Kind kind) {
        MemoryBudget budget = new MemoryBudget(64 * MB);
        try (MemoryAccount account = budget.open()) {
            for (int i = 0; i < 50; i++) {
                account.during(
                        () -> {
                            kind.request.accept(this);
                            return kind;
                        });
            }
            // The rows of all pages, a few bytes each.
            assertThat(budget.reserved()).isLessThanOrEqualTo(MB / 4);
        }
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void smallRequestsGoOnWhereLargeOnesAreRefused() {
        MemoryBudget budget = new MemoryBudget(64 * MB);
        try (MemoryAccount older = budget.open()) {
            older.take(MB);
            budget.reserve(50 * MB);
            assertThatExceptionOfType(OrreryException.class)
                    .isThrownBy(() -> run(budget, () -> Kind.PAGE.request.accept(this)));
            run(
                    budget,
                    () ->
                            fixture.engine
                                    .items()
                                    .readItem(
                                            EngineFixture.context(),
                                            container,
                                            KEY,
                                            new ItemRef.Named("0")));
            run(budget, () -> upsert("{\"id\":\"small\",\"pk\":\"k\"}"));
            FeedScope other = new FeedScope.Key(PartitionKey.ofText("k1"));
            run(budget, () -> query(other, "SELECT VALUE c.n FROM c ORDER BY c.n"));
            budget.release(50 * MB);
        }
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void aScriptHoldsMemoryWhileItRuns() {
        fixture.engine
                .resources()
                .scripts()
                .create(
                        EngineFixture.context(),
                        container,
                        new ScriptDefinition(
                                ScriptDefinition.Kind.PROCEDURE, "one", "function () {}"));
        MemoryBudget budget = new MemoryBudget(64 * MB);
        try (MemoryAccount older = budget.open()) {
            older.take(MB);
            budget.reserve(30 * MB);
            assertThatExceptionOfType(OrreryException.class)
                    .isThrownBy(() -> run(budget, this::runScript))
                    .matches(failure -> failure.code() == ErrorCode.TOO_MANY_REQUESTS);
            assertThat(budget.reserved()).isEqualTo(31 * MB);
            budget.release(30 * MB);
            run(budget, this::runScript);
            assertThat(budget.reserved()).isEqualTo(MB);
        }
        assertThat(budget.reserved()).isZero();
    }

    private void runScript() {
        fixture.engine
                .items()
                .execute(
                        EngineFixture.context(),
                        container,
                        KEY,
                        new ResourceRef.Named("one"),
                        Bytes.ofUtf8("[]"),
                        false);
    }
}
