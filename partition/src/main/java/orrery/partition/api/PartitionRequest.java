package orrery.partition.api;

import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ChangeStart;
import orrery.model.ContainerDefinition;
import orrery.model.EffectiveKey;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.model.RowKey;
import orrery.model.ScriptSource;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.query.QueryRequest;
import orrery.query.execute.QueryPart;

/** Everything a physical partition can be asked. */
public sealed interface PartitionRequest {
    PartitionId partition();

    /** A request about items: it is metered. */
    sealed interface OfItems extends PartitionRequest {}

    /**
     * A request about the partition itself, from the catalog or an operator: nobody pays for it.
     */
    sealed interface OfItself extends PartitionRequest {}

    /**
     * @param minLsn the caller has seen this LSN; an older answer would go back in time
     */
    record ReadItem(PartitionId partition, ItemKey key, long minLsn) implements OfItems {}

    /** Finds an item by its rid; the partition key is checked when the caller knows it. */
    record ReadByDocid(
            PartitionId partition, long docid, Optional<PartitionKey> partitionKey, long minLsn)
            implements OfItems {}

    record WriteItem(
            PartitionId partition,
            RequestId requestId,
            ItemKey key,
            WriteAction action,
            Precondition precondition)
            implements OfItems {}

    /**
     * Deletes all items of a key.
     *
     * @param key a whole key, or the first components of a hierarchical one
     * @param keys where its items lie in this partition
     */
    record DeleteKey(PartitionId partition, RequestId requestId, PartitionKey key, KeyRange keys)
            implements OfItems {}

    /**
     * Operations on items of one logical partition: all of them, at one LSN, or none. Each sees
     * what those before it did.
     *
     * @param minLsn as for a read, where the batch reads; else 0
     */
    record Batch(PartitionId partition, RequestId requestId, List<BatchStep> steps, long minLsn)
            implements OfItems {
        public Batch {
            steps = List.copyOf(steps);
            if (steps.isEmpty() || steps.size() > MAX_BATCH_STEPS) {
                throw new IllegalArgumentException("a batch has 1 to 100 steps");
            }
            PartitionKey first = steps.getFirst().key().partitionKey();
            if (!steps.stream().allMatch(step -> step.key().partitionKey().equals(first))) {
                throw new IllegalArgumentException("a batch spans two logical partitions");
            }
        }
    }

    /** The service's limit. */
    int MAX_BATCH_STEPS = 100;

    /** One operation of a {@link Batch}. */
    sealed interface BatchStep {
        ItemKey key();

        /** The key that the item has afterwards; another one only where its id changes. */
        default ItemKey target() {
            return key();
        }

        /**
         * @param known holds for the version the client has, which it need not be sent
         */
        record Read(ItemKey key, Precondition known) implements BatchStep {}

        record Write(ItemKey key, WriteAction action, Precondition precondition)
                implements BatchStep {
            @Override
            public ItemKey target() {
                return action.target(key);
            }
        }
    }

    /**
     * A page of items in key order.
     *
     * @param clip only items whose effective key lies here
     * @param partitionKey only this logical partition, or those under this prefix
     * @param after the position handed out with the page before
     * @param maxItems at least 1, or a page could not get anywhere
     * @param maxBytes the page ends before the item that would exceed it, but holds at least one
     */
    record ReadFeed(
            PartitionId partition,
            KeyRange clip,
            Optional<PartitionKey> partitionKey,
            Optional<Bytes> after,
            int maxItems,
            int maxBytes,
            long minLsn)
            implements OfItems {
        public ReadFeed {
            if (maxItems < 1) {
                throw new IllegalArgumentException("a page holds at least one item");
            }
        }
    }

