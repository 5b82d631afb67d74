package orrery.partition.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.PartitionId;
import orrery.model.RequestId;
import orrery.model.codec.BinaryReader;
import orrery.partition.audit.StoreAudit;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionMachine;
import orrery.partition.machine.PartitionState;
import orrery.replication.EntryLimits;
import orrery.replication.simulated.SimulatedLog;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

/**
 * Four replicas under a random load with crashes, leader changes and duplicates, held against a
 * plain model. {@code -Dseed=N} replays one run.
 */
class PartitionSimulation {
    private static final int REPLICAS = 4;
    private static final int PHASES = 4;
    private static final int USUAL_RUNS = 8;
    private static final int COMMANDS_PER_PHASE = 100;
    private static final EntryLimits LIMITS = new EntryLimits(12, 4 << 10, 1 << 20);

    /** What all runs together did to keys with a creation order. */
    private static final Set<CreationFollower.Event> CREATION_EVENTS =
            ConcurrentHashMap.newKeySet();

    private static final AtomicInteger RUNS = new AtomicInteger();

    @AfterAll
    static void keysWithACreationOrderComeThroughEverything() {
        // One run is too short for all of it, and all are too short for a merge at the right time.
        if (RUNS.get() == USUAL_RUNS) {
            assertThat(CREATION_EVENTS)
                    .containsAll(EnumSet.complementOf(EnumSet.of(CreationFollower.Event.MERGED)));
        }
    }

    static LongStream seeds() {
        Long only = Long.getLong("seed");
        return only != null ? LongStream.of(only) : LongStream.rangeClosed(1, USUAL_RUNS);
    }

