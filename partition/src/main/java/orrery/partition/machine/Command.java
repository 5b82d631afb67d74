package orrery.partition.machine;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.Derived;
import orrery.model.DerivedRow;
import orrery.model.EffectiveKey;
import orrery.model.Encoding;
import orrery.model.Etag;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.model.RowKey;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.storage.format.DataSize;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.KeyDeletions;

/**
 * One entry of the replicated log is a list of these. Applying one gives the same store on every
 * replica.
 *
 * <p>{@code stampMillis} is the time that the leader has for the partition: what its clock says, or
 * later. A partition's time is the highest stamp it has seen.
 */
public sealed interface Command {
    PartitionId partition();

    /** One that is carried out once, however often it is sent. */
    sealed interface Requested extends Command {
        RequestId requestId();

        /** A key among those it is about. */
        EffectiveKey anyKey();

        /**
         * The answer to keep with the outcome for the case that the request is sent again, where it
         * cannot be made from the outcome alone; else empty.
         */
        default Bytes answer() {
            return Bytes.EMPTY;
        }
    }

    /** An answer that is longer is not kept. */
    int MAX_ANSWER_BYTES = 64 << 10;

    /**
     * @param segment a number that no other segment of the container has had, as the catalog gave
     *     it
     */
    record OpenPartition(
            PartitionId partition,
            KeyRange keys,
            int segment,
            DefinitionRecord.Version definition,
            long stampMillis)
            implements Command {}

    record SetDefinition(PartitionId partition, DefinitionRecord.Version definition)
            implements Command {}

    record DropPartition(PartitionId partition) implements Command {}

    /**
     * Changes to items of one logical partition: all of them, or none. They share one LSN, and each
     * sees what those before it did. That they are of one logical partition is checked here, before
     * the log: applying cannot fail on it.
     *
     * @param lastWrite the LSN at which the logical partition was last written when a script read
     *     it, 0 if it had no items. If it is another by now, the changes are refused: the script
     *     may have seen what is no longer so, or not have seen what is there now. Absent where
     *     changes do not depend on all that is there.
     * @param answer what was evaluated besides the changes; at most {@link #MAX_ANSWER_BYTES}
     */
    record WriteItems(
            PartitionId partition,
            RequestId requestId,
            long stampMillis,
            List<ItemChange> changes,
            OptionalLong lastWrite,
            Bytes answer)
            implements Requested {
        /** Changes that depend on no more than their own conditions. */
        public WriteItems(
                PartitionId partition,
                RequestId requestId,
                long stampMillis,
                List<ItemChange> changes) {
            this(partition, requestId, stampMillis, changes, OptionalLong.empty(), Bytes.EMPTY);
        }

        public WriteItems {
            changes = List.copyOf(changes);
            if (changes.stream().allMatch(ItemChange.Check.class::isInstance)) {
                throw new IllegalArgumentException("a write changes at least one item");
            }
            if (changes.size() > MAX_CHANGES) {
                throw new IllegalArgumentException("a write changes too many items");
            }
            if (answer.length() > MAX_ANSWER_BYTES) {
                throw new IllegalArgumentException("an answer is too long to be kept");
            }
            if (!isOneLogicalPartition(changes)) {
                throw new IllegalArgumentException("a write spans two logical partitions");
            }
        }

        @Override
        public EffectiveKey anyKey() {
            return changes.getFirst().key().epk();
        }
    }

    /**
     * Counts the left side of a coming split apart from the rest.
     *
     * @param at where the right side begins; ignored if this very split is prepared already
     */
    record PrepareSplit(PartitionId partition, EffectiveKey at, int left, int right)
            implements Command {}

    /**
     * Replaces a partition by its two halves.
     *
     * @param leftSegment the new segment of the left child
     * @param rightSegment the new segment of the right child
     * @param prepared position of the entry that prepared the split
     * @param leftBefore the left side as that entry left it
     */
    record CommitSplit(
            PartitionId partition,
            int left,
            int right,
            int leftSegment,
            int rightSegment,
            long prepared,
            DataSize leftBefore,
            long stampMillis)
            implements Command {}

    /**
     * Replaces a partition and its right neighbour by one.
     *
     * @param segment the new one, besides those of both
     */
    record MergePartitions(
            PartitionId partition, int right, int into, int segment, long stampMillis)
            implements Command {}

