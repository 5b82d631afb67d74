package orrery.partition.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.document.BodyFormat;
import orrery.document.Patch;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.EffectiveKey;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.model.RangeBoundaries;
import orrery.partition.LeaderHost;
import orrery.partition.api.BatchStep;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.SplitAim;
import orrery.partition.api.StepResult;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteResponse;
import orrery.partition.audit.StoreAudit;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionMachine;
import orrery.query.write.Images;
import orrery.query.write.PatchDialect;
import orrery.query.write.WriteDialects;
import orrery.replication.EntryLimits;
import orrery.replication.simulated.SimulatedLog;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.CreationRows;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;

/**
 * A front-end that stores BSON on a simulated set. Leaders change between the evaluation of a write
 * and its place in the log, partitions split there, and answers are lost, so messages are sent
 * again under their id. All the same each write happens once, and every replica ends with the same
 * documents. {@code -Dseed=N} replays one run.
 */
class BsonSimulation {
    private static final int REPLICAS = 3;
    private static final int WRITES = 120;
    private static final int WRITES_PER_AUDIT = 20;
    private static final int CONTAINER = 7;
    private static final int MAX_SPLITS = 8;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final EntryLimits LIMITS = new EntryLimits(12, 4 << 10, 1 << 20);
    private static final SimulatedLog.Faults MANY = new SimulatedLog.Faults(25, 12, 40);
    private static final WriteDialects DIALECTS =
            WriteDialects.STANDARD.with(BsonUpdateDialect.INSTANCE);
    private static final BodyFormat BSON = BodyFormat.of(Encoding.BSON);

    private static final PartitionKeyDefinition KEY =
            new PartitionKeyDefinition(
                    List.of(PropertyPath.parse("/pk")), PartitionKeyDefinition.Kind.HASH, 2, false);

    private static final ContainerDefinition DEFINITION =
            new ContainerDefinition(
                            KEY,
                            IndexingPolicy.DEFAULT,
                            ContainerDefinition.ConflictResolution.DEFAULT,
                            ContainerDefinition.Geospatial.GEOGRAPHY)
                    .withKind(ContainerKind.MONGODB)
                    .withChangeRetention(60);

    static Stream<Arguments> seeds() {
        return runs(LongStream.range(1, 4));
    }

    static Stream<Arguments> manySeeds() {
        return runs(LongStream.range(4, 100));
    }

    private static Stream<Arguments> runs(LongStream usual) {
        Long only = Long.getLong("seed");
        return (only != null ? LongStream.of(only) : usual)
                .boxed()
                .flatMap(seed -> Stream.of(Arguments.of(seed, 1), Arguments.of(seed, 5)));
    }

    @ParameterizedTest(name = "seed {0}, partitions {1}")
    @MethodSource("seeds")
    void eachWriteHappensOnce(
            long seed, int partitions, @TempDir(factory = MemoryDisk.class) Path directory) {
        Run run = run(seed, partitions, directory);
        assertThat(run.frontEnd.resends()).as("answers that were lost").isPositive();
        assertThat(run.frontEnd.moves()).as("writes that met a split").isPositive();
        assertThat(run.crossedBothWays).as("large keys that became small").isTrue();
    }

    @Tag("long")
    @ParameterizedTest(name = "seed {0}, partitions {1}")
    @MethodSource("manySeeds")
    void eachWriteHappensOnceForLonger(
            long seed, int partitions, @TempDir(factory = MemoryDisk.class) Path directory) {
        run(seed, partitions, directory);
    }

    private static Run run(long seed, int partitions, Path directory) {
        try (Run run = new Run(seed, partitions, directory)) {
            run.all();
            return run;
        } catch (AssertionError | RuntimeException failure) {
            throw new AssertionError(
                    "replay with -Dseed=" + seed + ": " + failure.getMessage(), failure);
        }
    }

    /** A document as its last answer left it. */
    private record Known(Bytes body, Item version) {}

    private record Answered(BsonFrontEnd.Sent sent, WriteResponse.Written answer) {}