    static LongStream manySeeds() {
        Long only = Long.getLong("seed");
        return only != null
                ? LongStream.of(only)
                : LongStream.concat(LongStream.range(9, 21), LongStream.range(1000, 1400));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void replicasAgreeWithTheModel(long seed, @TempDir(factory = MemoryDisk.class) Path directory) {
        run(seed, directory, Run::didEnough);
    }

    @Tag("long")
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("manySeeds")
    void replicasAgreeWithTheModelForLonger(
            long seed, @TempDir(factory = MemoryDisk.class) Path directory) {
        // Among so many, some do little of one thing or another.
        run(seed, directory, _ -> {});
    }

    private static void run(long seed, Path directory, Consumer<Run> check) {
        try (Run run = new Run(seed, directory)) {
            run.all();
            check.accept(run);
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(
                    "replay with -Dseed=" + seed + ": " + failure.getMessage(), failure);
        }
    }

    /** A command somebody waits for. */
    private static final class Call {
        Command command;
        SimulatedLog.Ticket<Outcome> ticket;

        Call(Command command, SimulatedLog.Ticket<Outcome> ticket) {
            this.command = command;
            this.ticket = ticket;
        }
    }

    private record Execution(Outcome outcome, long timeMillis) {}

    private static final class Run
            implements AutoCloseable, SimulatedLog.Observer<Command, Outcome> {
        private final RandomGenerator random;
        private final PartitionModel model = new PartitionModel();
        private final Workload workload;
        private final List<PartitionReplica> replicas = new ArrayList<>();
        private final SimulatedLog<Command, Outcome> log;
        private final List<List<Command>> entries = new ArrayList<>();
        private final List<List<Outcome>> expected = new ArrayList<>();
        private final Map<Long, List<Outcome>> exact = new HashMap<>();
        private final List<Call> calls = new ArrayList<>();
        private final Map<RequestId, Execution> executions = new HashMap<>();
        private final Map<RequestId, Long> stated = new HashMap<>();
        private int statementsDone;
        private int statementsKnown;
        private final FeedFollower follower;
        private final VersionFollower versions;
        private final CreationFollower creations = new CreationFollower();
        private final TimePromises promises = new TimePromises();
        private int acknowledged;
        private int batches;

        Run(long seed, Path directory) {
            random = new SplittableRandom(seed);
            workload = new Workload(random, model);
            // Followers draw from their own randomness, so that reading does not change what
            // happens.
            follower = new FeedFollower(new SplittableRandom(seed));
            versions = new VersionFollower(new SplittableRandom(seed), model);
            for (int i = 0; i < REPLICAS; i++) {
                replicas.add(new PartitionReplica(directory.resolve("replica-" + i)));
            }
            log =
                    new SimulatedLog<>(
                            random,
                            new SimulatedLog.Codec<>(Command::encode, Command::decode),
                            LIMITS,
                            SimulatedLog.Faults.USUAL,
                            replicas,
                            this);
        }

        void all() {
            workload.openAll().forEach(this::call);
            for (int phase = 0; phase < PHASES; phase++) {
                if (phase == 1) {
                    raiseLevel();
                }
                for (int i = 0; i < COMMANDS_PER_PHASE; i++) {
                    workload.next().forEach(this::call);
                    for (int steps = random.nextInt(10); steps > 0; steps--) {
                        log.step();
                        listen();
                    }
                    followNow();
                }
                settle();
                replicasAreEqual();
                assertThat(replicas.getFirst().replica().level())
                        .isEqualTo(phase == 0 ? 1 : PartitionMachine.NEWEST_LEVEL);
                storeEqualsModel(replicas.getFirst().store());
                assertThat(StoreAudit.run(replicas.getFirst().store())).isEmpty();
                follower.readAnew(replicas.getFirst().replica(), model);
                follower.catchUp(replicas.getFirst().replica(), model);
                versions.catchUp(replicas.getFirst().replica());
                creations.follow(replicas.getFirst().store(), model);
            }
            deduplicationEnds();
        }

        /** The command may be lost, like any other. */
        private void raiseLevel() {
            call(new Command.RepairPartition(model.partitions().keySet().iterator().next(), 1));
            while (replicas.getFirst().replica().level() < PartitionMachine.NEWEST_LEVEL) {
                call(new Command.RaiseLevel(PartitionMachine.NEWEST_LEVEL));
                settle();
            }
            workload.beginSessions();
        }

        /** A run in which hardly anything happened proves nothing. */
        void didEnough() {
            assertThat(acknowledged).as("some commands got through").isGreaterThan(100);
            assertThat(batches).as("batches of more than one change").isGreaterThan(10);
            assertThat(statementsDone).as("statements of sessions").isGreaterThan(10);
            assertThat(statementsKnown).as("statements that came again").isPositive();
            assertThat(versions.versionsSeen()).as("versions that were read").isPositive();
            assertThat(promises.checked()).as("writes behind a promise of time").isPositive();
            assertThat(creations.seen())
                    .as("events of keys with a creation order")
                    .contains(CreationFollower.Event.BEGUN);
            CREATION_EVENTS.addAll(creations.seen());
            RUNS.incrementAndGet();
        }

        /** Only a replica that is up to date: one that lags does not know what was dropped. */
        private void followNow() {
            PartitionReplica replica = replicas.getFirst();
            if (replica.appliedPosition() == expected.size()) {
                follower.follow(replica.replica());
                versions.follow(replica.replica());
                creations.follow(replica.store(), model);
            }
        }

        private void call(Command command) {
            calls.add(new Call(command, log.propose(command)));
        }

        /** Callers that lost their answer mostly send again; the rest give up. */
        private void listen() {
            for (Call call : List.copyOf(calls)) {
                if (call.ticket.isPending()) {
                    continue;
                }
                if (call.ticket.isLost() && random.nextInt(5) != 0) {
                    call.command = workload.again(call.command);
                    call.ticket = log.propose(call.command);
                    continue;
                }
                calls.remove(call);
                acknowledged += call.ticket.outcome().isPresent() ? 1 : 0;
            }
        }

        private void settle() {
            while (!calls.isEmpty()) {
                log.settle();
                listen();
            }
            log.settle();
        }

        @Override
        public void committed(long position, List<Command> commands) {
            assertThat(position).isEqualTo(expected.size() + 1L);
            List<Outcome> outcomes = model.apply(commands);
            entries.add(commands);
            expected.add(outcomes);
            for (int i = 0; i < commands.size(); i++) {
                if (commands.get(i) instanceof Command.WriteItems write) {
                    if (write.stated().isPresent()) {
                        statedOnceOnly(write, outcomes.get(i));
                    } else {
                        onceOnly(write.requestId(), outcomes.get(i));
                    }
                    batches += isDone(outcomes.get(i)) && write.changes().size() > 1 ? 1 : 0;
                }
                promises.heard(model, commands.get(i), outcomes.get(i));
                if (commands.get(i) instanceof Command.DropPartition drop) {
                    follower.forget(drop.partition().container());
                    versions.forget(drop.partition().container());
                    promises.forget(drop.partition().container());
                    stated.clear();
                }
            }
        }

        private static boolean isDone(Outcome outcome) {
            return outcome instanceof Outcome.Written;
        }

        /** However often a request arrives within a minute, it has one outcome. */
        private void onceOnly(RequestId id, Outcome outcome) {
            Execution first = executions.get(id);
            boolean isRepeated = first != null && first.outcome().equals(outcome);
            if (isRepeated) {
                return;
            }
            if (first != null && first.outcome() instanceof Outcome.Written) {
                assertThat(model.timeMillis())
                        .as("when a request that was carried out has another outcome")
                        .isGreaterThanOrEqualTo(first.timeMillis() + 60_000);
            }
            executions.put(id, new Execution(outcome, model.timeMillis()));
        }

        /** Nor is a statement carried out twice, unless its partition was dropped in between. */
        private void statedOnceOnly(Command.WriteItems write, Outcome outcome) {
            statementsDone += isDone(outcome) ? 1 : 0;
            statementsKnown +=
                    outcome instanceof Outcome.Rejected rejected
                                    && rejected.code() == ErrorCode.STATEMENT_DONE
                            ? 1
                            : 0;
            Long first = stated.get(write.requestId());
            if (isDone(outcome) && first != null) {
                assertThat(model.timeMillis())
                        .as("when a statement is carried out again")
                        .isGreaterThanOrEqualTo(first + ModelSessions.WINDOW_MILLIS);
            }
            if (isDone(outcome)) {
                stated.put(write.requestId(), model.timeMillis());
            }
        }

        @Override
        public void applied(int replica, long position, List<Outcome> outcomes) {
            assertThat(outcomes.stream().map(Run::withoutLeaves).toList())
                    .as("outcomes of entry %d on replica %d", position, replica)
                    .isEqualTo(expected.get((int) position - 1));
            List<Outcome> first = exact.putIfAbsent(position, outcomes);
            if (first != null) {
                assertThat(outcomes).as("entry %d applied again", position).isEqualTo(first);
            }
        }

        private static Outcome withoutLeaves(Outcome outcome) {
            if (outcome instanceof Outcome.Repeated repeated) {
                return withoutLeaves(repeated.first());
            }
            if (!(outcome instanceof Outcome.Written written)) {
                return outcome;
            }
            return new Outcome.Written(
                    written.lsn(),
                    written.timeMillis(),
                    written.logicalBytes(),
                    written.items().stream()
                            .map(
                                    item ->
                                            new Outcome.ItemOutcome(
                                                    item.kind(),
                                                    item.docid(),
                                                    item.etag(),
                                                    item.oldBytes(),
                                                    item.newBytes(),
                                                    0,
                                                    0))
                            .toList());
        }

        private void replicasAreEqual() {
            List<String> first = dump(replicas.getFirst().store());
            for (PartitionReplica replica : replicas) {
                assertThat(replica.appliedPosition()).isEqualTo(log.committedPosition());
                assertThat(dump(replica.store())).isEqualTo(first);
            }
        }

        private void storeEqualsModel(StoreView store) {
            Map<PartitionId, PartitionState> open = replicas.getFirst().replica().partitions();
            assertThat(open.keySet()).isEqualTo(model.partitions().keySet());
            open.keySet().stream()
                    .mapToInt(PartitionId::container)
                    .distinct()
                    .forEach(
                            container ->
                                    assertThat(sessions(store, container))
                                            .isEqualTo(model.sessions.suffixes(container)));
            model.partitions()
                    .forEach(
                            (id, partition) -> {
                                var record = Objects.requireNonNull(open.get(id)).record();
                                assertThat(record.headLsn()).isEqualTo(partition.headLsn);
                                assertThat(record.timeMillis()).isEqualTo(partition.timeMillis);
                                assertThat(record.counters().nextDocid())
                                        .isEqualTo(partition.nextDocid);
                                assertThat(record.size().items()).isEqualTo(partition.items.size());
                                assertThat(record.segments()).isEqualTo(partition.segments);
                                assertThat(record.reindexing()).isEqualTo(partition.reindexing);
                                assertThat(items(store, id, partition))
                                        .isEqualTo(wanted(partition));
                            });
        }

        private static List<Bytes> sessions(StoreView store, int container) {
            byte[] all = Keys.session(container, Bytes.EMPTY);
            List<Bytes> found = new ArrayList<>();
            try (Cursor rows = store.scan(Table.META, all, Keys.after(all))) {
                while (rows.next()) {
                    found.add(Keys.sessionSuffix(rows.key()));
                }
            }
            return found;
        }

        private Map<String, String> items(
                StoreView store, PartitionId id, PartitionModel.Partition partition) {
            Map<String, String> found = new TreeMap<>();
            byte[] from = Keys.itemsFrom(id.container(), partition.keys.min());
            byte[] to = Keys.itemsFrom(id.container(), partition.keys.max());
            try (Cursor rows = store.scan(Table.ITEMS, from, to)) {
                while (rows.next()) {
                    ItemRecord item = ItemRecord.decode(rows.value());
                    found.put(
                            Keys.itemSuffix(rows.key()).toHex(),
                            text(
                                    item.docid(),
                                    item.etag().quoted(),
                                    item.timestampMillis(),
                                    item.lsn(),
                                    item.policyVersion(),
                                    item.body()));
                }
            }
            return found;
        }

        private Map<String, String> wanted(PartitionModel.Partition partition) {
            Map<String, String> items = new TreeMap<>();
            partition.items.forEach(
                    (suffix, item) ->
                            items.put(
                                    suffix.toHex(),
                                    text(
                                            item.docid(),
                                            item.etag().quoted(),
                                            item.timeMillis(),
                                            item.lsn(),
                                            item.policyVersion(),
                                            item.body())));
            return items;
        }

        private static String text(
                long docid, String etag, long timeMillis, long lsn, int policy, Bytes body) {
            return docid
                    + " "
                    + etag
                    + " "
                    + timeMillis
                    + " "
                    + lsn
                    + " "
                    + policy
                    + " "
                    + body.toUtf8();
        }

        /** A minute later the records are on their way out; each entry takes a few with it. */
        private void deduplicationEnds() {
            workload.advanceClock(70_000);
            long entries = log.committedPosition();
            for (long i = 0; i < entries / 3 + 2; i++) {
                call(workload.idleWrite());
                log.settle();
            }
            settle();
            replicasAreEqual();
            long oldest = model.timeMillis() - 60_000;
            byte[] prefix = Keys.allDeduplications();
            StoreView store = replicas.getFirst().store();
            try (Cursor rows = store.scan(Table.META, prefix, Keys.after(prefix))) {
                while (rows.next()) {
                    // The record begins with its version and its time.
                    long time = new BinaryReader(rows.value(), 1, 8).u64();
                    assertThat(time).as("time of a deduplication record").isGreaterThan(oldest);
                }
            }
        }

        @Override
        public void close() {
            log.close();
        }
    }

    /** Returns the entries that a run commits, in their order. */
    static List<List<Command>> entriesOf(long seed, Path directory) {
        List<List<Command>> entries = new ArrayList<>();
        run(seed, directory, run -> entries.addAll(run.entries));
        return entries;
    }

    /** Returns every row of a store. */
    static List<String> dump(StoreView store) {
        List<String> rows = new ArrayList<>();
        byte[] end = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
        for (Table table : Table.values()) {
            try (Cursor cursor = store.scan(table, new byte[0], end)) {
                while (cursor.next()) {
                    rows.add(
                            table
                                    + " "
                                    + Bytes.wrap(cursor.key()).toHex()
                                    + " = "
                                    + Bytes.wrap(cursor.value()).toHex());
                }
            }
        }
        return rows;
    }
}
