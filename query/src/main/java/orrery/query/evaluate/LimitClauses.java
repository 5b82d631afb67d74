package orrery.query.evaluate;

import orrery.document.Value;
import orrery.query.dialect.RowLimit;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryError;
import orrery.query.syntax.Scalar;

/** TOP, OFFSET and LIMIT of a query, with parameters bound. */
public final class LimitClauses {
    private static final long MAX_TOP = 4294967295L;
    private static final long MAX_COUNT = Integer.MAX_VALUE;

    private LimitClauses() {}

    /** Fails with BAD_REQUEST for a parameter that is no count. */
    public static RowLimit of(Evaluator evaluator, Query query) {
        long skip = 0;
        long take = Long.MAX_VALUE;
        if (query.window().isPresent()) {
            Query.Window window = query.window().get();
            skip =
                    count(
                            evaluator,
                            window.offset(),
                            "an OFFSET",
                            MAX_COUNT,
                            "SC2062",
                            "The OFFSET count value exceeds the maximum allowed value.");
            take =
                    count(
                            evaluator,
                            window.limit(),
                            "a LIMIT",
                            MAX_COUNT,
                            "SC2061",
                            "The LIMIT count value exceeds the maximum allowed value.");
        }
        if (query.top().isPresent()) {
            long top =
                    count(
                            evaluator,
                            query.top().get(),
                            "a TOP",
                            MAX_TOP,
                            "SC2060",
                            "The count value provided for a TOP clause must be an integer.");
            take = Math.min(take, top);
        }
        return new RowLimit(skip, take);
    }

    private static long count(
            Evaluator evaluator,
            Scalar scalar,
            String clause,
            long max,
            String code,
            String tooMany) {
        Value value = evaluator.evaluate(scalar, Bindings.empty());
        if (value instanceof Value.Int(long count) && count >= 0) {
            if (count <= max) {
                return count;
            }
            throw QueryError.ofParameter(code, tooMany);
        }
        throw QueryError.ofParameter(
                code,
                "The count value provided for "
                        + clause
                        + " clause must be a non-negative integer.");
    }
}