    /**
     * A step of carrying index entries to the present policy and the own segment: looks at the next
     * items in key order. An item of an older policy is passed only with what the present policy
     * needs derived from it; the step ends before one that lacks it.
     */
    record Reindex(PartitionId partition, int policyVersion, int maxItems, List<Evaluated> derived)
            implements Command {
        /** A step over items from which the policy needs nothing derived. */
        public Reindex(PartitionId partition, int policyVersion, int maxItems) {
            this(partition, policyVersion, maxItems, List.of());
        }

        public Reindex {
            derived = List.copyOf(derived);
        }

        /**
         * The rows that the leader derived from an item for the present policy.
         *
         * @param suffix the item's key without its container
         * @param etag of the version that they were derived from
         */
        public record Evaluated(Bytes suffix, Etag etag, List<DerivedRow> rows) {
            public Evaluated {
                rows = List.copyOf(rows);
            }
        }
    }

    /**
     * Deletes items that are gone: expired, or deleted with their whole key. They may be of several
     * logical partitions; all deletes have one LSN.
     */
    record Purge(PartitionId partition, long stampMillis, List<Target> targets) implements Command {
        public Purge {
            targets = List.copyOf(targets);
            if (targets.size() > MAX_CHANGES) {
                throw new IllegalArgumentException("too many items to purge at once");
            }
        }

        /**
         * @param suffix the item's key without its container
         * @param etag of the version that was seen to be gone
         */
        public record Target(Bytes suffix, Etag etag) {}
    }

    /** Forgets versions that have been kept long enough by the time of the leader. */
    record PurgeJournal(PartitionId partition, long stampMillis) implements Command {}

    /**
     * Deletes all items of a key.
     *
     * @param key a whole key, or the first components of a hierarchical one
     * @param keys where its items lie in this partition
     */
    record DeleteKey(
            PartitionId partition,
            RequestId requestId,
            long stampMillis,
            PartitionKey key,
            KeyRange keys)
            implements Requested {
        @Override
        public EffectiveKey anyKey() {
            return keys.min();
        }
    }

    /** The rows of a deleted key are gone: it need not be remembered. */
    record ForgetDeletion(PartitionId partition, KeyDeletions.Deletion deletion)
            implements Command {}

    /** One change within a {@link WriteItems}. */
    sealed interface ItemChange {
        ItemKey key();

        Precondition precondition();

        /** A change that leaves an item behind. */
        sealed interface Storing extends ItemChange {
            /** The key that the item has afterwards. */
            ItemKey target();

            Encoding encoding();

            Bytes body();

            /** The rows that the leader derived from the body for the policy that was in force. */
            Derived derived();

            /**
             * Terms extracted off the apply thread; not part of the log, checked before use and
             * made anew where they do not fit.
             */
            @Nullable PreparedTerms prepared();

            Storing with(Derived rows, @Nullable PreparedTerms terms);
        }

        record Put(
                ItemKey key,
                Expect expect,
                Precondition precondition,
                Encoding encoding,
                Bytes body,
                Derived derived,
                @Nullable PreparedTerms prepared)
                implements Storing {
            /** A put for which nothing is derived or prepared yet. */
            public Put(
                    ItemKey key,
                    Expect expect,
                    Precondition precondition,
                    Encoding encoding,
                    Bytes body) {
                this(key, expect, precondition, encoding, body, Derived.NONE, null);
            }

            @Override
            public ItemKey target() {
                return key;
            }

            @Override
            public Put with(Derived rows, @Nullable PreparedTerms terms) {
                return new Put(key, expect, precondition, encoding, body, rows, terms);
            }
        }

        /**
         * Replaces the item that is there by one with another id, which nobody may have yet. It
         * stays the same item: it keeps its docid, and the change feed shows one change.
         */
        record Rename(
                ItemKey key,
                RowKey id,
                Precondition precondition,
                Encoding encoding,
                Bytes body,
                Derived derived,
                @Nullable PreparedTerms prepared)
                implements Storing {
            /** A rename for which nothing is derived or prepared yet. */
            public Rename(
                    ItemKey key,
                    RowKey id,
                    Precondition precondition,
                    Encoding encoding,
                    Bytes body) {
                this(key, id, precondition, encoding, body, Derived.NONE, null);
            }

            public Rename {
                if (id.equals(key.rowKey())) {
                    throw new IllegalArgumentException("a rename gives another id");
                }
            }

            @Override
            public ItemKey target() {
                return key.withRowKey(id);
            }

            @Override
            public Rename with(Derived rows, @Nullable PreparedTerms terms) {
                return new Rename(key, id, precondition, encoding, body, rows, terms);
            }
        }

        record Remove(ItemKey key, Precondition precondition) implements ItemChange {}

