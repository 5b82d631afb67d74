package orrery.partition.machine;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
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
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.model.RowKey;
import orrery.model.Statement;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.storage.format.DefinitionRecord;

/**
 * One entry of the replicated log is a list of these. Applying one gives the same store on every
 * replica.
 *
 * <p>{@code stampMillis} is the time that the leader has for the partition: what its clock says, or
 * later. A partition's time is the highest stamp it has seen.
 */
public sealed interface Command {
    CommandKind kind();

    /** The feature level from which on all members of a set know the command. */
    default int neededLevel() {
        return kind().level();
    }

    /** Writes the fields. The version and the kind stand before them. */
    void write(BinaryWriter out);

    /** One about a partition of the set. If it cannot be applied, only that partition ends. */
    sealed interface OfPartition extends Command
            permits Requested,
                    OpenPartition,
                    SetDefinition,
                    DropPartition,
                    RepairPartition,
                    ReshapeCommand,
                    Reindex,
                    Purge,
                    PurgeJournal,
                    PurgeSessions,
                    ForgetDeletion,
                    AdvanceTime {
        PartitionId partition();
    }

    /** One that is carried out once, however often it is sent. */
    sealed interface Requested extends OfPartition permits WriteItems, DeleteKey {
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
            implements OfPartition {
        @Override
        public CommandKind kind() {
            return CommandKind.OPEN_PARTITION;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            keys.write(out);
            out.u32(segment);
            writeDefinition(out, definition);
            out.u64(stampMillis);
        }

        static OpenPartition read(BinaryReader in) {
            return new OpenPartition(
                    PartitionId.read(in),
                    KeyRange.read(in),
                    in.u32(),
                    readDefinition(in),
                    in.u64());
        }
    }

    record SetDefinition(PartitionId partition, DefinitionRecord.Version definition)
            implements OfPartition {
        @Override
        public CommandKind kind() {
            return CommandKind.SET_DEFINITION;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            writeDefinition(out, definition);
        }

        static SetDefinition read(BinaryReader in) {
            return new SetDefinition(PartitionId.read(in), readDefinition(in));
        }
    }

    record DropPartition(PartitionId partition) implements OfPartition {
        @Override
        public CommandKind kind() {
            return CommandKind.DROP_PARTITION;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
        }

        static DropPartition read(BinaryReader in) {
            return new DropPartition(PartitionId.read(in));
        }
    }

    /**
     * Lets a failed partition take commands again. The one that failed stays left out.
     *
     * @param position of the entry that failed: another failure, which nobody has looked at, stays
     */
    record RepairPartition(PartitionId partition, long position) implements OfPartition {
        @Override
        public CommandKind kind() {
            return CommandKind.REPAIR_PARTITION;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            out.u64(position);
        }

        static RepairPartition read(BinaryReader in) {
            return new RepairPartition(PartitionId.read(in), in.u64());
        }
    }

    /**
     * Raises the feature level of the set: entries behind this one are applied as that level says.
     * A replica that does not know it stops.
     */
    record RaiseLevel(int level) implements Command {
        @Override
        public CommandKind kind() {
            return CommandKind.RAISE_LEVEL;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(level);
        }

        static RaiseLevel read(BinaryReader in) {
            return new RaiseLevel(in.u32());
        }
    }

