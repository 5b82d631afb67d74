package orrery.partition.api;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.model.ScriptSource;
import orrery.model.Statement;
import orrery.model.TransactionWrite;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.query.EncodedQuery;
import orrery.query.write.Images;

/** A request that the leader carries out, because it may change items. */
public sealed interface WriteRequest extends ItemRequest {
    /** The same for each time that the request is sent: it is carried out once. */
    RequestId requestId();

    /** A write to items of one logical partition, which a session may have a name for. */
    sealed interface OfKey extends WriteRequest permits WriteItem, WriteFirst, Batch, Commit {
        EffectiveKey epk();

        PartitionKey partitionKey();
    }

    /** Writes one item. */
    record WriteItem(
            PartitionId partition,
            RequestId requestId,
            ItemKey key,
            WriteAction action,
            Precondition precondition)
            implements OfKey {
        @Override
        public EffectiveKey epk() {
            return key.epk();
        }

        @Override
        public PartitionKey partitionKey() {
            return key.partitionKey();
        }

        @Override
        public RequestKind kind() {
            return RequestKind.WRITE_ITEM;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            requestId.write(out);
            key.write(out);
            action.write(out);
            Precondition.write(out, precondition);
        }

        static WriteItem read(BinaryReader in) {
            return new WriteItem(
                    PartitionId.read(in),
                    RequestId.read(in),
                    ItemKey.read(in),
                    WriteAction.read(in),
                    Precondition.read(in));
        }
    }

    /**
     * Writes the first item of a logical partition that a search finds. The leader searches, and
     * computes the change from what it found; if that has changed meanwhile, it searches again.
     *
     * @param search a query that selects whole items ({@code SELECT *}), in whose order the first
     *     is taken
     * @param database number of the container's database, which heads the items' rids
     * @param action carried out on absence if the search finds nothing and the action allows it
     */
    record WriteFirst(
            PartitionId partition,
            RequestId requestId,
            EffectiveKey epk,
            PartitionKey partitionKey,
            EncodedQuery search,
            int database,
            WriteAction.Computed action)
            implements OfKey {
        @Override
        public RequestKind kind() {
            return RequestKind.WRITE_FIRST;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            requestId.write(out);
            out.bytes(epk.bytes());
            partitionKey.write(out);
            search.write(out);
            out.u32(database);
            action.write(out);
        }

        static WriteFirst read(BinaryReader in) {
            return new WriteFirst(
                    PartitionId.read(in),
                    RequestId.read(in),
                    new EffectiveKey(in.bytes()),
                    PartitionKey.read(in),
                    EncodedQuery.read(in),
                    in.u32(),
                    computed(in));
        }

        private static WriteAction.Computed computed(BinaryReader in) {
            if (WriteAction.read(in) instanceof WriteAction.Computed action) {
                return action;
            }
            throw new MalformedRecordException("an action is not one for a search");
        }
    }

    /**
     * Writes the items that a search finds, each of them once: a page of them, in the order of
     * their creation. The leader computes each change from the version that is there, and looks
     * again whether the item matches if that has changed meanwhile. Each change is made or not by
     * itself.
     *
     * @param search a query that selects whole items ({@code SELECT *}), without an order or a
     *     limit
     * @param database number of the container's database, which heads the items' rids
     * @param clip the keys that are meant
     * @param partitionKey the key, or prefix, that is meant; absent for all in the clip
     * @param action shows no versions and creates nothing
     * @param from where the page begins; absent for the first
     * @param maxItems that are changed
     * @param maxBytes of their bodies before and after; one item may have more
     */
    record ChangeMany(
            PartitionId partition,
            RequestId requestId,
            EncodedQuery search,
            int database,
            KeyRange clip,
            Optional<PartitionKey> partitionKey,
            WriteAction.Computed action,
            Optional<CreationPlace> from,
            int maxItems,
            int maxBytes)
            implements WriteRequest {
        public ChangeMany {
            if (action.images() != Images.NONE
                    || (action instanceof WriteAction.Evaluate evaluate
                            && (evaluate.upsert() || evaluate.id().isPresent()))) {
                throw new IllegalArgumentException("an action is not one for many items");
            }
            if (maxItems < 1 || maxBytes < 1) {
                throw new IllegalArgumentException("a page must be able to get somewhere");
            }
        }

        @Override
        public RequestKind kind() {
            return RequestKind.CHANGE_MANY;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            requestId.write(out);
            search.write(out);
            out.u32(database);
            clip.write(out);
            out.optional(partitionKey, (w, key) -> key.write(w));
            action.write(out);
            out.optional(from, (w, place) -> place.write(w)).u32(maxItems).u32(maxBytes);
        }

        static ChangeMany read(BinaryReader in) {
            return new ChangeMany(
                    PartitionId.read(in),
                    RequestId.read(in),
                    EncodedQuery.read(in),
                    in.u32(),
                    KeyRange.read(in),
                    in.optional(PartitionKey::read),
                    WriteFirst.computed(in),
                    in.optional(CreationPlace::read),
                    in.u32(),
                    in.u32());
        }
    }

