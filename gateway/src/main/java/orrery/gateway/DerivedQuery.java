package orrery.gateway;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import orrery.document.JsonText;
import orrery.model.Bytes;
import orrery.model.memory.MemoryAccount;
import orrery.query.BoundQuery;
import orrery.query.dialect.Effort;
import orrery.query.dialect.GroupTable;
import orrery.query.dialect.Program;
import orrery.query.dialect.ProgramRun;
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
        BoundQuery.Derived derived = job.query().derived().orElseThrow();
        List<Bytes> innerRows = innerRows(derived.inner());
        return job.evaluating(() -> results(derived.outer(), innerRows)).iterator();
    }

    private List<Bytes> results(Program outer, List<Bytes> innerRows) {
        ProgramRun run = outer.start(new Effort());
        if (job.answer().isGrouped()) {
            GroupTable groups = run.groups();
            for (Bytes row : innerRows) {
                long before = groups.sizeBytes();
                each(run, row, groups::add);
                MemoryAccount.current().take(Math.max(0, groups.sizeBytes() - before));
            }
            List<Bytes> results = new ArrayList<>();
            groups.results().forEachRemaining(value -> results.add(QueryJob.written(value)));
            return results;
        }
        List<Bytes> results = new ArrayList<>();
        for (Bytes row : innerRows) {
            each(
                    run,
                    row,
                    () -> run.result().ifPresent(value -> results.add(QueryJob.written(value))));
        }
        return results;
    }

    private static void each(ProgramRun run, Bytes result, Runnable action) {
        run.open(JsonText.parse(result));
        while (run.hasNext()) {
            run.next();
            if (run.matches()) {
                action.run();
            }
        }
    }

    private List<Bytes> innerRows(BoundQuery inner) {
        QueryJob innerJob = job.inner(inner);
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
