package orrery.frontend.sql;

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
import orrery.query.execute.ResumePoint;

/**
 * The {@code resumeFilter} in the body of a query: where an SDK that merges sorted results wants a
 * range to begin.
 */
final class ResumeFilter {
    private static final Value SOME_ARRAY = new Value.Array(List.of(Value.Null.NULL));
    private static final Value SOME_OBJECT = new Value.Obj(Map.of("", Value.Null.NULL));

    private ResumeFilter() {}

    /** Throws BAD_REQUEST if the text is not a resume filter. */
    static ResumePoint parse(Bytes json) {
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
                                    .orElseThrow(ResumeFilter::invalid)
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

    private static OrreryException invalid() {
        return new OrreryException(
                ErrorCode.BAD_REQUEST, "The resumeFilter of the query is not valid.");
    }
}
