package orrery.partition.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import orrery.model.ChangeStart;
import orrery.model.ChangedItem;
import orrery.model.EffectiveKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.partition.ChangeFeedReader;
import orrery.partition.Replica;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;

/**
 * Reads the changes of all containers while they happen, with a cursor as clients keep it: LSNs of
 * ranges of keys, cut where partitions are split, and kept apart where they are merged. Whatever
 * happens to the partitions, no change may be missed, seen twice or out of order.
 */
final class FeedFollower {
    private final RandomGenerator random;
    private final Map<Integer, List<Part>> cursors = new TreeMap<>();
    private final Map<Seen, Long> seen = new HashMap<>();

    private record Part(KeyRange keys, long afterLsn) {}

    private record Seen(int container, long docid) {}

    FeedFollower(RandomGenerator random) {
        this.random = random;
    }

    /** A partition that was dropped begins anew, with LSNs that were there before. */
    void forget(int container) {
        cursors.remove(container);
        seen.keySet().removeIf(item -> item.container() == container);
    }

    /** Reads a few pages here and there. */
    void follow(Replica replica) {
        containers(replica).forEach(container -> step(replica, container, false));
    }

    /** Reads all there is, after which the last of every item must have been seen. */
    void catchUp(Replica replica, PartitionModel model) {
        for (int container : containers(replica)) {
            while (step(replica, container, true)) {
                // until nothing is new
            }
        }
        model.partitions()
                .forEach(
                        (id, partition) -> {
                            // An item that expired before it was read is not seen, and may be back.
                            if (!Workload.EXPIRING.contains(id.container())) {
                                partition.items.forEach(
                                        (suffix, item) -> {
                                            if (!PartitionModel.isGone(partition, item, 0)) {
                                                assertThat(seen.get(seenAs(id, item)))
                                                        .as("last seen of %s in %s", suffix, id)
                                                        .isEqualTo(item.lsn());
                                            }
                                        });
                            }
                        });
    }

    private static Seen seenAs(PartitionId id, StoredItem item) {
        return new Seen(id.container(), item.docid());
    }

    /** From the beginning or a time, whole or in part: exactly the items of the model. */
    void readAnew(Replica replica, PartitionModel model) {
        model.partitions()
                .forEach(
                        (id, partition) -> {
                            readAnew(replica, id, partition, partition.keys, 0);
                            readAnew(replica, id, partition, clip(partition), time(partition));
                        });
    }

    private void readAnew(
            Replica replica,
            PartitionId id,
            PartitionModel.Partition partition,
            KeyRange clip,
            long sinceMillis) {
        List<String> wanted =
                partition.items.values().stream()
                        .filter(item -> clip.contains(item.key().epk()))
                        .filter(item -> item.timeMillis() >= sinceMillis)
                        .filter(
                                item ->
                                        !PartitionModel.isGone(
                                                partition, item, partition.timeMillis))
                        .map(item -> text(item.lsn(), item.docid(), item.body().toUtf8()))
                        .sorted()
                        .toList();
        List<String> found = new ArrayList<>();
        long after = 0;
        while (true) {
            ReadResponse.Changes page =
                    read(replica, id, clip, new ChangeStart(after, sinceMillis));
            if (page.changes().isEmpty() && page.nextLsn() == page.headLsn()) {
                break;
            }
            long before = after;
            page.changes().forEach(c -> assertThat(c.item().lsn()).isGreaterThan(before));
            page.changes()
                    .forEach(
                            c ->
                                    found.add(
                                            text(
                                                    c.item().lsn(),
                                                    c.item().docid(),
                                                    c.item().body().toUtf8())));
            after = page.nextLsn();
        }
        assertThat(found.stream().map(change -> change.substring(0, 12)).toList())
                .as("LSNs of %s", id)
                .isSorted();
        assertThat(found.stream().sorted().toList())
                .as("changes of %s in %s since %d", id, clip, sinceMillis)
                .isEqualTo(wanted);
    }

    private static String text(long lsn, long docid, String body) {
        return "%012d %d %s".formatted(lsn, docid, body);
    }