    /**
     * Changes to items of one logical partition: all of them, or none. They share one LSN, and each
     * sees what those before it did. That they are of one logical partition is checked here, before
     * the log: applying cannot fail on it.
     *
     * @param lastWrite the LSN at which the logical partition was last written when a script or a
     *     transaction read it, 0 if it had no items. If it is another by now, the changes are
     *     refused: the reader may have seen what is no longer so, or not have seen what is there
     *     now. Absent where changes do not depend on all that is there.
     * @param answer what was evaluated besides the changes; at most {@link #MAX_ANSWER_BYTES}
     * @param stated the statement of a session, if the write is one
     */
    record WriteItems(
            PartitionId partition,
            RequestId requestId,
            long stampMillis,
            List<ItemChange> changes,
            OptionalLong lastWrite,
            Bytes answer,
            Optional<Stated> stated)
            implements Requested {
        /** A write that no session has a name for. */
        public WriteItems(
                PartitionId partition,
                RequestId requestId,
                long stampMillis,
                List<ItemChange> changes,
                OptionalLong lastWrite,
                Bytes answer) {
            this(partition, requestId, stampMillis, changes, lastWrite, answer, Optional.empty());
        }

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

        @Override
        public CommandKind kind() {
            if (stated.isPresent()) {
                return stated.get().isTransaction()
                        ? CommandKind.WRITE_TRANSACTION
                        : CommandKind.WRITE_STATEMENT;
            }
            return lastWrite.isPresent()
                    ? CommandKind.WRITE_ITEMS_IF_UNCHANGED
                    : CommandKind.WRITE_ITEMS;
        }

        @Override
        public int neededLevel() {
            boolean hasUpdates =
                    changes.stream()
                            .anyMatch(
                                    change ->
                                            change instanceof ItemChange.Storing put
                                                    && put.isUpdate());
            return hasUpdates ? Math.max(UPDATES_LEVEL, kind().level()) : kind().level();
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            requestId.write(out);
            out.u64(stampMillis).list(changes, (w, change) -> change.write(w));
            if (stated.isPresent()) {
                out.optionalU64(lastWrite).bytes(answer);
                stated.get().write(out);
                return;
            }
            lastWrite.ifPresent(out::u64);
            out.bytes(answer);
        }

        static WriteItems read(BinaryReader in) {
            return read(in, _ -> OptionalLong.empty());
        }

        static WriteItems readIfUnchanged(BinaryReader in) {
            return read(in, r -> OptionalLong.of(r.u64()));
        }

        static WriteItems readStatement(BinaryReader in) {
            return readStated(in, false);
        }

        static WriteItems readTransaction(BinaryReader in) {
            return readStated(in, true);
        }

        private static WriteItems readStated(BinaryReader in, boolean isTransaction) {
            WriteItems write = read(in, BinaryReader::optionalU64);
            return new WriteItems(
                    write.partition,
                    write.requestId,
                    write.stampMillis,
                    write.changes,
                    write.lastWrite,
                    write.answer,
                    Optional.of(Stated.read(in, isTransaction)));
        }

        private static WriteItems read(
                BinaryReader in, Function<BinaryReader, OptionalLong> lastWrite) {
            return new WriteItems(
                    PartitionId.read(in),
                    RequestId.read(in),
                    in.u64(),
                    in.list(ItemChange::read),
                    lastWrite.apply(in),
                    in.bytes());
        }
    }

    /**
     * The statement that a write carries out, and what of the item that it changes is kept for the
     * case that it is sent again. The kept versions are not in the log, because applying knows
     * them.
     *
     * @param keepsBefore whether the version that is replaced or deleted is kept
     * @param keepsAfter whether the body that is made is kept
     * @param isTransaction whether the write is all that a transaction of the session writes
     */
    record Stated(
            Statement statement, boolean keepsBefore, boolean keepsAfter, boolean isTransaction) {
        /** A write that is no transaction of its session. */
        public Stated(Statement statement, boolean keepsBefore, boolean keepsAfter) {
            this(statement, keepsBefore, keepsAfter, false);
        }

        void write(BinaryWriter out) {
            statement.write(out);
            out.bool(keepsBefore).bool(keepsAfter);
        }

        static Stated read(BinaryReader in, boolean isTransaction) {
            return new Stated(Statement.read(in), in.bool(), in.bool(), isTransaction);
        }
    }

    /**
     * A step of carrying index entries to the present policy and the own segment: looks at the next
     * items in key order. An item of an older policy is passed only with what the present policy
     * needs derived from it; the step ends before one that lacks it.
     */
    record Reindex(PartitionId partition, int policyVersion, int maxItems, List<Evaluated> derived)
            implements OfPartition {
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

            void write(BinaryWriter out) {
                out.bytes(suffix);
                etag.write(out);
                DerivedRow.writeAll(out, rows);
            }

            static Evaluated read(BinaryReader in) {
                return new Evaluated(in.bytes(), Etag.read(in), DerivedRow.readAll(in));
            }
        }

