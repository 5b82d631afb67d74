package orrery.gateway;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import orrery.document.HeapSize;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;
import orrery.model.resource.PartitionMap;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.query.dialect.AnswerShape;
import orrery.query.dialect.Effort;
import orrery.query.dialect.GroupTable;
import orrery.query.dialect.RowLimit;
import orrery.query.evaluate.ValueHash;
import orrery.query.execute.KeyMark;
import orrery.query.execute.QueryPart;
import orrery.query.execute.RowPlace;

/**
 * A page of an answer that is put together from those of several partitions: sorted, grouped or
 * without duplicates. Used once.
 *
 * <p>A sorted answer goes on behind its last row. Groups and unsorted distinct results have no
 * place to go on from: their next page finds the whole answer again and leaves out what was given.
 */
final class QueryMerge {
    private static final int MAX_DISTINCT = 500_000;
    private static final long MAX_GROUP_BYTES = 64L << 20;

    /** A hash and its place in a set. */
    private static final int HASH_BYTES = 80;

    private final QueryJob job;
    private final AnswerShape answer;
    private final int maxRows;
    private final RowLimit limit;
    private final List<Bytes> rows = new ArrayList<>();
    private long bytes;

    QueryMerge(QueryJob job, int maxRows) {
        this.job = job;
        this.answer = job.answer();
        this.maxRows = maxRows;
        this.limit = job.limit();
    }

    List<Bytes> rows() {
        return rows;
    }

    /** The sort key that a token marks, wherever its item is now, if it still has it. */
    Optional<Bytes> find(KeyMark mark) {
        while (true) {
            PartitionMap map = job.map();
            try {
                List<RowPlace> found = new ArrayList<>();
                FanOut.run(
                        job.visits(map, KeyRange.FULL),
                        visit ->
                                job.read(
                                        visit,
                                        Optional.empty(),
                                        Optional.of(QueryPart.seeking(mark)),
                                        1,
                                        ReadRequest.MAX_PAGE_BYTES),
                        page -> found.addAll(page.places()));
                return found.stream().map(RowPlace::key).findFirst();
            } catch (OrreryException failure) {
                if (!Resolver.hasMoved(failure)) {
                    throw failure;
                }
                requireNoRange(failure);
                job.awaitNewMap(map, failure);
            }
        }
    }

    /** Fills the page; returns where the next begins, if anything is left. */
    Optional<MergeToken> from(MergeToken start) {
        MergeToken token = start;
        while (true) {
            PartitionMap map = job.map();
            try {
                return fill(map, token);
            } catch (MovedException moved) {
                requireNoRange(moved.failure);
                // The rows of the page so far are good.
                token = MergeToken.at(moved.reached, 0);
                job.awaitNewMap(map, moved.failure);
            } catch (OrreryException failure) {
                if (!Resolver.hasMoved(failure)) {
                    throw failure;
                }
                requireNoRange(failure);
                rows.clear();
                bytes = 0;
                job.awaitNewMap(map, failure);
            }
        }
    }

    private Optional<MergeToken> fill(PartitionMap map, MergeToken token) {
        boolean isSorted = answer.isSorted() && !job.isDerived();
        if (isSorted && !answer.isDistinct()) {
            return sorted(map, token.reached());
        }
        return isSorted && answer.isSortedByResult()
                ? sortedDistinct(map, token)
                : found(map, token.given());
    }

    /** A request that names a range must see RANGE_GONE. */
    private void requireNoRange(OrreryException failure) {
        if (job.namesARange()) {
            throw failure;
        }
    }

    /** A partition moved in the middle of a sorted page. */
    private static final class MovedException extends RuntimeException {
        private final transient Optional<MergeToken.Reached> reached;
        private final transient OrreryException failure;

        MovedException(Optional<MergeToken.Reached> reached, OrreryException failure) {
            super(failure);
            this.reached = reached;
            this.failure = failure;
        }
    }

    private Optional<MergeToken> sorted(PartitionMap map, Optional<MergeToken.Reached> start) {
        long skip = start.map(MergeToken.Reached::skip).orElse(limit.skip());
        long take = start.map(MergeToken.Reached::take).orElse(limit.take());
        SortedParts parts;
        try {
            parts = new SortedParts(job, map, start, wanted(skip, take));
        } catch (OrreryException failure) {
            throw moved(failure, start);
        }
        Optional<SortedParts.Row> done = Optional.empty();
        while (take > 0) {
            Optional<SortedParts.Row> next;
            try {
                next = parts.next();
            } catch (OrreryException failure) {
                throw moved(failure, reached(parts, done, start, skip, take));
            }
            if (next.isEmpty()) {
                return Optional.empty();
            }
            if (skip > 0) {
                skip--;
            } else if (appendIfRoom(next.get().text())) {
                take = take == Long.MAX_VALUE ? take : take - 1;
            } else {
                return Optional.of(
                        new MergeToken(
                                reached(parts, done, start, skip, take),
                                reached(
                                        parts,
                                        next.map(SortedParts.Row::notGiven),
                                        start,
                                        skip,
                                        take),
                                0));
            }
            done = next;
        }
        return Optional.empty();
    }

