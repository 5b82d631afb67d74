package orrery.partition;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import orrery.document.IndexPlan;
import orrery.model.EffectiveKey;
import orrery.model.EffectiveKeys;
import orrery.model.ErrorCode;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.RequestId;
import orrery.model.metering.Charge;
import orrery.model.metering.KeyAmount;
import orrery.model.metering.RequestCharge;
import orrery.model.metering.RequestTerms;
import orrery.model.metering.Traffic;
import orrery.partition.api.Budget;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;
import orrery.partition.api.ScriptPlace;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;
import orrery.partition.meter.PartitionMeter;
import orrery.partition.meter.Usage;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.evaluate.UserFunctions;
import orrery.query.syntax.QueryCache;
import orrery.script.ScriptEngine;
import orrery.script.ScriptLimits;
import orrery.storage.StoreFailure;
import orrery.storage.Table;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/**
 * Answers requests for the partitions of the replica sets on this node. To be closed before the
 * sets are: work in the background reads their stores.
 */
public final class PartitionHost implements PartitionService, AutoCloseable {
    /** When to come back where too many keys are being deleted. */
    private static final long DELETIONS_RETRY_MILLIS = 1000;

    private final Map<Integer, ReplicaSet> sets;
    private final Map<Integer, ReindexWorker> reindexing = new HashMap<>();
    private final Map<Integer, PurgeWorker> purging = new HashMap<>();
    private final List<JournalWorker> journals;
    private final PartitionMeters meters;
    private final PathGaps gaps = new PathGaps();
    private final QueryCache queries = new QueryCache();
    private final KeyLatches latches = new KeyLatches();
    private final ScriptEngine scripts;
    private final KeyWarnings warnings = new KeyWarnings();
    private final List<KeySurvey> surveys;
    private final DoubleAdder spentRu = new DoubleAdder();
    private final LongAdder refused = new LongAdder();
    private final InstantSource clock;

    public PartitionHost(Map<Integer, ReplicaSet> sets, InstantSource clock) {
        this(
                sets,
                clock,
                new ScriptEngine(
                        ScriptLimits.standard(Runtime.getRuntime().availableProcessors())));
    }

    /**
     * @param scripts closed with the host
     */
    public PartitionHost(Map<Integer, ReplicaSet> sets, InstantSource clock, ScriptEngine scripts) {
        this(sets, clock, System::nanoTime, scripts);
    }

    /**
     * @param nanoTime by which budgets fill up
     */
    public PartitionHost(
            Map<Integer, ReplicaSet> sets,
            InstantSource clock,
            LongSupplier nanoTime,
            ScriptEngine scripts) {
        this(sets, clock, nanoTime, scripts, PartitionHost::park, PartitionHost::park);
    }

    private static void park(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }

    /**
     * @param pause waits before background work that failed is tried again
     * @param rest waits between two pages of the survey of keys
     */
    PartitionHost(
            Map<Integer, ReplicaSet> sets,
            InstantSource clock,
            LongSupplier nanoTime,
            ScriptEngine scripts,
            Consumer<Duration> pause,
            Consumer<Duration> rest) {
        this.sets = Map.copyOf(sets);
        sets.forEach((number, set) -> reindexing.put(number, new ReindexWorker(set, pause)));
        this.journals =
                sets.values().stream()
                        .map(set -> new JournalWorker(set, clock, PartitionHost::park))
                        .toList();
        this.meters = new PartitionMeters(clock, nanoTime);
        this.clock = clock;
        sets.forEach((number, set) -> purging.put(number, new PurgeWorker(set, meters, clock)));
        this.scripts = scripts;
        this.surveys =
                sets.values().stream()
                        .map(set -> new KeySurvey(set, meters, warnings, rest))
                        .toList();
    }

    /** Request units that were spent here since the start. */
    public double spentRu() {
        return spentRu.sum();
    }

    /** Requests that were refused here since the start because a budget was spent. */
    public long refusedRequests() {
        return refused.sum();
    }

    /** Items that were deleted here since the start because they were gone. */
    public long purgedItems() {
        return purging.values().stream().mapToLong(PurgeWorker::purged).sum();
    }

