package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.partition.HostFixture.PATIENCE;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.Precondition;
import orrery.model.ScriptSource;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.ScriptPlace;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;

/** Many scripts at once are as if they had run one after the other. */
@Timeout(900)
class ScriptConcurrencyTest {
    private static final int ACCOUNTS = 4;
    private static final int THREADS = 4;
    private static final int RUNS = 25;

    private static final String TRANSFER =
            """
            function transfer(from, to, amount) {
                const c = getContext().getCollection();
                const link = (id) => c.getAltLink() + '/docs/' + id;
                c.readDocument(link(from), (e1, a) => {
                    if (e1) throw e1;
                    c.readDocument(link(to), (e2, b) => {
                        if (e2) throw e2;
                        if (a.amount < amount) return getContext().getResponse().setBody('too little');
                        a.amount -= amount;
                        b.amount += amount;
                        c.replaceDocument(a._self, a, (e3) => {
                            if (e3) throw e3;
                            c.replaceDocument(b._self, b, (e4) => { if (e4) throw e4; });
                        });
                    });
                });
            }""";

    /** Writes what it counted: true of any moment only if nothing was added meanwhile. */
    private static final String COUNT =
            """
            function count(name) {
                const c = getContext().getCollection();
                c.queryDocuments(c.getSelfLink(), 'SELECT VALUE c.number FROM c WHERE c.kind = "count"',
                    {pageSize: -1}, (e, rows) => {
                        if (e) throw e;
                        c.createDocument(c.getSelfLink(),
                            {id: name, pk: 'north', kind: 'count', number: rows.length});
                    });
            }""";

    private HostFixture host;

    @BeforeEach
    void open(@TempDir Path directory) {
        host = new HostFixture(directory, HostFixture.ONE_PATH);
    }

    @AfterEach
    void close() {
        host.close();
    }

    private PartitionResponse run(String pk, String body, String arguments) {
        ItemKey scope = host.key("", pk);
        return host.call(
                new WriteRequest.Execute(
                        HostFixture.PARTITION,
                        host.newRequest(),
                        scope.epk(),
                        scope.partitionKey(),
                        new ScriptSource("sproc", 1, body),
                        Bytes.ofUtf8(arguments),
                        new ScriptPlace(HostFixture.DATABASE, "food", "tiny", List.of(), Set.of()),
                        false,
                        0));
    }

