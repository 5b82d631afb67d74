package orrery.query.mongo.find;

import java.util.Set;
import orrery.query.mongo.match.Condition;

/** The top-level fields that a filter looks at. */
public final class ReadFields {
    private ReadFields() {}

    /** Returns false if they may be any. */
    public static boolean collect(Condition filter, Set<String> names) {
        return switch (filter) {
            case Condition.And and -> and.all().stream().allMatch(each -> collect(each, names));
            case Condition.Or or -> or.any().stream().allMatch(each -> collect(each, names));
            case Condition.Not not -> collect(not.inner(), names);
            case Condition.Constant _ -> true;
            case Condition.OnPath onPath -> {
                names.add(onPath.path().first());
                yield true;
            }
            case Condition.OfExpression _, Condition.OfSchema _ -> false;
        };
    }
}
