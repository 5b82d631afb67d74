package orrery.partition.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.EffectiveKeys;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.model.RequestId;
import orrery.model.RowKey;
import orrery.partition.audit.StoreAudit;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.Rehearsal;
import orrery.replication.EntryLimits;
import orrery.replication.simulated.SimulatedLog;
import orrery.storage.Cursor;
import orrery.storage.StoreSnapshot;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

/**
 * Transactions as scripts make them, many in flight, evaluated on replicas that lag, with crashes,
 * leader changes and duplicates: they move amounts between the items of a key, make items and take
 * them away, and write down what they counted. {@code -Dseed=N} replays one run.
 */
class ScriptSimulation {
    private static final int REPLICAS = 4;
    private static final int TRANSACTIONS = 250;
    private static final long AMOUNT = 100;
    private static final PartitionId PARTITION = new PartitionId(7, 0);
    private static final EntryLimits LIMITS = new EntryLimits(12, 4 << 10, 1 << 20);
    private static final long START_MILLIS = 1_800_000_000_000L;

    private static final PartitionKeyDefinition KEY =
            new PartitionKeyDefinition(
                    List.of(PropertyPath.parse("/pk")), PartitionKeyDefinition.Kind.HASH, 2, false);

    static LongStream seeds() {
        Long only = Long.getLong("seed");
        return only != null ? LongStream.of(only) : LongStream.range(1, 5);
    }

