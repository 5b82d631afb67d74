package orrery.partition.api;

import java.util.List;
import java.util.Optional;
import orrery.document.IndexPath;
import orrery.document.IndexValue;
import orrery.model.Bytes;
import orrery.model.ChangeStart;
import orrery.model.EffectiveKey;
import orrery.model.ItemKey;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.ScriptSource;
import orrery.model.SizeLimits;
import orrery.model.Statement;
import orrery.model.VersionPlace;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.query.EncodedQuery;
import orrery.query.execute.QueryPart;
import orrery.query.execute.ResumePoint;

/** A request that reads items and changes nothing. */
public sealed interface ReadRequest extends ItemRequest {
    /** The gateway asks for pages of at most so many bytes, so that an answer fits a message. */
    int MAX_PAGE_BYTES = SizeLimits.DEFAULT.maxPageBytes();

    /** The keys or values that one request looks up at most. */
    int MAX_LOOKUPS = 1000;

    /** The caller has seen this LSN; an older answer would go back in time. */
    long minLsn();

    /** Reads one item by its key. */
    record ReadItem(PartitionId partition, ItemKey key, long minLsn) implements ReadRequest {
        @Override
        public RequestKind kind() {
            return RequestKind.READ_ITEM;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            key.write(out);
            out.u64(minLsn);
        }

        static ReadItem read(BinaryReader in) {
            return new ReadItem(PartitionId.read(in), ItemKey.read(in), in.u64());
        }
    }

    /**
     * Reads items by their keys.
     *
     * @param keys at most {@link #MAX_LOOKUPS}
     * @param maxBytes the answer ends before the item that would exceed it, but holds at least one
     */
    record ReadItems(PartitionId partition, List<ItemKey> keys, int maxBytes, long minLsn)
            implements ReadRequest {
        public ReadItems {
            keys = List.copyOf(keys);
            requireLookups(keys.size());
        }

        @Override
        public RequestKind kind() {
            return RequestKind.READ_ITEMS;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            out.list(keys, (w, key) -> key.write(w)).u32(maxBytes).u64(minLsn);
        }

        static ReadItems read(BinaryReader in) {
            return new ReadItems(PartitionId.read(in), in.list(ItemKey::read), in.u32(), in.u64());
        }
    }

    /**
     * A page of the items that have one of these values at an indexed path, in the order of the
     * index.
     *
     * @param values at most {@link #MAX_LOOKUPS}, each as {@link IndexValue#encodeWhole} writes it.
     *     Only a value that is no array or object, or an empty one, can be looked up.
     * @param clip only items whose effective key lies here
     * @param partitionKey only this logical partition, or those under this prefix
     * @param after the position handed out with the page before, by this partition or by one whose
     *     keys it has now
     * @param maxBytes the page ends before the item that would exceed it, but holds at least one
     */
    record FindEqual(
            PartitionId partition,
            IndexPath path,
            List<Bytes> values,
            KeyRange clip,
            Optional<PartitionKey> partitionKey,
            Optional<Bytes> after,
            int maxItems,
            int maxBytes,
            long minLsn)
            implements ReadRequest {
        public FindEqual {
            values = List.copyOf(values);
            requireLookups(values.size());
            requireRoom(maxItems);
            for (Bytes value : values) {
                if (IndexValue.end(value.unsafeArray(), 0, false) != value.length()) {
                    throw new IllegalArgumentException("bytes follow a value");
                }
            }
        }

        @Override
        public RequestKind kind() {
            return RequestKind.FIND_EQUAL;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            path.write(out);
            out.list(values, BinaryWriter::bytes);
            clip.write(out);
            out.optional(partitionKey, (w, key) -> key.write(w))
                    .optional(after, BinaryWriter::bytes)
                    .u32(maxItems)
                    .u32(maxBytes)
                    .u64(minLsn);
        }

        static FindEqual read(BinaryReader in) {
            return new FindEqual(
                    PartitionId.read(in),
                    IndexPath.read(in),
                    in.list(BinaryReader::bytes),
                    KeyRange.read(in),
                    in.optional(PartitionKey::read),
                    in.optional(BinaryReader::bytes),
                    in.u32(),
                    in.u32(),
                    in.u64());
        }
    }

