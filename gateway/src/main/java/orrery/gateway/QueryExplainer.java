package orrery.gateway;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryExplanation;
import orrery.gateway.api.QueryPage;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.metering.Charge;
import orrery.model.resource.PartitionMap;
import orrery.partition.api.ReadResponse;
import orrery.query.execute.AccessPlan;
import orrery.query.execute.QueryMetrics;

/**
 * Asks the partitions of a query how they would answer it, and has them do so if that is wanted.
 */
final class QueryExplainer {
    /** One page of a query, with the job that it was. */
    interface Pages {
        QueryPage read(QueryJob job, PageRequest page);
    }

    private final RequestContext context;
    private final Supplier<QueryJob> jobs;
    private final SortedMap<Integer, AccessPlan> plans = new TreeMap<>();
    private final SortedMap<Integer, QueryMetrics> work = new TreeMap<>();
    private long rows;
    private Charge charge = Charge.NONE;

    /**
     * @param jobs makes a job for each page
     */
    QueryExplainer(RequestContext context, Supplier<QueryJob> jobs) {
        this.context = context;
        this.jobs = jobs;
    }

    /**
     * @param isPart whether the answer is put together from those of several partitions
     */
    QueryExplainer plan(boolean isPart, PageRequest page) {
        QueryJob job = jobs.get();
        while (true) {
            PartitionMap map = job.map();
            try {
                FanOut.run(
                        job.visits(map, KeyRange.FULL),
                        visit -> new Explained(visit, job.explain(visit, isPart, page.size())),
                        this::add);
                return this;
            } catch (OrreryException failure) {
                job.awaitMove(map, failure);
                plans.clear();
            }
        }
    }

    private record Explained(QueryJob.Visit visit, ReadResponse.Explained response) {}

    private void add(Explained explained) {
        plans.put(explained.visit().partition().range(), explained.response().plan());
        charge = charge.plus(PartitionCalls.charge(context, explained.response().charge()));
    }

    QueryExplainer run(Pages pages, PageRequest first) {
        Optional<String> continuation = Optional.empty();
        do {
            QueryJob job = jobs.get();
            QueryPage page = pages.read(job, new PageRequest(first.maxItems(), continuation));
            rows += page.rows().size();
            charge = charge.plus(page.charge());
            job.work()
                    .byRange()
                    .forEach((range, more) -> work.merge(range, more, QueryMetrics::plus));
            continuation = page.continuation();
        } while (continuation.isPresent());
        return this;
    }

    QueryExplanation result() {
        return new QueryExplanation(plans, work, rows, charge);
    }
}