    @Override
    public PartitionResponse call(
            int replicaSet, PartitionRequest request, RequestTerms terms, Duration timeout) {
        ReplicaSet set = sets.get(replicaSet);
        if (set == null) {
            throw new OrreryException(
                    ErrorCode.UNAVAILABLE,
                    "The replica set of this partition is not on this node.");
        }
        boolean isMetered = request instanceof PartitionRequest.OfItems;
        if (!isMetered || set.find(request.partition()).isEmpty()) {
            return answer(replicaSet, set, request, timeout);
        }
        PartitionMeter meter = meters.of(request.partition());
        long retryAfterMillis = meter.admit(terms, meters.nanoTime());
        if (retryAfterMillis > 0) {
            refused.increment();
            return failed(set, request.partition(), tooMuch(retryAfterMillis));
        }
        PartitionResponse response = unlessKnown(answer(replicaSet, set, request, timeout), terms);
        Charge charge = chargeOf(response);
        double ru = charge.ru() * terms.replicas();
        spentRu.add(ru);
        boolean usesMinute = ru > 0 && charge(meter, request, ru, terms);
        return usesMinute ? withCharge(response, charge.paidByMinute()) : response;
    }

    /** A client that has the item pays for being told so, here as in its answer. */
    private static PartitionResponse unlessKnown(PartitionResponse response, RequestTerms terms) {
        return response instanceof PartitionResponse.Found found
                        && terms.isKnown(found.item().etag())
                ? withCharge(found, RequestCharge.notModified())
                : response;
    }

    private static OrreryException tooMuch(long retryAfterMillis) {
        return Refusals.of(ErrorCode.TOO_MANY_REQUESTS, Charge.NONE)
                .withRetryAfter(Duration.ofMillis(retryAfterMillis));
    }

    private static Charge chargeOf(PartitionResponse response) {
        return switch (response) {
            case PartitionResponse.Found found -> found.charge();
            case PartitionResponse.Written written -> written.charge();
            case PartitionResponse.Feed feed -> feed.charge();
            case PartitionResponse.Changes changes -> changes.charge();
            case PartitionResponse.Versions versions -> versions.charge();
            case PartitionResponse.QueryPage page -> page.charge();
            case PartitionResponse.Batch batch -> batch.charge();
            case PartitionResponse.Executed executed -> executed.charge();
            case PartitionResponse.Triggered triggered -> triggered.charge();
            case PartitionResponse.KeyDeleted deleted -> deleted.charge();
            case PartitionResponse.Failed failed -> failed.charge();
            default -> Charge.NONE;
        };
    }

    private static PartitionResponse withCharge(PartitionResponse response, Charge charge) {
        return switch (response) {
            case PartitionResponse.Found(var item, var key, long headLsn, var _) ->
                    new PartitionResponse.Found(item, key, headLsn, charge);
            case PartitionResponse.Written(var change, var item, long headLsn, var _) ->
                    new PartitionResponse.Written(change, item, headLsn, charge);
            case PartitionResponse.Feed(var items, var next, long headLsn, var _) ->
                    new PartitionResponse.Feed(items, next, headLsn, charge);
            case PartitionResponse.Changes(var changes, long next, long headLsn, var _) ->
                    new PartitionResponse.Changes(changes, next, headLsn, charge);
            case PartitionResponse.Versions(var versions, long next, long headLsn, var _) ->
                    new PartitionResponse.Versions(versions, next, headLsn, charge);
            case PartitionResponse.QueryPage(
                            var rows,
                            var places,
                            var next,
                            var metrics,
                            long headLsn,
                            var _) ->
                    new PartitionResponse.QueryPage(rows, places, next, metrics, headLsn, charge);
            case PartitionResponse.Batch(var steps, long headLsn, var _) ->
                    new PartitionResponse.Batch(steps, headLsn, charge);
            case PartitionResponse.Executed(var body, var log, long headLsn, var _) ->
                    new PartitionResponse.Executed(body, log, headLsn, charge);
            case PartitionResponse.Triggered(
                            var change,
                            var item,
                            var body,
                            var log,
                            long headLsn,
                            var _) ->
                    new PartitionResponse.Triggered(change, item, body, log, headLsn, charge);
            case PartitionResponse.KeyDeleted(long headLsn, var _) ->
                    new PartitionResponse.KeyDeleted(headLsn, charge);
            case PartitionResponse.Failed(var code, var text, long after, long headLsn, var _) ->
                    new PartitionResponse.Failed(code, text, after, headLsn, charge);
            default -> throw new IllegalStateException("an answer without a charge was charged");
        };
    }

    /** Whether the budget of the minute paid a part of it. */
    private boolean charge(
            PartitionMeter meter, PartitionRequest request, double ru, RequestTerms terms) {
        long now = meters.nanoTime();
        return switch (request) {
            case PartitionRequest.ReadItem read ->
                    meter.charge(read.key().partitionKey(), ru, terms, now);
            case PartitionRequest.WriteItem write ->
                    meter.charge(write.key().partitionKey(), ru, terms, now);
            case PartitionRequest.Execute execute ->
                    meter.charge(execute.partitionKey(), ru, terms, now);
            case PartitionRequest.WriteWithTriggers triggered ->
                    meter.charge(triggered.write().key().partitionKey(), ru, terms, now);
            case PartitionRequest.Batch batch ->
                    meter.charge(batch.steps().getFirst().key().partitionKey(), ru, terms, now);
            default -> meter.charge(ru, terms, now);
        };
    }