    /**
     * A page of the results of a query.
     *
     * @param database number of the container's database, which heads the rids of the items
     * @param clip only items whose effective key lies here
     * @param partitionKey only this logical partition, or those under this prefix
     * @param after the position handed out with the page before, by this partition or by one whose
     *     keys it has now
     * @param part present if the answer is put together from those of several partitions
     * @param maxBytes the page ends before the result that would exceed it, but holds at least one
     * @param functions those of users that the query calls
     */
    record Query(
            PartitionId partition,
            int database,
            QueryRequest query,
            KeyRange clip,
            Optional<PartitionKey> partitionKey,
            Optional<Bytes> after,
            Optional<QueryPart> part,
            int maxItems,
            int maxBytes,
            long minLsn,
            List<ScriptSource> functions)
            implements OfItems {
        public Query {
            functions = List.copyOf(functions);
            if (maxItems < 1 || maxBytes < 1) {
                throw new IllegalArgumentException("a page holds at least one result");
            }
        }
    }

    /**
     * A page of items in the order of their last changes.
     *
     * @param clip only items whose effective key lies here
     * @param partitionKey only this logical partition, or those under this prefix
     * @param maxItems at least 1; a page holds more where it would otherwise end within an LSN
     * @param maxBytes likewise
     */
    record ReadChanges(
            PartitionId partition,
            KeyRange clip,
            Optional<PartitionKey> partitionKey,
            ChangeStart start,
            int maxItems,
            int maxBytes,
            long minLsn)
            implements OfItems {
        public ReadChanges {
            if (maxItems < 1) {
                throw new IllegalArgumentException("a page holds at least one item");
            }
        }
    }

