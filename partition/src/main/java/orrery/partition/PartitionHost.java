package orrery.partition;

import java.lang.System.Logger;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import orrery.model.Cancellation;
import orrery.model.DataClock;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.RowKey;
import orrery.model.Statement;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.model.metering.RequestTerms;
import orrery.partition.api.Budget;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.ControlResponse;
import orrery.partition.api.ItemRequest;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;
import orrery.partition.api.ReadMode;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.api.ScriptPlace;
import orrery.partition.api.SetRequest;
import orrery.partition.api.TransactedRequest;
import orrery.partition.api.TransactedResponse;
import orrery.partition.api.WriteRequest;
import orrery.partition.api.WriteResponse;
import orrery.partition.machine.Command;
import orrery.partition.machine.DeleteKey;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;
import orrery.partition.meter.PartitionMeter;
import orrery.query.Dialects;
import orrery.query.PreparedQueries;
import orrery.query.evaluate.UserFunctions;
import orrery.query.mongo.aggregate.PipelineDialect;
import orrery.query.mongo.find.MongoDialect;
import orrery.query.sql.SqlDialect;
import orrery.query.table.TableDialect;
import orrery.query.write.WriteDialects;
import orrery.script.ScriptEngine;
import orrery.script.ScriptLimits;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreFailure;
import orrery.storage.Table;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/**
 * Answers requests for the partitions of the replica sets on this node. To be closed before the
 * sets are: work in the background reads their stores.
 */
public final class PartitionHost implements PartitionService, AutoCloseable {
    private static final Dialects DIALECTS =
            new Dialects(
                    SqlDialect.INSTANCE,
                    TableDialect.INSTANCE,
                    MongoDialect.INSTANCE,
                    PipelineDialect.INSTANCE);

    private static final Logger LOG = System.getLogger(PartitionHost.class.getName());

    /** When to come back where too many keys are being deleted. */
    private static final long DELETIONS_RETRY_MILLIS = 1000;

    private final Map<Integer, HostedReplica> sets = new HashMap<>();
    private final PartitionMeters meters;
    private final QueryMemory memory = QueryMemory.empty();
    private final PreparedQueries queries;
    private final KeyLatches latches = new KeyLatches();
    private final ScriptEngine scripts;
    private final KeyWarnings warnings = new KeyWarnings();
    private final DoubleAdder spentRu = new DoubleAdder();
    private final LongAdder refused = new LongAdder();
    private final InstantSource clock;
    private final ClockWatch watch;

    public PartitionHost(Map<Integer, Replica> sets, InstantSource clock) {
        this(
                sets,
                clock,
                System::nanoTime,
                new ScriptEngine(
                        ScriptLimits.standard(Runtime.getRuntime().availableProcessors())));
    }

    /**
     * @param clock may be set by whoever made it; jumps are looked for on that of the machine
     * @param scripts closed with the host
     */
    public PartitionHost(Map<Integer, Replica> sets, DataClock clock, ScriptEngine scripts) {
        this(
                sets,
                clock,
                clock::nanoTime,
                new ClockWatch(InstantSource.system(), System::nanoTime),
                scripts,
                DIALECTS,
                PartitionHost::park,
                PartitionHost::park,
                clock::rest);
    }

    /**
     * @param nanoTime by which budgets fill up, and the times of partitions that are ahead of the
     *     clock go on
     */
    public PartitionHost(
            Map<Integer, Replica> sets,
            InstantSource clock,
            LongSupplier nanoTime,
            ScriptEngine scripts) {
        this(sets, clock, nanoTime, scripts, DIALECTS);
    }

    /**
     * @param dialects the languages in which queries may come
     */
    public PartitionHost(
            Map<Integer, Replica> sets,
            InstantSource clock,
            LongSupplier nanoTime,
            ScriptEngine scripts,
            Dialects dialects) {
        this(
                sets,
                clock,
                nanoTime,
                new ClockWatch(clock, nanoTime),
                scripts,
                dialects,
                PartitionHost::park,
                PartitionHost::park,
                PartitionHost::park);
    }

    private static void park(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }

    /**
     * @param pause waits before background work that failed is tried again
     * @param rest waits between two pages of the survey of keys
     */
    PartitionHost(
            Map<Integer, Replica> sets,
            InstantSource clock,
            LongSupplier nanoTime,
            ScriptEngine scripts,
            Consumer<Duration> pause,
            Consumer<Duration> rest) {
        this(
                sets,
                clock,
                nanoTime,
                new ClockWatch(clock, nanoTime),
                scripts,
                DIALECTS,
                pause,
                rest,
                PartitionHost::park);
    }

