package orrery.query.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.query.dialect.Program;
import orrery.query.evaluate.ValueHash;

/**
 * All that one page hands to the next.
 *
 * @param position absent where nothing has been read, or all has
 * @param before that of the candidate before, from which the next page can begin as well
 * @param skip results still to be left out
 * @param take results still to be given
 * @param groups what an aggregation has gathered up to the position
 * @param seen what a DISTINCT has returned; absent if that must be found out again
 * @param emitted results of a finished aggregation that were returned
 */
record Progress(
        Optional<Position> position,
        Optional<Position> before,
        long skip,
        long take,
        Optional<Value> groups,
        Optional<List<ValueHash>> seen,
        long emitted) {
    private static final int VERSION = 3;

    static Progress start(PreparedQuery query) {
        return new Progress(
                Optional.empty(),
                Optional.empty(),
                query.limit().skip(),
                query.limit().take(),
                Optional.empty(),
                Optional.of(List.of()),
                0);
    }

    Progress at(Position place) {
        return new Progress(
                Optional.of(place), Optional.empty(), skip, take, groups, seen, emitted);
    }

    Bytes encode(PreparedQuery query) {
        BinaryWriter out = new BinaryWriter(64).u8(VERSION).raw(query.program().binding());
        return out.optional(position, (w, place) -> place.write(w))
                .optional(
                        position.filter(Position::isMarked).flatMap(_ -> before),
                        (w, place) -> place.write(w))
                .varint(skip)
                .varint(take == Long.MAX_VALUE ? 0 : take + 1)
                .optional(groups, (w, state) -> w.bytes(JsonText.writeBytes(state)))
                .optional(
                        seen,
                        (w, hashes) ->
                                w.list(hashes, (v, hash) -> v.u64(hash.low()).u64(hash.high())))
                .varint(emitted)
                .toBytes();
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
            long skip = in.varint();
            long take = in.varint();
            Progress progress =
                    new Progress(
                            position,
                            Optional.empty(),
                            skip,
                            take == 0 ? Long.MAX_VALUE : take - 1,
                            in.optional(r -> JsonText.parse(r.bytes())),
                            in.optional(
                                    r ->
                                            new ArrayList<>(
                                                    r.list(v -> new ValueHash(v.u64(), v.u64())))),
                            in.varint());
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