    static LongStream manySeeds() {
        Long only = Long.getLong("seed");
        return only != null ? LongStream.of(only) : LongStream.range(5, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void amountsAreNeitherMadeNorLost(
            long seed, @TempDir(factory = MemoryDisk.class) Path directory) {
        run(seed, directory);
    }

    @Tag("long")
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("manySeeds")
    void amountsAreNeitherMadeNorLostForLonger(
            long seed, @TempDir(factory = MemoryDisk.class) Path directory) {
        run(seed, directory);
    }

    private static void run(long seed, Path directory) {
        try (Run run = new Run(seed, directory)) {
            run.all();
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(
                    "replay with -Dseed=" + seed + ": " + failure.getMessage(), failure);
        }
    }

    /** A transaction until it has come through, or is told that it cannot. */
    private static final class Script {
        final PartitionKey key;
        final long number;
        int attempt;
        Command command;
        SimulatedLog.Ticket<Outcome> ticket;

        Script(
                PartitionKey key,
                long number,
                Command command,
                SimulatedLog.Ticket<Outcome> ticket) {
            this.key = key;
            this.number = number;
            this.command = command;
            this.ticket = ticket;
        }
    }

    private static final class Run
            implements AutoCloseable, SimulatedLog.Observer<Command, Outcome> {
        private final RandomGenerator random;
        private final List<PartitionReplica> replicas = new ArrayList<>();
        private final SimulatedLog<Command, Outcome> log;
        private final List<Script> scripts = new ArrayList<>();
        private final List<PartitionKey> keys =
                List.of(PartitionKey.ofText("north"), PartitionKey.ofText("south"));
        private long clockMillis = START_MILLIS;
        private long numbers;
        private int written;
        private int conflicts;

        Run(long seed, Path directory) {
            random = new SplittableRandom(seed);
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
            log.propose(
                    new Command.OpenPartition(
                            PARTITION,
                            KeyRange.FULL,
                            0,
                            new DefinitionRecord.Version(
                                    1,
                                    new ContainerDefinition(
                                            KEY,
                                            IndexingPolicy.DEFAULT,
                                            ContainerDefinition.ConflictResolution.DEFAULT,
                                            ContainerDefinition.Geospatial.GEOGRAPHY),
                                    1L << 40,
                                    0),
                            clockMillis));
            log.settle();
            for (int i = 0; i < TRANSACTIONS; i++) {
                clockMillis += random.nextInt(50);
                start(keys.get(random.nextInt(keys.size())));
                for (int steps = random.nextInt(8); steps > 0; steps--) {
                    log.step();
                    listen();
                }
            }
            while (!scripts.isEmpty()) {
                log.settle();
                listen();
            }
            log.settle();
            for (PartitionReplica replica : replicas) {
                keys.forEach(key -> check(replica.store(), key));
                assertThat(StoreAudit.run(replica.store())).isEmpty();
            }
            assertThat(written).as("transactions that came through").isGreaterThan(30);
            assertThat(conflicts).as("transactions that met another").isGreaterThan(10);
        }

        private static Outcome first(Outcome outcome) {
            return outcome instanceof Outcome.Repeated repeated ? repeated.first() : outcome;
        }

        private void start(PartitionKey key) {
            long number = numbers++;
            Optional<Command> command = evaluated(key, number, 0);
            command.ifPresent(
                    present -> scripts.add(new Script(key, number, present, log.propose(present))));
        }

        private void listen() {
            for (Script script : List.copyOf(scripts)) {
                if (script.ticket.isPending()) {
                    continue;
                }
                if (script.ticket.isLost()) {
                    // It may have happened or not, so the same command is sent once more.
                    script.ticket = log.propose(script.command);
                    continue;
                }
                boolean isConflict =
                        first(script.ticket.outcome().orElseThrow())
                                        instanceof Outcome.Rejected rejected
                                && rejected.code() == ErrorCode.RETRY_WITH;
                if (!isConflict) {
                    scripts.remove(script);
                    continue;
                }
                conflicts++;
                script.attempt++;
                Optional<Command> again = evaluated(script.key, script.number, script.attempt);
                if (again.isEmpty()) {
                    scripts.remove(script);
                } else {
                    script.command = again.get();
                    script.ticket = log.propose(script.command);
                }
            }
        }

        /** On any replica, however far behind: a state that was, and that the log compares. */
        private Optional<Command> evaluated(PartitionKey key, long number, int attempt) {
            var replica = replicas.get(random.nextInt(REPLICAS)).replica();
            var state = replica.find(PARTITION);
            if (state.isEmpty()) {
                return Optional.empty();
            }
            try (StoreSnapshot snapshot = replica.store().snapshot()) {
                Rehearsal rehearsal =
                        Rehearsal.on(
                                        snapshot,
                                        replica.levels(),
                                        PARTITION,
                                        state.get(),
                                        EffectiveKeys.of(KEY, key),
                                        key)
                                .orElseThrow();
                move(rehearsal, key);
                if (rehearsal.changes().isEmpty()) {
                    return Optional.empty();
                }
                return Optional.of(
                        new Command.WriteItems(
                                PARTITION,
                                new RequestId(number, attempt),
                                clockMillis,
                                rehearsal.changes(),
                                OptionalLong.of(rehearsal.lastWrite()),
                                Bytes.EMPTY));
            }
        }

        /** Runs a script, whose decisions depend only on what it sees. */
        private void move(Rehearsal rehearsal, PartitionKey key) {
            Map<String, Long> accounts = accounts(rehearsal.view(), key);
            if (accounts.isEmpty()) {
                put(rehearsal, key, "a0", AMOUNT, 1);
                return;
            }
            List<String> names = new ArrayList<>(accounts.keySet());
            String from = names.get(random.nextInt(names.size()));
            long has = accounts.getOrDefault(from, 0L);
            if (names.size() > 1 && random.nextInt(4) == 0) {
                // Gives all it has to another, and goes.
                String heir = names.get((names.indexOf(from) + 1) % names.size());
                remove(rehearsal, key, from);
                put(rehearsal, key, heir, accounts.getOrDefault(heir, 0L) + has, names.size() - 1);
                return;
            }
            long part = random.nextLong(has + 1);
            String to = "a" + random.nextInt(5);
            if (to.equals(from)) {
                return;
            }
            int count = accounts.containsKey(to) ? names.size() : names.size() + 1;
            put(rehearsal, key, from, has - part, count);
            // Read again: its own change must be before it.
            assertThat(accounts(rehearsal.view(), key)).containsEntry(from, has - part);
            put(rehearsal, key, to, accounts.getOrDefault(to, 0L) + part, count);
        }

        private void put(Rehearsal rehearsal, PartitionKey key, String id, long amount, int count) {
            String body =
                    "{\"id\":\"%s\",\"pk\":\"%s\",\"amount\":%d,\"counted\":%d}"
                            .formatted(
                                    id,
                                    key.equals(keys.getFirst()) ? "north" : "south",
                                    amount,
                                    count);
            assertThat(
                            rehearsal.apply(
                                    new Command.ItemChange.Put(
                                            item(key, id),
                                            Command.Expect.ANY,
                                            Precondition.NONE,
                                            Encoding.JSON,
                                            Bytes.ofUtf8(body)),
                                    clockMillis))
                    .isInstanceOf(Outcome.Written.class);
        }

        private void remove(Rehearsal rehearsal, PartitionKey key, String id) {
            assertThat(
                            rehearsal.apply(
                                    new Command.ItemChange.Remove(item(key, id), Precondition.NONE),
                                    clockMillis))
                    .isInstanceOf(Outcome.Written.class);
        }

        private static ItemKey item(PartitionKey key, String id) {
            return new ItemKey(EffectiveKeys.of(KEY, key), key, RowKey.ofText(id));
        }

        private static Map<String, Long> accounts(StoreView view, PartitionKey key) {
            Map<String, Long> amounts = new TreeMap<>();
            rows(view, key).forEach((id, item) -> amounts.put(id, number(item, "amount")));
            return amounts;
        }

        private static Map<String, ItemRecord> rows(StoreView view, PartitionKey key) {
            byte[] from = Keys.itemsOf(PARTITION.container(), EffectiveKeys.of(KEY, key), key);
            Map<String, ItemRecord> found = new TreeMap<>();
            try (Cursor rows = view.scan(Table.ITEMS, from, Keys.after(from))) {
                while (rows.next()) {
                    found.put(
                            Keys.itemKey(Keys.itemSuffix(rows.key()), KEY).rowKey().text(),
                            ItemRecord.decode(rows.value()));
                }
            }
            return found;
        }

        private static long number(ItemRecord item, String name) {
            Value body = JsonText.parse(item.body());
            Value value =
                    ((Value.Obj) body).properties().getOrDefault(name, Value.Undefined.UNDEFINED);
            return ((Value.Int) value).value();
        }

        /** Whatever came through, the sum is that of the first, and the last counted right. */
        private static void check(StoreView store, PartitionKey key) {
            Map<String, ItemRecord> items = rows(store, key);
            if (items.isEmpty()) {
                return;
            }
            long last = items.values().stream().mapToLong(ItemRecord::lsn).max().orElseThrow();
            assertThat(items.values().stream().mapToLong(item -> number(item, "amount")).sum())
                    .isEqualTo(AMOUNT);
            for (ItemRecord item : items.values()) {
                if (item.lsn() == last) {
                    assertThat(number(item, "counted")).isEqualTo(items.size());
                }
            }
        }

        @Override
        public void committed(long position, List<Command> commands) {}

        @Override
        public void applied(int replica, long position, List<Outcome> outcomes) {
            if (replica == 0) {
                written +=
                        (int)
                                outcomes.stream()
                                        .map(Run::first)
                                        .filter(Outcome.Written.class::isInstance)
                                        .count();
            }
            // After every entry, not only at the end.
            keys.forEach(key -> check(replicas.get(replica).store(), key));
        }

        @Override
        public void close() {
            log.close();
        }
    }
}
