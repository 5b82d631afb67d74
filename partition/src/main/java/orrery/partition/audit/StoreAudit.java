package orrery.partition.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import orrery.model.Bytes;
import orrery.model.PartitionId;
import orrery.model.codec.MalformedRecordException;
import orrery.partition.machine.PartitionMachine;
import orrery.partition.machine.PartitionState;
import orrery.storage.Cursor;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/**
 * Looks at everything in a replica's store: each partition by itself, and whether there are rows
 * between the partitions that belong to none.
 */
public final class StoreAudit {
    private static final byte[] FIRST_KEY = {};
    private static final byte[] AFTER_ALL_KEYS = {
        (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF
    };

    private final StoreView view;
    private final List<String> findings = new ArrayList<>();

    /** Rows with {@code from <= key < to}. */
    private record Rows(Bytes from, Bytes to) {
        static Rows of(byte[] from, byte[] to) {
            return new Rows(Bytes.wrap(from), Bytes.wrap(to));
        }

        static Rows under(byte[] prefix) {
            return of(prefix, Keys.after(prefix));
        }
    }

    private StoreAudit(StoreView view) {
        this.view = view;
    }

    /**
     * Everything that is wrong, in sentences; empty if nothing is.
     *
     * @param view a snapshot, or a store at rest
     */
    public static List<String> run(StoreView view) {
        StoreAudit audit = new StoreAudit(view);
        Map<PartitionId, PartitionState> partitions;
        try {
            partitions = new TreeMap<>(new PartitionMachine(view).partitions());
        } catch (MalformedRecordException | IllegalStateException unreadable) {
            return List.of("the partitions cannot be read: " + unreadable.getMessage());
        }
        partitions.forEach(audit::partition);
        audit.strays(partitions);
        return List.copyOf(audit.findings);
    }

    private void partition(PartitionId id, PartitionState state) {
        for (String finding : PartitionAudit.run(view, id, state)) {
            findings.add("partition " + id + ": " + finding);
        }
    }

    private void strays(Map<PartitionId, PartitionState> partitions) {
        List<Rows> items = new ArrayList<>();
        List<Rows> counters = new ArrayList<>();
        List<Rows> uniqueKeys = new ArrayList<>();
        List<Rows> creations = new ArrayList<>();
        List<Rows> sessions = new ArrayList<>();
        List<Rows> sessionPlaces = new ArrayList<>();
        List<Rows> segments = new ArrayList<>();
        List<Rows> changes = new ArrayList<>();
        List<Rows> times = new ArrayList<>();
        List<Rows> definitions = new ArrayList<>();
        List<Rows> deletions = new ArrayList<>();
        partitions.forEach(
                (id, state) -> {
                    int container = id.container();
                    PartitionRecord record = state.record();
                    items.add(
                            Rows.of(
                                    Keys.itemsFrom(container, record.keys().min()),
                                    Keys.itemsFrom(container, record.keys().max())));
                    counters.add(
                            Rows.of(
                                    Keys.logicalPartitionsFrom(container, record.keys().min()),
                                    Keys.logicalPartitionsFrom(container, record.keys().max())));
                    uniqueKeys.add(
                            Rows.of(
                                    Keys.uniqueKeysFrom(container, record.keys().min()),
                                    Keys.uniqueKeysFrom(container, record.keys().max())));
                    creations.add(
                            Rows.of(
                                    Keys.creationsFrom(container, record.keys().min()),
                                    Keys.creationsFrom(container, record.keys().max())));
                    sessions.add(
                            Rows.of(
                                    Keys.sessionsFrom(container, record.keys().min()),
                                    Keys.sessionsFrom(container, record.keys().max())));
                    sessionPlaces.add(Rows.under(Keys.sessionPlaces(container)));
                    for (PartitionRecord.Segment segment : record.segments()) {
                        segments.add(Rows.under(Keys.segment(container, segment.number())));
                        times.add(Rows.under(Keys.times(container, segment.number())));
                    }
                    for (PartitionRecord.Journal journal : record.journals()) {
                        changes.add(
                                Rows.under(Keys.journal(container, journal.segment().number())));
                    }
                    definitions.add(Rows.under(Keys.definition(id)));
                    deletions.add(Rows.under(Keys.keyDeletions(id)));
                });
        Rows everything = Rows.of(FIRST_KEY, AFTER_ALL_KEYS);
        between(Table.ITEMS, everything, items);
        between(Table.INDEX, everything, segments);
        changes.addAll(segments);
        between(Table.CHANGES, everything, changes);
        between(Table.META, Rows.under(Keys.allLogicalPartitions()), counters);
        between(Table.META, Rows.under(Keys.allUniqueKeys()), uniqueKeys);
        between(Table.META, Rows.under(Keys.allCreations()), creations);
        between(Table.META, Rows.under(Keys.allSessions()), sessions);
        between(Table.META, Rows.under(Keys.allSessionPlaces()), sessionPlaces);
        between(Table.META, Rows.under(Keys.allTimes()), times);
        between(Table.META, Rows.under(Keys.allDefinitions()), definitions);
        between(Table.META, Rows.under(Keys.allKeyDeletions()), deletions);
    }

    /** One look into each gap is enough to say that there is something. */
    private void between(Table table, Rows whole, List<Rows> owned) {
        List<Rows> sorted = new ArrayList<>(owned);
        sorted.sort(Comparator.comparing(Rows::from));
        Bytes from = whole.from();
        for (Rows rows : sorted) {
            gap(table, from, rows.from());
            from = rows.to().compareTo(from) > 0 ? rows.to() : from;
        }
        gap(table, from, whole.to());
    }

    private void gap(Table table, Bytes from, Bytes to) {
        if (Arrays.compareUnsigned(from.unsafeArray(), to.unsafeArray()) >= 0) {
            return;
        }
        try (Cursor rows = view.scan(table, from.unsafeArray(), to.unsafeArray())) {
            if (rows.next()) {
                findings.add(
                        "table %s has rows of no partition, the first is %s"
                                .formatted(table, Bytes.wrap(rows.key())));
            }
        }
    }
}
