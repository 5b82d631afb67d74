package orrery.gateway;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.partition.api.ReadResponse;
import orrery.query.execute.QueryMetrics;

/**
 * The work that a page of a query has taken so far: it says when that is enough, and what it cost.
 * Partitions may be asked by several threads.
 */
final class QueryWork {
    /**
     * A page that finds little ends after so many pages of partitions, or after this time. Clients
     * go on with the next.
     */
    private static final int MAX_READS = 1_000;

    private static final long MAX_PAGE_NANOS = 3_000_000_000L;

    /**
     * Groups have no rows before they are complete. So a page waits for them, for less time than
     * clients wait for a page.
     */
    private static final long MAX_GATHERING_NANOS = 15_000_000_000L;

    private final LongSupplier nanoTime;
    private final long began;

    /**
     * The work of the query around it. Then results are not given, so that a page of them is no
     * place to end.
     */
    private final Optional<QueryWork> outer;

    private final SortedMap<Integer, Long> lsns = new TreeMap<>();
    private final SortedMap<Integer, QueryMetrics> metrics = new TreeMap<>();
    private int reads;
    private Charge charge = Charge.NONE;

    QueryWork(LongSupplier nanoTime) {
        this(nanoTime, nanoTime.getAsLong(), Optional.empty());
    }

    private QueryWork(LongSupplier nanoTime, long began, Optional<QueryWork> outer) {
        this.nanoTime = nanoTime;
        this.began = began;
        this.outer = outer;
    }

    /** Returns the work of a query inside a FROM, on the same page. It counts here as well. */
    QueryWork inner() {
        return new QueryWork(nanoTime, began, Optional.of(this));
    }

    synchronized void count(int range, ReadResponse.QueryPage page) {
        reads++;
        charge = charge.plus(page.charge());
        metrics.merge(range, page.metrics(), QueryMetrics::plus);
        lsns.merge(range, page.headLsn(), Math::max);
        outer.ifPresent(work -> work.count(range, page));
    }

    /** Returns true if partitions have been read. */
    synchronized boolean hasRead() {
        return reads > 0;
    }

    /** Returns true if the page should end with what it has. It always reads something before. */
    synchronized boolean isEnough() {
        return outer.isPresent()
                ? isEnoughGathering()
                : hasRead() && (nanos() > MAX_PAGE_NANOS || reads >= MAX_READS);
    }

    /** The same for answers that have no rows before everything was read. */
    synchronized boolean isEnoughGathering() {
        return hasRead() && nanos() > MAX_GATHERING_NANOS;
    }

    private long nanos() {
        return nanoTime.getAsLong() - began;
    }

    synchronized QueryMetrics metrics() {
        return metrics.values().stream().reduce(QueryMetrics.NONE, QueryMetrics::plus);
    }

    /** Returns the work in each range. */
    synchronized SortedMap<Integer, QueryMetrics> byRange() {
        return new TreeMap<>(metrics);
    }

    synchronized Charge charge() {
        return charge;
    }

    synchronized SessionToken sessionToken() {
        return new SessionToken(lsns);
    }

    /** Returns the range that was read, if it was one. */
    synchronized OptionalInt onlyRange() {
        return lsns.size() == 1 ? OptionalInt.of(lsns.firstKey()) : OptionalInt.empty();
    }
}
