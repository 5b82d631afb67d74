package orrery.gateway;

import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.query.execute.RowPlace;

/**
 * How far an answer has come that is put together from those of several partitions.
 *
 * @param reached the last row of a sorted answer; it goes on behind it
 * @param given results that were given, where the answer has to be found anew to go on
 */
record MergeToken(Optional<Reached> reached, long given) {
    static final MergeToken START = new MergeToken(Optional.empty(), 0);

    /**
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
            KeyRange keys,
            List<Begun> begun,
            boolean isBackward,
            long skip,
            long take) {
        Reached {
            begun = List.copyOf(begun);
        }

        private void write(BinaryWriter out) {
            place.write(out);
            keys.write(out);
            out.list(
                    begun,
                    (w, each) -> {
                        each.keys.write(w);
                        each.place.write(w);
                    });
            out.bool(isBackward).varint(skip).varint(take == Long.MAX_VALUE ? 0 : take + 1);
        }

        private static Reached read(BinaryReader in) {
            RowPlace place = RowPlace.read(in);
            KeyRange keys = KeyRange.read(in);
            List<Begun> begun = in.list(r -> new Begun(KeyRange.read(r), RowPlace.read(r)));
            boolean isBackward = in.bool();
            long skip = in.varint();
            long take = in.varint();
            return new Reached(
                    place, keys, begun, isBackward, skip, take == 0 ? Long.MAX_VALUE : take - 1);
        }
    }

    /** Rows of these keys were given up to the place. */
    record Begun(KeyRange keys, RowPlace place) {}

    /**
     * @param query tells the tokens of one query from those of others
     */
    Bytes encode(Bytes query) {
        return new BinaryWriter(128)
                .bytes(query)
                .optional(reached, (w, place) -> place.write(w))
                .varint(given)
                .toBytes();
    }

    static MergeToken read(BinaryReader in, Bytes query) {
        if (!in.bytes().equals(query)) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "Invalid Continuation Token. Use the token of the previous page with the same"
                            + " query and parameters, or start again without one.");
        }
        return new MergeToken(in.optional(Reached::read), in.varint());
    }
}
