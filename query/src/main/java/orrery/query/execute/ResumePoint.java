package orrery.query.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.ResourceId;

/**
 * The place at which a client that merges sorted results of several partitions wants this one to
 * begin: the {@code resumeFilter} in the body of its request.
 *
 * @param values of ORDER BY; arrays and objects stand for all of their kind
 * @param docid the item to begin with among those that have these values
 * @param isExclusive whether to begin behind these values
 */
public record ResumePoint(List<Value> values, Optional<Long> docid, boolean isExclusive) {
    private static final Value SOME_ARRAY = new Value.Array(List.of(Value.Null.NULL));
    private static final Value SOME_OBJECT = new Value.Obj(Map.of("", Value.Null.NULL));

    public ResumePoint {
        values = List.copyOf(values);
    }

    /** Throws BAD_REQUEST if the text is not a resume filter. */
    public static ResumePoint parse(Bytes json) {
        if (!(JsonText.parse(json) instanceof Value.Obj(Map<String, Value> members)
                && members.get("value") instanceof Value.Array(List<Value> encoded))) {
            throw invalid();
        }
        List<Value> values = new ArrayList<>();
        for (Value each : encoded) {
            values.add(decode(each));
        }
        Optional<Long> docid = Optional.empty();
        if (members.get("rid") instanceof Value.Text(String rid)) {
            docid =
                    Optional.of(
                            ResourceId.parse(rid)
                                    .filter(id -> id.docid().isPresent())
                                    .orElseThrow(ResumePoint::invalid)
                                    .docid()
                                    .getAsLong());
        }
        return new ResumePoint(values, docid, Value.of(true).equals(members.get("exclude")));
    }

    /** Arrays and objects come as their type and a hash, undefined as an empty array. */
    private static Value decode(Value encoded) {
        return switch (encoded) {
            case Value.Array _ -> Value.Undefined.UNDEFINED;
            case Value.Obj(Map<String, Value> members) ->
                    Value.of("array").equals(members.get("type")) ? SOME_ARRAY : SOME_OBJECT;
            default -> encoded;
        };
    }

    Position position(Sorting sorting) {
        if (values.size() != sorting.key().parts().size()) {
            throw invalid();
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

    private static OrreryException invalid() {
        return new OrreryException(
                ErrorCode.BAD_REQUEST, "The resumeFilter of the query is not valid.");
    }
}
