package orrery.partition.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.ItemVersion;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.VersionPlace;
import orrery.partition.Replica;
import orrery.partition.VersionReader;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;

/**
 * Reads all versions and deletes while they happen, as {@link FeedFollower} reads the latest ones.
 * Each page is held against the model, version for version; that something is not kept any more may
 * be said only to a reader for whom that can be so, who then goes on from now.
 */
final class VersionFollower {
    private final RandomGenerator random;
    private final PartitionModel model;
    private final Map<Integer, List<Part>> cursors = new TreeMap<>();
    private int versionsSeen;
    private int refusals;

    /**
     * @param begun the versions seen of the LSN within which the place lies
     * @param readMillis the time of the partition when this part was read
     * @param readPosition how far the log was then
     */
    private record Part(
            KeyRange keys,
            VersionPlace after,
            List<ItemVersion> begun,
            long readMillis,
            long readPosition) {
        static Part fromNow(KeyRange keys) {
            return new Part(keys, VersionPlace.NOW, List.of(), 0, 0);
        }

        Part within(KeyRange some) {
            List<ItemVersion> mine =
                    begun.stream().filter(version -> some.contains(version.key().epk())).toList();
            return new Part(some, after, mine, readMillis, readPosition);
        }
    }

    VersionFollower(RandomGenerator random, PartitionModel model) {
        this.random = random;
        this.model = model;
    }

    int versionsSeen() {
        return versionsSeen;
    }

    int refusals() {
        return refusals;
    }

    /** A partition that was dropped begins anew, with LSNs that were there before. */
    void forget(int container) {
        cursors.remove(container);
    }

    /** Reads a few pages here and there. */
    void follow(Replica replica) {
        containers(replica).forEach(container -> step(replica, container, false));
    }

    /** Reads all there is. */
    void catchUp(Replica replica) {
        for (int container : containers(replica)) {
            while (step(replica, container, true)) {
                // until nothing is new
            }
        }
    }

    /** Returns true if anything was new. */
    private boolean step(Replica replica, int container, boolean all) {
        boolean isNew = false;
        List<Part> next = new ArrayList<>();
        Part everything = Part.fromNow(KeyRange.FULL);
        for (Part part : cursors.getOrDefault(container, List.of(everything))) {
            EffectiveKey reached = part.keys().min();
            for (PartitionId id : inOrder(replica, container)) {
                Optional<KeyRange> common = part.keys().intersect(partition(id).keys);
                if (common.isEmpty()) {
                    continue;
                }
                KeyRange keys = common.get();
                addGap(next, part, reached, keys.min());
                reached = keys.max();
                Part mine = part.within(keys);
                if (!all && random.nextInt(3) == 0) {
                    next.add(mine);
                    continue;
                }
                Part after = read(replica, id, mine);
                isNew |= !after.after().equals(mine.after());
                next.add(after);
            }
            addGap(next, part, reached, part.keys().max());
        }
        cursors.put(container, next);
        return isNew;
    }

    /** Keys that nobody owns at the moment. */
    private static void addGap(List<Part> parts, Part part, EffectiveKey from, EffectiveKey to) {
        if (from.compareTo(to) < 0) {
            parts.add(part.within(new KeyRange(from, to)));
        }
    }

    /** Reads one more page and returns the reader's place after it. */
    private Part read(Replica replica, PartitionId id, Part part) {
        PartitionModel.Partition partition = partition(id);
        try {
            ReadResponse.Versions page = page(replica, id, part);
            return new Part(
                    part.keys(),
                    page.next(),
                    check(partition, part, page),
                    partition.timeMillis,
                    model.position());
        } catch (OrreryException refused) {
            assertThat(refused.code()).isIn(ErrorCode.VERSIONS_NOT_KEPT, ErrorCode.VERSIONS_LOST);
            boolean isKept = partition.definition.definition().changeRetentionMinutes() > 0;
            boolean mayBeLost =
                    part.readPosition() < partition.journalSince
                            || part.readMillis() < partition.purgedMillis;
            assertThat(isKept && !mayBeLost)
                    .as("refusal to read %s of %s: %s", part, id, refused.text())
                    .isFalse();
            refusals++;
            return Part.fromNow(part.keys());
        }
    }