        /**
         * Changes nothing: what the others were computed from, or what their sender was shown with
         * them, must still be so.
         */
        record Check(ItemKey key, Precondition precondition) implements ItemChange {}
    }

    /** The state of the item that a put expects. */
    enum Expect {
        ABSENT,
        PRESENT,
        ANY
    }

    /**
     * 3: segments have numbers of their own; puts, renames and re-index steps carry derived rows.
     */
    int VERSION = 3;

    /** Changes of one transaction; each gets an etag of its own. */
    int MAX_CHANGES = Etag.WRITES_OF_AN_LSN;

    static Bytes encode(Command command) {
        BinaryWriter out = new BinaryWriter(256).u8(VERSION);
        switch (command) {
            case OpenPartition c -> {
                head(out, 1, c);
                c.keys.write(out);
                out.u32(c.segment);
                writeDefinition(out, c.definition);
                out.u64(c.stampMillis);
            }
            case SetDefinition c -> {
                head(out, 2, c);
                writeDefinition(out, c.definition);
            }
            case DropPartition c -> head(out, 3, c);
            case WriteItems c -> {
                head(out, c.lastWrite.isPresent() ? 12 : 4, c);
                c.requestId.write(out);
                out.u64(c.stampMillis).list(c.changes, Command::writeChange);
                c.lastWrite.ifPresent(out::u64);
                out.bytes(c.answer);
            }
            case Reindex c -> {
                head(out, 5, c);
                out.u32(c.policyVersion)
                        .u32(c.maxItems)
                        .list(
                                c.derived,
                                (w, item) -> {
                                    w.bytes(item.suffix());
                                    item.etag().write(w);
                                    DerivedRow.writeAll(w, item.rows());
                                });
            }
            case PrepareSplit c -> {
                head(out, 6, c);
                out.bytes(c.at.bytes()).u32(c.left).u32(c.right);
            }
            case CommitSplit c -> {
                head(out, 7, c);
                out.u32(c.left).u32(c.right).u32(c.leftSegment).u32(c.rightSegment).u64(c.prepared);
                c.leftBefore.write(out);
                out.u64(c.stampMillis);
            }
            case MergePartitions c -> {
                head(out, 8, c);
                out.u32(c.right).u32(c.into).u32(c.segment).u64(c.stampMillis);
            }
            case DeleteKey c -> {
                head(out, 19, c);
                c.requestId.write(out);
                out.u64(c.stampMillis);
                c.key.write(out);
                c.keys.write(out);
            }
            case ForgetDeletion c -> {
                head(out, 20, c);
                c.deletion.key().write(out);
                c.deletion.keys().write(out);
                out.u64(c.deletion.lsn());
            }
            case Purge c -> {
                head(out, 18, c);
                out.u64(c.stampMillis)
                        .list(
                                c.targets,
                                (w, target) -> {
                                    w.bytes(target.suffix());
                                    target.etag().write(w);
                                });
            }
            case PurgeJournal c -> {
                head(out, 16, c);
                out.u64(c.stampMillis);
            }
        }
        return out.toBytes();
    }