    private static final class Run
            implements AutoCloseable,
                    BsonFrontEnd.Service,
                    SimulatedLog.Observer<Command, Outcome> {
        private final RandomGenerator random;
        private final List<PartitionReplica> replicas = new ArrayList<>();
        private final SimulatedLog<Command, Outcome> log;
        final BsonFrontEnd frontEnd = new BsonFrontEnd(KEY, this);
        private final Map<ItemKey, Known> known =
                new TreeMap<>((a, b) -> Keys.itemSuffix(a).compareTo(Keys.itemSuffix(b)));
        private final List<Answered> answered = new ArrayList<>();
        private final Set<Bytes> keysWithRows = new TreeSet<>();

        /** Some keys had a creation order, and one of them no longer has. */
        boolean crossedBothWays;

        private long clockMillis = 1_800_000_000_000L;
        private int nextRange;
        private int splits;

        Run(long seed, int partitions, Path directory) {
            random = new SplittableRandom(seed);
            for (int i = 0; i < REPLICAS; i++) {
                replicas.add(
                        new PartitionReplica(directory.resolve("replica-" + i), this::propose));
            }
            log =
                    new SimulatedLog<>(
                            random,
                            new SimulatedLog.Codec<>(Command::encode, Command::decode),
                            LIMITS,
                            MANY,
                            replicas,
                            this);
            RangeBoundaries.initial(KEY, partitions)
                    .forEach(
                            keys ->
                                    log.propose(
                                            new Command.OpenPartition(
                                                    new PartitionId(CONTAINER, nextRange),
                                                    keys,
                                                    nextRange++,
                                                    new DefinitionRecord.Version(
                                                            1, DEFINITION, 1L << 40, 0),
                                                    clockMillis)));
            log.propose(new Command.RaiseLevel(PartitionMachine.NEWEST_LEVEL));
            log.settle();
        }

        void all() {
            for (int i = 0; i < WRITES; i++) {
                clockMillis += random.nextInt(20);
                act(i);
                if (i % WRITES_PER_AUDIT == 0) {
                    PartitionReplica any = replicas.get(i / WRITES_PER_AUDIT % REPLICAS);
                    assertThat(StoreAudit.run(any.store())).isEmpty();
                    keysWithRows.addAll(keysWithRows(any.store()));
                }
            }
            emptyALargeKey();
            log.settle();
            List<String> image = PartitionSimulation.dump(replicas.getFirst().store());
            for (PartitionReplica replica : replicas) {
                assertThat(PartitionSimulation.dump(replica.store())).isEqualTo(image);
                assertThat(StoreAudit.run(replica.store())).isEmpty();
            }
            assertThat(stored()).isEqualTo(wanted());
            Set<Bytes> left = keysWithRows(replicas.getFirst().store());
            crossedBothWays = !left.containsAll(keysWithRows);
        }

        private void act(int number) {
            if (known.isEmpty() || random.nextInt(3) == 0) {
                create(number);
                return;
            }
            ItemKey key = List.copyOf(known.keySet()).get(random.nextInt(known.size()));
            switch (random.nextInt(10)) {
                case 0 -> replace(key, number);
                case 1 -> patch(key);
                case 2 -> batch(key, number);
                case 3 -> {
                    if (random.nextInt(3) == 0) {
                        deleteAll(key);
                    } else {
                        delete(key);
                    }
                }
                case 4 -> read(key);
                case 5 -> update(key, number);
                case 6 -> updateOrInsert(number);
                case 7 -> updateFirst(key, number);
                case 8 -> transact(key, number);
                default -> sendAgain();
            }
        }

        private void create(int number) {
            Bytes document = document(id(number), "key" + number % 11, number);
            ItemKey key = frontEnd.key(document);
            wrote(key, document, send(key, new WriteAction.Create(document)));
        }

        /** Ids of several kinds: each has its own row. */
        private static String id(int number) {
            return switch (number % 3) {
                case 0 -> "\"text-" + number + "\"";
                case 1 -> "{\"$numberLong\":\"" + number + "\"}";
                default -> "{\"$oid\":\"" + HexFormat.of().toHexDigits(number).repeat(3) + "\"}";
            };
        }

        private static Bytes document(String id, String key, int number) {
            return BsonFrontEnd.document(
                    """
                    {"_id":%s,"pk":"%s","n":{"$numberLong":"%d"},"d":{"$numberDecimal":"%d.10"},\
                    "when":{"$date":{"$numberLong":"%d"}},"like":{"$regularExpression":\
                    {"pattern":"^%d","options":"i"}},"list":[1,{"$numberDouble":"2.0"},null]}"""
                            .formatted(id, key, number, number, number, number));
        }

        private void replace(ItemKey key, int number) {
            Bytes before = now(key).body();
            Bytes after =
                    patched(before, "[{\"op\":\"set\",\"path\":\"/r\",\"value\":" + number + "}]");
            wrote(key, after, send(key, new WriteAction.Replace(after)));
        }

        private void patch(ItemKey key) {
            String operations = "[{\"op\":\"incr\",\"path\":\"/n\",\"value\":1}]";
            Bytes after = patched(now(key).body(), operations);
            WriteResponse.Written answer =
                    send(
                            key,
                            new WriteAction.Evaluate(
                                    1, PatchDialect.evaluation(patchOf(operations))));
            assertThat(answer.item().map(Item::content).map(body -> body.bytes())).contains(after);
            wrote(key, after, answer);
        }

        private static Patch patchOf(String operations) {
            return Patch.parse(Bytes.ofUtf8(operations));
        }

        private static Bytes patched(Bytes before, String operations) {
            return BSON.patch(before, patchOf(operations), KEY);
        }

        /** Changes a document twice and reads it, all at once. */
        private void batch(ItemKey key, int number) {
            String operations = "[{\"op\":\"incr\",\"path\":\"/n\",\"value\":" + number + "}]";
            Bytes after = patched(patched(now(key).body(), operations), operations);
            BatchStep step =
                    new BatchStep.Write(
                            key,
                            new WriteAction.Evaluate(
                                    1, PatchDialect.evaluation(patchOf(operations))),
                            Precondition.NONE);
            WriteResponse.Batch answer =
                    frontEnd.send(
                            List.of(
                                    step,
                                    step,
                                    new BatchStep.Read(key, new Precondition.Impossible())));
            Item last =
                    answer.steps().stream()
                            .map(result -> ((StepResult.Done) result).item().orElseThrow())
                            .reduce((_, next) -> next)
                            .orElseThrow();
            assertThat(last.encoding()).isEqualTo(Encoding.BSON);
            assertThat(last.body()).isEqualTo(after);
            Item changed = ((StepResult.Done) answer.steps().get(1)).item().orElseThrow();
            known.put(key, new Known(after, changed.withBody(after)));
        }

        /** Evaluated in a dialect that only this test knows, and shown before and after. */
        private void update(ItemKey key, int number) {
            Known before = now(key);
            WriteResponse.Written answer =
                    send(key, evaluate("{\"$set\":{\"u\":" + number + "}}", false));
            assertThat(answer.before()).contains(before.version());
            Bytes after =
                    patched(
                            before.body(),
                            "[{\"op\":\"set\",\"path\":\"/u\",\"value\":" + number + "}]");
            assertThat(answer.item().map(Item::body)).contains(after);
            wrote(key, after, answer);
        }

        private static WriteAction.Evaluate evaluate(String operators, boolean upsert) {
            return new WriteAction.Evaluate(
                    1, BsonUpdateDialect.evaluation(operators), upsert, Images.BOTH);
        }

        /** Searches for what only this write makes: the first time it creates, then it finds. */
        private void updateOrInsert(int number) {
            Bytes created =
                    BsonFrontEnd.document(
                            "{\"_id\":\"made-%d\",\"pk\":\"key%d\",\"made\":%d}"
                                    .formatted(number, number % 11, number));
            ItemKey key = frontEnd.key(created);
            String operators =
                    "{\"$inc\":{\"times\":1},\"$setOnInsert\":%s}"
                            .formatted(BSON.toJson(created).toUtf8());
            String search = "SELECT * FROM c WHERE c.made = " + number;
            Optional<Item> before = Optional.empty();
            for (int times = 1; times <= 2; times++) {
                WriteResponse.Written answer =
                        send(frontEnd.writeFirst(key, search, evaluate(operators, true)));
                assertThat(answer.before()).isEqualTo(before);
                before = answer.item();
                Bytes after = before.orElseThrow().body();
                assertThat(BSON.toJson(after).toUtf8()).contains("\"times\":" + times);
                wrote(key, after, answer);
            }
        }

        /** Whichever document it is: the answer shows it as the last answer left it. */
        private void updateFirst(ItemKey anyKey, int number) {
            WriteResponse.Written answer =
                    send(
                            frontEnd.writeFirst(
                                    anyKey,
                                    "SELECT * FROM c ORDER BY c._ts DESC",
                                    evaluate("{\"$set\":{\"first\":" + number + "}}", false)));
            Item before = answer.before().orElseThrow();
            ItemKey key = frontEnd.key(before.body());
            assertThat(key.partitionKey()).isEqualTo(anyKey.partitionKey());
            assertThat(before).isEqualTo(now(key).version());
            Bytes after = answer.item().orElseThrow().body();
            assertThat(BSON.toJson(after).toUtf8()).contains("\"first\":" + number);
            wrote(key, after, answer);
        }

        /** Reads, and then writes against what was read; a second time it is too late. */
        private void transact(ItemKey key, int number) {
            long seen = frontEnd.lastWrite(key);
            Bytes after =
                    patched(
                            now(key).body(),
                            "[{\"op\":\"set\",\"path\":\"/t\",\"value\":" + number + "}]");
            List<BatchStep> steps =
                    List.of(
                            new BatchStep.Write(
                                    key, new WriteAction.Replace(after), Precondition.NONE));
            WriteResponse.Batch answer = frontEnd.send(steps, OptionalLong.of(seen));
            assertThat(answer.keyLsn()).hasValue(frontEnd.lastWrite(key));
            assertThatThrownBy(() -> frontEnd.send(steps, OptionalLong.of(seen)))
                    .isInstanceOfSatisfying(
                            OrreryException.class,
                            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.KEY_CHANGED));
            Item changed = ((StepResult.Done) answer.steps().getFirst()).item().orElseThrow();
            known.put(key, new Known(after, changed.withBody(after)));
        }

