package orrery.storage.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The keys of a partition whose items were deleted all at once, as long as some of their rows are
 * left. Few and short-lived: the rows go in the background.
 */
public record KeyDeletions(List<Deletion> deletions, Extensions extensions) {
    public static final KeyDeletions NONE = new KeyDeletions(List.of(), Extensions.NONE);

    private static final int VERSION = 2;

    /**
     * @param key a whole key, or the first components of a hierarchical one
     * @param keys where its items lie in this partition
     * @param lsn items up to it are deleted; those written later are not meant
     */
    public record Deletion(PartitionKey key, KeyRange keys, long lsn) {
        /** Returns true if items under this key may be meant. */
        public boolean covers(ItemKey item) {
            List<?> components = item.partitionKey().components();
            int length = key.components().size();
            return keys.contains(item.epk())
                    && components.size() >= length
                    && components.subList(0, length).equals(key.components());
        }
    }

    public KeyDeletions {
        deletions = List.copyOf(deletions);
    }

    public boolean isEmpty() {
        return deletions.isEmpty();
    }

    /** Returns true if one of them may mean the item, whatever its version. */
    public boolean mayCover(Bytes suffix, PartitionKeyDefinition definition) {
        if (isEmpty()) {
            return false;
        }
        ItemKey key = Keys.itemKey(suffix, definition);
        return deletions.stream().anyMatch(deletion -> deletion.covers(key));
    }

    public boolean covers(Bytes suffix, long lsn, PartitionKeyDefinition definition) {
        if (isEmpty()) {
            return false;
        }
        ItemKey key = Keys.itemKey(suffix, definition);
        return deletions.stream()
                .anyMatch(deletion -> lsn <= deletion.lsn() && deletion.covers(key));
    }

    /** LSN of the last that may mean items under a key, 0 if none does. */
    public long lastOf(ItemKey key) {
        return deletions.stream()
                .filter(deletion -> deletion.covers(key))
                .mapToLong(Deletion::lsn)
                .max()
                .orElse(0);
    }

    /** Adds one, which takes the place of an earlier one of the same key. */
    public KeyDeletions with(Deletion added) {
        List<Deletion> next = new ArrayList<>(deletions);
        next.removeIf(
                earlier ->
                        earlier.key().equals(added.key()) && earlier.keys().equals(added.keys()));
        next.add(added);
        return new KeyDeletions(next, extensions);
    }

    public KeyDeletions without(Deletion done) {
        return new KeyDeletions(
                deletions.stream().filter(deletion -> !deletion.equals(done)).toList(), extensions);
    }

    /** These as far as they reach into a range. */
    public KeyDeletions within(KeyRange range) {
        List<Deletion> clipped = new ArrayList<>();
        for (Deletion deletion : deletions) {
            Optional<KeyRange> keys = deletion.keys().intersect(range);
            keys.ifPresent(clip -> clipped.add(new Deletion(deletion.key(), clip, deletion.lsn())));
        }
        return new KeyDeletions(clipped, extensions);
    }

    /**
     * These and those of a neighbour. After a split both sides have the extensions of their parent,
     * so what both have is kept once.
     */
    public KeyDeletions and(KeyDeletions others) {
        List<Deletion> all = new ArrayList<>(deletions);
        all.addAll(others.deletions);
        return new KeyDeletions(all, extensions.union(others.extensions));
    }

    public byte[] encode() {
        BinaryWriter out = new BinaryWriter(64);
        RecordHeader.write(out, VERSION, Extensions.headerBytes(RecordHeader.BYTES, extensions));
        return out.raw(extensions.encoded())
                .list(
                        deletions,
                        (w, deletion) -> {
                            deletion.key().write(w);
                            deletion.keys().write(w);
                            w.u64(deletion.lsn());
                        })
                .toArray();
    }

    public static KeyDeletions decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        Extensions extensions =
                RecordHeader.read(in, VERSION, "a record of deleted keys").extensions(in);
        KeyDeletions record =
                new KeyDeletions(
                        in.list(r -> new Deletion(PartitionKey.read(r), KeyRange.read(r), r.u64())),
                        extensions);
        in.expectEnd();
        return record;
    }
}
