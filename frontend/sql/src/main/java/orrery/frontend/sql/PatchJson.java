package orrery.frontend.sql;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.document.Patch;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.PlanningThreads;
import orrery.query.QueryRequest;
import orrery.query.sql.PatchCondition;
import orrery.query.write.Evaluation;
import orrery.query.write.PatchDialect;

/**
 * Patches as clients write them: {@code {"operations": [...], "condition": "from c where ..."}}, or
 * the bare array of operations. The text of the condition ends here; the engine is sent its tree.
 */
final class PatchJson {
    private PatchJson() {}

    /**
     * Throws BAD_REQUEST naming the operation at fault, or for a text that is not a condition.
     *
     * @param container its number, by which long conditions share the threads that parse them
     */
    static Evaluation parse(Bytes json, int container) {
        return switch (JsonText.parse(json)) {
            case Value.Array(List<Value> operations) ->
                    PatchDialect.evaluation(Patch.of(operations));
            case Value.Obj(Map<String, Value> members) -> parse(members, container);
            default -> throw invalid("A patch is a JSON object with 'operations', or their array.");
        };
    }

    private static Evaluation parse(Map<String, Value> members, int container) {
        for (String name : members.keySet()) {
            if (!name.equals("operations") && !name.equals("condition")) {
                throw invalid("A patch has no property '" + name + "'.");
            }
        }
        if (!(members.get("operations") instanceof Value.Array(List<Value> operations))) {
            throw invalid("The property 'operations' of a patch must be an array.");
        }
        Patch patch = Patch.of(operations);
        return switch (members.getOrDefault("condition", Value.Null.NULL)) {
            case Value.Null _ -> PatchDialect.evaluation(patch);
            case Value.Text(String text) ->
                    PatchDialect.evaluation(patch, Optional.of(condition(text, container)));
            default -> throw invalid("The property 'condition' of a patch must be a string.");
        };
    }

    private static PatchCondition condition(String text, int container) {
        return PlanningThreads.ofProcess()
                .plan(
                        container,
                        new QueryRequest(text, Map.of()),
                        () -> PatchCondition.parse(text));
    }

    private static OrreryException invalid(String why) {
        return new OrreryException(ErrorCode.BAD_REQUEST, why);
    }
}
