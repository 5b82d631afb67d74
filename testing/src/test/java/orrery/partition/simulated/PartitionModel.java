package orrery.partition.simulated;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import orrery.document.IndexPlan;
import orrery.document.IndexTerms;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.Keys;

/**
 * What a set of partitions should be after a log, worked out the plain way: maps in memory, sums
 * taken anew each time, and no batch, overlay, index or counter to go wrong.
 */
final class PartitionModel {
    private static final long WINDOW_MILLIS = 60_000;
    private static final int ITEM_HEADER_BYTES = 62;
    private static final int INDEX_KEY_OVERHEAD = 16;

    private final Map<PartitionId, Partition> partitions = new TreeMap<>();
    private final Map<RequestId, Answer> answers = new HashMap<>();
    private final Map<IndexingPolicy, IndexPlan> plans = new HashMap<>();
    private long timeMillis;

    private record Answer(Outcome outcome, long timeMillis) {}

    record StoredItem(
            ItemKey key,
            long docid,
            Etag etag,
            long timeMillis,
            long lsn,
            int policyVersion,
            Bytes body) {}

    static final class Partition {
        final PartitionId id;
        final KeyRange keys;
        final TreeMap<Bytes, StoredItem> items = new TreeMap<>();
        final Map<Integer, IndexingPolicy> policies = new HashMap<>();
        DefinitionRecord.Version definition;
        int policyVersion;
        long headLsn = 1;
        long timeMillis;
        long nextDocid = 1;
        boolean reindexing;
        Bytes reindexAfter = Bytes.EMPTY;

        Partition(Command.OpenPartition open) {
            id = open.partition();
            keys = open.keys();
            timeMillis = open.stampMillis();
            definition = open.definition();
            policyVersion = open.definition().version();
            policies.put(policyVersion, open.definition().definition().indexingPolicy());
        }
    }

    Map<PartitionId, Partition> partitions() {
        return partitions;
    }

    long timeMillis() {
        return timeMillis;
    }

    /** What every replica must answer; the leaf counts of the outcomes are left at zero. */
    List<Outcome> apply(List<Command> commands) {
        // A re-index step looks at what was stored before this entry.
        Map<PartitionId, Set<Bytes>> stored = new HashMap<>();
        partitions.forEach(
                (id, partition) -> stored.put(id, new TreeSet<>(partition.items.keySet())));
        Map<RequestId, Outcome> thisEntry = new HashMap<>();
        List<Outcome> outcomes = new ArrayList<>();
        for (Command command : commands) {
            outcomes.add(
                    switch (command) {
                        case Command.OpenPartition open -> open(open);
                        case Command.SetDefinition set -> setDefinition(set);
                        case Command.DropPartition drop -> {
                            partitions.remove(drop.partition());
                            yield new Outcome.Done();
                        }
                        case Command.Reindex reindex ->
                                reindex(
                                        reindex,
                                        stored.getOrDefault(reindex.partition(), Set.of()));
                        case Command.WriteItems write -> writeOnce(write, thisEntry);
                    });
        }
        thisEntry.forEach((id, outcome) -> answers.put(id, new Answer(outcome, timeMillis)));
        return outcomes;
    }

    private Outcome open(Command.OpenPartition open) {
        timeMillis = Math.max(timeMillis, open.stampMillis());
        partitions.computeIfAbsent(open.partition(), id -> new Partition(open));
        return new Outcome.Done();
    }

    private Outcome setDefinition(Command.SetDefinition set) {
        Partition partition = partitions.get(set.partition());
        if (partition == null) {
            return new Outcome.Rejected(ErrorCode.RANGE_GONE, 0, 0);
        }
        if (set.definition().version() <= partition.definition.version()) {
            return new Outcome.Done();
        }
        IndexingPolicy policy = set.definition().definition().indexingPolicy();
        if (!policy.equals(partition.definition.definition().indexingPolicy())) {
            partition.policyVersion = set.definition().version();
            partition.policies.put(partition.policyVersion, policy);
            partition.reindexing = !partition.items.isEmpty();
            partition.reindexAfter = Bytes.EMPTY;
        }
        partition.definition = set.definition();
        return new Outcome.Done();
    }

    private Outcome reindex(Command.Reindex reindex, Set<Bytes> stored) {
        Partition partition = partitions.get(reindex.partition());
        if (partition == null
                || !partition.reindexing
                || partition.policyVersion != reindex.policyVersion()) {
            return new Outcome.Reindexed(true);
        }
        Set<Bytes> touched = new HashSet<>();
        int seen = 0;
        Bytes from = partition.reindexAfter;
        for (Bytes key : stored) {
            if (!from.isEmpty() && key.compareTo(from) <= 0) {
                continue;
            }
            if (seen == reindex.maxItems()) {
                break;
            }
            touched.add(key);
            partition.reindexAfter = key;
            seen++;
        }
        for (Bytes key : new ArrayList<>(partition.items.keySet())) {
            // What this entry has put is brought up to date as well, stored before or not.
            if (touched.contains(key) || !stored.contains(key)) {
                bringUpToDate(partition, key);
            }
        }
        if (seen < reindex.maxItems()) {
            partition.reindexing = false;
            partition.reindexAfter = Bytes.EMPTY;
            return new Outcome.Reindexed(true);
        }
        return new Outcome.Reindexed(false);
    }

    private static void bringUpToDate(Partition partition, Bytes key) {
        partition.items.computeIfPresent(
                key,
                (_, item) ->
                        new StoredItem(
                                item.key(),
                                item.docid(),
                                item.etag(),
                                item.timeMillis(),
                                item.lsn(),
                                partition.policyVersion,
                                item.body()));
    }