    private PartitionResponse answer(
            int replicaSet, ReplicaSet set, PartitionRequest request, Duration timeout) {
        try {
            return switch (request) {
                case PartitionRequest.Open open -> open(set, open, timeout);
                case PartitionRequest.Drop drop -> drop(set, drop, timeout);
                case PartitionRequest.SetDefinition change ->
                        define(replicaSet, set, change, timeout);
                case PartitionRequest.Split split -> split(replicaSet, set, split, timeout);
                case PartitionRequest.Merge merge -> merge(replicaSet, set, merge, timeout);
                case PartitionRequest.SetBudget told -> setBudget(set, told);
                case PartitionRequest.Describe describe ->
                        describe(state(set, describe.partition()));
                case PartitionRequest.Inspect inspect -> inspect(set, inspect);
                case PartitionRequest.ReadItem read ->
                        new ItemReader(set, state(set, read.partition()), clock.millis())
                                .read(read);
                case PartitionRequest.ReadByDocid read ->
                        new ItemReader(set, state(set, read.partition()), clock.millis())
                                .readByDocid(read);
                case PartitionRequest.ReadFeed feed ->
                        new FeedReader(set, state(set, feed.partition()), clock.millis())
                                .read(feed);
                case PartitionRequest.Query query -> read(replicaSet, set, query, timeout);
                case PartitionRequest.WriteItem write ->
                        new ItemWriter(
                                        leader(set, write.partition(), write.requestId(), timeout),
                                        write,
                                        keySize(write.partition(), write.key().partitionKey()))
                                .run();
                case PartitionRequest.Batch batch ->
                        new BatchWriter(
                                        leader(set, batch.partition(), batch.requestId(), timeout),
                                        batch,
                                        keySize(
                                                batch.partition(),
                                                batch.steps().getFirst().key().partitionKey()))
                                .run();
                case PartitionRequest.Execute run ->
                        new ProcedureRun(
                                        executor(
                                                set,
                                                run.requestId(),
                                                new ItemKey(run.epk(), run.partitionKey(), ""),
                                                run.partition(),
                                                run.place(),
                                                timeout),
                                        run)
                                .run();
                case PartitionRequest.WriteWithTriggers write ->
                        new TriggeredWrite(
                                        executor(
                                                set,
                                                write.write().requestId(),
                                                write.write().key(),
                                                write.partition(),
                                                write.place(),
                                                timeout),
                                        write)
                                .run();
                case PartitionRequest.DeleteKey delete ->
                        deleteKey(replicaSet, set, delete, timeout);
                case PartitionRequest.ReadChanges read ->
                        new ChangeFeedReader(set, state(set, read.partition()), clock.millis())
                                .read(read);
                case PartitionRequest.ReadVersions read ->
                        new VersionReader(set, state(set, read.partition())).read(read);
            };
        } catch (OrreryException failure) {
            return failed(set, request.partition(), failure);
        } catch (StoreFailure failure) {
            return failed(
                    set,
                    request.partition(),
                    new OrreryException(
                            ErrorCode.UNAVAILABLE,
                            "The data could not be read: " + failure.getMessage(),
                            failure));
        }
    }

    private long examinedSeconds(int replicaSet, PartitionId partition) {
        PurgeWorker worker = purging.get(replicaSet);
        return worker == null ? 0 : worker.examinedSeconds(partition);
    }

    @Override
    public List<PartitionId> largerThan(int replicaSet, long bytes) {
        ReplicaSet set = sets.get(replicaSet);
        if (set == null) {
            return List.of();
        }
        List<PartitionId> large = new ArrayList<>();
        set.forEachPartition(
                (id, state) -> {
                    if (state.record().size().bytes() > bytes) {
                        large.add(id);
                    }
                });
        return large;
    }