    /**
     * A page of all versions and deletes that were kept, in the order of their LSNs.
     *
     * @param partitionKey as for a feed of items
     * @param afterLsn only changes with a higher LSN; {@link Long#MAX_VALUE} skips all that is
     *     there
     */
    record ReadVersions(
            PartitionId partition,
            KeyRange clip,
            Optional<PartitionKey> partitionKey,
            long afterLsn,
            int maxItems,
            int maxBytes,
            long minLsn)
            implements OfItems {
        public ReadVersions {
            if (maxItems < 1) {
                throw new IllegalArgumentException("a page holds at least one item");
            }
        }

        public boolean isFromNow() {
            return afterLsn == Long.MAX_VALUE;
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
            implements OfItems {}

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
            implements OfItems {
        public WriteWithTriggers {
            before = List.copyOf(before);
            after = List.copyOf(after);
        }

        @Override
        public PartitionId partition() {
            return write.partition();
        }
    }

    /** Asks for counters and progress. */
    record Describe(PartitionId partition) implements OfItself {}

    /** Asks for all that an operator wants to see, with so many of its largest and hottest keys. */
    record Inspect(PartitionId partition, int keys) implements OfItself {}

    /** Tells what the partition may spend from now on. Not kept: told again after a start. */
    record SetBudget(PartitionId partition, Budget budget) implements OfItself {}

    /** Opens an empty partition; doing it twice is the same as once. */
    record Open(PartitionId partition, KeyRange keys, PartitionDefinition definition)
            implements OfItself {}

    record SetDefinition(PartitionId partition, PartitionDefinition definition)
            implements OfItself {}

    /** Removes a partition and all it holds; doing it twice is the same as once. */
    record Drop(PartitionId partition) implements OfItself {}

    /**
     * Replaces the partition by two new ones; answers where the right one begins. Doing it twice is
     * the same as once.
     */
    record Split(PartitionId partition, int left, int right, SplitAim aim) implements OfItself {}

    /** The purpose of a split. */
    enum SplitAim {
        /** Halves the data; refused where one key holds all of it. */
        STORAGE,
        /** Always possible; halves the hash space where the data says nothing. */
        THROUGHPUT,
        /** Somebody wants it; cut like one for throughput. */
        OPERATOR
    }

    /**
     * Replaces the partition and its right neighbour by one; doing it twice is the same as once.
     */
    record Merge(PartitionId partition, int right, int into) implements OfItself {}

    /**
     * A container's definition as its partitions are told it.
     *
     * @param partitionMaxBytes what the partition may hold because it never splits; 0 where it does
     */
    record PartitionDefinition(
            int version,
            ContainerDefinition definition,
            long logicalPartitionMaxBytes,
            long partitionMaxBytes) {
        /** A definition of a partition that splits when it is full. */
        public PartitionDefinition(
                int version, ContainerDefinition definition, long logicalPartitionMaxBytes) {
            this(version, definition, logicalPartitionMaxBytes, 0);
        }

        void write(BinaryWriter out) {
            out.u32(version);
            definition.write(out);
            out.u64(logicalPartitionMaxBytes).u64(partitionMaxBytes);
        }

        static PartitionDefinition read(BinaryReader in, int format) {
            return new PartitionDefinition(
                    in.u32(), ContainerDefinition.read(in), in.u64(), format == 1 ? 0 : in.u64());
        }
    }

    /** The change of the item. Bodies are JSON text without system properties. */
    sealed interface WriteAction {
        /** The key that an item has afterwards; another one only where its id changes. */
        default ItemKey target(ItemKey key) {
            return key;
        }

        record Create(Bytes body) implements WriteAction {}

        record Upsert(Bytes body) implements WriteAction {}

        record Replace(Bytes body) implements WriteAction {}

        /** A replace by an item with another id, which stays the same item. */
        record Rename(RowKey id, Bytes body) implements WriteAction {
            @Override
            public ItemKey target(ItemKey key) {
                return key.withRowKey(id);
            }
        }

        record Delete() implements WriteAction {}

        /**
         * Evaluated at the leader, where a condition sees the item as its reader would.
         *
         * @param database number of the container's database, which heads the item's rid
         * @param patch the request body as it arrived
         */
        record Patch(int database, Bytes patch) implements WriteAction {}
    }

    /** 2: a definition has the limit of its partition. */
    int VERSION = 2;

    static Bytes encode(PartitionRequest request) {
        BinaryWriter out = new BinaryWriter(256).u8(VERSION);
        switch (request) {
            case ReadItem r -> {
                head(out, 1, r);
                r.key.write(out);
                out.u64(r.minLsn);
            }
            case ReadByDocid r -> {
                head(out, 2, r);
                out.u64(r.docid).optional(r.partitionKey, (w, key) -> key.write(w)).u64(r.minLsn);
            }
            case WriteItem r -> {
                head(out, 3, r);
                writeWrite(out, r);
            }
            case ReadFeed r -> {
                head(out, 4, r);
                r.clip.write(out);
                out.optional(r.partitionKey, (w, key) -> key.write(w))
                        .optional(r.after, BinaryWriter::bytes)
                        .u32(r.maxItems)
                        .u32(r.maxBytes)
                        .u64(r.minLsn);
            }
            case Query r -> {
                head(out, 13, r);
                out.u32(r.database);
                r.query.write(out);
                r.clip.write(out);
                out.optional(r.partitionKey, (w, key) -> key.write(w))
                        .optional(r.after, BinaryWriter::bytes)
                        .optional(r.part, (w, part) -> part.write(w))
                        .u32(r.maxItems)
                        .u32(r.maxBytes)
                        .u64(r.minLsn)
                        .list(r.functions, (w, function) -> function.write(w));
            }
            case Batch r -> {
                head(out, 14, r);
                r.requestId.write(out);
                out.list(r.steps, PartitionRequest::writeStep).u64(r.minLsn);
            }
            case DeleteKey r -> {
                head(out, 18, r);
                r.requestId.write(out);
                r.key.write(out);
                r.keys.write(out);
            }
            case ReadChanges r -> {
                head(out, 15, r);
                r.clip.write(out);
                out.optional(r.partitionKey, (w, key) -> key.write(w));
                r.start.write(out);
                out.u32(r.maxItems).u32(r.maxBytes).u64(r.minLsn);
            }
            case ReadVersions r -> {
                head(out, 20, r);
                r.clip.write(out);
                out.optional(r.partitionKey, (w, key) -> key.write(w))
                        .u64(r.afterLsn)
                        .u32(r.maxItems)
                        .u32(r.maxBytes)
                        .u64(r.minLsn);
            }
            case Execute r -> {
                head(out, 16, r);
                r.requestId.write(out);
                out.bytes(r.epk.bytes());
                r.partitionKey.write(out);
                r.source.write(out);
                out.bytes(r.arguments);
                r.place.write(out);
                out.bool(r.logs).u64(r.minLsn);
            }
            case WriteWithTriggers r -> {
                head(out, 17, r);
                writeWrite(out, r.write);
                out.list(r.before, (w, trigger) -> trigger.write(w))
                        .list(r.after, (w, trigger) -> trigger.write(w));
                r.place.write(out);
                out.bool(r.logs);
            }
            case Describe r -> head(out, 5, r);
            case Open r -> {
                head(out, 6, r);
                r.keys.write(out);
                r.definition.write(out);
            }
            case SetDefinition r -> {
                head(out, 7, r);
                r.definition.write(out);
            }
            case Drop r -> head(out, 8, r);
            case Inspect r -> {
                head(out, 11, r);
                out.u32(r.keys);
            }
            case SetBudget r -> {
                head(out, 12, r);
                r.budget.write(out);
            }
            case Split r -> {
                head(out, 9, r);
                out.u32(r.left).u32(r.right).enumeration(r.aim);
            }
            case Merge r -> {
                head(out, 10, r);
                out.u32(r.right).u32(r.into);
            }
        }
        return out.toBytes();
    }

    static PartitionRequest decode(Bytes bytes) {
        BinaryReader in = new BinaryReader(bytes);
        int format = in.u8();
        if (format < 1 || format > VERSION) {
            throw new MalformedRecordException("unknown version of a partition request");
        }
        int kind = in.u8();
        PartitionId id = PartitionId.read(in);
        PartitionRequest request =
                switch (kind) {
                    case 1 -> new ReadItem(id, ItemKey.read(in), in.u64());
                    case 2 ->
                            new ReadByDocid(
                                    id, in.u64(), in.optional(PartitionKey::read), in.u64());
                    case 3 -> readWrite(id, in);
                    case 16 ->
                            new Execute(
                                    id,
                                    RequestId.read(in),
                                    new EffectiveKey(in.bytes()),
                                    PartitionKey.read(in),
                                    ScriptSource.read(in),
                                    in.bytes(),
                                    ScriptPlace.read(in),
                                    in.bool(),
                                    in.u64());
                    case 17 ->
                            new WriteWithTriggers(
                                    readWrite(id, in),
                                    in.list(Trigger::read),
                                    in.list(Trigger::read),
                                    ScriptPlace.read(in),
                                    in.bool());
                    case 4 ->
                            in.checked(
                                    r ->
                                            new ReadFeed(
                                                    id,
                                                    KeyRange.read(r),
                                                    r.optional(PartitionKey::read),
                                                    r.optional(BinaryReader::bytes),
                                                    r.u32(),
                                                    r.u32(),
                                                    r.u64()));
                    case 15 ->
                            in.checked(
                                    r ->
                                            new ReadChanges(
                                                    id,
                                                    KeyRange.read(r),
                                                    r.optional(PartitionKey::read),
                                                    ChangeStart.read(r),
                                                    r.u32(),
                                                    r.u32(),
                                                    r.u64()));
                    case 20 ->
                            in.checked(
                                    r ->
                                            new ReadVersions(
                                                    id,
                                                    KeyRange.read(r),
                                                    r.optional(PartitionKey::read),
                                                    r.u64(),
                                                    r.u32(),
                                                    r.u32(),
                                                    r.u64()));
                    case 5 -> new Describe(id);
                    case 6 -> new Open(id, KeyRange.read(in), PartitionDefinition.read(in, format));
                    case 7 -> new SetDefinition(id, PartitionDefinition.read(in, format));
                    case 8 -> new Drop(id);
                    case 9 -> new Split(id, in.u32(), in.u32(), in.enumeration(SplitAim.class));
                    case 11 -> new Inspect(id, in.u32());
                    case 12 -> new SetBudget(id, Budget.read(in));
                    case 10 -> new Merge(id, in.u32(), in.u32());
                    case 13 ->
                            in.checked(
                                    r ->
                                            new Query(
                                                    id,
                                                    r.u32(),
                                                    QueryRequest.read(r),
                                                    KeyRange.read(r),
                                                    r.optional(PartitionKey::read),
                                                    r.optional(BinaryReader::bytes),
                                                    r.optional(QueryPart::read),
                                                    r.u32(),
                                                    r.u32(),
                                                    r.u64(),
                                                    r.list(ScriptSource::read)));
                    case 14 ->
                            in.checked(
                                    r ->
                                            new Batch(
                                                    id,
                                                    RequestId.read(r),
                                                    r.list(PartitionRequest::readStep),
                                                    r.u64()));
                    case 18 ->
                            new DeleteKey(
                                    id,
                                    RequestId.read(in),
                                    PartitionKey.read(in),
                                    KeyRange.read(in));
                    default ->
                            throw new MalformedRecordException("unknown kind of partition request");
                };
        in.expectEnd();
        return request;
    }

    private static void head(BinaryWriter out, int kind, PartitionRequest request) {
        out.u8(kind);
        request.partition().write(out);
    }

    private static void writeWrite(BinaryWriter out, WriteItem write) {
        write.requestId.write(out);
        write.key.write(out);
        writeAction(out, write.action);
        Precondition.write(out, write.precondition);
    }

    private static WriteItem readWrite(PartitionId id, BinaryReader in) {
        return new WriteItem(
                id, RequestId.read(in), ItemKey.read(in), readAction(in), Precondition.read(in));
    }

    private static void writeStep(BinaryWriter out, BatchStep step) {
        switch (step) {
            case BatchStep.Read(ItemKey key, Precondition known) -> {
                out.u8(1);
                key.write(out);
                Precondition.write(out, known);
            }
            case BatchStep.Write(ItemKey key, WriteAction action, Precondition precondition) -> {
                out.u8(2);
                key.write(out);
                writeAction(out, action);
                Precondition.write(out, precondition);
            }
        }
    }

    private static BatchStep readStep(BinaryReader in) {
        return switch (in.u8()) {
            case 1 -> new BatchStep.Read(ItemKey.read(in), Precondition.read(in));
            case 2 -> new BatchStep.Write(ItemKey.read(in), readAction(in), Precondition.read(in));
            default -> throw new MalformedRecordException("unknown kind of batch step");
        };
    }

    private static void writeAction(BinaryWriter out, WriteAction action) {
        switch (action) {
            case WriteAction.Create(Bytes body) -> out.u8(1).bytes(body);
            case WriteAction.Upsert(Bytes body) -> out.u8(2).bytes(body);
            case WriteAction.Replace(Bytes body) -> out.u8(3).bytes(body);
            case WriteAction.Rename(RowKey id, Bytes body) -> {
                out.u8(7);
                id.write(out);
                out.bytes(body);
            }
            case WriteAction.Delete _ -> out.u8(4);
            // 5 was a patch that did not say the database.
            case WriteAction.Patch(int database, Bytes patch) ->
                    out.u8(6).u32(database).bytes(patch);
        }
    }

    private static WriteAction readAction(BinaryReader in) {
        return switch (in.u8()) {
            case 1 -> new WriteAction.Create(in.bytes());
            case 2 -> new WriteAction.Upsert(in.bytes());
            case 3 -> new WriteAction.Replace(in.bytes());
            case 4 -> new WriteAction.Delete();
            case 6 -> new WriteAction.Patch(in.u32(), in.bytes());
            case 7 -> new WriteAction.Rename(RowKey.read(in), in.bytes());
            default -> throw new MalformedRecordException("unknown write action");
        };
    }
}