    /**
     * Equal results have equal sort keys, so it goes on behind the last key that is done. Arrays
     * and objects share one each: among them it counts what was given.
     */
    private Optional<MergeToken> sortedDistinct(PartitionMap map, MergeToken token) {
        Optional<MergeToken.Reached> behind = token.reached();
        Optional<MergeToken.Reached> before = Optional.empty();
        long given = token.given();
        long again = given;
        long skip = behind.map(MergeToken.Reached::skip).orElse(limit.skip());
        long take = behind.map(MergeToken.Reached::take).orElse(limit.take());
        SortedParts parts = new SortedParts(job, map, behind, wanted(skip + given, take));
        Set<ValueHash> seen = new HashSet<>();
        Optional<SortedParts.Row> last = Optional.empty();
        while (take > 0) {
            Optional<SortedParts.Row> next = parts.next();
            if (next.isEmpty()) {
                return Optional.empty();
            }
            boolean isFirst = last.isEmpty();
            boolean isNewKey =
                    !isFirst && !last.get().place().key().equals(next.get().place().key());
            if (isFirst || isNewKey) {
                before = Optional.of(before(next.get(), skip, take));
            }
            if (isNewKey) {
                behind = Optional.of(behind(last.get(), skip, take));
                given = 0;
                again = 0;
                seen.clear();
            }
            last = next;
            if (!addIfUnseen(next.get().text(), seen)) {
                continue;
            }
            if (skip > 0) {
                skip--;
                continue;
            }
            if (again > 0) {
                again--;
            } else if (appendIfRoom(next.get().text())) {
                given++;
            } else {
                return Optional.of(new MergeToken(behind, before, given));
            }
            take = take == Long.MAX_VALUE ? take : take - 1;
        }
        return Optional.empty();
    }

    /** All partitions go on with the next key. */
    private static MergeToken.Reached behind(SortedParts.Row row, long skip, long take) {
        return everywhere(RowPlace.behind(row.place().key(), row.isBackward()), row, skip, take);
    }

    /** All partitions go on with this key. */
    private static MergeToken.Reached before(SortedParts.Row row, long skip, long take) {
        return everywhere(RowPlace.before(row.place().key(), row.isBackward()), row, skip, take);
    }

    private static MergeToken.Reached everywhere(
            RowPlace place, SortedParts.Row row, long skip, long take) {
        return new MergeToken.Reached(
                place, row.place().docid(), KeyRange.FULL, List.of(), row.isBackward(), skip, take);
    }

    private static Optional<MergeToken.Reached> reached(
            SortedParts parts,
            Optional<SortedParts.Row> done,
            Optional<MergeToken.Reached> start,
            long skip,
            long take) {
        return done.isEmpty()
                ? start
                : done.map(
                        row ->
                                new MergeToken.Reached(
                                        row.place(),
                                        row.place().docid(),
                                        parts.keysOf(row),
                                        parts.begunBehind(row),
                                        row.isBackward(),
                                        skip,
                                        take));
    }

    /** Remembers how far the answer has come, so that no row is given twice. */
    private static RuntimeException moved(
            OrreryException failure, Optional<MergeToken.Reached> reached) {
        return Resolver.hasMoved(failure) ? new MovedException(reached, failure) : failure;
    }

    private int wanted(long skip, long take) {
        return (int) Math.min(maxRows - rows.size() + Math.min(skip, 1000), Math.max(1, take));
    }

    /** False if the page has no room for it. */
    private boolean appendIfRoom(Bytes row) {
        boolean isFull =
                rows.size() >= maxRows
                        || (!rows.isEmpty() && bytes + row.length() > ReadRequest.MAX_PAGE_BYTES);
        if (isFull) {
            return false;
        }
        MemoryAccount.current().take(QueryJob.heldBytes(row));
        rows.add(row);
        bytes += row.length();
        return true;
    }

    /** The whole answer once more, without what was given already. */
    private Optional<MergeToken> found(PartitionMap map, long given) {
        long skip = limit.skip() + given;
        long take = limit.take() == Long.MAX_VALUE ? limit.take() : limit.take() - given;
        Set<ValueHash> seen = new HashSet<>();
        Iterator<Bytes> results = results(map);
        while (take > 0 && results.hasNext()) {
            Bytes row = results.next();
            if (answer.isDistinct() && !addIfUnseen(row, seen)) {
                continue;
            }
            if (skip > 0) {
                skip--;
            } else if (appendIfRoom(row)) {
                take = take == Long.MAX_VALUE ? take : take - 1;
            } else {
                return Optional.of(MergeToken.at(Optional.empty(), given + rows.size()));
            }
        }
        return Optional.empty();
    }