        @Override
        public CommandKind kind() {
            return CommandKind.REINDEX;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            out.u32(policyVersion).u32(maxItems).list(derived, (w, item) -> item.write(w));
        }

        static Reindex read(BinaryReader in) {
            return new Reindex(PartitionId.read(in), in.u32(), in.u32(), in.list(Evaluated::read));
        }
    }

    /**
     * Deletes items that are gone: expired, or deleted with their whole key. They may be of several
     * logical partitions; all deletes have one LSN.
     */
    record Purge(PartitionId partition, long stampMillis, List<Target> targets)
            implements OfPartition {
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
        public record Target(Bytes suffix, Etag etag) {
            void write(BinaryWriter out) {
                out.bytes(suffix);
                etag.write(out);
            }

            static Target read(BinaryReader in) {
                return new Target(in.bytes(), Etag.read(in));
            }
        }

        @Override
        public CommandKind kind() {
            return CommandKind.PURGE;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            out.u64(stampMillis).list(targets, (w, target) -> target.write(w));
        }

        static Purge read(BinaryReader in) {
            return new Purge(PartitionId.read(in), in.u64(), in.list(Target::read));
        }
    }

    /** Forgets versions that have been kept long enough by the time of the leader. */
    record PurgeJournal(PartitionId partition, long stampMillis) implements OfPartition {
        @Override
        public CommandKind kind() {
            return CommandKind.PURGE_JOURNAL;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            out.u64(stampMillis);
        }

        static PurgeJournal read(BinaryReader in) {
            return new PurgeJournal(PartitionId.read(in), in.u64());
        }
    }

    /**
     * Moves the time of a partition on although nothing is written: every change behind this one
     * has its time or a later one, whoever leads by then.
     */
    record AdvanceTime(PartitionId partition, long stampMillis) implements OfPartition {
        @Override
        public CommandKind kind() {
            return CommandKind.ADVANCE_TIME;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            out.u64(stampMillis);
        }

        static AdvanceTime read(BinaryReader in) {
            return new AdvanceTime(PartitionId.read(in), in.u64());
        }
    }

    /** One change within a {@link WriteItems}. */
    sealed interface ItemChange {
        ItemKey key();

        Precondition precondition();

        /** Writes the number of the kind, then the fields. */
        void write(BinaryWriter out);

        static ItemChange read(BinaryReader in) {
            return switch (in.u8()) {
                case Put.NUMBER -> Put.read(in, false);
                case Put.UPDATE_NUMBER -> Put.read(in, true);
                case Remove.NUMBER -> new Remove(ItemKey.read(in), Precondition.read(in));
                case Check.NUMBER -> new Check(ItemKey.read(in), Precondition.read(in));
                case Rename.NUMBER -> Rename.read(in, false);
                case Rename.UPDATE_NUMBER -> Rename.read(in, true);
                default -> throw new MalformedRecordException("unknown kind of item change");
            };
        }

        /** A change that leaves an item behind. */
        sealed interface Storing extends ItemChange {
            /** The key that the item has afterwards. */
            ItemKey target();

            Encoding encoding();

            Bytes body();

            /** Returns true if the client said what to change of the item, and not all of it. */
            boolean isUpdate();

            /** The rows that the leader derived from the body for the policy that was in force. */
            Derived derived();

            /**
             * Terms extracted off the apply thread; not part of the log, checked before use and
             * made anew where they do not fit.
             */
            @Nullable PreparedTerms prepared();

            Storing with(Derived rows, @Nullable PreparedTerms terms);

            /** The same change of a client who said what to change, or who did not. */
            Storing asUpdate(boolean update);
        }

