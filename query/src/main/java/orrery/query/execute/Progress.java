package orrery.query.execute;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.query.dialect.Program;
import orrery.query.dialect.RowLimit;

/**
 * All that one page hands to the next.
 *
 * @param position absent where nothing has been read
 * @param before that of the candidate before, from which the next page can begin as well
 * @param limit what is still to be left out and to be given
 * @param groups the states of groups that were gathered up to the position and not given
 */
record Progress(
        Optional<Position> position,
        Optional<Position> before,
        RowLimit limit,
        List<Bytes> groups) {
    private static final int VERSION = 4;

    Progress {
        groups = List.copyOf(groups);
    }

    static Progress start(PreparedQuery query) {
        return new Progress(Optional.empty(), Optional.empty(), query.limit(), List.of());
    }

    static Progress at(Position place, Optional<Position> before, RowLimit limit) {
        return new Progress(Optional.of(place), before, limit, List.of());
    }

    Progress from(Position place) {
        return new Progress(Optional.of(place), Optional.empty(), limit, groups);
    }

    Bytes encode(PreparedQuery query) {
        BinaryWriter out = new BinaryWriter(64).u8(VERSION).raw(query.program().binding());
        out.optional(position, (w, place) -> place.write(w))
                .optional(
                        position.filter(Position::isMarked).flatMap(_ -> before),
                        (w, place) -> place.write(w));
        limit.write(out);
        return out.list(groups, BinaryWriter::bytes).toBytes();
    }

    /**
     * Throws BAD_REQUEST for what no page of such a query has made.
     *
     * @param finder the sort key of an item, if it still has the one that is marked
     */
    static Progress decode(
            Bytes bytes, PreparedQuery query, Function<KeyMark, Optional<Bytes>> finder) {
        try {
            BinaryReader in = new BinaryReader(bytes);
            if (in.u8() != VERSION
                    || !Bytes.wrap(in.raw(Program.BINDING_BYTES))
                            .equals(query.program().binding())) {
                throw invalid();
            }
            Optional<Optional<Position>> place = in.optional(r -> Position.read(r, finder));
            boolean isLost = place.isPresent() && place.get().isEmpty();
            Optional<Position> before =
                    in.optional(r -> Position.read(r, isLost ? finder : _ -> Optional.empty()))
                            .flatMap(Function.identity());
            Optional<Position> position = isLost ? before : place.flatMap(Function.identity());
            if (isLost && before.isEmpty()) {
                throw KeyMark.lost();
            }
            Progress progress =
                    new Progress(
                            position,
                            Optional.empty(),
                            RowLimit.read(in),
                            in.list(BinaryReader::bytes));
            in.expectEnd();
            return progress;
        } catch (MalformedRecordException e) {
            throw invalid();
        }
    }

    static OrreryException invalid() {
        return new OrreryException(
                ErrorCode.BAD_REQUEST,
                "Invalid Continuation Token. Use the token of the previous page with a query that"
                        + " has the same FROM and ORDER BY, and with the same query where it"
                        + " groups or removes duplicates; or start again without one.");
    }
}
