package orrery.gateway;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import orrery.gateway.ReshapeSteps.Step;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemWrite;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.resource.PhysicalPartition;

/**
 * The process that {@link ReshapeCrashTest} kills. It writes, splits and merges until it comes to
 * the step it was told, says so, and stays there. What it does goes to its standard output, a line
 * for each event, with a full stop at the end: a line without one was cut off by the kill.
 */
final class DoomedEngine {
    static final String CONTAINER = "c";
    static final String DELETED = "deleted";

    /** Enough that carrying entries home takes several steps. */
    static final int ITEMS = 400;

    private static final int WRITERS = 3;
    private static final int MOST_RANGES = 6;

    private final Step wanted;
    private final Random random;
    private final AtomicInteger passes;
    private final CountDownLatch isThere = new CountDownLatch(1);
    private final EngineFixture fixture;
    private volatile boolean begun;
    private volatile OptionalInt reshaped = OptionalInt.empty();

    private DoomedEngine(Path directory, Step wanted, long seed) {
        this.wanted = wanted;
        this.random = new Random(seed);
        // Not always the first time that it comes there.
        this.passes = new AtomicInteger(random.nextInt(wanted == Step.PARTITION_DROPPED ? 2 : 3));
        this.fixture =
                new EngineFixture(directory, ReshapeCrashTest.LIMITS, new ReshapeSteps(this::at));
    }

    public static void main(String[] arguments) throws InterruptedException {
        DoomedEngine engine =
                new DoomedEngine(
                        Path.of(arguments[0]),
                        Step.valueOf(arguments[1]),
                        Long.parseLong(arguments[2]));
        engine.run(Integer.parseInt(arguments[3]));
    }

    private static void say(String what, Object... values) {
        StringBuilder line = new StringBuilder(what);
        for (Object value : values) {
            line.append(' ').append(value);
        }
        synchronized (System.out) {
            System.out.println(line.append('.'));
            System.out.flush();
        }
    }

    private void at(Step step) {
        OptionalInt range = reshaped;
        boolean isIntended = step == Step.SPLIT_INTENDED || step == Step.MERGE_INTENDED;
        if (isIntended && range.isPresent()) {
            say("intended", range.getAsInt());
        }
        if (begun && step == wanted && passes.getAndDecrement() <= 0) {
            say("reached", step);
            isThere.countDown();
            stay();
        }
    }

    private static void stay() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(int firstVersion) throws InterruptedException {
        if (fixture.catalog.findDatabase("d").isEmpty()) {
            fixture.container(CONTAINER, 1000, "/pk");
            for (int i = 0; i < ITEMS; i++) {
                write(i, 1);
            }
        }
        begun = true;
        for (int number = 0; number < WRITERS; number++) {
            int first = number;
            long seed = random.nextLong();
            Thread.ofPlatform().daemon().start(() -> writeOn(first, firstVersion, seed));
        }
        Thread.ofPlatform().daemon().start(this::reshape);
        isThere.await();
        stay();
    }

    /** Each item has one writer, which writes one at a time. */
    private void writeOn(int first, int firstVersion, long seed) {
        Random own = new Random(seed);
        try {
            for (int version = firstVersion; true; version++) {
                write(first + WRITERS * own.nextInt(ITEMS / WRITERS), version);
            }
        } catch (RuntimeException failure) {
            say("failed", failure);
        }
    }

    private void write(int number, int version) {
        say("try", number, version);
        fixture.engine
                .items()
                .writeItem(
                        EngineFixture.context(),
                        EngineFixture.ref(CONTAINER),
                        new ItemWrite.Upsert(
                                Bytes.ofUtf8(
                                        "{\"id\":\"%d\",\"pk\":\"k%d\",\"v\":%d}"
                                                .formatted(number, number, version)),
                                Optional.empty(),
                                Precondition.NONE));
        say("ack", number, version);
    }

    private void reshape() {
        if (wanted == Step.PARTITION_DROPPED) {
            dropAContainer();
            return;
        }
        boolean merging = random.nextBoolean();
        while (true) {
            List<PhysicalPartition> ranges = ranges();
            if (ranges.size() == 1) {
                merging = false;
            } else if (ranges.size() >= MOST_RANGES) {
                merging = true;
            } else if (random.nextInt(3) == 0) {
                merging = !merging;
            }
            int chosen = random.nextInt(merging ? ranges.size() - 1 : ranges.size());
            reshape(merging, ranges.get(chosen).range());
        }
    }

    private List<PhysicalPartition> ranges() {
        return fixture.engine
                .resources()
                .readPartitionMap(EngineFixture.context(), EngineFixture.ref(CONTAINER))
                .partitions();
    }

    private void reshape(boolean merging, int range) {
        reshaped = OptionalInt.of(range);
        try {
            if (merging) {
                fixture.engine
                        .operations()
                        .mergePartitions(
                                EngineFixture.context(), EngineFixture.ref(CONTAINER), range);
            } else {
                fixture.engine
                        .operations()
                        .splitPartition(
                                EngineFixture.context(), EngineFixture.ref(CONTAINER), range);
            }
        } catch (OrreryException notNow) {
            // Entries have to come home first, and what waits for them goes on by itself.
            boolean mayBe =
                    notNow.code() == ErrorCode.RETRY_WITH || notNow.code() == ErrorCode.CONFLICT;
            if (!mayBe) {
                say("failed", notNow.text());
            }
        }
    }

    private void dropAContainer() {
        ContainerRef deleted = fixture.container(DELETED, 1000, "/pk");
        for (int i = 0; i < 20; i++) {
            fixture.create(deleted, "{\"id\":\"%d\",\"pk\":\"k%d\"}".formatted(i, i));
        }
        fixture.engine.operations().splitPartition(EngineFixture.context(), deleted, 0);
        fixture.engine.operations().splitPartition(EngineFixture.context(), deleted, 1);
        fixture.engine
                .resources()
                .deleteContainer(EngineFixture.context(), deleted, Precondition.NONE);
    }
}
