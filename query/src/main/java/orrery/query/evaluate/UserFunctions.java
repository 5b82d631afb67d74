package orrery.query.evaluate;

import java.util.List;
import java.util.function.Function;
import orrery.document.Value;
import orrery.query.syntax.QueryError;

/**
 * The functions that a query calls as {@code udf.name}. They are given nothing but their arguments,
 * all of them defined, and answer undefined where they return nothing.
 */
@FunctionalInterface
public interface UserFunctions {
    /** The functions of a container in which none is registered. */
    UserFunctions NONE =
            name -> {
                throw unknown(name);
            };

    /** Fails with BAD_REQUEST where there is none of this name. */
    Function<List<Value>, Value> find(String name);

    static RuntimeException unknown(String name) {
        return QueryError.engine("The user-defined function udf." + name + " does not exist.");
    }
}
