package orrery.gateway;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import orrery.model.Bytes;
import orrery.model.KeyRange;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.query.execute.KeyMark;
import orrery.query.execute.RowPlace;

/**
 * The progress of an answer that is merged from those of several partitions.
 *
 * @param reached the last row of a sorted answer; it goes on behind it
 * @param next the row behind it, which it may begin with as well: for when the other is gone and
 *     its values were too long to be written down
 * @param given results that were given, where the answer has to be found anew to go on
 */
record MergeToken(Optional<Reached> reached, Optional<Reached> next, long given) {
    static final MergeToken START = at(Optional.empty(), 0);

    static MergeToken at(Optional<Reached> reached, long given) {
        return new MergeToken(reached, Optional.empty(), given);
    }

    /**
     * @param holder docid of an item that has the values of the place
     * @param keys of the partition that the row came from: among rows with equal values those of
     *     lower keys come first
     * @param begun other keys of which some rows with these values were given: they shared a
     *     partition with lower keys once
     * @param isBackward whether the index was read from its end
     * @param skip results still to be left out
     * @param take results still to be given
     */
    record Reached(
            RowPlace place,
            long holder,
            KeyRange keys,
            List<Begun> begun,
            boolean isBackward,
            long skip,
            long take) {
        Reached {
            begun = List.copyOf(begun);
        }

        private boolean isMarked() {
            return KeyMark.isNeeded(place.key());
        }

        private void write(BinaryWriter out) {
            KeyMark.writeKey(out, place.key(), holder);
            out.u64(holder).u64(place.docid()).varint(place.rows() + 1);
            keys.write(out);
            out.list(
                    begun,
                    (w, each) -> {
                        each.keys.write(w);
                        w.u64(each.docid).varint(each.rows + 1);
                    });
            out.bool(isBackward).varint(skip).varint(take == Long.MAX_VALUE ? 0 : take + 1);
        }

        /** Empty if the item that names the values does not have them any more. */
        private static Optional<Reached> read(
                BinaryReader in, Function<KeyMark, Optional<Bytes>> finder) {
            Optional<Bytes> key = KeyMark.readKey(in, finder);
            long holder = in.u64();
            long docid = in.u64();
            long rows = in.varint() - 1;
            KeyRange keys = KeyRange.read(in);
            List<Begun> begun = in.list(r -> new Begun(KeyRange.read(r), r.u64(), r.varint() - 1));
            boolean isBackward = in.bool();
            long skip = in.varint();
            long take = in.varint();
            return key.map(
                    found ->
                            new Reached(
                                    new RowPlace(found, docid, rows),
                                    holder,
                                    keys,
                                    begun,
                                    isBackward,
                                    skip,
                                    take == 0 ? Long.MAX_VALUE : take - 1));
        }
    }

    /** Rows of these keys with the values that were reached were given up to this one. */
    record Begun(KeyRange keys, long docid, long rows) {
        RowPlace place(Bytes values) {
            return new RowPlace(values, docid, rows);
        }
    }

    /** The keys of the last row that was given; all where rows come from everywhere. */
    KeyRange keys() {
        return reached.map(Reached::keys).orElse(KeyRange.FULL);
    }

    Bytes encode() {
        return new BinaryWriter(128)
                .optional(reached, (w, place) -> place.write(w))
                .optional(
                        reached.filter(Reached::isMarked).flatMap(_ -> next),
                        (w, place) -> place.write(w))
                .varint(given)
                .toBytes();
    }

    /**
     * @param finder the sort key of an item, if it still has the one that is marked
     */
    static MergeToken read(BinaryReader in, Function<KeyMark, Optional<Bytes>> finder) {
        Optional<Optional<Reached>> reached = in.optional(r -> Reached.read(r, finder));
        boolean isLost = reached.isPresent() && reached.get().isEmpty();
        Optional<Reached> next =
                in.optional(r -> Reached.read(r, isLost ? finder : _ -> Optional.empty()))
                        .flatMap(Function.identity());
        if (isLost && next.isEmpty()) {
            throw KeyMark.lost();
        }
        return at(isLost ? next : reached.flatMap(Function.identity()), in.varint());
    }
}
