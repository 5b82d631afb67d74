package orrery.query;

import java.time.InstantSource;
import java.util.Map;
import orrery.document.Value;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.UserFunctions;
import orrery.query.syntax.Condition;
import orrery.query.syntax.QueryParser;

/** The condition of a patch, written as the end of a query: {@code from c where c.v = 1}. */
public final class PatchCondition {
    private final ItemFilter filter;

    private PatchCondition(ItemFilter filter) {
        this.filter = filter;
    }

    /**
     * Throws BAD_REQUEST for text that is no condition, NOT_IMPLEMENTED for one that cannot be
     * evaluated yet.
     */
    public static PatchCondition parse(
            String condition, InstantSource clock, Geospatial space, ComputedProperties computed) {
        Condition parsed = QueryParser.condition(condition);
        return new PatchCondition(
                ItemFilter.of(
                        parsed.from(),
                        parsed.where(),
                        new Evaluator(Map.of(), clock, space, UserFunctions.NONE, computed)));
    }

    public boolean matches(Value.Obj item) {
        return filter.apply(item).isPresent();
    }
}
