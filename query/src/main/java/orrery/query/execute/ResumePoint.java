package orrery.query.execute;

import java.util.List;
import java.util.Optional;
import orrery.document.Value;
import orrery.document.ValueCodec;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The place at which a client that merges sorted results of several partitions wants this one to
 * begin.
 *
 * @param values of ORDER BY; arrays and objects stand for all of their kind
 * @param docid the item to begin with among those that have these values
 * @param isExclusive whether to begin behind these values
 */
public record ResumePoint(List<Value> values, Optional<Long> docid, boolean isExclusive) {
    public ResumePoint {
        values = List.copyOf(values);
    }

    public void write(BinaryWriter out) {
        out.list(
                        values,
                        (w, value) ->
                                w.optional(
                                        Optional.of(value).filter(Value::isDefined),
                                        ValueCodec::write))
                .optional(docid, BinaryWriter::u64)
                .bool(isExclusive);
    }

    public static ResumePoint read(BinaryReader in) {
        return new ResumePoint(
                in.list(r -> r.optional(ValueCodec::read).orElse(Value.Undefined.UNDEFINED)),
                in.optional(BinaryReader::u64),
                in.bool());
    }

    Position position(Sorting sorting) {
        if (values.size() != sorting.key().parts().size()) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST, "The resumeFilter of the query is not valid.");
        }
        // Before all docids in the direction of the walk, or behind them.
        boolean isLowest = isExclusive == sorting.isBackward();
        long place = docid.orElse(isLowest ? 0L : -1L);
        return new Position(
                Position.Order.SORTED,
                List.of(),
                0,
                sorting.key().of(values),
                place,
                isExclusive ? Position.ALL_ROWS : 0);
    }
}