    /**
     * Operations on items of one logical partition: all of them, at one LSN, or none. Each sees
     * what those before it did.
     *
     * @param minLsn as for a read, where the batch reads; else 0
     * @param expectedLsn the LSN of the last write of the logical partition, 0 if it had no items;
     *     if it is another by now, the batch is refused as a whole with {@code KEY_CHANGED}
     */
    record Batch(
            PartitionId partition,
            RequestId requestId,
            List<BatchStep> steps,
            long minLsn,
            OptionalLong expectedLsn)
            implements OfKey {
        /** The service's limit. */
        public static final int MAX_STEPS = 100;

        /** A batch that depends on no more than the conditions of its steps. */
        public Batch(
                PartitionId partition, RequestId requestId, List<BatchStep> steps, long minLsn) {
            this(partition, requestId, steps, minLsn, OptionalLong.empty());
        }

        public Batch {
            steps = List.copyOf(steps);
            if (steps.isEmpty() || steps.size() > MAX_STEPS) {
                throw new IllegalArgumentException("a batch has 1 to 100 steps");
            }
            PartitionKey first = steps.getFirst().key().partitionKey();
            if (!steps.stream().allMatch(step -> step.key().partitionKey().equals(first))) {
                throw new IllegalArgumentException("a batch spans two logical partitions");
            }
        }

        @Override
        public EffectiveKey epk() {
            return steps.getFirst().key().epk();
        }

        @Override
        public PartitionKey partitionKey() {
            return steps.getFirst().key().partitionKey();
        }

        @Override
        public RequestKind kind() {
            return RequestKind.BATCH;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            requestId.write(out);
            out.list(steps, (w, step) -> step.write(w)).u64(minLsn).optionalU64(expectedLsn);
        }

        static Batch read(BinaryReader in) {
            return new Batch(
                    PartitionId.read(in),
                    RequestId.read(in),
                    in.list(BatchStep::read),
                    in.u64(),
                    in.optionalU64());
        }
    }

    /**
     * Makes the writes of a transaction: all of them, at one LSN, or none. Its operations have been
     * {@link TransactedRequest}s.
     *
     * @param lastWrite the LSN of the key's last write that the operations have seen, 0 if it had
     *     no items; if it is another by now, the transaction is refused with {@code KEY_CHANGED}
     */
    record Commit(
            PartitionId partition,
            RequestId requestId,
            EffectiveKey epk,
            PartitionKey partitionKey,
            long lastWrite,
            List<TransactionWrite> writes)
            implements OfKey {
        public Commit {
            writes = List.copyOf(writes);
            if (writes.isEmpty()) {
                throw new IllegalArgumentException("a transaction without writes needs no commit");
            }
        }

        @Override
        public RequestKind kind() {
            return RequestKind.COMMIT;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            requestId.write(out);
            out.bytes(epk.bytes());
            partitionKey.write(out);
            out.u64(lastWrite).list(writes, (w, each) -> each.write(w));
        }

        static Commit read(BinaryReader in) {
            return new Commit(
                    PartitionId.read(in),
                    RequestId.read(in),
                    new EffectiveKey(in.bytes()),
                    PartitionKey.read(in),
                    in.u64(),
                    in.list(TransactionWrite::read));
        }
    }

    /**
     * A write that its session may send again. One that was carried out before is answered with
     * {@link WriteResponse.Remembered}. Of a batch, each step is a statement; if any of them was
     * carried out before, it is refused with {@code STATEMENT_DONE}, and each can be sent by
     * itself.
     */
    record Stated(Statement statement, OfKey write) implements WriteRequest {
        public Stated {
            int count = write instanceof Batch batch ? batch.steps().size() : 1;
            if (statement.count() != count) {
                throw new IllegalArgumentException("a write has one statement for each step");
            }
        }