    /** Returns the versions of the LSN that the page began and did not end. */
    private List<ItemVersion> check(
            PartitionModel.Partition partition, Part part, ReadResponse.Versions page) {
        assertThat(page.versions().stream().map(ItemVersion::lsn).toList()).isSorted();
        if (part.after().isNow()) {
            assertThat(page.versions()).isEmpty();
            assertThat(page.next()).isEqualTo(VersionPlace.after(partition.headLsn));
            return List.of();
        }
        long wholeLsn = page.next().wholeLsn();
        List<ItemVersion> seen = new ArrayList<>(part.begun());
        seen.addAll(page.versions());
        List<ItemVersion> begun = seen.stream().filter(each -> each.lsn() > wholeLsn).toList();
        List<ItemVersion> ended = seen.stream().filter(each -> each.lsn() <= wholeLsn).toList();
        assertThat(texts(ended))
                .as("versions of %s in %s", partition.id, part)
                .isEqualTo(texts(written(partition, part, wholeLsn)));
        assertThat(texts(written(partition, part, page.next().lsn())))
                .as("versions of an LSN that goes on, of %s in %s", partition.id, part)
                .containsAll(texts(begun));
        versionsSeen += page.versions().size();
        page.versions().stream()
                .filter(version -> version.previous().isPresent())
                .forEach(version -> checkPrevious(partition, version));
        return begun;
    }

    /** Returns the model's versions behind the last LSN of which the reader has seen all. */
    private static List<ItemVersion> written(
            PartitionModel.Partition partition, Part part, long lastLsn) {
        return partition.versions.stream()
                .filter(version -> part.keys().contains(version.key().epk()))
                .filter(version -> version.lsn() > part.after().wholeLsn())
                .filter(version -> version.lsn() <= lastLsn)
                .toList();
    }

    private static List<String> texts(List<ItemVersion> versions) {
        return versions.stream().map(VersionFollower::text).sorted().toList();
    }

    /** The version that a replace shows as the one before is the one that the model had there. */
    private static void checkPrevious(PartitionModel.Partition partition, ItemVersion found) {
        assertThat(
                        partition.versions.stream()
                                .filter(version -> version.item().equals(found.item()))
                                .map(ItemVersion::previous))
                .contains(found.previous());
    }

    private static String text(ItemVersion version) {
        return "%012d %s %s %s %d %d %d %d %s %s"
                .formatted(
                        version.lsn(),
                        version.operation(),
                        version.key().partitionKey(),
                        version.key().rowKey().text(),
                        version.timeMillis(),
                        version.previousLsn(),
                        version.item().docid(),
                        version.item().lsn(),
                        version.item().etag().quoted(),
                        version.item().body().toUtf8());
    }

    private ReadResponse.Versions page(Replica replica, PartitionId id, Part part) {
        return new VersionReader(replica, replica.find(id).orElseThrow(), 1 + random.nextInt(20))
                .read(
                        new ReadRequest.ReadVersions(
                                id,
                                part.keys(),
                                Optional.empty(),
                                part.after(),
                                1 + random.nextInt(5),
                                1 + random.nextInt(2000),
                                0));
    }

    private static List<Integer> containers(Replica replica) {
        return replica.partitions().keySet().stream()
                .map(PartitionId::container)
                .distinct()
                .sorted()
                .toList();
    }

    private List<PartitionId> inOrder(Replica replica, int container) {
        return replica.partitions().keySet().stream()
                .filter(id -> id.container() == container)
                .sorted(Comparator.comparing(id -> partition(id).keys.min()))
                .toList();
    }

    private PartitionModel.Partition partition(PartitionId id) {
        return Optional.ofNullable(model.partitions().get(id)).orElseThrow();
    }
}