    private PartitionHost(
            Map<Integer, Replica> sets,
            InstantSource clock,
            LongSupplier nanoTime,
            ClockWatch watch,
            ScriptEngine scripts,
            Dialects dialects,
            Consumer<Duration> pause,
            Consumer<Duration> rest,
            Consumer<Duration> idle) {
        this.meters = new PartitionMeters(clock, nanoTime);
        this.clock = clock;
        this.watch = watch;
        this.scripts = scripts;
        this.queries = new PreparedQueries(dialects);
        sets.forEach(
                (number, replica) ->
                        this.sets.put(
                                number,
                                new HostedReplica(
                                        replica,
                                        meters,
                                        warnings,
                                        new PartitionTimes(replica, clock, nanoTime),
                                        watch,
                                        pause,
                                        rest,
                                        idle)));
    }

    /** Request units that were spent here since the start. */
    public double spentRu() {
        return spentRu.sum();
    }

    /** Requests that were refused here since the start because a budget was spent. */
    public long refusedRequests() {
        return refused.sum();
    }

    PartitionTimes times(int replicaSet) {
        return Objects.requireNonNull(sets.get(replicaSet)).times();
    }

    /** Compares the clock with the times of partitions. */
    public TimeStatus time() {
        long ahead =
                sets.values().stream()
                        .mapToLong(hosted -> hosted.times().aheadMillis())
                        .max()
                        .orElse(0);
        return watch.look().status(Duration.ofMillis(ahead));
    }

    /** Items that were deleted here since the start because they were gone. */
    public long purgedItems() {
        return sets.values().stream().mapToLong(HostedReplica::purgedItems).sum();
    }

    @Override
    public PartitionResponse call(PartitionEnvelope envelope) {
        HostedReplica hosted = sets.get(envelope.replicaSet());
        if (hosted == null) {
            throw new OrreryException(
                    ErrorCode.UNAVAILABLE,
                    "The replica set of this partition is not on this node.");
        }
        Optional<OrreryException> refusal = refusal(envelope);
        if (refusal.isPresent()) {
            return refused(refusal.get(), 0);
        }
        return switch (envelope.request()) {
            case SetRequest.ListLarge list -> large(hosted.replica(), list);
            case ControlRequest about -> {
                try {
                    yield new PartitionKeeper(hosted, meters, envelope.timeout()).answer(about);
                } catch (OrreryException | StoreFailure failure) {
                    yield failed(hosted.replica(), about.partition(), envelope, failure);
                }
            }
            case ItemRequest about ->
                    hosted.replica().find(about.partition()).isPresent()
                            ? metered(hosted, about, envelope)
                            : answer(hosted, about, envelope);
        };
    }

    /** Says why a set of one replica, whose members never change, cannot do as it is asked. */
    private static Optional<OrreryException> refusal(PartitionEnvelope envelope) {
        if (envelope.setEpoch() != 0) {
            return Optional.of(
                    new OrreryException(
                            ErrorCode.UNAVAILABLE,
                            "The replica set has other members than the sender knows."));
        }
        if (envelope.readMode() != ReadMode.LEADER) {
            return Optional.of(
                    new OrreryException(
                            ErrorCode.BAD_REQUEST, "Only the leader of a replica set answers."));
        }
        return Optional.empty();
    }

    private PartitionResponse metered(
            HostedReplica hosted, ItemRequest request, PartitionEnvelope envelope) {
        RequestTerms terms = envelope.terms();
        PartitionMeter meter = meters.of(request.partition());
        Optional<OrreryException> refusal = overBudget(meter, terms);
        if (refusal.isPresent()) {
            refused.increment();
            return failed(hosted.replica(), request.partition(), envelope, refusal.get());
        }
        PartitionResponse.Charged response = unlessKnown(answer(hosted, request, envelope), terms);
        Charge charge = response.charge();
        double ru = charge.ru() * terms.replicas();
        spentRu.add(ru);
        boolean usesMinute = ru > 0 && charge(meter, request, ru, terms);
        return usesMinute ? response.withCharge(charge.paidByMinute()) : response;
    }

    /** A client that has the item pays for being told so, here as in its answer. */
    private static PartitionResponse.Charged unlessKnown(
            PartitionResponse.Charged response, RequestTerms terms) {
        return response instanceof ReadResponse.Found found && terms.isKnown(found.item().etag())
                ? found.withCharge(RequestCharge.notModified())
                : response;
    }