        @Override
        public PartitionId partition() {
            return write.partition();
        }

        @Override
        public RequestId requestId() {
            return write.requestId();
        }

        @Override
        public RequestKind kind() {
            return RequestKind.STATED;
        }

        @Override
        public void write(BinaryWriter out) {
            statement.write(out);
            RequestKind.write(out, write);
        }

        static Stated read(BinaryReader in) {
            Statement statement = Statement.read(in);
            int kind = in.u8();
            if (kind == RequestKind.WRITE_ITEM.number()) {
                return new Stated(statement, WriteItem.read(in));
            }
            if (kind == RequestKind.WRITE_FIRST.number()) {
                return new Stated(statement, WriteFirst.read(in));
            }
            if (kind == RequestKind.BATCH.number()) {
                return new Stated(statement, Batch.read(in));
            }
            if (kind == RequestKind.COMMIT.number()) {
                return new Stated(statement, Commit.read(in));
            }
            throw new MalformedRecordException("a request is not one that a session names");
        }
    }

    /**
     * Deletes all items of a key.
     *
     * @param key a whole key, or the first components of a hierarchical one
     * @param keys where its items lie in this partition
     */
    record DeleteKey(PartitionId partition, RequestId requestId, PartitionKey key, KeyRange keys)
            implements WriteRequest {
        @Override
        public RequestKind kind() {
            return RequestKind.DELETE_KEY;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            requestId.write(out);
            key.write(out);
            keys.write(out);
        }

        static DeleteKey read(BinaryReader in) {
            return new DeleteKey(
                    PartitionId.read(in),
                    RequestId.read(in),
                    PartitionKey.read(in),
                    KeyRange.read(in));
        }
    }

    /**
     * Runs a stored procedure on one logical partition. What it writes, it writes at one LSN, or
     * not at all.
     *
     * @param arguments JSON array; empty for none
     * @param logs whether the caller wants what the script writes to its console
     * @param minLsn as for a read
     */
    record Execute(
            PartitionId partition,
            RequestId requestId,
            EffectiveKey epk,
            PartitionKey partitionKey,
            ScriptSource source,
            Bytes arguments,
            ScriptPlace place,
            boolean logs,
            long minLsn)
            implements WriteRequest {
        @Override
        public RequestKind kind() {
            return RequestKind.EXECUTE;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            requestId.write(out);
            out.bytes(epk.bytes());
            partitionKey.write(out);
            source.write(out);
            out.bytes(arguments);
            place.write(out);
            out.bool(logs).u64(minLsn);
        }

        static Execute read(BinaryReader in) {
            return new Execute(
                    PartitionId.read(in),
                    RequestId.read(in),
                    new EffectiveKey(in.bytes()),
                    PartitionKey.read(in),
                    ScriptSource.read(in),
                    in.bytes(),
                    ScriptPlace.read(in),
                    in.bool(),
                    in.u64());
        }
    }

    /**
     * A write with triggers: they and the write happen at one LSN, or not at all.
     *
     * @param before run in order before the write, and may change its body
     * @param after run in order when it is done, and see its result
     */
    record WriteWithTriggers(
            WriteItem write,
            List<Trigger> before,
            List<Trigger> after,
            ScriptPlace place,
            boolean logs)
            implements WriteRequest {
        public WriteWithTriggers {
            before = List.copyOf(before);
            after = List.copyOf(after);
        }

        @Override
        public PartitionId partition() {
            return write.partition();
        }

        @Override
        public RequestId requestId() {
            return write.requestId();
        }

        @Override
        public RequestKind kind() {
            return RequestKind.WRITE_WITH_TRIGGERS;
        }

        @Override
        public void write(BinaryWriter out) {
            write.write(out);
            out.list(before, (w, trigger) -> trigger.write(w))
                    .list(after, (w, trigger) -> trigger.write(w));
            place.write(out);
            out.bool(logs);
        }

        static WriteWithTriggers read(BinaryReader in) {
            return new WriteWithTriggers(
                    WriteItem.read(in),
                    in.list(Trigger::read),
                    in.list(Trigger::read),
                    ScriptPlace.read(in),
                    in.bool());
        }
    }
}