    static Command decode(Bytes bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a command");
        }
        int kind = in.u8();
        PartitionId id = PartitionId.read(in);
        Command command =
                switch (kind) {
                    case 1 ->
                            new OpenPartition(
                                    id, KeyRange.read(in), in.u32(), readDefinition(in), in.u64());
                    case 2 -> new SetDefinition(id, readDefinition(in));
                    case 3 -> new DropPartition(id);
                    case 4 ->
                            in.checked(
                                    r ->
                                            new WriteItems(
                                                    id,
                                                    RequestId.read(r),
                                                    r.u64(),
                                                    r.list(Command::readChange),
                                                    OptionalLong.empty(),
                                                    r.bytes()));
                    case 12 ->
                            in.checked(
                                    r ->
                                            new WriteItems(
                                                    id,
                                                    RequestId.read(r),
                                                    r.u64(),
                                                    r.list(Command::readChange),
                                                    OptionalLong.of(r.u64()),
                                                    r.bytes()));
                    case 5 ->
                            new Reindex(
                                    id,
                                    in.u32(),
                                    in.u32(),
                                    in.list(
                                            each ->
                                                    new Reindex.Evaluated(
                                                            each.bytes(),
                                                            Etag.read(each),
                                                            DerivedRow.readAll(each))));
                    case 6 ->
                            new PrepareSplit(id, new EffectiveKey(in.bytes()), in.u32(), in.u32());
                    case 7 ->
                            new CommitSplit(
                                    id,
                                    in.u32(),
                                    in.u32(),
                                    in.u32(),
                                    in.u32(),
                                    in.u64(),
                                    DataSize.read(in),
                                    in.u64());
                    case 8 -> new MergePartitions(id, in.u32(), in.u32(), in.u32(), in.u64());
                    case 18 ->
                            in.checked(
                                    r ->
                                            new Purge(
                                                    id,
                                                    r.u64(),
                                                    r.list(
                                                            each ->
                                                                    new Purge.Target(
                                                                            each.bytes(),
                                                                            Etag.read(each)))));
                    case 16 -> new PurgeJournal(id, in.u64());
                    case 19 ->
                            new DeleteKey(
                                    id,
                                    RequestId.read(in),
                                    in.u64(),
                                    PartitionKey.read(in),
                                    KeyRange.read(in));
                    case 20 ->
                            new ForgetDeletion(
                                    id,
                                    new KeyDeletions.Deletion(
                                            PartitionKey.read(in), KeyRange.read(in), in.u64()));
                    default -> throw new MalformedRecordException("unknown kind of command");
                };
        in.expectEnd();
        return command;
    }

    /**
     * Returns true if the command stores something, or adds entries for stored items. All others
     * delete, or finish what was decided, and take next to nothing.
     */
    static boolean takesSpace(Command command) {
        return switch (command) {
            case WriteItems write ->
                    write.changes.stream().anyMatch(ItemChange.Storing.class::isInstance);
            case Reindex _ -> true;
            case OpenPartition _,
                    SetDefinition _,
                    DropPartition _,
                    PrepareSplit _,
                    CommitSplit _,
                    MergePartitions _,
                    Purge _,
                    PurgeJournal _,
                    DeleteKey _,
                    ForgetDeletion _ ->
                    false;
        };
    }

    /** The most that the command takes in the log. */
    static int sizeOf(Command command) {
        return CommandSize.of(command);
    }

    private static void head(BinaryWriter out, int kind, Command command) {
        out.u8(kind);
        command.partition().write(out);
    }

    private static void writeDefinition(BinaryWriter out, DefinitionRecord.Version version) {
        out.u32(version.version());
        version.definition().write(out);
        out.u64(version.logicalPartitionMaxBytes()).u64(version.partitionMaxBytes());
    }

    private static DefinitionRecord.Version readDefinition(BinaryReader in) {
        return new DefinitionRecord.Version(
                in.u32(), ContainerDefinition.read(in), in.u64(), in.u64());
    }

    private static void writeChange(BinaryWriter out, ItemChange change) {
        switch (change) {
            case ItemChange.Put put -> {
                out.u8(1);
                put.key().write(out);
                out.u8(put.expect().ordinal());
                Precondition.write(out, put.precondition());
                out.u8(put.encoding().ordinal()).bytes(put.body());
                put.derived().write(out);
            }
            case ItemChange.Remove remove -> {
                out.u8(2);
                remove.key().write(out);
                Precondition.write(out, remove.precondition());
            }
            case ItemChange.Check check -> {
                out.u8(3);
                check.key().write(out);
                Precondition.write(out, check.precondition());
            }
            case ItemChange.Rename rename -> {
                out.u8(4);
                rename.key().write(out);
                rename.id().write(out);
                Precondition.write(out, rename.precondition());
                out.u8(rename.encoding().ordinal()).bytes(rename.body());
                rename.derived().write(out);
            }
        }
    }

    private static ItemChange readChange(BinaryReader in) {
        return switch (in.u8()) {
            case 1 ->
                    new ItemChange.Put(
                            ItemKey.read(in),
                            in.enumeration(Expect.class),
                            Precondition.read(in),
                            in.enumeration(Encoding.class),
                            in.bytes(),
                            Derived.read(in),
                            null);
            case 2 -> new ItemChange.Remove(ItemKey.read(in), Precondition.read(in));
            case 3 -> new ItemChange.Check(ItemKey.read(in), Precondition.read(in));
            case 4 ->
                    new ItemChange.Rename(
                            ItemKey.read(in),
                            RowKey.read(in),
                            Precondition.read(in),
                            in.enumeration(Encoding.class),
                            in.bytes(),
                            Derived.read(in),
                            null);
            default -> throw new MalformedRecordException("unknown kind of item change");
        };
    }

    private static boolean isOneLogicalPartition(List<ItemChange> changes) {
        ItemKey first = changes.getFirst().key();
        for (int i = 1; i < changes.size(); i++) {
            ItemKey key = changes.get(i).key();
            if (!key.partitionKey().equals(first.partitionKey())
                    || !key.epk().equals(first.epk())) {
                return false;
            }
        }
        return true;
    }
}