    private KeyRange clip(PartitionModel.Partition partition) {
        List<EffectiveKey> keys =
                partition.items.values().stream().map(item -> item.key().epk()).distinct().toList();
        if (keys.isEmpty()) {
            return partition.keys;
        }
        EffectiveKey at = keys.get(random.nextInt(keys.size()));
        if (random.nextBoolean() || at.equals(partition.keys.min())) {
            return new KeyRange(at, partition.keys.max());
        }
        return new KeyRange(partition.keys.min(), at);
    }

    private long time(PartitionModel.Partition partition) {
        List<Long> times = partition.items.values().stream().map(StoredItem::timeMillis).toList();
        return times.isEmpty() ? 0 : times.get(random.nextInt(times.size())) + random.nextInt(2);
    }

    private static List<Integer> containers(Replica replica) {
        return replica.partitions().keySet().stream()
                .map(PartitionId::container)
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns true if anything was new. */
    private boolean step(Replica replica, int container, boolean all) {
        boolean isNew = false;
        List<Part> next = new ArrayList<>();
        for (Part part : cursors.getOrDefault(container, List.of(new Part(KeyRange.FULL, 0)))) {
            EffectiveKey reached = part.keys().min();
            for (PartitionId id : inOrder(replica, container)) {
                KeyRange owned = keys(replica, id);
                Optional<KeyRange> common = part.keys().intersect(owned);
                if (common.isEmpty()) {
                    continue;
                }
                KeyRange keys = common.get();
                addGap(next, reached, keys.min(), part.afterLsn());
                reached = keys.max();
                if (!all && random.nextBoolean()) {
                    next.add(new Part(keys, part.afterLsn()));
                    continue;
                }
                ReadResponse.Changes page =
                        read(replica, id, keys, new ChangeStart(part.afterLsn(), 0));
                page.changes().forEach(change -> see(container, change));
                isNew |= !page.changes().isEmpty() || page.nextLsn() < page.headLsn();
                next.add(new Part(keys, page.nextLsn()));
            }
            addGap(next, reached, part.keys().max(), part.afterLsn());
        }
        cursors.put(container, next);
        return isNew;
    }

    /** Keys that nobody owns at the moment. */
    private static void addGap(
            List<Part> parts, EffectiveKey from, EffectiveKey to, long afterLsn) {
        if (from.compareTo(to) < 0) {
            parts.add(new Part(new KeyRange(from, to), afterLsn));
        }
    }

    private void see(int container, ChangedItem change) {
        Long before = seen.put(new Seen(container, change.item().docid()), change.item().lsn());
        assertThat(change.item().lsn())
                .as("LSN of a change of an item that was seen before")
                .isGreaterThan(before == null ? 0 : before);
    }

    private ReadResponse.Changes read(
            Replica replica, PartitionId id, KeyRange clip, ChangeStart start) {
        int maxItems = 1 + random.nextInt(5);
        ReadResponse.Changes page =
                new ChangeFeedReader(
                                replica, replica.find(id).orElseThrow(), 0, 1 + random.nextInt(20))
                        .read(
                                new ReadRequest.ReadChanges(
                                        id,
                                        clip,
                                        Optional.empty(),
                                        start,
                                        maxItems,
                                        1 + random.nextInt(2000),
                                        0));
        List<Long> lsns = page.changes().stream().map(change -> change.item().lsn()).toList();
        assertThat(lsns).isSorted();
        if (lsns.size() > maxItems) {
            assertThat(lsns.subList(maxItems - 1, lsns.size()))
                    .as("a page goes on only to end its LSN")
                    .containsOnly(lsns.getLast());
        }
        return page;
    }

    private static List<PartitionId> inOrder(Replica replica, int container) {
        return replica.partitions().keySet().stream()
                .filter(id -> id.container() == container)
                .sorted(Comparator.comparing(id -> keys(replica, id).min()))
                .toList();
    }

    private static KeyRange keys(Replica replica, PartitionId id) {
        return replica.find(id).orElseThrow().record().keys();
    }
}
