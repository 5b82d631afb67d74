package orrery.partition.api;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.model.RowKey;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.model.metering.Charge;
import orrery.query.index.IndexUse;

/** The answer to a {@link WriteRequest}. */
public sealed interface WriteResponse extends PartitionResponse.Charged {
    long headLsn();

    /** The change that a write made to the item. */
    enum Change {
        CREATED,
        REPLACED,
        DELETED,
        /** The item is what the write would have made of it, and keeps its version. */
        UNCHANGED
    }

    /**
     * @param item the version that was written; its body is empty unless the partition made it and
     *     the request asked for it. Absent after a delete.
     * @param before the version that was replaced or deleted, if the request asked for it
     */
    record Written(
            Change change, Optional<Item> item, Optional<Item> before, long headLsn, Charge charge)
            implements WriteResponse {
        @Override
        public Written withCharge(Charge other) {
            return new Written(change, item, before, headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.WRITTEN;
        }

        @Override
        public void write(BinaryWriter out) {
            out.enumeration(change)
                    .optional(item, (w, each) -> each.write(w))
                    .optional(before, (w, each) -> each.write(w))
                    .u64(headLsn);
            charge.write(out);
        }

        static Written read(BinaryReader in) {
            return new Written(
                    in.enumeration(Change.class),
                    in.optional(Item::read),
                    in.optional(Item::read),
                    in.u64(),
                    Charge.read(in));
        }
    }

    /**
     * The write was carried out before, and this is its answer.
     *
     * @param item the row key of the item that it wrote
     */
    record Remembered(Written first, RowKey item) implements WriteResponse {
        @Override
        public long headLsn() {
            return first.headLsn();
        }

        @Override
        public Charge charge() {
            return first.charge();
        }

        @Override
        public Remembered withCharge(Charge other) {
            return new Remembered(first.withCharge(other), item);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.REMEMBERED;
        }

        @Override
        public void write(BinaryWriter out) {
            first.write(out);
            item.write(out);
        }

        static Remembered read(BinaryReader in) {
            return new Remembered(Written.read(in), RowKey.read(in));
        }
    }

    /**
     * A write found what it wrote by indexes.
     *
     * @param write what became of it
     * @param used the indexes; one at least
     */
    record Searched(WriteResponse write, IndexUse used) implements WriteResponse {
        public Searched {
            if (!(write instanceof Written || write instanceof ManyChanged)) {
                throw new IllegalArgumentException("a response is not one to a search");
            }
        }

        /** Returns the response alone where no index was used. */
        public static WriteResponse of(WriteResponse write, IndexUse used) {
            return used.isOfNone() ? write : new Searched(write, used);
        }

        @Override
        public long headLsn() {
            return write.headLsn();
        }

        @Override
        public Charge charge() {
            return write.charge();
        }

        @Override
        public Searched withCharge(Charge other) {
            return new Searched((WriteResponse) write.withCharge(other), used);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.SEARCHED;
        }

        @Override
        public void write(BinaryWriter out) {
            used.write(out);
            ResponseKind.write(out, write);
        }

        static Searched read(BinaryReader in) {
            IndexUse used = IndexUse.read(in);
            if (ResponseKind.read(in) instanceof WriteResponse answer
                    && (answer instanceof Written || answer instanceof ManyChanged)) {
                return new Searched(answer, used);
            }
            throw new MalformedRecordException("a response is not one to a search");
        }
    }

    /**
     * The result of a batch: either every step is done, or one is refused for its own reason and
     * the others because of that one.
     *
     * @param keyLsn the LSN of the last write of the logical partition as the batch left or found
     *     it, 0 if it has no items. Absent if the batch was refused.
     */
    record Batch(List<StepResult> steps, OptionalLong keyLsn, long headLsn, Charge charge)
            implements WriteResponse {
        public Batch {
            steps = List.copyOf(steps);
        }

        @Override
        public Batch withCharge(Charge other) {
            return new Batch(steps, keyLsn, headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.BATCH;
        }

        @Override
        public void write(BinaryWriter out) {
            out.list(steps, (w, step) -> step.write(w)).optionalU64(keyLsn).u64(headLsn);
            charge.write(out);
        }

        static Batch read(BinaryReader in) {
            return new Batch(
                    in.list(StepResult::read), in.optionalU64(), in.u64(), Charge.read(in));
        }
    }

    /**
     * A page of a walk that writes many items.
     *
     * @param matched items that matched when they were written, or found to be as they would become
     * @param modified those of them that have another version now
     * @param refusal the reason for which an item could not be written, which ends the walk; what
     *     was written before stays
     * @param next where the next page begins; absent at the end
     */
    record ManyChanged(
            long matched,
            long modified,
            Optional<StepResult.Refused> refusal,
            Optional<CreationPlace> next,
            long headLsn,
            Charge charge)
            implements WriteResponse {
        @Override
        public ManyChanged withCharge(Charge other) {
            return new ManyChanged(matched, modified, refusal, next, headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.MANY_CHANGED;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u64(matched)
                    .u64(modified)
                    .optional(refusal, (w, reason) -> reason.write(w))
                    .optional(next, (w, place) -> place.write(w))
                    .u64(headLsn);
            charge.write(out);
        }

        static ManyChanged read(BinaryReader in) {
            return new ManyChanged(
                    in.u64(),
                    in.u64(),
                    in.optional(ManyChanged::refusal),
                    in.optional(CreationPlace::read),
                    in.u64(),
                    Charge.read(in));
        }

        private static StepResult.Refused refusal(BinaryReader in) {
            if (StepResult.read(in) instanceof StepResult.Refused refused) {
                return refused;
            }
            throw new MalformedRecordException("a result is not the reason of a refusal");
        }
    }

    /** The writes of a transaction are made, now or when it was sent before. */
    record Committed(long headLsn, Charge charge) implements WriteResponse {
        @Override
        public Committed withCharge(Charge other) {
            return new Committed(headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.COMMITTED;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u64(headLsn);
            charge.write(out);
        }

        static Committed read(BinaryReader in) {
            return new Committed(in.u64(), Charge.read(in));
        }
    }

    /** All items of a key are deleted. */
    record KeyDeleted(long headLsn, Charge charge) implements WriteResponse {
        @Override
        public KeyDeleted withCharge(Charge other) {
            return new KeyDeleted(headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.KEY_DELETED;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u64(headLsn);
            charge.write(out);
        }

        static KeyDeleted read(BinaryReader in) {
            return new KeyDeleted(in.u64(), Charge.read(in));
        }
    }

    /**
     * A stored procedure came to its end.
     *
     * @param body JSON of what it set as the response's body
     * @param log what it wrote to its console, if that was asked for
     */
    record Executed(Optional<Bytes> body, String log, long headLsn, Charge charge)
            implements WriteResponse {
        @Override
        public Executed withCharge(Charge other) {
            return new Executed(body, log, headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.EXECUTED;
        }

        @Override
        public void write(BinaryWriter out) {
            out.optional(body, BinaryWriter::bytes).string(log).u64(headLsn);
            charge.write(out);
        }

        static Executed read(BinaryReader in) {
            return new Executed(
                    in.optional(BinaryReader::bytes), in.string(), in.u64(), Charge.read(in));
        }
    }

    /**
     * A write and its triggers are done.
     *
     * @param item the version that was written, with its body, which a trigger may have changed.
     *     Absent after a delete.
     * @param body JSON of what a trigger set as the response's body in place of the item
     */
    record Triggered(
            Change change,
            Optional<Item> item,
            Optional<Bytes> body,
            String log,
            long headLsn,
            Charge charge)
            implements WriteResponse {
        @Override
        public Triggered withCharge(Charge other) {
            return new Triggered(change, item, body, log, headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.TRIGGERED;
        }

        @Override
        public void write(BinaryWriter out) {
            out.enumeration(change)
                    .optional(item, (w, each) -> each.write(w))
                    .optional(body, BinaryWriter::bytes)
                    .string(log)
                    .u64(headLsn);
            charge.write(out);
        }

        static Triggered read(BinaryReader in) {
            return new Triggered(
                    in.enumeration(Change.class),
                    in.optional(Item::read),
                    in.optional(BinaryReader::bytes),
                    in.string(),
                    in.u64(),
                    Charge.read(in));
        }
    }

    /**
     * A query of a script calls functions of which the partition was not told whether they exist.
     * The script has written nothing; it may run again from its start, with a place that tells.
     */
    record FunctionsNeeded(List<String> names, long headLsn, Charge charge)
            implements WriteResponse {
        public FunctionsNeeded {
            names = List.copyOf(names);
        }

        @Override
        public FunctionsNeeded withCharge(Charge other) {
            return new FunctionsNeeded(names, headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.FUNCTIONS_NEEDED;
        }

        @Override
        public void write(BinaryWriter out) {
            out.list(names, BinaryWriter::string).u64(headLsn);
            charge.write(out);
        }

        static FunctionsNeeded read(BinaryReader in) {
            return new FunctionsNeeded(in.list(BinaryReader::string), in.u64(), Charge.read(in));
        }
    }
}