    private Outcome writeOnce(Command.WriteItems write, Map<RequestId, Outcome> thisEntry) {
        timeMillis = Math.max(timeMillis, write.stampMillis());
        Outcome sameEntry = thisEntry.get(write.requestId());
        if (sameEntry != null) {
            return sameEntry;
        }
        Answer earlier = answers.get(write.requestId());
        if (earlier != null && earlier.timeMillis() + WINDOW_MILLIS > timeMillis) {
            return earlier.outcome();
        }
        Outcome outcome = write(write);
        boolean isGone =
                outcome instanceof Outcome.Rejected rejected
                        && rejected.code() == ErrorCode.RANGE_GONE;
        if (!isGone) {
            thisEntry.put(write.requestId(), outcome);
        }
        return outcome;
    }

    private Outcome write(Command.WriteItems write) {
        Partition partition = partitions.get(write.partition());
        ItemKey first = write.changes().getFirst().key();
        if (partition == null || !partition.keys.contains(first.epk())) {
            return new Outcome.Rejected(ErrorCode.RANGE_GONE, 0, 0);
        }
        TreeMap<Bytes, StoredItem> after = new TreeMap<>(partition.items);
        long lsn = partition.headLsn + 1;
        long time = Math.max(partition.timeMillis, write.stampMillis());
        long nextDocid = partition.nextDocid;
        long bytesBefore = bytesOf(partition, partition.items, first);
        List<Outcome.ItemOutcome> items = new ArrayList<>();
        for (int i = 0; i < write.changes().size(); i++) {
            Command.ItemChange change = write.changes().get(i);
            Bytes suffix = Keys.itemSuffix(change.key());
            Optional<StoredItem> before = Optional.ofNullable(after.get(suffix));
            Optional<ErrorCode> refusal = refusal(change, before);
            if (refusal.isPresent()) {
                return new Outcome.Rejected(
                        refusal.get(), i, before.map(item -> item.body().length()).orElse(0));
            }
            switch (change) {
                case Command.ItemChange.Remove remove -> {
                    StoredItem gone = after.remove(suffix);
                    items.add(
                            outcome(
                                    Outcome.Kind.DELETED,
                                    gone.docid(),
                                    gone.etag(),
                                    gone.body(),
                                    Bytes.EMPTY));
                }
                case Command.ItemChange.Put put -> {
                    long docid =
                            before.isPresent()
                                    ? before.get().docid()
                                    : ((long) partition.id.range() << 40) + nextDocid++;
                    Etag etag = Etag.ofWrite(partition.id.range(), lsn, i);
                    after.put(
                            suffix,
                            new StoredItem(
                                    put.key(),
                                    docid,
                                    etag,
                                    time,
                                    lsn,
                                    partition.policyVersion,
                                    put.body()));
                    items.add(
                            outcome(
                                    before.isPresent()
                                            ? Outcome.Kind.REPLACED
                                            : Outcome.Kind.CREATED,
                                    docid,
                                    etag,
                                    before.map(StoredItem::body).orElse(Bytes.EMPTY),
                                    put.body()));
                }
            }
            long bytesAfter = bytesOf(partition, after, first);
            if (bytesAfter > bytesBefore
                    && bytesAfter > partition.definition.logicalPartitionMaxBytes()) {
                return new Outcome.Rejected(ErrorCode.LOGICAL_PARTITION_FULL, i, 0);
            }
        }
        partition.items.clear();
        partition.items.putAll(after);
        partition.headLsn = lsn;
        partition.timeMillis = time;
        partition.nextDocid = nextDocid;
        return new Outcome.Written(lsn, time, items);
    }

    private static Optional<ErrorCode> refusal(
            Command.ItemChange change, Optional<StoredItem> before) {
        Command.Expect expect =
                switch (change) {
                    case Command.ItemChange.Put put -> put.expect();
                    case Command.ItemChange.Remove _ -> Command.Expect.PRESENT;
                };
        if (before.isEmpty()) {
            return expect == Command.Expect.PRESENT
                    ? Optional.of(ErrorCode.NOT_FOUND)
                    : Optional.empty();
        }
        if (expect == Command.Expect.ABSENT) {
            return Optional.of(ErrorCode.CONFLICT);
        }
        return Precondition.holds(change.precondition(), before.get().etag())
                ? Optional.empty()
                : Optional.of(ErrorCode.PRECONDITION_FAILED);
    }

    private static Outcome.ItemOutcome outcome(
            Outcome.Kind kind, long docid, Etag etag, Bytes before, Bytes after) {
        return new Outcome.ItemOutcome(kind, docid, etag, before.length(), after.length(), 0, 0);
    }

    private long bytesOf(Partition partition, Map<Bytes, StoredItem> items, ItemKey one) {
        long total = 0;
        for (Map.Entry<Bytes, StoredItem> entry : items.entrySet()) {
            StoredItem item = entry.getValue();
            if (item.key().partitionKey().equals(one.partitionKey())) {
                total += bytesOf(partition, entry.getKey().length(), item);
            }
        }
        return total;
    }

    private long bytesOf(Partition partition, int suffixBytes, StoredItem item) {
        IndexTerms terms =
                plans.computeIfAbsent(
                                partition.policies.get(item.policyVersion()), IndexPlan::compile)
                        .extract(item.body(), item.timeMillis() / 1000);
        long index = INDEX_KEY_OVERHEAD + 1L + suffixBytes;
        for (int i = 0; i < terms.size(); i++) {
            index += (long) INDEX_KEY_OVERHEAD + terms.term(i).length() + suffixBytes;
        }
        return 4L + suffixBytes + ITEM_HEADER_BYTES + item.body().length() + index;
    }
}
