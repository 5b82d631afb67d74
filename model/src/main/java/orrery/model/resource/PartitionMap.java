package orrery.model.resource;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * A container's ranges in key order. Immutable; a split or merge makes a new one with a higher
 * epoch. The ranges always tile the whole hash space: that is checked here, once, for everybody.
 *
 * @param fractions of the container's throughput, one for each range, which add up to 1; empty
 *     where all ranges have the same
 */
public record PartitionMap(long epoch, List<PhysicalPartition> partitions, List<Double> fractions) {
    /** 4: epoch and segment of each range. */
    public static final int VERSION = 4;

    /** The error that rounding may leave in a sum of fractions. */
    private static final double ROUNDING = 1e-6;

    /** A range that takes the place of others, and the segment that it begins with. */
    public record Successor(int range, int segment) {}

    public PartitionMap {
        partitions = List.copyOf(partitions);
        fractions = List.copyOf(fractions);
        checkFractions(partitions, fractions);
        EffectiveKey expected = EffectiveKey.MIN;
        for (PhysicalPartition partition : partitions) {
            if (!partition.keys().min().equals(expected)) {
                throw new IllegalArgumentException("ranges do not tile the key space");
            }
            if (partition.epoch() > epoch) {
                throw new IllegalArgumentException("a range is ahead of its map");
            }
            expected = partition.keys().max();
        }
        if (!expected.equals(EffectiveKey.MAX)) {
            throw new IllegalArgumentException("ranges do not reach the end of the key space");
        }
    }

    /** Ranges that have the same throughput each. */
    public PartitionMap(long epoch, List<PhysicalPartition> partitions) {
        this(epoch, partitions, List.of());
    }

    private static void checkFractions(List<PhysicalPartition> partitions, List<Double> fractions) {
        if (fractions.isEmpty()) {
            return;
        }
        double sum = fractions.stream().mapToDouble(Double::doubleValue).sum();
        boolean arePositive = fractions.stream().allMatch(fraction -> fraction > 0);
        if (fractions.size() != partitions.size() || !arePositive || Math.abs(sum - 1) > ROUNDING) {
            throw new IllegalArgumentException("not fractions of the throughput of all ranges");
        }
    }

    /** The part of the container's throughput that the range at a place has. */
    public double fraction(int place) {
        return fractions.isEmpty() ? 1.0 / partitions.size() : fractions.get(place);
    }

    public double fraction(PhysicalPartition partition) {
        return fraction(partitions.indexOf(partition));
    }

    /** The same ranges with other parts of the throughput; with none, each has the same. */
    public PartitionMap withFractions(List<Double> parts) {
        return new PartitionMap(epoch + 1, partitions, parts);
    }

