package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;
import orrery.model.resource.PartitionMap;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.query.dialect.RowLimit;
import orrery.query.execute.QueryPart;

/**
 * A page of a query whose results only need to be put one behind the other: partition after
 * partition, in the order of their keys. Used once.
 */
final class QueryWalk {
    private final QueryJob job;
    private final int maxRows;
    private final boolean endsWithRange;
    private final boolean isLimited;
    private final List<Bytes> rows = new ArrayList<>();
    private long bytes;
    private RowLimit limit = RowLimit.NONE;
    private List<QueryToken.Part> left = List.of();

    QueryWalk(QueryJob job, int maxRows, boolean endsWithRange) {
        this.job = job;
        this.maxRows = maxRows;
        this.endsWithRange = endsWithRange;
        // One partition counts by itself.
        this.isLimited = !job.isOnOnePartition() && !job.limit().isNone();
    }

    QueryToken start() {
        return QueryToken.start(isLimited ? job.limit() : RowLimit.NONE);
    }

    List<Bytes> rows() {
        return rows;
    }

    /** Fills the page; returns where the next begins, if anything is left. */
    Optional<QueryToken> from(QueryToken token) {
        left = token.parts();
        limit = token.limit();
        while (true) {
            PartitionMap map = job.map();
            try {
                return fill(map);
            } catch (OrreryException failure) {
                job.awaitMove(map, failure);
            }
        }
    }

    private record Step(QueryJob.Visit visit, Optional<Bytes> position) {
        QueryToken.Part part() {
            return new QueryToken.Part(visit.keys(), QueryToken.Place.of(position));
        }
    }

    private List<Step> steps(PartitionMap map) {
        List<Step> steps = new ArrayList<>();
        for (QueryToken.Part part : left) {
            for (QueryJob.Visit visit : job.visits(map, part.keys())) {
                steps.add(new Step(visit, part.place().after()));
            }
        }
        return !job.answer().readsItems() && steps.size() > 1 ? steps.subList(0, 1) : steps;
    }

    private Optional<QueryToken> fill(PartitionMap map) {
        List<Step> steps = steps(map);
        for (int i = 0; i < steps.size() && !limit.isReached(); i++) {
            Step step = steps.get(i);
            boolean isFull = rows.size() >= maxRows || bytes >= ReadRequest.MAX_PAGE_BYTES;
            if (job.work().isEnough()) {
                return Optional.of(token(steps, i, step.position()));
            }
            Optional<ReadResponse.QueryPage> first = read(step, isFull);
            if (first.isEmpty()) {
                return Optional.of(token(steps, i, step.position()));
            }
            ReadResponse.QueryPage page = isFull ? first.get() : gathered(step, first.get());
            if (isFull) {
                // Only to know whether a continuation is due.
                if (!page.rows().isEmpty() || page.next().isPresent()) {
                    return Optional.of(token(steps, i, step.position()));
                }
            } else {
                add(page.rows());
                if (page.next().isPresent() && !limit.isReached()) {
                    return Optional.of(token(steps, i, page.next()));
                }
            }
            // If the next partition has moved, the parts that were read stay read.
            left = QueryToken.left(parts(steps), i + 1);
            if (endsWithRange && !left.isEmpty() && !limit.isReached()) {
                return Optional.of(QueryToken.of(left, limit));
            }
        }
        return Optional.empty();
    }

    private ReadResponse.QueryPage gathered(Step step, ReadResponse.QueryPage first) {
        ReadResponse.QueryPage page = first;
        boolean isAllowed = true;
        while (isAllowed && isGathering(page)) {
            Optional<ReadResponse.QueryPage> next =
                    read(new Step(step.visit(), page.next()), false);
            isAllowed = next.isPresent();
            page = next.orElse(page);
        }
        return page;
    }

    private boolean isGathering(ReadResponse.QueryPage page) {
        return job.answer().isGrouped()
                && page.rows().isEmpty()
                && page.next().isPresent()
                && !job.work().isEnoughGathering();
    }

    private void add(List<Bytes> found) {
        int skipped = (int) Math.min(limit.skip(), found.size());
        int taken = (int) Math.min(limit.take(), found.size() - skipped);
        for (Bytes row : found.subList(skipped, skipped + taken)) {
            MemoryAccount.current().take(QueryJob.heldBytes(row));
            rows.add(row);
            bytes += row.length();
        }
        limit = limit.behind(skipped + taken);
    }

    private Optional<ReadResponse.QueryPage> read(Step step, boolean isFull) {
        long wanted =
                isFull ? 1 : Math.min(maxRows - rows.size() + limit.skip(), QueryJob.BATCH_ROWS);
        return job.readIfAllowed(
                step.visit(),
                step.position(),
                isLimited ? Optional.of(QueryPart.WHOLE) : Optional.empty(),
                (int) Math.max(1, wanted),
                (int) Math.max(1, ReadRequest.MAX_PAGE_BYTES - bytes));
    }

    private QueryToken token(List<Step> steps, int at, Optional<Bytes> position) {
        return QueryToken.at(parts(steps), at, position, limit);
    }

    private static List<QueryToken.Part> parts(List<Step> steps) {
        return steps.stream().map(Step::part).toList();
    }
}