        record Put(
                ItemKey key,
                Expect expect,
                Precondition precondition,
                Encoding encoding,
                Bytes body,
                boolean isUpdate,
                Derived derived,
                @Nullable PreparedTerms prepared)
                implements Storing {
            private static final int NUMBER = 1;
            private static final int UPDATE_NUMBER = 5;

            /** A put for which nothing is derived or prepared yet. */
            public Put(
                    ItemKey key,
                    Expect expect,
                    Precondition precondition,
                    Encoding encoding,
                    Bytes body) {
                this(key, expect, precondition, encoding, body, false, Derived.NONE, null);
            }

            @Override
            public ItemKey target() {
                return key;
            }

            @Override
            public Put with(Derived rows, @Nullable PreparedTerms terms) {
                return new Put(key, expect, precondition, encoding, body, isUpdate, rows, terms);
            }

            @Override
            public Put asUpdate(boolean update) {
                return new Put(
                        key, expect, precondition, encoding, body, update, derived, prepared);
            }

            @Override
            public void write(BinaryWriter out) {
                out.u8(isUpdate ? UPDATE_NUMBER : NUMBER);
                key.write(out);
                out.u8(expect.ordinal());
                Precondition.write(out, precondition);
                out.u8(encoding.ordinal()).bytes(body);
                derived.write(out);
            }

            private static Put read(BinaryReader in, boolean isUpdate) {
                return new Put(
                        ItemKey.read(in),
                        in.enumeration(Expect.class),
                        Precondition.read(in),
                        in.enumeration(Encoding.class),
                        in.bytes(),
                        isUpdate,
                        Derived.read(in),
                        null);
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
                boolean isUpdate,
                Derived derived,
                @Nullable PreparedTerms prepared)
                implements Storing {
            private static final int NUMBER = 4;
            private static final int UPDATE_NUMBER = 6;

            /** A rename for which nothing is derived or prepared yet. */
            public Rename(
                    ItemKey key,
                    RowKey id,
                    Precondition precondition,
                    Encoding encoding,
                    Bytes body) {
                this(key, id, precondition, encoding, body, false, Derived.NONE, null);
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
                return new Rename(key, id, precondition, encoding, body, isUpdate, rows, terms);
            }

            @Override
            public Rename asUpdate(boolean update) {
                return new Rename(key, id, precondition, encoding, body, update, derived, prepared);
            }

            @Override
            public void write(BinaryWriter out) {
                out.u8(isUpdate ? UPDATE_NUMBER : NUMBER);
                key.write(out);
                id.write(out);
                Precondition.write(out, precondition);
                out.u8(encoding.ordinal()).bytes(body);
                derived.write(out);
            }

            private static Rename read(BinaryReader in, boolean isUpdate) {
                return new Rename(
                        ItemKey.read(in),
                        RowKey.read(in),
                        Precondition.read(in),
                        in.enumeration(Encoding.class),
                        in.bytes(),
                        isUpdate,
                        Derived.read(in),
                        null);
            }
        }

        record Remove(ItemKey key, Precondition precondition) implements ItemChange {
            private static final int NUMBER = 2;

            @Override
            public void write(BinaryWriter out) {
                out.u8(NUMBER);
                key.write(out);
                Precondition.write(out, precondition);
            }
        }

        /**
         * Changes nothing: what the others were computed from, or what their sender was shown with
         * them, must still be so.
         */
        record Check(ItemKey key, Precondition precondition) implements ItemChange {
            private static final int NUMBER = 3;

            @Override
            public void write(BinaryWriter out) {
                out.u8(NUMBER);
                key.write(out);
                Precondition.write(out, precondition);
            }
        }
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

    /** The feature level from which on updates are told from replaces. */
    int UPDATES_LEVEL = 5;

    /** Changes of one transaction; each gets an etag of its own. */
    int MAX_CHANGES = Etag.WRITES_OF_AN_LSN;

    static Bytes encode(Command command) {
        BinaryWriter out = new BinaryWriter(256).u8(VERSION);
        CommandKind.write(out, command);
        return out.toBytes();
    }

    static Command decode(Bytes bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a command");
        }
        Command command = CommandKind.read(in);
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
                    RepairPartition _,
                    RaiseLevel _,
                    ReshapeCommand _,
                    Purge _,
                    PurgeJournal _,
                    PurgeSessions _,
                    DeleteKey _,
                    ForgetDeletion _,
                    AdvanceTime _ ->
                    false;
        };
    }

    /** The most that the command takes in the log. */
    static int sizeOf(Command command) {
        return CommandSize.of(command);
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
