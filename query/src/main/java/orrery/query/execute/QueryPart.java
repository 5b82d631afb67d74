package orrery.query.execute;

import java.util.Optional;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * Asks a partition for its part of an answer that is put together from several: sorted rows come
 * with their places, groups as the state of their aggregates, and nothing is skipped.
 *
 * @param from behind which place sorted rows are wanted
 * @param sought instead of rows, the place of the item that this names, if it still has its key
 */
public record QueryPart(Optional<RowPlace> from, Optional<KeyMark> sought) {
    public static final QueryPart WHOLE = from(Optional.empty());

    public static QueryPart from(Optional<RowPlace> place) {
        return new QueryPart(place, Optional.empty());
    }

    public static QueryPart seeking(KeyMark mark) {
        return new QueryPart(Optional.empty(), Optional.of(mark));
    }

    public void write(BinaryWriter out) {
        out.optional(from, (w, place) -> place.write(w))
                .optional(sought, (w, mark) -> mark.write(w));
    }

    public static QueryPart read(BinaryReader in) {
        return new QueryPart(in.optional(RowPlace::read), in.optional(KeyMark::read));
    }
}
