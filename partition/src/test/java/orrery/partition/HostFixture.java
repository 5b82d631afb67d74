package orrery.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import orrery.document.Patch;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.EffectiveKeys;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.KeyComponent;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.model.RequestId;
import orrery.model.RowKey;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.PartitionDefinition;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.WriteAction;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.audit.StoreAudit;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.query.sql.PatchCondition;
import orrery.query.write.PatchDialect;
import orrery.replication.CommandLog;
import orrery.replication.EntryLimits;
import orrery.replication.LocalLog;
import orrery.replication.ThroughBytes;
import orrery.script.ScriptEngine;
import orrery.script.ScriptLimits;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreOptions;

/** A host over a real store and log. Every message and entry goes through its bytes and back. */
final class HostFixture implements AutoCloseable {
    static final int DATABASE = 3;
    static final PartitionId PARTITION = new PartitionId(7, 0);

    /** A limit that no step here reaches, on any machine. */
    static final Duration PATIENCE = Duration.ofMinutes(5);

    static final int MB = 1 << 20;

    static final PartitionKeyDefinition ONE_PATH =
            new PartitionKeyDefinition(
                    List.of(PropertyPath.parse("/pk")), PartitionKeyDefinition.Kind.HASH, 2, false);

    static final PartitionKeyDefinition TWO_PATHS =
            new PartitionKeyDefinition(
                    List.of(PropertyPath.parse("/pk"), PropertyPath.parse("/sub")),
                    PartitionKeyDefinition.Kind.MULTI_HASH,
                    2,
                    false);

    private final Path directory;
    private final PartitionKeyDefinition keyDefinition;
    private final AtomicLong nowMillis = new AtomicLong(1_800_000_000_000L);
    private final InstantSource clock = () -> Instant.ofEpochMilli(nowMillis.get());
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong requests = new AtomicLong();
    private final UnaryOperator<CommandLog<Command, Outcome>> log;
    private final Consumer<Duration> pause;
    private final Consumer<Duration> rest;
    private ScriptEngine scripts = new ScriptEngine(scriptLimits(PATIENCE));
    private Replica replica;
    private PartitionHost host;

    HostFixture(Path directory, PartitionKeyDefinition keyDefinition) {
        this(
                directory,
                keyDefinition,
                UnaryOperator.identity(),
                HostFixture::park,
                HostFixture::park);
    }

    private static void park(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }

    /**
     * @param log what is put in front of the real log
     * @param pause waits before background work that failed is tried again
     */
    HostFixture(
            Path directory,
            PartitionKeyDefinition keyDefinition,
            UnaryOperator<CommandLog<Command, Outcome>> log,
            Consumer<Duration> pause) {
        this(directory, keyDefinition, log, pause, HostFixture::park);
    }

    /**
     * @param rest waits between two pages of the survey of keys
     */
    HostFixture(
            Path directory,
            PartitionKeyDefinition keyDefinition,
            UnaryOperator<CommandLog<Command, Outcome>> log,
            Consumer<Duration> pause,
            Consumer<Duration> rest) {
        this.directory = directory;
        this.keyDefinition = keyDefinition;
        this.log = log;
        this.pause = pause;
        this.rest = rest;
        this.replica = newSet();
        this.host = newHost();
        assertThat(
                        call(
                                new ControlRequest.Open(
                                        PARTITION,
                                        KeyRange.FULL,
                                        PARTITION.range(),
                                        definition(1, IndexingPolicy.DEFAULT))))
                .isEqualTo(new ControlResponse.Done());
    }

    private Replica newSet() {
        return new Replica(
                ReplicaStore.open(directory, new StoreOptions(8 << 20, 8 << 20)),
                machine ->
                        log.apply(
                                new LocalLog<>(
                                        "test",
                                        new ThroughBytes<>(
                                                machine, Command::encode, Command::decode),
                                        Command::sizeOf,
                                        EntryLimits.DEFAULT)));
    }

    private PartitionHost newHost() {
        // A budget does not refill while time stands still.
        return new PartitionHost(Map.of(1, replica), clock, nanos::get, scripts, pause, rest);
    }

    /** Bounds what a script does by its time alone. */
    static ScriptLimits scriptLimits(Duration time) {
        ScriptLimits usual = ScriptLimits.standard(2);
        return new ScriptLimits(
                time,
                Long.MAX_VALUE,
                1L << 40,
                usual.resultBytes(),
                usual.logChars(),
                usual.threads(),
                usual.waiting());
    }