    /** The limit of a bucket is told first: to wait for the budget alone would not help. */
    private Optional<OrreryException> overBudget(PartitionMeter meter, RequestTerms terms) {
        long now = meters.nanoTime();
        long ofBucket = meter.admitToBucket(terms, now);
        if (ofBucket > 0) {
            return Optional.of(tooMuch(ErrorCode.BUCKET_USED_UP, ofBucket));
        }
        long ofBudget = meter.admit(terms, now);
        return ofBudget > 0
                ? Optional.of(tooMuch(ErrorCode.TOO_MANY_REQUESTS, ofBudget))
                : Optional.empty();
    }

    private static OrreryException tooMuch(ErrorCode code, long retryAfterMillis) {
        return Refusals.of(code, Charge.NONE).withRetryAfter(Duration.ofMillis(retryAfterMillis));
    }

    /** Returns true if the budget of the minute paid a part of the charge. */
    private boolean charge(
            PartitionMeter meter, ItemRequest request, double ru, RequestTerms terms) {
        long now = meters.nanoTime();
        return switch (request) {
            case ReadRequest.ReadItem read ->
                    meter.charge(read.key().partitionKey(), ru, terms, now);
            case WriteRequest.OfKey write -> meter.charge(write.partitionKey(), ru, terms, now);
            case WriteRequest.Stated stated ->
                    meter.charge(stated.write().partitionKey(), ru, terms, now);
            case WriteRequest.Execute execute ->
                    meter.charge(execute.partitionKey(), ru, terms, now);
            case WriteRequest.WriteWithTriggers triggered ->
                    meter.charge(triggered.write().key().partitionKey(), ru, terms, now);
            case TransactedRequest transacted ->
                    meter.charge(transacted.partitionKey(), ru, terms, now);
            default -> meter.charge(ru, terms, now);
        };
    }

    private PartitionResponse.Charged answer(
            HostedReplica hosted, ItemRequest request, PartitionEnvelope envelope) {
        try {
            return isShort(request)
                    ? carriedOut(hosted, request, envelope)
                    : Cancellation.current()
                            .within(envelope.timeout())
                            .during(() -> carriedOut(hosted, request, envelope));
        } catch (FunctionsNeededException needed) {
            return needed.response();
        } catch (OrreryException | StoreFailure failure) {
            return failed(hosted.replica(), request.partition(), envelope, failure);
        }
    }

    /** These are about one item, and then wait for the log. */
    private static boolean isShort(ItemRequest request) {
        return request instanceof ReadRequest.ReadItem
                || request instanceof ReadRequest.ReadByDocid
                || request instanceof ReadRequest.ReadLastWrite
                || request instanceof WriteRequest.WriteItem
                || request instanceof WriteRequest.Stated(var _, WriteRequest.WriteItem _);
    }