    /** Done when it is noted: the rows go later. It costs what the delete of a small item does. */
    private PartitionResponse deleteKey(
            int replicaSet, ReplicaSet set, PartitionRequest.DeleteKey delete, Duration timeout) {
        Outcome outcome =
                set.submit(
                        new Command.DeleteKey(
                                delete.partition(),
                                delete.requestId(),
                                clock.millis(),
                                delete.key(),
                                delete.keys()),
                        timeout);
        return switch (outcome) {
            case Outcome.Written done -> {
                PurgeWorker worker = purging.get(replicaSet);
                if (worker != null) {
                    worker.wake();
                }
                yield new PartitionResponse.KeyDeleted(done.lsn(), RequestCharge.delete(0, 0));
            }
            case Outcome.Rejected rejected when rejected.code() == ErrorCode.TOO_MANY_REQUESTS ->
                    throw tooMuch(DELETIONS_RETRY_MILLIS);
            case Outcome.Rejected rejected ->
                    throw Refusals.of(rejected, state(set, delete.partition()));
            case Outcome.Done _, Outcome.Reindexed _ ->
                    throw new IllegalStateException("a delete was answered as another command");
        };
    }

    private Leader leader(
            ReplicaSet set, PartitionId partition, RequestId requestId, Duration timeout) {
        return new Leader(set, latches, clock, partition, requestId, timeout);
    }

    private PartitionResponse read(
            int replicaSet, ReplicaSet set, PartitionRequest.Query query, Duration timeout) {
        QueryReader reader =
                new QueryReader(
                        state(set, query.partition()),
                        gaps,
                        queries,
                        clock.millis(),
                        examinedSeconds(replicaSet, query.partition()));
        return query.functions().isEmpty()
                ? reader.read(set.store(), query, UserFunctions.NONE)
                : FunctionCalls.during(
                        scripts,
                        query.functions(),
                        timeout,
                        functions -> reader.read(set.store(), query, functions));
    }

    private ScriptExecutor executor(
            ReplicaSet set,
            RequestId requestId,
            ItemKey scope,
            PartitionId partition,
            ScriptPlace place,
            Duration timeout) {
        return new ScriptExecutor(
                leader(set, partition, requestId, timeout),
                scripts,
                latches,
                queries,
                scope,
                place,
                keySize(partition, scope.partitionKey()),
                maxRu(partition));
    }

    /** As much as the partition could pay for in all the time that a script may take. */
    private double maxRu(PartitionId partition) {
        return meters.budget(partition)
                .filter(Budget::throttling)
                .map(budget -> budget.ruPerSecond() * scripts.limits().time().toSeconds())
                .orElse(Double.MAX_VALUE);
    }

    private KeySize keySize(PartitionId partition, PartitionKey key) {
        return (bytes, limit) -> {
            meters.of(partition).largestKeys().update(key, bytes);
            warnings.grown(partition, key, bytes, limit);
        };
    }

    private PartitionResponse drop(ReplicaSet set, PartitionRequest.Drop drop, Duration timeout) {
        PartitionResponse response =
                reshape(set, new Command.DropPartition(drop.partition()), timeout);
        meters.forget(drop.partition());
        return response;
    }

    private PartitionResponse setBudget(ReplicaSet set, PartitionRequest.SetBudget told) {
        state(set, told.partition());
        meters.set(told.partition(), told.budget());
        return new PartitionResponse.Done();
    }

    private PartitionResponse inspect(ReplicaSet set, PartitionRequest.Inspect inspect) {
        PartitionState state = state(set, inspect.partition());
        PartitionMeter meter = meters.of(inspect.partition());
        long now = meters.nanoTime();
        Usage.Snapshot usage = meter.usage().snapshot(now);
        return new PartitionResponse.Inspection(
                describe(state),
                meters.budget(inspect.partition()),
                traffic(usage.second()),
                traffic(usage.minute()),
                traffic(usage.hour()),
                meter.largestKeys().top(inspect.keys()).keys().stream()
                        .map(key -> new KeyAmount(key.key(), key.bytes()))
                        .toList(),
                meter.hottestKeys().top(inspect.keys(), now).stream()
                        .map(key -> new KeyAmount(key.key(), key.mostRu()))
                        .toList());
    }

    private static Traffic traffic(Usage.Window window) {
        return new Traffic(window.ru(), window.requests() - window.refused(), window.refused());
    }

    private PartitionResponse split(
            int replicaSet, ReplicaSet set, PartitionRequest.Split split, Duration timeout) {
        Optional<PartitionState> parent = set.find(split.partition());
        EffectiveKey at = new PartitionSplitter(set, clock, split, timeout).run();
        parent.ifPresent(before -> shareMeter(split, before, at));
        wakeReindexing(replicaSet, split.partition().container(), split.left());
        wakeReindexing(replicaSet, split.partition().container(), split.right());
        return new PartitionResponse.SplitAt(at);
    }