    /** Finds an item by its rid; the partition key is checked when the caller knows it. */
    record ReadByDocid(
            PartitionId partition, long docid, Optional<PartitionKey> partitionKey, long minLsn)
            implements ReadRequest {
        @Override
        public RequestKind kind() {
            return RequestKind.READ_BY_DOCID;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            out.u64(docid).optional(partitionKey, (w, key) -> key.write(w)).u64(minLsn);
        }

        static ReadByDocid read(BinaryReader in) {
            return new ReadByDocid(
                    PartitionId.read(in), in.u64(), in.optional(PartitionKey::read), in.u64());
        }
    }

    /**
     * A page of items in the order of their creation.
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
            implements ReadRequest {
        public ReadFeed {
            requireRoom(maxItems);
        }

        @Override
        public RequestKind kind() {
            return RequestKind.READ_FEED;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            clip.write(out);
            out.optional(partitionKey, (w, key) -> key.write(w))
                    .optional(after, BinaryWriter::bytes)
                    .u32(maxItems)
                    .u32(maxBytes)
                    .u64(minLsn);
        }

        static ReadFeed read(BinaryReader in) {
            return new ReadFeed(
                    PartitionId.read(in),
                    KeyRange.read(in),
                    in.optional(PartitionKey::read),
                    in.optional(BinaryReader::bytes),
                    in.u32(),
                    in.u32(),
                    in.u64());
        }
    }

    /**
     * A page of the results of a query.
     *
     * <p>The extent, the page and the place to go on from are the same for every language. The rest
     * is in the language's own bytes.
     *
     * @param database number of the container's database, which heads the rids of the items
     * @param clip only items whose effective key lies here
     * @param partitionKey only this logical partition, or those under this prefix
     * @param after the position handed out with the page before, by this partition or by one whose
     *     keys it has now
     * @param part present if the answer is put together from those of several partitions
     * @param resume where a client that merges sorted results wants to begin
     * @param maxBytes the page ends before the result that would exceed it, but holds at least one
     * @param functions those of users that the query calls
     */
    record Query(
            PartitionId partition,
            int database,
            EncodedQuery query,
            KeyRange clip,
            Optional<PartitionKey> partitionKey,
            Optional<Bytes> after,
            Optional<QueryPart> part,
            Optional<ResumePoint> resume,
            int maxItems,
            int maxBytes,
            long minLsn,
            List<ScriptSource> functions)
            implements ReadRequest {
        public Query {
            functions = List.copyOf(functions);
            requireRoom(maxItems);
            requireRoom(maxBytes);
        }

        /** The same query from another position on. */
        public Query behind(Optional<Bytes> position) {
            return new Query(
                    partition,
                    database,
                    query,
                    clip,
                    partitionKey,
                    position,
                    part,
                    resume,
                    maxItems,
                    maxBytes,
                    minLsn,
                    functions);
        }

        @Override
        public RequestKind kind() {
            return RequestKind.QUERY;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            out.u32(database);
            query.write(out);
            clip.write(out);
            out.optional(partitionKey, (w, key) -> key.write(w))
                    .optional(after, BinaryWriter::bytes)
                    .optional(part, (w, present) -> present.write(w))
                    .optional(resume, (w, present) -> present.write(w))
                    .u32(maxItems)
                    .u32(maxBytes)
                    .u64(minLsn)
                    .list(functions, (w, function) -> function.write(w));
        }

        static Query read(BinaryReader in) {
            return new Query(
                    PartitionId.read(in),
                    in.u32(),
                    EncodedQuery.read(in),
                    KeyRange.read(in),
                    in.optional(PartitionKey::read),
                    in.optional(BinaryReader::bytes),
                    in.optional(QueryPart::read),
                    in.optional(ResumePoint::read),
                    in.u32(),
                    in.u32(),
                    in.u64(),
                    in.list(ScriptSource::read));
        }
    }

    /** Tells how a query would be answered, without answering it. */
    record Explain(Query query) implements ReadRequest {
        @Override
        public PartitionId partition() {
            return query.partition();
        }

        @Override
        public long minLsn() {
            return query.minLsn();
        }

        @Override
        public RequestKind kind() {
            return RequestKind.EXPLAIN;
        }

