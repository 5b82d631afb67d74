package orrery.partition.api;

import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ChangedItem;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.ItemVersion;
import orrery.model.VersionPlace;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.metering.Charge;
import orrery.query.evaluate.ValueHash;
import orrery.query.execute.AccessPlan;
import orrery.query.execute.EqualityLookup.Match;
import orrery.query.execute.QueryMetrics;
import orrery.query.execute.RowEncoding;
import orrery.query.execute.RowPlace;

/** The answer to a {@link ReadRequest}. */
public sealed interface ReadResponse extends PartitionResponse.Charged {
    /** The partition's LSN at a moment not before the read. */
    long headLsn();

    /** The item. */
    record Found(Item item, ItemKey key, long headLsn, Charge charge) implements ReadResponse {
        @Override
        public Found withCharge(Charge other) {
            return new Found(item, key, headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.FOUND;
        }

        @Override
        public void write(BinaryWriter out) {
            item.write(out);
            key.write(out);
            out.u64(headLsn);
            charge.write(out);
        }

        static Found read(BinaryReader in) {
            return new Found(Item.read(in), ItemKey.read(in), in.u64(), Charge.read(in));
        }
    }

    /**
     * The items at the keys that were asked for, in that order, empty where there is none. It ends
     * early where the rest has no room: those keys have to be asked for again.
     */
    record FoundMany(List<Optional<Item>> items, long headLsn, Charge charge)
            implements ReadResponse {
        public FoundMany {
            items = List.copyOf(items);
        }

        @Override
        public FoundMany withCharge(Charge other) {
            return new FoundMany(items, headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.FOUND_MANY;
        }

        @Override
        public void write(BinaryWriter out) {
            out.list(items, (w, item) -> w.optional(item, (v, present) -> present.write(v)))
                    .u64(headLsn);
            charge.write(out);
        }

        static FoundMany read(BinaryReader in) {
            return new FoundMany(in.list(r -> r.optional(Item::read)), in.u64(), Charge.read(in));
        }
    }

    /**
     * Items that have one of the values that were asked for.
     *
     * @param next where the following page begins; absent when nothing follows in this partition
     */
    record Matches(List<Match> matches, Optional<Bytes> next, long headLsn, Charge charge)
            implements ReadResponse {
        public Matches {
            matches = List.copyOf(matches);
        }

        @Override
        public Matches withCharge(Charge other) {
            return new Matches(matches, next, headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.MATCHES;
        }

        @Override
        public void write(BinaryWriter out) {
            out.list(matches, Matches::writeMatch).optional(next, BinaryWriter::bytes).u64(headLsn);
            charge.write(out);
        }

        private static void writeMatch(BinaryWriter out, Match match) {
            out.list(match.values(), (w, number) -> w.varint(number));
            match.item().write(out);
        }

        static Matches read(BinaryReader in) {
            return new Matches(
                    in.list(r -> new Match(r.list(BinaryReader::varint32), Item.read(r))),
                    in.optional(BinaryReader::bytes),
                    in.u64(),
                    Charge.read(in));
        }
    }

    /**
     * @param next where the following page begins; absent when nothing follows in this partition
     */
    record Feed(List<Item> items, Optional<Bytes> next, long headLsn, Charge charge)
            implements ReadResponse {
        public Feed {
            items = List.copyOf(items);
        }

        @Override
        public Feed withCharge(Charge other) {
            return new Feed(items, next, headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.FEED;
        }

        @Override
        public void write(BinaryWriter out) {
            out.list(items, (w, item) -> item.write(w))
                    .optional(next, BinaryWriter::bytes)
                    .u64(headLsn);
            charge.write(out);
        }

        static Feed read(BinaryReader in) {
            return new Feed(
                    in.list(Item::read),
                    in.optional(BinaryReader::bytes),
                    in.u64(),
                    Charge.read(in));
        }
    }

    /**
     * A page of the results of a query.
     *
     * @param rows in the encoding
     * @param places of the rows, if it is a part of a sorted answer
     * @param hashes of the rows, if it is a part of an answer without duplicates
     * @param next where the following page begins; absent when nothing follows in this partition
     */
    record QueryPage(
            RowEncoding encoding,
            List<Bytes> rows,
            List<RowPlace> places,
            List<ValueHash> hashes,
            Optional<Bytes> next,
            QueryMetrics metrics,
            long headLsn,
            Charge charge)
            implements ReadResponse {
        public QueryPage {
            rows = List.copyOf(rows);
            places = List.copyOf(places);
            hashes = List.copyOf(hashes);
        }

        @Override
        public QueryPage withCharge(Charge other) {
            return new QueryPage(encoding, rows, places, hashes, next, metrics, headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.QUERY_PAGE;
        }

        @Override
        public void write(BinaryWriter out) {
            out.enumeration(encoding)
                    .list(rows, BinaryWriter::bytes)
                    .list(places, (w, place) -> place.write(w))
                    .list(hashes, (w, hash) -> hash.write(w))
                    .optional(next, BinaryWriter::bytes);
            metrics.write(out);
            out.u64(headLsn);
            charge.write(out);
        }

        static QueryPage read(BinaryReader in) {
            return new QueryPage(
                    in.enumeration(RowEncoding.class),
                    in.list(BinaryReader::bytes),
                    in.list(RowPlace::read),
                    in.list(ValueHash::read),
                    in.optional(BinaryReader::bytes),
                    QueryMetrics.read(in),
                    in.u64(),
                    Charge.read(in));
        }
    }

    /** The way in which a query would be answered. */
    record Explained(AccessPlan plan, long headLsn, Charge charge) implements ReadResponse {
        @Override
        public Explained withCharge(Charge other) {
            return new Explained(plan, headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.EXPLAINED;
        }

        @Override
        public void write(BinaryWriter out) {
            plan.write(out);
            out.u64(headLsn);
            charge.write(out);
        }

        static Explained read(BinaryReader in) {
            return new Explained(AccessPlan.read(in), in.u64(), Charge.read(in));
        }
    }

    /**
     * Changes in the order of their LSNs.
     *
     * @param nextLsn the changes after this page have higher LSNs, in this partition and in those
     *     that it may be split or merged into
     */
    record Changes(List<ChangedItem> changes, long nextLsn, long headLsn, Charge charge)
            implements ReadResponse {
        public Changes {
            changes = List.copyOf(changes);
        }

        @Override
        public Changes withCharge(Charge other) {
            return new Changes(changes, nextLsn, headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.CHANGES;
        }

        @Override
        public void write(BinaryWriter out) {
            out.list(changes, (w, change) -> change.write(w)).u64(nextLsn).u64(headLsn);
            charge.write(out);
        }

        static Changes read(BinaryReader in) {
            return new Changes(in.list(ChangedItem::read), in.u64(), in.u64(), Charge.read(in));
        }
    }

    /**
     * All versions and deletes in the order of their LSNs.
     *
     * @param next the place where the next page begins
     */
    record Versions(List<ItemVersion> versions, VersionPlace next, long headLsn, Charge charge)
            implements ReadResponse {
        public Versions {
            versions = List.copyOf(versions);
        }

        @Override
        public Versions withCharge(Charge other) {
            return new Versions(versions, next, headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.VERSIONS;
        }

        @Override
        public void write(BinaryWriter out) {
            out.list(versions, (w, version) -> version.write(w));
            next.write(out);
            out.u64(headLsn);
            charge.write(out);
        }

        static Versions read(BinaryReader in) {
            return new Versions(
                    in.list(ItemVersion::read), VersionPlace.read(in), in.u64(), Charge.read(in));
        }
    }

    /**
     * The last write of a logical partition.
     *
     * @param lsn 0 if the logical partition has no items
     */
    record LastWrite(long lsn, long headLsn, Charge charge) implements ReadResponse {
        @Override
        public LastWrite withCharge(Charge other) {
            return new LastWrite(lsn, headLsn, other);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.LAST_WRITE;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u64(lsn).u64(headLsn);
            charge.write(out);
        }

        static LastWrite read(BinaryReader in) {
            return new LastWrite(in.u64(), in.u64(), Charge.read(in));
        }
    }
}