    private void shareMeter(PartitionRequest.Split split, PartitionState parent, EffectiveKey at) {
        PartitionKeyDefinition definition =
                parent.definition().current().definition().partitionKey();
        int container = split.partition().container();
        Predicate<PartitionKey> isLeft = key -> EffectiveKeys.of(definition, key).compareTo(at) < 0;
        meters.inherit(split.partition(), new PartitionId(container, split.left()), 0.5, isLeft);
        meters.inherit(
                split.partition(), new PartitionId(container, split.right()), 0.5, isLeft.negate());
        meters.forget(split.partition());
    }

    private PartitionResponse merge(
            int replicaSet, ReplicaSet set, PartitionRequest.Merge merge, Duration timeout) {
        int container = merge.partition().container();
        try {
            PartitionResponse response =
                    reshape(
                            set,
                            new Command.MergePartitions(
                                    merge.partition(), merge.right(), merge.into(), clock.millis()),
                            timeout);
            meters.join(
                    merge.partition(),
                    new PartitionId(container, merge.right()),
                    new PartitionId(container, merge.into()));
            return response;
        } finally {
            // Also where it was refused: the entries of both may have to come home first.
            wakeReindexing(replicaSet, container, merge.partition().range());
            wakeReindexing(replicaSet, container, merge.right());
            wakeReindexing(replicaSet, container, merge.into());
        }
    }

    private void wakeReindexing(int replicaSet, int container, int range) {
        ReindexWorker worker = reindexing.get(replicaSet);
        if (worker != null) {
            worker.wake(new PartitionId(container, range));
        }
    }

    private PartitionResponse open(ReplicaSet set, PartitionRequest.Open open, Duration timeout) {
        return reshape(
                set,
                new Command.OpenPartition(
                        open.partition(), open.keys(), version(open.definition()), clock.millis()),
                timeout);
    }

    private PartitionResponse define(
            int replicaSet,
            ReplicaSet set,
            PartitionRequest.SetDefinition change,
            Duration timeout) {
        PartitionResponse response =
                reshape(
                        set,
                        new Command.SetDefinition(change.partition(), version(change.definition())),
                        timeout);
        wakeReindexing(replicaSet, change.partition().container(), change.partition().range());
        return response;
    }

    /** Stops background work; the sets are closed by whoever opened them. */
    @Override
    public void close() {
        scripts.close();
        surveys.forEach(KeySurvey::close);
        purging.values().forEach(PurgeWorker::close);
        reindexing.values().forEach(ReindexWorker::close);
        journals.forEach(JournalWorker::close);
    }

    private static PartitionResponse reshape(ReplicaSet set, Command command, Duration timeout) {
        return switch (set.submit(command, timeout)) {
            case Outcome.Done _ -> new PartitionResponse.Done();
            case Outcome.Rejected rejected ->
                    throw new OrreryException(rejected.code(), Refusals.text(rejected.code()));
            case Outcome.Written _, Outcome.Reindexed _ ->
                    throw new IllegalStateException("a command was answered as another");
        };
    }

    private static PartitionResponse.Description describe(PartitionState state) {
        PartitionRecord record = state.record();
        int percent =
                record.reindexing()
                        ? (int)
                                Math.min(
                                        99,
                                        record.reindexed()
                                                * 100
                                                / Math.max(1, record.size().items()))
                        : 100;
        return new PartitionResponse.Description(
                record.headLsn(),
                record.size().items(),
                record.size().itemBytes(),
                record.size().indexBytes(),
                percent);
    }

    private static PartitionState state(ReplicaSet set, PartitionId id) {
        return set.find(id)
                .orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.RANGE_GONE, Refusals.text(ErrorCode.RANGE_GONE)));
    }

    private static PartitionResponse failed(
            ReplicaSet set, PartitionId id, OrreryException failure) {
        long head = set.find(id).map(state -> state.record().headLsn()).orElse(0L);
        if (failure.code() == ErrorCode.NOT_FOUND) {
            // What made the item go may be in the store and not yet published.
            byte[] record = set.store().get(Table.META, Keys.partition(id));
            head = record == null ? head : PartitionRecord.decode(record).headLsn();
        }
        return new PartitionResponse.Failed(
                failure.code(),
                failure.text(),
                failure.retryAfter().map(Duration::toMillis).orElse(0L),
                head,
                failure.charge());
    }

    private static DefinitionRecord.Version version(
            PartitionRequest.PartitionDefinition definition) {
        // Says what is wrong with the policy; from the log the caller would only hear that it is.
        IndexPlan.compile(
                definition.definition().indexingPolicy(),
                ComputedProperties.of(definition.definition().computedProperties()).values());
        return new DefinitionRecord.Version(
                definition.version(),
                definition.definition(),
                definition.logicalPartitionMaxBytes(),
                definition.partitionMaxBytes());
    }
}