    private static void all(List<Callable<Void>> work)
            throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Void> done : threads.invokeAll(work)) {
                done.get();
            }
        }
    }

    /**
     * A script that waited for six tenths of its time and then ran for six tenths comes to its end.
     * That a machine may stop for a while and so end it does not say the contrary: it is enough
     * that it happens once, which it never would if the time of the queue were counted.
     */
    @Test
    void theTimeInTheQueueIsNotTheScripts() throws Exception {
        Duration part = Duration.ofMillis(600);
        host.restart(HostFixture.scriptLimits(Duration.ofSeconds(1)));
        String busy =
                "function busy() { const end = Date.now() + %d; while (Date.now() < end); }"
                        .formatted(part.toMillis());
        boolean isExecuted = false;
        for (int i = 0; i < 50 && !isExecuted; i++) {
            isExecuted = afterWaiting(part, busy) instanceof WriteResponse.Executed;
        }
        assertThat(isExecuted).isTrue();
    }

    /** Runs a script that has to wait for so long at least. */
    private PartitionResponse afterWaiting(Duration wait, String body) throws Exception {
        int threads = host.scripts().limits().threads();
        CountDownLatch taken = new CountDownLatch(threads);
        CountDownLatch free = new CountDownLatch(1);
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            others.add(
                    Thread.ofVirtual()
                            .start(
                                    () ->
                                            host.scripts()
                                                    .call(
                                                            HostFixture.PARTITION.container(),
                                                            PATIENCE,
                                                            () -> holds(taken, free))));
        }
        taken.await();
        FutureTask<PartitionResponse> script = new FutureTask<>(() -> run("pk", body, "[]"));
        awaitQueued(Thread.ofPlatform().start(script));
        long queued = System.nanoTime();
        while (System.nanoTime() - queued < wait.toNanos()) {
            LockSupport.parkNanos(wait.toNanos() / 10);
        }
        free.countDown();
        for (Thread other : others) {
            other.join();
        }
        return script.get();
    }

    private static boolean holds(CountDownLatch taken, CountDownLatch free) {
        taken.countDown();
        try {
            free.await();
            return true;
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    /** A caller that has queued its script waits for the result. */
    private static void awaitQueued(Thread caller) {
        while (caller.isAlive()
                && caller.getState() != Thread.State.WAITING
                && caller.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
    }

    @Test
    void amountsAreNeitherMadeNorLost() throws InterruptedException, ExecutionException {
        for (int i = 0; i < ACCOUNTS; i++) {
            host.create(
                    host.key("a" + i, "north"),
                    "{\"id\":\"a" + i + "\",\"pk\":\"north\",\"amount\":100}");
        }
        List<Callable<Void>> work = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            SplittableRandom random = new SplittableRandom(t);
            work.add(
                    () -> {
                        for (int i = 0; i < RUNS; i++) {
                            int from = random.nextInt(ACCOUNTS);
                            int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
                            PartitionResponse done =
                                    run(
                                            "north",
                                            TRANSFER,
                                            "[\"a%d\",\"a%d\",%d]"
                                                    .formatted(from, to, random.nextInt(60)));
                            assertThat(done).isInstanceOf(WriteResponse.Executed.class);
                        }
                        return null;
                    });
        }
        AtomicBoolean isOver = new AtomicBoolean();
        // Writes from outside get between, and must not be lost either.
        Callable<Void> touches =
                () -> {
                    for (int i = 0; !isOver.get() && i < 200; i++) {
                        host.write(
                                host.key("touched", "north"),
                                new WriteAction.Upsert(
                                        Bytes.ofUtf8(
                                                "{\"id\":\"touched\",\"pk\":\"north\",\"n\":"
                                                        + i
                                                        + "}")),
                                Precondition.NONE);
                    }
                    return null;
                };
        Thread outside = Thread.ofVirtual().start(() -> uncheck(touches));
        all(work);
        isOver.set(true);
        outside.join();

        long total = 0;
        for (int i = 0; i < ACCOUNTS; i++) {
            Value item = JsonText.parse(host.find(host.key("a" + i, "north")).item().body());
            long amount = number(item, "amount");
            assertThat(amount).isNotNegative();
            total += amount;
        }
        assertThat(total).isEqualTo(100 * ACCOUNTS);
    }

    @Test
    void whatAScriptCountedIsStillSoWhenItWrites() throws InterruptedException, ExecutionException {
        List<Callable<Void>> work = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            String thread = "t" + t;
            work.add(
                    () -> {
                        for (int i = 0; i < RUNS; i++) {
                            PartitionResponse done =
                                    run("north", COUNT, "[\"" + thread + "-" + i + "\"]");
                            assertThat(done).isInstanceOf(WriteResponse.Executed.class);
                        }
                        return null;
                    });
        }
        all(work);
        // One after the other each counts one more: no number twice, none left out.
        List<Long> numbers = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            for (int i = 0; i < RUNS; i++) {
                Value item =
                        JsonText.parse(
                                host.find(host.key("t" + t + "-" + i, "north")).item().body());
                numbers.add(number(item, "number"));
            }
        }
        List<Long> wanted = new ArrayList<>();
        for (long i = 0; i < THREADS * RUNS; i++) {
            wanted.add(i);
        }
        assertThat(numbers).containsExactlyInAnyOrderElementsOf(wanted);
    }

    @Test
    void anEmptyKeyIsNoExcuse() throws InterruptedException, ExecutionException {
        // A run that finds the key empty creates the only item; a run that finds the item deletes
        // it.
        String flip =
                """
                function () {
                    const c = getContext().getCollection();
                    c.readDocuments(c.getSelfLink(), (e, items) => {
                        if (items.length > 0) {
                            c.deleteDocument(items[0]._self);
                            getContext().getResponse().setBody(-1);
                        } else {
                            c.createDocument(c.getSelfLink(), {pk: 'empty'});
                            getContext().getResponse().setBody(1);
                        }
                    });
                }""";
        List<Callable<Void>> work = new ArrayList<>();
        List<Integer> answers = new CopyOnWriteArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            work.add(
                    () -> {
                        for (int i = 0; i < RUNS; i++) {
                            WriteResponse.Executed done =
                                    (WriteResponse.Executed) run("empty", flip, "");
                            answers.add(Integer.parseInt(done.body().orElseThrow().toUtf8()));
                        }
                        return null;
                    });
        }
        all(work);
        assertThat(answers.stream().mapToInt(Integer::intValue).sum()).isZero();
    }

    @Test
    void aRunawayScriptDoesNotHoldUpItsNeighbours() throws Exception {
        String one = "function () { __.response.setBody(1); }";
        assertThat(run("north", one, "")).isInstanceOf(WriteResponse.Executed.class);
        FutureTask<PartitionResponse> runaway =
                new FutureTask<>(() -> run("hot", "function () { while (true) {} }", ""));
        awaitQueued(Thread.ofPlatform().start(runaway));
        host.create(host.key("a", "north"), "{\"id\":\"a\",\"pk\":\"north\"}");
        for (int i = 0; i < 20; i++) {
            assertThat(host.read(host.key("a", "north"), 0)).isInstanceOf(ReadResponse.Found.class);
            assertThat(run("north", one, "")).isInstanceOf(WriteResponse.Executed.class);
        }
        // It had all the time it wanted, and ends only because its host does.
        assertThat(runaway.isDone()).isFalse();
        host.host().close();
        assertThat(HostFixture.failureOf(runaway.get())).isEqualTo(ErrorCode.TIMEOUT);
    }

    private static long number(Value item, String name) {
        Value value = ((Value.Obj) item).properties().getOrDefault(name, Value.Undefined.UNDEFINED);
        return ((Value.Int) value).value();
    }

    private static void uncheck(Callable<Void> work) {
        try {
            work.call();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }
}
