package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.KeyRange;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.query.dialect.RowLimit;
import orrery.query.evaluate.ValueHash;
import orrery.query.execute.KeyMark;
import orrery.query.execute.RowPlace;

/**
 * The progress of a query or a feed over all partitions: ranges of keys that are under way, and the
 * key from which on nothing has been read. It knows keys, not partitions, so it outlives splits and
 * merges.
 *
 * @param parts ranges of keys that are left, in order, and how far each has come
 * @param reached the last row of a sorted answer, where one was given; then it has the parts
 * @param next the row behind it, which the answer may go on with as well: for when the other is
 *     gone and its values were too long to be written down
 * @param limit the results still to be left out and to be given, where all partitions count
 *     together
 * @param given the results so far, where the answer has to tell them from others
 * @param seen the hashes of those results, where they are needed and few
 * @param group the place of the last group that was given; where an answer is made of the results
 *     of another query, how far both have come ({@link DerivedPlace})
 * @param kept the name under which the gateway may still have what it gathered
 */
record QueryToken(
        List<Part> parts,
        Optional<Reached> reached,
        Optional<Reached> next,
        RowLimit limit,
        long given,
        Optional<List<ValueHash>> seen,
        Optional<Bytes> group,
        Optional<Bytes> kept) {
    QueryToken {
        parts = List.copyOf(parts);
        seen = seen.map(List::copyOf);
    }

    /** A range of keys, and how far it has come. */
    record Part(KeyRange keys, Place place) {
        private void write(BinaryWriter out) {
            keys.write(out);
            place.write(out);
        }

        private static Part read(BinaryReader in, Function<KeyMark, Optional<Bytes>> finder) {
            return new Part(KeyRange.read(in), Place.read(in, finder));
        }
    }

    /** How far a range of keys has come. */
    sealed interface Place {
        /** The range has not been read. */
        record Unread() implements Place {}

        /** Everything was read. */
        record Done() implements Place {}

        /** The position that a partition gave; good for any that has some of the keys now. */
        record At(Bytes position) implements Place {}

        /** Behind a row with the values of the row that was reached. */
        record Beside(long docid, long rows) implements Place {}

        /** Behind a row with values of its own. */
        record Behind(RowPlace row) implements Place {}

        int UNREAD = 0;
        int DONE = 1;
        int AT = 2;
        int BESIDE = 3;
        int BEHIND = 4;

        private void write(BinaryWriter out) {
            switch (this) {
                case Unread _ -> out.u8(UNREAD);
                case Done _ -> out.u8(DONE);
                case At(Bytes position) -> out.u8(AT).bytes(position);
                case Beside(long docid, long rows) -> out.u8(BESIDE).u64(docid).varint(rows + 1);
                case Behind(RowPlace row) -> {
                    KeyMark.writeKey(out.u8(BEHIND), row.key(), row.docid());
                    out.u64(row.docid()).varint(row.rows() + 1);
                }
            }
        }

        private static Place read(BinaryReader in, Function<KeyMark, Optional<Bytes>> finder) {
            return switch (in.u8()) {
                case UNREAD -> new Unread();
                case DONE -> new Done();
                case AT -> new At(in.bytes());
                case BESIDE -> new Beside(in.u64(), in.varint() - 1);
                case BEHIND ->
                        new Behind(
                                new RowPlace(
                                        KeyMark.readKey(in, finder).orElseThrow(KeyMark::lost),
                                        in.u64(),
                                        in.varint() - 1));
                default -> throw new MalformedRecordException("unknown place in a range");
            };
        }

        static Place of(Optional<Bytes> position) {
            return position.<Place>map(At::new).orElseGet(Unread::new);
        }

        /** Returns the position of a partition, where it is one. */
        default Optional<Bytes> after() {
            return this instanceof At(Bytes position) ? Optional.of(position) : Optional.empty();
        }
    }

    /**
     * The last row of a sorted answer.
     *
     * @param key its sort key
     * @param holder docid of an item that has the key
     * @param isBackward whether the index was read from its end
     * @param parts how far each range of keys has come: among rows with equal values those of lower
     *     keys come first
     */
    record Reached(Bytes key, long holder, boolean isBackward, List<Part> parts) {
        Reached {
            parts = List.copyOf(parts);
        }

        private boolean isMarked() {
            return KeyMark.isNeeded(key);
        }

        private void write(BinaryWriter out) {
            KeyMark.writeKey(out, key, holder);
            out.u64(holder).bool(isBackward).list(parts, (w, part) -> part.write(w));
        }

        /** Empty if the item that names the values does not have them any more. */
        private static Optional<Reached> read(
                BinaryReader in, Function<KeyMark, Optional<Bytes>> finder) {
            Optional<Bytes> key = KeyMark.readKey(in, finder);
            long holder = in.u64();
            boolean isBackward = in.bool();
            List<Part> parts = in.list(r -> Part.read(r, finder));
            return key.map(found -> new Reached(found, holder, isBackward, parts));
        }
    }

    static QueryToken start(RowLimit limit) {
        return of(List.of(new Part(KeyRange.FULL, new Place.Unread())), limit);
    }

    static QueryToken of(List<Part> parts, RowLimit limit) {
        return new QueryToken(
                parts,
                Optional.empty(),
                Optional.empty(),
                limit,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** The token of a page that ended in one of the parts, at this position. */
    static QueryToken at(List<Part> parts, int part, Optional<Bytes> position, RowLimit limit) {
        if (position.isEmpty()) {
            return of(left(parts, part), limit);
        }
        List<Part> left = new ArrayList<>();
        left.add(new Part(parts.get(part).keys(), Place.of(position)));
        left.addAll(left(parts, part + 1));
        return of(left, limit);
    }

    /** Returns the parts that are left from one on. A part that has not begun is whole. */
    static List<Part> left(List<Part> parts, int from) {
        List<Part> left = new ArrayList<>();
        for (Part part : parts.subList(from, parts.size())) {
            if (part.place() instanceof Place.Unread) {
                left.add(new Part(new KeyRange(part.keys().min(), EffectiveKey.MAX), part.place()));
                break;
            }
            left.add(part);
        }
        return left;
    }

    static QueryToken sorted(Reached reached, Optional<Reached> next, RowLimit limit) {
        return new QueryToken(
                List.of(),
                Optional.of(reached),
                next,
                limit,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** The same place, behind so many results, which have these hashes if they are few. */
    QueryToken given(long count, Optional<List<ValueHash>> hashes) {
        return new QueryToken(parts, reached, next, limit, count, hashes, group, kept);
    }

    /** The same, behind a group. */
    QueryToken behind(Optional<Bytes> lastGroup, RowLimit left) {
        return new QueryToken(parts, reached, next, left, given, seen, lastGroup, kept);
    }

    QueryToken keptAs(Optional<Bytes> name) {
        return new QueryToken(parts, reached, next, limit, given, seen, group, name);
    }

    /** Returns how far each range of keys has come. */
    List<Part> progress() {
        return reached.map(Reached::parts).orElse(parts);
    }

    /** Returns true if nothing has been read for the answer. */
    boolean isStart() {
        return given == 0 && reached.isEmpty() && group.isEmpty();
    }

    /** The keys that are to be read next; all where rows come from everywhere. */
    KeyRange keys() {
        return parts.isEmpty() ? KeyRange.FULL : parts.getFirst().keys();
    }

    Bytes encode() {
        BinaryWriter out =
                new BinaryWriter(128)
                        .list(parts, (w, part) -> part.write(w))
                        .optional(reached, (w, place) -> place.write(w))
                        .optional(
                                reached.filter(Reached::isMarked).flatMap(_ -> next),
                                (w, place) -> place.write(w));
        limit.write(out);
        return out.varint(given)
                .optional(seen, (w, hashes) -> w.list(hashes, (v, hash) -> hash.write(v)))
                .optional(group, BinaryWriter::bytes)
                .optional(kept, BinaryWriter::bytes)
                .toBytes();
    }

    /** Reads one of an answer that is not sorted, so that it names no sort keys. */
    static QueryToken readWalk(BinaryReader in) {
        return read(in, _ -> Optional.empty());
    }

    /**
     * @param finder the sort key of an item, if it still has the one that is marked
     */
    static QueryToken read(BinaryReader in, Function<KeyMark, Optional<Bytes>> finder) {
        List<Part> parts = in.list(r -> Part.read(r, finder));
        Optional<Optional<Reached>> reached = in.optional(r -> Reached.read(r, finder));
        boolean isLost = reached.isPresent() && reached.get().isEmpty();
        Optional<Reached> next =
                in.optional(r -> Reached.read(r, isLost ? finder : _ -> Optional.empty()))
                        .flatMap(Function.identity());
        if (isLost && next.isEmpty()) {
            throw KeyMark.lost();
        }
        return new QueryToken(
                parts,
                isLost ? next : reached.flatMap(Function.identity()),
                Optional.empty(),
                RowLimit.read(in),
                in.varint(),
                in.optional(r -> r.list(ValueHash::read)),
                in.optional(BinaryReader::bytes),
                in.optional(BinaryReader::bytes));
    }
}