    /** Clients that can merge by themselves do so when they hear this. */
    private static OrreryException tooMuch() {
        return new OrreryException(
                ErrorCode.CROSS_PARTITION_QUERY_NOT_SERVABLE,
                "The provided cross partition query can not be directly served by the gateway. It"
                        + " has more groups or distinct results than the gateway keeps. Use a"
                        + " client that merges results by itself, or add a filter.");
    }

    private static boolean addIfUnseen(Bytes row, Set<ValueHash> seen) {
        if (seen.size() >= MAX_DISTINCT) {
            throw tooMuch();
        }
        boolean isNew = seen.add(ValueHash.of(JsonText.parse(row)));
        if (isNew) {
            MemoryAccount.current().take(HASH_BYTES);
        }
        return isNew;
    }

    private Iterator<Bytes> results(PartitionMap map) {
        if (job.isDerived()) {
            return new DerivedQuery(job).results();
        }
        if (answer.isGrouped()) {
            return grouped(map);
        }
        if (answer.isSorted()) {
            SortedParts parts =
                    new SortedParts(job, map, Optional.empty(), wanted(0, Long.MAX_VALUE));
            return new Stream(() -> parts.next().map(SortedParts.Row::text));
        }
        return new Stream(new Walk(map));
    }

    private Iterator<Bytes> grouped(PartitionMap map) {
        GroupTable groups = job.program().start(new Effort()).groups();
        FanOut.run(job.visits(map, KeyRange.FULL), this::state, state -> merge(state, groups));
        return job.evaluating(
                () -> {
                    List<Bytes> results = new ArrayList<>();
                    groups.results()
                            .forEachRemaining(value -> results.add(QueryJob.written(value)));
                    return results.iterator();
                });
    }

    private static void merge(Bytes saved, GroupTable groups) {
        MemoryAccount account = MemoryAccount.current();
        try (MemoryAccount.Part memory = account.part()) {
            Value state = JsonText.parse(saved);
            memory.take(HeapSize.of(state));
            long before = groups.sizeBytes();
            groups.merge(state);
            account.take(Math.max(0, groups.sizeBytes() - before));
        }
        account.give(saved.length());
        if (groups.sizeBytes() > MAX_GROUP_BYTES) {
            throw tooMuch();
        }
    }

    /** Returns the state of the aggregates of one partition; it may wait for its turn. */
    private Bytes state(QueryJob.Visit visit) {
        Optional<Bytes> after = Optional.empty();
        while (true) {
            ReadResponse.QueryPage page =
                    job.read(
                            visit,
                            after,
                            Optional.of(QueryPart.WHOLE),
                            1,
                            ReadRequest.MAX_PAGE_BYTES);
            if (!page.rows().isEmpty()) {
                Bytes state = page.rows().getFirst();
                MemoryAccount.current().take(state.length());
                return state;
            }
            after = page.next();
            if (after.isEmpty()) {
                throw new IllegalStateException("a partition has no state of its aggregates");
            }
        }
    }

    /** The rows of one partition after the other. */
    private final class Walk implements Supplier<Optional<Bytes>> {
        private final Iterator<QueryJob.Visit> visits;
        private Optional<QueryJob.Visit> visit = Optional.empty();
        private Optional<Bytes> after = Optional.empty();
        private Iterator<Bytes> page = List.<Bytes>of().iterator();

        Walk(PartitionMap map) {
            this.visits = job.visits(map, KeyRange.FULL).iterator();
        }

        @Override
        public Optional<Bytes> get() {
            while (!page.hasNext()) {
                if (visit.isEmpty() || after.isEmpty()) {
                    if (!visits.hasNext()) {
                        return Optional.empty();
                    }
                    visit = Optional.of(visits.next());
                    after = Optional.empty();
                }
                ReadResponse.QueryPage read =
                        job.read(
                                visit.get(),
                                after,
                                Optional.of(QueryPart.WHOLE),
                                1000,
                                ReadRequest.MAX_PAGE_BYTES);
                after = read.next();
                page = read.rows().iterator();
            }
            return Optional.of(page.next());
        }
    }

    /** An iterator of what a supplier gives until it has no more. */
    private static final class Stream implements Iterator<Bytes> {
        private final Supplier<Optional<Bytes>> supplier;
        private Optional<Bytes> next;

        Stream(Supplier<Optional<Bytes>> supplier) {
            this.supplier = supplier;
            this.next = supplier.get();
        }

        @Override
        public boolean hasNext() {
            return next.isPresent();
        }

        @Override
        public Bytes next() {
            Bytes row = next.orElseThrow();
            next = supplier.get();
            return row;
        }
    }
}