    void restart() {
        restart(scripts.limits());
    }

    void restart(ScriptLimits limits) {
        host.close();
        replica.close();
        replica = newSet();
        scripts = new ScriptEngine(limits);
        host = newHost();
    }

    ScriptEngine scripts() {
        return scripts;
    }

    PartitionDefinition definition(int version, IndexingPolicy policy) {
        return new PartitionDefinition(
                version,
                new ContainerDefinition(
                        keyDefinition,
                        policy,
                        ContainerDefinition.ConflictResolution.DEFAULT,
                        ContainerDefinition.Geospatial.GEOGRAPHY),
                1L << 40);
    }

    /** Gives the partition a later version of its definition, which differs by this change. */
    void redefine(int version, UnaryOperator<ContainerDefinition> change) {
        PartitionDefinition plain = definition(version, IndexingPolicy.DEFAULT);
        assertThat(
                        call(
                                new ControlRequest.SetDefinition(
                                        PARTITION,
                                        new PartitionDefinition(
                                                version,
                                                change.apply(plain.definition()),
                                                plain.logicalPartitionMaxBytes()))))
                .isEqualTo(new ControlResponse.Done());
    }

    ItemKey key(String id, String... components) {
        PartitionKey key =
                new PartitionKey(
                        List.of(components).stream()
                                .<KeyComponent>map(KeyComponent.Text::new)
                                .toList());
        return new ItemKey(EffectiveKeys.of(keyDefinition, key), key, RowKey.ofText(id));
    }

    RequestId newRequest() {
        return new RequestId(1, requests.getAndAdd(1 << 20));
    }

    PartitionResponse call(PartitionRequest request) {
        return call(PartitionEnvelope.ofNode(1, request, PATIENCE));
    }

    PartitionResponse call(PartitionEnvelope envelope) {
        PartitionResponse answer = host.call(PartitionEnvelope.decode(envelope.encode()));
        return PartitionResponse.decode(PartitionResponse.encode(answer));
    }

    PartitionResponse write(ItemKey key, WriteAction action, Precondition precondition) {
        return call(new WriteRequest.WriteItem(PARTITION, newRequest(), key, action, precondition));
    }

    static WriteAction.Evaluate patch(Bytes operations) {
        return new WriteAction.Evaluate(DATABASE, PatchDialect.evaluation(Patch.parse(operations)));
    }

    static WriteAction.Evaluate patch(String condition, Bytes operations) {
        return new WriteAction.Evaluate(
                DATABASE,
                PatchDialect.evaluation(
                        Patch.parse(operations), Optional.of(PatchCondition.parse(condition))));
    }

    WriteResponse.Written create(ItemKey key, String body) {
        return (WriteResponse.Written)
                write(key, new WriteAction.Create(Bytes.ofUtf8(body)), Precondition.NONE);
    }

    PartitionResponse read(ItemKey key, long minLsn) {
        return call(new ReadRequest.ReadItem(PARTITION, key, minLsn));
    }

    ReadResponse.Found find(ItemKey key) {
        return (ReadResponse.Found) read(key, 0);
    }

    /** The answer to a write that searches, without what it searched by. */
    PartitionResponse searched(PartitionRequest request) {
        return ofSearch(call(request));
    }

    static PartitionResponse ofSearch(PartitionResponse response) {
        return response instanceof WriteResponse.Searched(WriteResponse write, var _)
                ? write
                : response;
    }

    static ErrorCode failureOf(PartitionResponse response) {
        return ((PartitionResponse.Failed) response).code();
    }

    Replica replica() {
        return replica;
    }

    PartitionHost host() {
        return host;
    }

    /** Stands still until it is set. */
    InstantSource clock() {
        return clock;
    }

    void setClock(long millis) {
        nowMillis.set(millis);
    }

    /** Time really passes: the clock and the monotonic clock move together. */
    void pass(Duration time) {
        nowMillis.addAndGet(time.toMillis());
        nanos.addAndGet(time.toNanos());
    }

    /** Returns the times for workers that a test starts. */
    PartitionTimes times() {
        return host.times(1);
    }

    /** At rest there is nothing wrong in the store. */
    @Override
    public void close() {
        host.close();
        assertThat(StoreAudit.run(replica.store())).isEmpty();
        replica.close();
    }
}