        @Override
        public void write(BinaryWriter out) {
            query.write(out);
        }

        static Explain read(BinaryReader in) {
            return new Explain(Query.read(in));
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
            implements ReadRequest {
        public ReadChanges {
            requireRoom(maxItems);
        }

        @Override
        public RequestKind kind() {
            return RequestKind.READ_CHANGES;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            clip.write(out);
            out.optional(partitionKey, (w, key) -> key.write(w));
            start.write(out);
            out.u32(maxItems).u32(maxBytes).u64(minLsn);
        }

        static ReadChanges read(BinaryReader in) {
            return new ReadChanges(
                    PartitionId.read(in),
                    KeyRange.read(in),
                    in.optional(PartitionKey::read),
                    ChangeStart.read(in),
                    in.u32(),
                    in.u32(),
                    in.u64());
        }
    }

    /**
     * A page of all versions and deletes that were kept, in the order of their LSNs.
     *
     * @param partitionKey as for a feed of items
     * @param after only versions behind this place
     * @param sinceMillis only versions of this time or later; with nothing seen before, the reader
     *     begins with them, and needs none that are older
     * @param maxItems at least 1; a page holds more where it would otherwise end within an LSN
     * @param maxBytes a page ends within an LSN only if that LSN alone has more
     */
    record ReadVersions(
            PartitionId partition,
            KeyRange clip,
            Optional<PartitionKey> partitionKey,
            VersionPlace after,
            long sinceMillis,
            int maxItems,
            int maxBytes,
            long minLsn)
            implements ReadRequest {
        public ReadVersions {
            requireRoom(maxItems);
        }

        /** Versions of any time. */
        public ReadVersions(
                PartitionId partition,
                KeyRange clip,
                Optional<PartitionKey> partitionKey,
                VersionPlace after,
                int maxItems,
                int maxBytes,
                long minLsn) {
            this(partition, clip, partitionKey, after, 0, maxItems, maxBytes, minLsn);
        }

        @Override
        public RequestKind kind() {
            return RequestKind.READ_VERSIONS;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            clip.write(out);
            out.optional(partitionKey, (w, key) -> key.write(w));
            after.write(out);
            out.u64(sinceMillis).u32(maxItems).u32(maxBytes).u64(minLsn);
        }

        static ReadVersions read(BinaryReader in) {
            return new ReadVersions(
                    PartitionId.read(in),
                    KeyRange.read(in),
                    in.optional(PartitionKey::read),
                    VersionPlace.read(in),
                    in.u64(),
                    in.u32(),
                    in.u32(),
                    in.u64());
        }
    }

    /** Reads the LSN of the last write of a logical partition. */
    record ReadLastWrite(
            PartitionId partition, EffectiveKey epk, PartitionKey partitionKey, long minLsn)
            implements ReadRequest {
        @Override
        public RequestKind kind() {
            return RequestKind.READ_LAST_WRITE;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            out.bytes(epk.bytes());
            partitionKey.write(out);
            out.u64(minLsn);
        }

        static ReadLastWrite read(BinaryReader in) {
            return new ReadLastWrite(
                    PartitionId.read(in),
                    new EffectiveKey(in.bytes()),
                    PartitionKey.read(in),
                    in.u64());
        }
    }

    /**
     * Looks for the answer to a statement whose sender does not know the partition key. A partition
     * that did not carry it out has not found it.
     */
    record FindStatement(PartitionId partition, Statement statement) implements ReadRequest {
        public FindStatement {
            if (!statement.isSought()) {
                throw new IllegalArgumentException("the way to this statement is not kept");
            }
        }

        /** The leader answers, and its store has all that was carried out. */
        @Override
        public long minLsn() {
            return 0;
        }

        @Override
        public RequestKind kind() {
            return RequestKind.FIND_STATEMENT;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            statement.write(out);
        }

        static FindStatement read(BinaryReader in) {
            return new FindStatement(PartitionId.read(in), Statement.read(in));
        }
    }

    private static void requireLookups(int count) {
        if (count < 1 || count > MAX_LOOKUPS) {
            throw new IllegalArgumentException("a request looks up from 1 to 1000 keys or values");
        }
    }

    private static void requireRoom(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("a page has no room for a result");
        }
    }
}