    private PartitionResponse.Charged carriedOut(
            HostedReplica hosted, ItemRequest request, PartitionEnvelope envelope) {
        Replica replica = hosted.replica();
        Duration timeout = envelope.timeout();
        return switch (request) {
            case ReadRequest.ReadItem read ->
                    HeldItem.counted(
                            new ItemReader(
                                            replica,
                                            hosted.state(read.partition()),
                                            hosted.nowForReaders(read.partition()))
                                    .read(read));
            case ReadRequest.ReadItems read ->
                    new ItemLookups(
                                    replica,
                                    hosted.state(read.partition()),
                                    hosted.nowForReaders(read.partition()),
                                    read)
                            .read();
            case ReadRequest.FindEqual find ->
                    queryReader(hosted, find.partition()).find(replica.store(), find);
            case ReadRequest.ReadByDocid read ->
                    HeldItem.counted(
                            new ItemReader(
                                            replica,
                                            hosted.state(read.partition()),
                                            hosted.nowForReaders(read.partition()))
                                    .readByDocid(read));
            case ReadRequest.ReadLastWrite read ->
                    new ItemReader(
                                    replica,
                                    hosted.state(read.partition()),
                                    hosted.nowForReaders(read.partition()))
                            .read(read);
            case ReadRequest.ReadFeed feed ->
                    new FeedReader(
                                    replica,
                                    hosted.state(feed.partition()),
                                    hosted.nowForReaders(feed.partition()))
                            .read(feed);
            case ReadRequest.Query query -> read(hosted, query, timeout, QueryReader::read);
            case ReadRequest.Explain(ReadRequest.Query query) ->
                    read(hosted, query, timeout, QueryReader::explain);
            case ReadRequest.ReadChanges read ->
                    new ChangeFeedReader(
                                    replica,
                                    hosted.state(read.partition()),
                                    hosted.nowForReaders(read.partition()))
                            .read(read);
            case ReadRequest.ReadVersions read ->
                    new VersionReader(replica, hosted.state(read.partition())).read(read);
            case ReadRequest.FindStatement find ->
                    StatedWrite.find(
                            replica,
                            find.partition().container(),
                            hosted.state(find.partition()),
                            find.statement(),
                            hosted.times().now(find.partition(), hosted.state(find.partition())));
            case WriteRequest.OfKey write -> written(writeRun(hosted, write, envelope), write);
            case WriteRequest.Stated(Statement statement, WriteRequest.OfKey write) -> {
                WriteRun writeRun =
                        writeRun(
                                hosted,
                                write,
                                Optional.of(StatedWrite.command(statement, write)),
                                envelope);
                yield new StatedWrite(writeRun, statement, write)
                        .run(() -> written(writeRun, write));
            }
            case WriteRequest.ChangeMany many ->
                    new ManyWriter(
                                    writeRun(hosted, many, envelope),
                                    many,
                                    () -> queryReader(hosted, many.partition()),
                                    key -> keySize(many.partition(), key))
                            .run();
            case WriteRequest.Execute run -> {
                ItemKey scope = new ItemKey(run.epk(), run.partitionKey(), RowKey.ofText(""));
                WriteRun writeRun = writeRun(hosted, run, envelope);
                yield new ProcedureRun(executor(writeRun, scope, run, run.place()), run).run();
            }
            case WriteRequest.WriteWithTriggers write -> {
                ItemKey scope = write.write().key();
                WriteRun writeRun = writeRun(hosted, write, envelope);
                yield new TriggeredWrite(executor(writeRun, scope, write, write.place()), write)
                        .run();
            }
            case WriteRequest.DeleteKey delete -> deleteKey(hosted, delete, timeout);
            case TransactedRequest transacted ->
                    rehearsed(hosted, transacted, envelope.isUnchecked());
        };
    }

    private TransactedResponse rehearsed(
            HostedReplica hosted, TransactedRequest request, boolean isUnchecked) {
        PartitionState state = hosted.state(request.partition());
        return new RehearsedOperation(
                        hosted.replica(),
                        state,
                        queries,
                        WriteDialects.STANDARD,
                        hosted.times().now(request.partition(), state),
                        isUnchecked,
                        request)
                .run(refusal -> refused(refusal, state.record().headLsn()));
    }

    private WriteResponse written(WriteRun writeRun, WriteRequest.OfKey request) {
        KeySize keySize = keySize(request.partition(), request.partitionKey());
        return switch (request) {
            case WriteRequest.WriteItem write -> new ItemWriter(writeRun, write, keySize).run();
            case WriteRequest.WriteFirst write ->
                    new ItemSearch(writeRun, write, queries).write(keySize);
            case WriteRequest.Batch batch -> new BatchWriter(writeRun, batch, keySize).run();
            case WriteRequest.Commit commit -> new CommitWriter(writeRun, commit, keySize).run();
        };
    }

    private static PartitionResponse large(Replica replica, SetRequest.ListLarge list) {
        TreeSet<PartitionId> large = new TreeSet<>();
        replica.forEachPartition(
                (id, state) -> {
                    if (state.record().size().bytes() > list.bytes()
                            && list.after().map(after -> id.compareTo(after) > 0).orElse(true)) {
                        large.add(id);
                    }
                });
        return new ControlResponse.LargePartitions(
                large.stream().limit(list.maxPartitions()).toList(),
                large.size() > list.maxPartitions());
    }

    /** Done when it is noted: the rows go later. It costs what the delete of a small item does. */
    private PartitionResponse.Charged deleteKey(
            HostedReplica hosted, WriteRequest.DeleteKey delete, Duration timeout) {
        Outcome outcome =
                hosted.replica()
                        .submit(
                                new DeleteKey(
                                        delete.partition(),
                                        delete.requestId(),
                                        hosted.times()
                                                .now(
                                                        delete.partition(),
                                                        hosted.state(delete.partition())),
                                        delete.key(),
                                        delete.keys()),
                                timeout);
        return switch (outcome instanceof Outcome.Repeated again ? again.first() : outcome) {
            case Outcome.Written done -> {
                hosted.wakePurging();
                yield new WriteResponse.KeyDeleted(done.lsn(), RequestCharge.delete(0, 0));
            }
            case Outcome.Rejected rejected when rejected.code() == ErrorCode.TOO_MANY_REQUESTS ->
                    throw tooMuch(rejected.code(), DELETIONS_RETRY_MILLIS);
            case Outcome.Rejected rejected ->
                    throw Refusals.of(rejected.code(), Charges.of(rejected));
            case Outcome.Done _,
                    Outcome.Reindexed _,
                    Outcome.Blocked _,
                    Outcome.Repeated _,
                    Outcome.Stale _ ->
                    throw new IllegalStateException("a delete was answered as another command");
        };
    }

