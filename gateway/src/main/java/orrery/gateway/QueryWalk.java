package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
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
    /** A page that finds little goes on from range to range for so long. */
    private static final long MAX_PAGE_NANOS = 3_000_000_000L;

    /**
     * Groups have no rows before they are complete, and the JavaScript SDK does not go on after
     * empty pages of all ranges. So a page waits for them, for less time than clients wait for a
     * page.
     */
    private static final long MAX_GROUPING_NANOS = 15_000_000_000L;

    private final QueryJob job;
    private final int maxRows;
    private final boolean endsWithRange;
    private final boolean isLimited;
    private final List<Bytes> rows = new ArrayList<>();
    private long bytes;
    private long skip;
    private long take;
    private List<QueryToken.Part> left = List.of();
    private boolean hasRead;

    QueryWalk(QueryJob job, int maxRows, boolean endsWithRange) {
        this.job = job;
        this.maxRows = maxRows;
        this.endsWithRange = endsWithRange;
        RowLimit limit = job.limit();
        // One partition counts by itself.
        this.isLimited =
                !job.isOnOnePartition() && (limit.skip() > 0 || limit.take() < Long.MAX_VALUE);
    }

    QueryToken start() {
        RowLimit limit = job.limit();
        return isLimited
                ? QueryToken.START.withLimit(limit.skip(), limit.take())
                : QueryToken.START;
    }

    List<Bytes> rows() {
        return rows;
    }

    /** Fills the page; returns where the next begins, if anything is left. */
    Optional<QueryToken> from(QueryToken token) {
        left = token.parts();
        skip = token.skip();
        take = token.take();
        while (true) {
            PartitionMap map = job.map();
            try {
                return fill(map);
            } catch (OrreryException failure) {
                if (!Resolver.hasMoved(failure) || job.namesARange()) {
                    throw failure;
                }
                job.awaitNewMap(map, failure);
            }
        }
    }

    private record Step(QueryJob.Visit visit, Optional<Bytes> position) {}

    private List<Step> steps(PartitionMap map) {
        List<Step> steps = new ArrayList<>();
        for (QueryToken.Part part : left) {
            for (QueryJob.Visit visit : job.visits(map, part.keys())) {
                steps.add(new Step(visit, part.position()));
            }
        }
        return !job.answer().readsItems() && steps.size() > 1 ? steps.subList(0, 1) : steps;
    }

    private Optional<QueryToken> fill(PartitionMap map) {
        List<Step> steps = steps(map);
        for (int i = 0; i < steps.size() && take > 0; i++) {
            Step step = steps.get(i);
            boolean isFull = rows.size() >= maxRows || bytes >= ReadRequest.MAX_PAGE_BYTES;
            if (hasRead && job.nanos() > MAX_PAGE_NANOS) {
                return Optional.of(token(steps, i, step.position()));
            }
            ReadResponse.QueryPage page = read(step, isFull);
            if (!isFull) {
                page = gathered(step, page);
            }
            hasRead = true;
            if (isFull) {
                // Only to know whether a continuation is due.
                if (!page.rows().isEmpty() || page.next().isPresent()) {
                    return Optional.of(token(steps, i, step.position()));
                }
            } else {
                add(page.rows());
                if (page.next().isPresent() && take > 0) {
                    return Optional.of(token(steps, i, page.next()));
                }
            }
            // If the next partition has moved, the parts that were read stay read.
            left = parts(steps, i + 1);
            if (endsWithRange && !left.isEmpty() && take > 0) {
                return Optional.of(QueryToken.of(left).withLimit(skip, take));
            }
        }
        return Optional.empty();
    }

    private ReadResponse.QueryPage gathered(Step step, ReadResponse.QueryPage first) {
        ReadResponse.QueryPage page = first;
        while (isGathering(page)) {
            try {
                page = read(new Step(step.visit(), page.next()), false);
            } catch (OrreryException failure) {
                if (failure.code() != ErrorCode.TOO_MANY_REQUESTS) {
                    throw failure;
                }
                // The client goes on from here. If it had to begin anew, it would be refused at
                // the same place again.
                return page;
            }
        }
        return page;
    }

    private boolean isGathering(ReadResponse.QueryPage page) {
        return job.answer().isGrouped()
                && page.rows().isEmpty()
                && page.next().isPresent()
                && job.nanos() < MAX_GROUPING_NANOS;
    }

    private void add(List<Bytes> found) {
        int skipped = (int) Math.min(skip, found.size());
        skip -= skipped;
        int taken = (int) Math.min(take, found.size() - skipped);
        for (Bytes row : found.subList(skipped, skipped + taken)) {
            MemoryAccount.current().take(QueryJob.heldBytes(row));
            rows.add(row);
            bytes += row.length();
        }
        if (take < Long.MAX_VALUE) {
            take -= taken;
        }
    }

    private ReadResponse.QueryPage read(Step step, boolean isFull) {
        long wanted = isFull ? 1 : Math.min(maxRows - rows.size() + skip, 1000);
        return job.read(
                step.visit(),
                step.position(),
                isLimited ? Optional.of(QueryPart.WHOLE) : Optional.empty(),
                (int) Math.max(1, wanted),
                (int) Math.max(1, ReadRequest.MAX_PAGE_BYTES - bytes));
    }

    private QueryToken token(List<Step> steps, int at, Optional<Bytes> position) {
        List<QueryToken.Part> parts = new ArrayList<>();
        if (position.isPresent()) {
            parts.add(new QueryToken.Part(steps.get(at).visit().keys(), position));
            parts.addAll(parts(steps, at + 1));
        } else {
            parts.addAll(parts(steps, at));
        }
        return QueryToken.of(parts).withLimit(skip, take);
    }

    /** Returns the parts that are left from a step on. A part that has not begun is whole. */
    private static List<QueryToken.Part> parts(List<Step> steps, int from) {
        List<QueryToken.Part> parts = new ArrayList<>();
        for (Step step : steps.subList(from, steps.size())) {
            KeyRange keys = step.visit().keys();
            if (step.position().isPresent()) {
                parts.add(new QueryToken.Part(keys, step.position()));
            } else {
                parts.add(
                        new QueryToken.Part(
                                new KeyRange(keys.min(), EffectiveKey.MAX), Optional.empty()));
                break;
            }
        }
        return parts;
    }
}
