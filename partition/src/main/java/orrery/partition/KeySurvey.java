package orrery.partition;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import orrery.model.EffectiveKey;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.codec.BinaryReader;
import orrery.partition.machine.PartitionState;
import orrery.storage.Cursor;
import orrery.storage.StoreFailure;
import orrery.storage.Table;
import orrery.storage.format.Keys;
import orrery.storage.format.LogicalPartitionRecord;

/**
 * Finds the largest keys again after a start. They are kept in memory, where writes update them;
 * this goes once over the counters of the logical partitions, one small row for each key and none
 * for items, a page at a time with a rest after each. What is written meanwhile is newer and stays.
 */
final class KeySurvey implements AutoCloseable {
    private static final Logger LOG = System.getLogger(KeySurvey.class.getName());
    private static final int ROWS_PER_PAGE = 1000;
    private static final int CONTAINER_AT = 1;
    private static final int EPK_AT = 5;

    /** A start has more urgent things to do. */
    private static final Duration FIRST_REST = Duration.ofSeconds(1);

    private static final Duration REST = Duration.ofMillis(5);

    private final Replica replica;
    private final KeyCounters counters;
    private final PartitionMeters meters;
    private final KeyWarnings warnings;
    private final Consumer<Duration> rest;
    private final BackgroundThread thread;

    /**
     * @param rest waits between two pages; may return early
     */
    KeySurvey(
            Replica replica,
            PartitionMeters meters,
            KeyWarnings warnings,
            Consumer<Duration> rest) {
        this.replica = replica;
        this.counters = new KeyCounters(replica.store());
        this.meters = meters;
        this.warnings = warnings;
        this.rest = rest;
        this.thread = BackgroundThread.start("key-survey", this::run);
    }

    @Override
    public void close() {
        thread.close();
    }

    private void run() {
        try {
            rest.accept(FIRST_REST);
            Optional<byte[]> from = Optional.of(Keys.allLogicalPartitions());
            while (from.isPresent() && !Thread.currentThread().isInterrupted()) {
                from = readPage(from.get());
                rest.accept(REST);
            }
        } catch (StoreFailure failure) {
            LOG.log(Logger.Level.WARNING, "the largest keys are not known", failure);
        }
    }

    /** Reads a page and returns the place where the next one begins, if there is one. */
    private Optional<byte[]> readPage(byte[] from) {
        while (true) {
            Map<PartitionId, PartitionState> before = replica.partitions();
            Owners owners = new Owners(before);
            Optional<byte[]> next = Optional.empty();
            int rows = 0;
            try (Cursor cursor =
                    replica.store()
                            .scan(Table.META, from, Keys.after(Keys.allLogicalPartitions()))) {
                while (next.isEmpty() && cursor.next()) {
                    if (rows++ == ROWS_PER_PAGE) {
                        next = Optional.of(cursor.key());
                    } else {
                        offer(owners, cursor.key(), cursor.value());
                    }
                }
            }
            // A partition that was split or merged meanwhile has told its heirs what it knew then.
            if (replica.partitions().keySet().equals(before.keySet())) {
                return next;
            }
            before.keySet().stream()
                    .filter(id -> replica.find(id).isEmpty())
                    .forEach(meters::forget);
        }
    }

    private void offer(Owners owners, byte[] row, byte[] value) {
        int container = new BinaryReader(row, CONTAINER_AT, row.length - CONTAINER_AT).u32();
        Optional<PartitionKeyDefinition> definition = owners.definition(container);
        if (definition.isEmpty()) {
            return; // being deleted
        }
        EffectiveKey epk = Keys.logicalPartitionEpk(row, definition.get());
        int keyAt = EPK_AT + epk.bytes().length();
        PartitionKey key = PartitionKey.read(new BinaryReader(row, keyAt, row.length - keyAt));
        owners.of(container, epk)
                .ifPresent(
                        owner -> {
                            long bytes = LogicalPartitionRecord.decode(value).size().bytes();
                            meters.of(owner)
                                    .largestKeys()
                                    .offer(key, bytes, () -> counters.bytes(row));
                            owners.limit(owner)
                                    .ifPresent(limit -> warnings.grown(owner, key, bytes, limit));
                        });
    }

    /** The owners of keys at one moment. */
    private static final class Owners {
        private final Map<PartitionId, PartitionState> states;
        private final Map<Integer, NavigableMap<EffectiveKey, PartitionId>> byContainer =
                new HashMap<>();

        Owners(Map<PartitionId, PartitionState> states) {
            this.states = states;
            states.forEach(
                    (id, state) ->
                            byContainer
                                    .computeIfAbsent(id.container(), _ -> new TreeMap<>())
                                    .put(state.record().keys().min(), id));
        }

        Optional<PartitionKeyDefinition> definition(int container) {
            return Optional.ofNullable(byContainer.get(container))
                    .map(owners -> states.get(owners.firstEntry().getValue()))
                    .map(state -> state.definition().current().definition().partitionKey());
        }

        Optional<PartitionId> of(int container, EffectiveKey epk) {
            return Optional.ofNullable(byContainer.get(container))
                    .map(owners -> owners.floorEntry(epk))
                    .map(Map.Entry::getValue);
        }

        Optional<Long> limit(PartitionId owner) {
            return Optional.ofNullable(states.get(owner))
                    .map(state -> state.definition().current().logicalPartitionMaxBytes());
        }
    }
}