    /** The partition that owns a key. Binary search: containers may have thousands of ranges. */
    public PhysicalPartition owner(EffectiveKey key) {
        int low = 0;
        int high = partitions.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (partitions.get(middle).keys().min().compareTo(key) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return partitions.get(low);
    }

    public Optional<PhysicalPartition> find(int range) {
        return partitions.stream().filter(partition -> partition.range() == range).findFirst();
    }

    /** The partition that a request names; it may have been split away since the client knew it. */
    public PhysicalPartition require(int range) {
        return find(range)
                .orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.RANGE_GONE,
                                        "The partition key range "
                                                + range
                                                + " does not exist any more. Refresh the ranges of"
                                                + " the container."));
    }

    /**
     * The ranges that have taken the place of a range, in key order, where they have exactly its
     * keys: it and its heirs were split and nothing was merged. Otherwise empty.
     */
    public List<PhysicalPartition> heirs(int range) {
        List<PhysicalPartition> heirs = descendants(range);
        return heirs.stream().allMatch(this::isOfSplits) ? heirs : List.of();
    }

    /**
     * Returns true if no ancestor of a range was merged. A split leaves an ancestor more heirs than
     * each of its children has. Two ranges that were merged have the same heirs ever after.
     */
    private boolean isOfSplits(PhysicalPartition heir) {
        int before = Integer.MAX_VALUE;
        for (int ancestor : heir.parents()) {
            int count = descendants(ancestor).size();
            if (count >= before) {
                return false;
            }
            before = count;
        }
        return before > 1;
    }

    private List<PhysicalPartition> descendants(int range) {
        return partitions.stream()
                .filter(partition -> partition.parents().contains(range))
                .toList();
    }

    /** The right neighbour of a range, if it has one. */
    public Optional<PhysicalPartition> after(PhysicalPartition partition) {
        return partitions.stream()
                .filter(other -> other.keys().min().equals(partition.keys().max()))
                .findFirst();
    }

    /** An id no range of this container has or ever had: every ancestor is named by some heir. */
    public int nextRange() {
        int highest = -1;
        for (PhysicalPartition partition : partitions) {
            highest = Math.max(highest, partition.range());
            for (int parent : partition.parents()) {
                highest = Math.max(highest, parent);
            }
        }
        return highest + 1;
    }

    /** The map after a range has been replaced by two, which share its part of the throughput. */
    public PartitionMap split(
            int range, Successor left, Successor right, EffectiveKey at, long millis) {
        PhysicalPartition parent = known(range);
        List<PhysicalPartition> next = new ArrayList<>(partitions);
        int place = next.indexOf(parent);
        KeyRange below = new KeyRange(parent.keys().min(), at);
        KeyRange above = new KeyRange(at, parent.keys().max());
        next.set(place, heir(List.of(parent), left, below, millis));
        next.add(place + 1, heir(List.of(parent), right, above, millis));
        List<Double> parts = new ArrayList<>(fractions);
        if (!parts.isEmpty()) {
            double half = parts.get(place) / 2;
            parts.set(place, half);
            parts.add(place + 1, half);
        }
        return new PartitionMap(epoch + 1, next, parts);
    }

    /** The map after two neighbours have been replaced by one, which has the parts of both. */
    public PartitionMap merge(int left, int right, Successor into, long millis) {
        PhysicalPartition first = known(left);
        PhysicalPartition second = known(right);
        List<PhysicalPartition> next = new ArrayList<>(partitions);
        next.remove(second);
        KeyRange keys = new KeyRange(first.keys().min(), second.keys().max());
        next.set(next.indexOf(first), heir(List.of(first, second), into, keys, millis));
        List<Double> parts = new ArrayList<>(fractions);
        if (!parts.isEmpty()) {
            int place = partitions.indexOf(first);
            parts.set(place, parts.get(place) + parts.remove(place + 1));
        }
        return new PartitionMap(epoch + 1, next, parts);
    }

    /** A range of the next map, in the set of those that it follows. */
    private PhysicalPartition heir(
            List<PhysicalPartition> parents, Successor successor, KeyRange keys, long millis) {
        return new PhysicalPartition(
                successor.range(),
                keys,
                ancestry(parents),
                parents.getFirst().replicaSet(),
                epoch + 1,
                successor.segment(),
                millis);
    }

    private PhysicalPartition known(int range) {
        return find(range)
                .orElseThrow(() -> new IllegalArgumentException("no such range: " + range));
    }

    /** Oldest first, as ids are given out in order: clients walk it from the end. */
    private static List<Integer> ancestry(List<PhysicalPartition> parents) {
        Set<Integer> all = new TreeSet<>();
        parents.forEach(parent -> all.addAll(parent.parents()));
        parents.forEach(parent -> all.add(parent.range()));
        return List.copyOf(all);
    }

    public List<PhysicalPartition> overlapping(KeyRange keys) {
        return partitions.stream().filter(partition -> partition.keys().overlaps(keys)).toList();
    }

    public void write(BinaryWriter out) {
        out.u64(epoch)
                .list(partitions, (w, partition) -> partition.write(w))
                .list(fractions, (w, fraction) -> w.u64(Double.doubleToLongBits(fraction)));
    }

    public static PartitionMap read(BinaryReader in) {
        return in.checked(
                r ->
                        new PartitionMap(
                                r.u64(),
                                r.list(PhysicalPartition::read),
                                r.list(f -> Double.longBitsToDouble(f.u64()))));
    }
}