        private void delete(ItemKey key) {
            long lsn = send(key, new WriteAction.Delete()).headLsn();
            known.remove(key);
            assertThatThrownBy(() -> frontEnd.read(key, lsn))
                    .isInstanceOfSatisfying(
                            OrreryException.class,
                            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND));
        }

        /** Leaves the logical partition empty, whatever it kept of its creation order. */
        private void deleteAll(ItemKey anyKey) {
            known.keySet().stream()
                    .filter(key -> key.partitionKey().equals(anyKey.partitionKey()))
                    .toList()
                    .forEach(this::delete);
        }

        private void emptyALargeKey() {
            log.settle();
            Set<Bytes> large = keysWithRows(replicas.getFirst().store());
            keysWithRows.addAll(large);
            known.keySet().stream()
                    .filter(key -> large.contains(Bytes.wrap(counters(key))))
                    .findFirst()
                    .ifPresent(this::deleteAll);
        }

        private static byte[] counters(ItemKey key) {
            return Keys.logicalPartition(CONTAINER, key.epk(), key.partitionKey());
        }

        /** The rows of the counters of keys that keep their creation order. */
        private static Set<Bytes> keysWithRows(StoreView store) {
            Set<Bytes> keys = new TreeSet<>();
            byte[] prefix = Keys.allLogicalPartitions();
            try (Cursor counters = store.scan(Table.META, prefix, Keys.after(prefix))) {
                while (counters.next()) {
                    if (!(LogicalPartitionRecord.decode(counters.value()).creationRows()
                            instanceof CreationRows.None)) {
                        keys.add(Bytes.wrap(counters.key()));
                    }
                }
            }
            return keys;
        }

        private void read(ItemKey key) {
            Known expected = now(key);
            assertThat(frontEnd.read(key, expected.version().lsn()).item())
                    .isEqualTo(expected.version());
        }

        /** However late: the answer is that of the first time, and nothing happens again. */
        private void sendAgain() {
            if (!answered.isEmpty()) {
                Answered earlier = answered.get(random.nextInt(answered.size()));
                assertThat(frontEnd.send(earlier.sent())).isEqualTo(earlier.answer());
            }
        }

        private WriteResponse.Written send(ItemKey key, WriteAction action) {
            return send(frontEnd.write(key, action));
        }

        private WriteResponse.Written send(BsonFrontEnd.Sent sent) {
            WriteResponse.Written answer = frontEnd.send(sent);
            answered.add(new Answered(sent, answer));
            return answer;
        }

        private void wrote(ItemKey key, Bytes body, WriteResponse.Written answer) {
            Item version = answer.item().orElseThrow();
            assertThat(version.encoding()).isEqualTo(Encoding.BSON);
            known.put(key, new Known(body, version.withBody(body)));
        }

        private Known now(ItemKey key) {
            return Optional.ofNullable(known.get(key)).orElseThrow();
        }

        private Map<String, Item> wanted() {
            Map<String, Item> items = new TreeMap<>();
            known.forEach((key, value) -> items.put(Keys.itemSuffix(key).toHex(), value.version()));
            return items;
        }

        private Map<String, Item> stored() {
            Map<String, Item> items = new TreeMap<>();
            byte[] from = Keys.itemsFrom(CONTAINER, EffectiveKey.MIN);
            byte[] to = Keys.itemsFrom(CONTAINER + 1, EffectiveKey.MIN);
            try (Cursor rows = replicas.getFirst().store().scan(Table.ITEMS, from, to)) {
                while (rows.next()) {
                    items.put(
                            Keys.itemSuffix(rows.key()).toHex(),
                            ItemRecord.decode(rows.value()).toItem());
                }
            }
            return items;
        }

        /** A leader answers when it has carried out all that those before it committed. */
        @Override
        public Optional<PartitionId> owner(EffectiveKey epk) {
            PartitionReplica leader = replicas.get(log.leader());
            return leader.appliedPosition() < log.committedPosition()
                    ? Optional.empty()
                    : leader.replica().partitions().entrySet().stream()
                            .filter(entry -> entry.getValue().record().keys().contains(epk))
                            .map(Map.Entry::getKey)
                            .findFirst();
        }

        @Override
        public PartitionResponse call(PartitionRequest request) {
            return new LeaderHost(
                            replicas.get(log.leader()).replica(),
                            DIALECTS,
                            () -> Instant.ofEpochMilli(clockMillis))
                    .call(PartitionEnvelope.ofNode(0, request, PATIENCE));
        }

        @Override
        public void pass() {
            IntStream.range(0, 5).forEach(_ -> log.step());
        }

        /** A write has been evaluated, and is not in the log yet. */
        private Outcome propose(Command command, Duration timeout) {
            long term = log.term();
            if (command instanceof Command.WriteItems write
                    && splits < MAX_SPLITS
                    && random.nextInt(5) == 0) {
                split(write.partition());
            }
            if (log.term() != term) {
                throw new OrreryException(ErrorCode.TIMEOUT, "Another replica leads by now.");
            }
            return log.submit(command, timeout);
        }

        private void split(PartitionId partition) {
            int left = nextRange++;
            int right = nextRange++;
            try {
                call(
                        new ControlRequest.Split(
                                partition, left, right, left, right, SplitAim.THROUGHPUT));
                splits++;
            } catch (OrreryException failure) {
                // It may still happen, or never: the write has to find out.
                assertThat(failure.code())
                        .isIn(ErrorCode.TIMEOUT, ErrorCode.RANGE_GONE, ErrorCode.RETRY_WITH);
            }
        }

        @Override
        public void committed(long position, List<Command> commands) {}

        @Override
        public void applied(int replica, long position, List<Outcome> outcomes) {}

        @Override
        public void close() {
            log.close();
        }
    }
}
