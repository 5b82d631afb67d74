package orrery.gateway;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import orrery.document.JsonText;
import orrery.model.Bytes;
import orrery.model.memory.MemoryAccount;
import orrery.query.QueryRequest;
import orrery.query.evaluate.Aggregation;
import orrery.query.evaluate.Bindings;
import orrery.query.evaluate.Groups;
import orrery.query.evaluate.Projection;
import orrery.query.evaluate.Rows;
import orrery.query.plan.QueryPrinter;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryError;

/**
 * A query over the results of another that cannot be told from one item at a time, such as {@code
 * SELECT COUNT(1) FROM (SELECT DISTINCT c.x FROM c)}. The inner one is answered over all partitions
 * first.
 */
final class DerivedQuery {
    private static final int MAX_ROWS = 100_000;

    private final QueryJob job;

    DerivedQuery(QueryJob job) {
        this.job = job;
    }

    /** All results, each a JSON text. */
    Iterator<Bytes> results() {
        Query outer = job.query().overDerived();
        if (outer.orderBy().isPresent()) {
            throw QueryError.engine(
                    "ORDER BY is not supported over the results of a query in the FROM clause.");
        }
        List<Bytes> innerRows = innerRows();
        return job.evaluating(() -> results(outer, innerRows)).iterator();
    }

    private List<Bytes> results(Query outer, List<Bytes> innerRows) {
        Rows rows = new Rows(job.evaluator(), outer.from(), outer.where());
        if (outer.isGrouped()) {
            Groups groups = new Aggregation(job.evaluator(), outer).start();
            for (Bytes row : innerRows) {
                long before = groups.sizeBytes();
                each(rows, row, groups::add);
                MemoryAccount.current().take(Math.max(0, groups.sizeBytes() - before));
            }
            List<Bytes> results = new ArrayList<>();
            groups.results().forEachRemaining(value -> results.add(QueryJob.written(value)));
            return results;
        }
        Projection projection = new Projection(job.evaluator(), outer);
        List<Bytes> results = new ArrayList<>();
        for (Bytes row : innerRows) {
            each(
                    rows,
                    row,
                    bindings ->
                            projection
                                    .apply(bindings)
                                    .ifPresent(value -> results.add(QueryJob.written(value))));
        }
        return results;
    }

    private static void each(Rows rows, Bytes row, Consumer<Bindings> consumer) {
        Iterator<Bindings> all = rows.of(JsonText.parse(row));
        while (all.hasNext()) {
            Bindings bindings = all.next();
            if (rows.accepts(bindings)) {
                consumer.accept(bindings);
            }
        }
    }

    private List<Bytes> innerRows() {
        Query inner = job.query().derived().orElseThrow();
        QueryRequest request =
                new QueryRequest(QueryPrinter.print(inner), job.request().parameters());
        QueryJob innerJob = job.inner(inner, request);
        QueryMerge merge = new QueryMerge(innerJob, MAX_ROWS);
        boolean hasMore = merge.from(MergeToken.START).isPresent();
        job.add(innerJob);
        if (hasMore) {
            throw QueryError.engine(
                    "The query in the FROM clause has more results than can be gathered: at most "
                            + MAX_ROWS
                            + " of 4 MB in all.");
        }
        return merge.rows();
    }
}
