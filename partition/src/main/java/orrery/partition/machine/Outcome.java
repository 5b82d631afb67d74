package orrery.partition.machine;

import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.RowKey;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * The outcome of applying a command. It is kept for a while, so that a repeated command can be
 * answered.
 */
public sealed interface Outcome {
    /** The partition is as the command wanted it. */
    record Done() implements Outcome {}

    /**
     * Every change was made, at one LSN. One item outcome for each.
     *
     * @param logicalBytes what the logical partition holds since
     */
    record Written(long lsn, long timeMillis, long logicalBytes, List<ItemOutcome> items)
            implements Outcome {
        public Written {
            items = List.copyOf(items);
        }
    }

    /**
     * Nothing was changed.
     *
     * @param index which change was refused
     * @param itemBytes size of the version that stood in the way, 0 if there was none
     * @param taken the key of a named index that another item has
     */
    record Rejected(ErrorCode code, int index, int itemBytes, Optional<TakenKey> taken)
            implements Outcome {
        public Rejected(ErrorCode code, int index, int itemBytes) {
            this(code, index, itemBytes, Optional.empty());
        }
    }

    /**
     * A key of a unique index that another item has.
     *
     * @param index the name of it
     * @param ordinal which of the keys that the refused item has in this index
     */
    record TakenKey(String index, int ordinal) {
        private void write(BinaryWriter out) {
            out.string(index).u32(ordinal);
        }

        private static TakenKey read(BinaryReader in) {
            return new TakenKey(in.string(), in.u32());
        }
    }

    /**
     * The re-index step came to an item that shares a key of a new unique index with another one.
     * It waits there until one of them, or the index, is gone.
     *
     * @param item its key without the container
     * @param owner the row key of the item that has the key
     */
    record Blocked(Bytes item, RowKey owner, TakenKey taken) implements Outcome {}

    /**
     * The command was carried out before, and nothing was done now.
     *
     * @param first what became of it then
     * @param answer what its sender had kept with it
     */
    record Repeated(Outcome first, Bytes answer) implements Outcome {}

    /** The work of a re-index step; nothing is left to do when {@code finished}. */
    record Reindexed(boolean finished) implements Outcome {}

    /**
     * The command changed nothing: what the leader derived from the items is not for the definition
     * that is in force now. Never kept for a repeated command, because the leader sends it again,
     * with rows that it derived anew.
     */
    record Stale() implements Outcome {}

    enum Kind {
        CREATED,
        REPLACED,
        DELETED,
        /** Only looked at. */
        SEEN
    }

    /**
     * @param oldBytes size of the body that was replaced or deleted
     * @param leavesRemoved scalars that left the index, for the charge
     * @param leavesAdded scalars that entered it
     */
    record ItemOutcome(
            Kind kind,
            long docid,
            Etag etag,
            int oldBytes,
            int newBytes,
            int leavesRemoved,
            int leavesAdded) {
        public void write(BinaryWriter out) {
            out.u8(kind.ordinal()).u64(docid);
            etag.write(out);
            out.u32(oldBytes).u32(newBytes).u32(leavesRemoved).u32(leavesAdded);
        }

        public static ItemOutcome read(BinaryReader in) {
            return new ItemOutcome(
                    in.enumeration(Kind.class),
                    in.u64(),
                    Etag.read(in),
                    in.u32(),
                    in.u32(),
                    in.u32(),
                    in.u32());
        }
    }

    static void write(BinaryWriter out, Outcome outcome) {
        switch (outcome) {
            case Done _ -> out.u8(1);
            case Written written -> {
                out.u8(2).u64(written.lsn()).u64(written.timeMillis()).u64(written.logicalBytes());
                out.list(written.items(), (w, item) -> item.write(w));
            }
            case Rejected rejected -> {
                out.u8(rejected.taken().isPresent() ? 7 : 3)
                        .string(rejected.code().name())
                        .u32(rejected.index())
                        .u32(rejected.itemBytes());
                rejected.taken().ifPresent(taken -> taken.write(out));
            }
            case Reindexed reindexed -> out.u8(4).bool(reindexed.finished());
            case Repeated repeated -> {
                out.u8(5).bytes(repeated.answer());
                write(out, repeated.first());
            }
            case Stale _ -> out.u8(6);
            case Blocked blocked -> {
                out.u8(8).bytes(blocked.item());
                blocked.owner().write(out);
                blocked.taken().write(out);
            }
        }
    }

    static Outcome read(BinaryReader in) {
        return switch (in.u8()) {
            case 1 -> new Done();
            case 2 -> new Written(in.u64(), in.u64(), in.u64(), in.list(ItemOutcome::read));
            case 3 -> new Rejected(ErrorCode.named(in.string()), in.u32(), in.u32());
            case 4 -> new Reindexed(in.bool());
            case 5 -> {
                Bytes answer = in.bytes();
                Outcome first = read(in);
                if (first instanceof Repeated) {
                    throw new MalformedRecordException("an outcome is repeated twice");
                }
                yield new Repeated(first, answer);
            }
            case 6 -> new Stale();
            case 7 ->
                    new Rejected(
                            ErrorCode.named(in.string()),
                            in.u32(),
                            in.u32(),
                            Optional.of(TakenKey.read(in)));
            case 8 -> new Blocked(in.bytes(), RowKey.read(in), TakenKey.read(in));
            default -> throw new MalformedRecordException("unknown kind of outcome");
        };
    }
}
