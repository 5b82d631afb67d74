package orrery.partition;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.RequestId;
import orrery.partition.machine.Command;
import orrery.partition.machine.Levels;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionMachine;
import orrery.partition.machine.PartitionState;
import orrery.replication.CommandLog;
import orrery.replication.StateMachine;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreBatch;

/**
 * One replica of a set: its store, the machine that the log drives, and the states that readers
 * see. A state is published after its entry is in the store and before anyone hears of the outcome.
 */
public final class Replica implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Replica.class.getName());

    private final ReplicaStore store;
    private final Levels levels;
    private final Machine replica;
    private final HeadWatch heads = new HeadWatch();
    private final CommandLog<Command, Outcome> log;

    /**
     * @param log makes the log over the state machine it is given
     */
    public Replica(
            ReplicaStore store,
            Function<StateMachine<Command, Outcome>, CommandLog<Command, Outcome>> log) {
        this(store, Levels.RELEASED, log);
    }

    /**
     * @param levels the same on all replicas of the set
     * @param log makes the log over the state machine it is given
     */
    public Replica(
            ReplicaStore store,
            Levels levels,
            Function<StateMachine<Command, Outcome>, CommandLog<Command, Outcome>> log) {
        this.store = store;
        this.levels = levels;
        this.replica = new Machine(store, levels, heads);
        this.log = log.apply(replica);
    }

    public ReplicaStore store() {
        return store;
    }

    /** Returns the feature levels that it knows. */
    public Levels levels() {
        return levels;
    }

    public Optional<PartitionState> find(PartitionId id) {
        return Optional.ofNullable(replica.published.get(id));
    }

    /** Wakes those who wait for changes. */
    HeadWatch heads() {
        return heads;
    }

    public Map<PartitionId, PartitionState> partitions() {
        return Map.copyOf(replica.published);
    }

    /** Makes no copy, for work that looks at all of them often. */
    void forEachPartition(BiConsumer<PartitionId, PartitionState> visitor) {
        replica.published.forEach(visitor);
    }

    Optional<PartitionId> anyPartition() {
        return replica.published.keySet().stream().findAny();
    }

    /** The highest time that was stamped on any of its commands. */
    long timeMillis() {
        return replica.timeMillis;
    }

    /** The feature level of the set. */
    public int level() {
        return replica.level;
    }

    /**
     * Raises the feature level of the set to the newest of this release, if it is lower. Only for a
     * leader who knows that all members know that level: those who do not stop.
     */
    public void raiseLevel(Duration timeout) {
        if (level() < PartitionMachine.NEWEST_LEVEL) {
            submit(new Command.RaiseLevel(PartitionMachine.NEWEST_LEVEL), timeout);
        }
    }

    /** Refuses what members of the set may not know. */
    public Outcome submit(Command command, Duration timeout) {
        int wanted = command.neededLevel();
        if (wanted > level()) {
            throw new OrreryException(
                    ErrorCode.UNAVAILABLE,
                    "The replica set has feature level "
                            + level()
                            + ", and this needs level "
                            + wanted
                            + ". Servers raise it when they start; their log says why if they"
                            + " could not.");
        }
        return log.submit(command, timeout);
    }

    /** The outcome of a request that was carried out lately, if its entry is in the store. */
    Optional<Outcome.Repeated> findCarriedOut(RequestId id) {
        return replica.machine.findCarriedOut(id);
    }

    /** Why writes are refused until a restart, if so. */
    public Optional<OrreryException> failure() {
        return log.failure();
    }

    @Override
    public void close() {
        log.close();
        store.close();
    }

    /** The log's view of this replica. */
    private static final class Machine implements StateMachine<Command, Outcome> {
        private final ReplicaStore store;
        private final PartitionMachine machine;
        private final HeadWatch heads;
        private final Map<PartitionId, PartitionState> published = new ConcurrentHashMap<>();
        private volatile long timeMillis;
        private volatile int level;

        Machine(ReplicaStore store, Levels levels, HeadWatch heads) {
            this.store = store;
            this.heads = heads;
            this.machine = new PartitionMachine(store, levels);
            published.putAll(machine.partitions());
            timeMillis = machine.timeMillis();
            level = machine.level();
        }

        @Override
        public long appliedPosition() {
            return machine.appliedPosition();
        }

        @Override
        public int level() {
            return machine.level();
        }

        @Override
        public boolean readsCommitted(List<Command> commands) {
            return PartitionMachine.scans(commands);
        }

        @Override
        public Prepared<Outcome> prepare(long position, List<Command> commands) {
            StoreBatch batch = store.newBatch();
            try {
                PartitionMachine.Effects effects = machine.apply(position, commands, batch);
                batch.seal();
                return new Entry(batch, effects);
            } catch (RuntimeException | Error failure) {
                batch.close();
                throw failure;
            }
        }

        private final class Entry implements Prepared<Outcome> {
            private final StoreBatch batch;
            private final PartitionMachine.Effects effects;

            Entry(StoreBatch batch, PartitionMachine.Effects effects) {
                this.batch = batch;
                this.effects = effects;
            }

            @Override
            public List<Outcome> outcomes() {
                return effects.outcomes();
            }

            @Override
            public void commit(boolean durable) {
                store.write(batch, durable);
                effects.partitions().forEach(this::report);
                effects.partitions()
                        .forEach(
                                (id, state) ->
                                        state.ifPresentOrElse(
                                                present -> published.put(id, present),
                                                () -> published.remove(id)));
                effects.partitions().keySet().forEach(heads::changed);
                timeMillis = effects.timeMillis();
                level = effects.level();
            }

            /** Tells operators of a partition that has just failed. */
            private void report(PartitionId id, Optional<PartitionState> next) {
                PartitionState before = published.get(id);
                next.flatMap(state -> state.record().standing().failure())
                        .filter(_ -> before == null || !before.isFailed())
                        .ifPresent(
                                failure ->
                                        LOG.log(
                                                Level.ERROR,
                                                "partition {0} takes no more changes: at position"
                                                        + " {1} of the log {2}",
                                                id,
                                                failure.position(),
                                                failure.reason()));
            }

            @Override
            public void close() {
                batch.close();
            }
        }
    }
}