    private WriteRun writeRun(
            HostedReplica hosted, WriteRequest request, PartitionEnvelope envelope) {
        return writeRun(hosted, request, Optional.empty(), envelope);
    }

    private WriteRun writeRun(
            HostedReplica hosted,
            WriteRequest request,
            Optional<Command.Stated> stated,
            PartitionEnvelope envelope) {
        return new WriteRun(
                hosted.replica(),
                latches,
                hosted.times(),
                WriteDialects.STANDARD,
                request.partition(),
                request.requestId(),
                stated,
                envelope.isUnchecked(),
                envelope.timeout());
    }

    /** A use of a query that is ready. */
    @FunctionalInterface
    private interface QueryUse {
        ReadResponse of(
                QueryReader reader,
                ReplicaStore store,
                ReadRequest.Query query,
                UserFunctions functions);
    }

    private PartitionResponse.Charged read(
            HostedReplica hosted, ReadRequest.Query query, Duration timeout, QueryUse use) {
        QueryReader reader = queryReader(hosted, query.partition());
        ReplicaStore store = hosted.replica().store();
        return query.functions().isEmpty()
                ? use.of(reader, store, query, UserFunctions.NONE)
                : FunctionCalls.during(
                        scripts,
                        query.partition().container(),
                        query.functions(),
                        timeout,
                        functions -> use.of(reader, store, query, functions));
    }

    private QueryReader queryReader(HostedReplica hosted, PartitionId partition) {
        return new QueryReader(
                hosted.state(partition),
                memory,
                queries,
                clock,
                hosted.nowForReaders(partition),
                hosted.examinedSeconds(partition));
    }

    private ScriptExecutor executor(
            WriteRun writeRun, ItemKey scope, WriteRequest request, ScriptPlace place) {
        return new ScriptExecutor(
                writeRun,
                scripts,
                latches,
                queries,
                scope,
                place,
                keySize(request.partition(), scope.partitionKey()),
                maxRu(request.partition()));
    }

    /**
     * Returns the request units that the partition could pay for in the longest time of a script.
     */
    private double maxRu(PartitionId partition) {
        return meters.budget(partition)
                .filter(Budget::throttling)
                .map(budget -> budget.ruPerSecond() * scripts.limits().time().toSeconds())
                .orElse(Double.MAX_VALUE);
    }

    private KeySize keySize(PartitionId partition, PartitionKey key) {
        return (bytes, lsn, limit) -> {
            meters.find(partition).ifPresent(meter -> meter.largestKeys().update(key, bytes, lsn));
            warnings.grown(partition, key, bytes, limit);
        };
    }

    /** Stops background work; the sets are closed by whoever opened them. */
    @Override
    public void close() {
        scripts.close();
        sets.values().forEach(HostedReplica::close);
    }

    /** Logs the message of the store, which names its files, and keeps it from the client. */
    private static OrreryException unreadable(
            PartitionId id, UUID activityId, RuntimeException cause) {
        LOG.log(
                Logger.Level.ERROR,
                "partition " + id + " cannot be read for activity " + activityId,
                cause);
        return new OrreryException(
                ErrorCode.UNAVAILABLE,
                "The data could not be read. The log of the server has the reason.",
                cause);
    }

    private static PartitionResponse.Failed failed(
            Replica replica, PartitionId id, PartitionEnvelope envelope, RuntimeException cause) {
        OrreryException failure =
                cause instanceof OrreryException refusal
                        ? refusal
                        : unreadable(id, envelope.activityId(), cause);
        long head = replica.find(id).map(state -> state.record().headLsn()).orElse(0L);
        if (failure.code() == ErrorCode.NOT_FOUND) {
            // The change that removed the item may be in the store and not yet published.
            byte[] record = replica.store().get(Table.META, Keys.partition(id));
            head = record == null ? head : PartitionRecord.decode(record).headLsn();
        }
        return refused(failure, head);
    }

    private static PartitionResponse.Failed refused(OrreryException failure, long headLsn) {
        return new PartitionResponse.Failed(
                failure.code(),
                failure.languageCode(),
                failure.violation(),
                failure.text(),
                failure.retryAfter().map(Duration::toMillis).orElse(0L),
                headLsn,
                failure.charge());
    }
}
