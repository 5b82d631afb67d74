package orrery.query.execute;

import java.util.Optional;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * Asks a partition for its part of an answer that is put together from several: sorted rows come
 * with their places, groups as the state of their aggregates, and nothing is skipped.
 *
 * @param from behind which place sorted rows are wanted
 */
public record QueryPart(Optional<RowPlace> from) {
    public static final QueryPart WHOLE = new QueryPart(Optional.empty());

    public void write(BinaryWriter out) {
        out.optional(from, (w, place) -> place.write(w));
    }

    public static QueryPart read(BinaryReader in) {
        return new QueryPart(in.optional(RowPlace::read));
    }
}
