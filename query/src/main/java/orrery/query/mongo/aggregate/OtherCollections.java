package orrery.query.mongo.aggregate;

import java.util.List;
import java.util.Optional;
import orrery.document.Value;
import orrery.query.mongo.expression.ExpressionContext;

/** Where pipelines inside of stages find their documents. */
public interface OtherCollections {
    /**
     * Returns what a pipeline makes of a collection, which has no documents if it does not exist.
     *
     * @param collection of the same database; absent where the pipeline has documents of its own
     * @param context with the variables that the pipeline sees
     */
    Documents open(Optional<String> collection, List<Value> pipeline, ExpressionContext context);
}
