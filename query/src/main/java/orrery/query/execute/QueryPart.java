package orrery.query.execute;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * Asks a partition for its part of an answer that is put together from several: sorted rows come
 * with their places, distinct ones with their hashes, groups as the state of their aggregates, and
 * nothing is skipped.
 *
 * @param from behind which place sorted rows are wanted
 * @param until up to which position rows are wanted, where they have been read before
 * @param untilPlace likewise, as the place of a sorted row
 * @param sought instead of rows, the place of the item that this names, if it still has its key
 */
public record QueryPart(
        Optional<RowPlace> from,
        Optional<Bytes> until,
        Optional<RowPlace> untilPlace,
        Optional<KeyMark> sought) {
    public static final QueryPart WHOLE = from(Optional.empty());

    public static QueryPart from(Optional<RowPlace> place) {
        return new QueryPart(place, Optional.empty(), Optional.empty(), Optional.empty());
    }

    public static QueryPart seeking(KeyMark mark) {
        return new QueryPart(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(mark));
    }

    public QueryPart until(Bytes position) {
        return new QueryPart(from, Optional.of(position), untilPlace, sought);
    }

    public QueryPart until(RowPlace place) {
        return new QueryPart(from, until, Optional.of(place), sought);
    }

    public void write(BinaryWriter out) {
        out.optional(from, (w, place) -> place.write(w))
                .optional(until, BinaryWriter::bytes)
                .optional(untilPlace, (w, place) -> place.write(w))
                .optional(sought, (w, mark) -> mark.write(w));
    }

    public static QueryPart read(BinaryReader in) {
        return new QueryPart(
                in.optional(RowPlace::read),
                in.optional(BinaryReader::bytes),
                in.optional(RowPlace::read),
                in.optional(KeyMark::read));
    }
}
