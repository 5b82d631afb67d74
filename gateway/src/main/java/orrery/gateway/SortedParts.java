package orrery.gateway;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.KeyRange;
import orrery.model.memory.MemoryAccount;
import orrery.model.resource.PartitionMap;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.query.execute.QueryPart;
import orrery.query.execute.RowPlace;

/**
 * The sorted rows of several partitions as one sorted stream. Among rows with equal values, those
 * of lower keys come first. Keeps some rows of each partition in memory, and asks for more when
 * they are used up.
 */
final class SortedParts {
    private static final int LEAST_ROWS = 8;

    /** The heap that a waiting row takes besides its bytes. */
    private static final long ROW_OVERHEAD = 128;

    /** A row of the answer and where it stands. */
    record Row(Bytes text, RowPlace place, int stream, boolean isBackward) {
        /** Returns the place of the answer before this row. */
        Row notGiven() {
            return new Row(text, place.beforeRow(), stream, isBackward);
        }
    }

    /** The rows of one partition. */
    private final class Stream {
        private final QueryJob.Visit visit;
        private final Optional<RowPlace> from;
        private final int order;
        private final Deque<Row> buffer = new ArrayDeque<>();
        private Optional<Bytes> after = Optional.empty();
        private boolean isFinished;

        Stream(QueryJob.Visit visit, Optional<RowPlace> from, int order) {
            this.visit = visit;
            this.from = from;
            this.order = order;
        }

        /** Returns when there is a row, or the end. */
        Stream fetch() {
            while (buffer.isEmpty() && !isFinished) {
                ReadResponse.QueryPage page =
                        job.read(
                                visit, after, Optional.of(QueryPart.from(from)), batch, batchBytes);
                for (int i = 0; i < page.rows().size(); i++) {
                    account.take(heldBytes(page.rows().get(i), page.places().get(i)));
                    buffer.add(
                            new Row(
                                    page.rows().get(i),
                                    page.places().get(i),
                                    order,
                                    page.metrics().isBackward()));
                }
                after = page.next();
                isFinished = after.isEmpty();
            }
            return this;
        }

        Row head() {
            return buffer.getFirst();
        }
    }

    private final MemoryAccount account = MemoryAccount.current();
    private final QueryJob job;
    private final Optional<MergeToken.Reached> start;
    private final List<Stream> opened = new ArrayList<>();
    private final int batch;
    private final int batchBytes;
    private final PriorityQueue<Stream> streams = new PriorityQueue<>(SortedParts::compare);

    /**
     * @param reached behind which row to begin
     * @param maxRows how many rows are wanted, about
     */
    SortedParts(QueryJob job, PartitionMap map, Optional<MergeToken.Reached> reached, int maxRows) {
        this.job = job;
        this.start = reached;
        open(map);
        int count = Math.max(1, opened.size());
        // Every partition is asked for what would be its share, and a bit.
        this.batch = (int) Math.min(maxRows + 1L, LEAST_ROWS + 2L * maxRows / count);
        this.batchBytes = Math.max(1 << 16, ReadRequest.MAX_PAGE_BYTES / count);
        FanOut.run(opened, Stream::fetch, this::enqueue);
    }

    /**
     * Partitions may have been split or merged since a row was reached, so keys count. Those below
     * it have given all rows with the same values, those above none, except where they shared a
     * partition with it.
     */
    private void open(PartitionMap map) {
        if (start.isEmpty()) {
            open(map, KeyRange.FULL, Optional.empty());
            return;
        }
        MergeToken.Reached reached = start.get();
        boolean isBackward = reached.isBackward();
        Bytes key = reached.place().key();
        openBetween(map, EffectiveKey.MIN, reached.keys().min(), RowPlace.behind(key, isBackward));
        open(map, reached.keys(), Optional.of(reached.place()));
        EffectiveKey from = reached.keys().max();
        for (MergeToken.Begun begun : reached.begun()) {
            openBetween(map, from, begun.keys().min(), RowPlace.before(key, isBackward));
            open(map, begun.keys(), Optional.of(begun.place(key)));
            from = begun.keys().max();
        }
        openBetween(map, from, EffectiveKey.MAX, RowPlace.before(key, isBackward));
    }

    private void openBetween(PartitionMap map, EffectiveKey min, EffectiveKey max, RowPlace from) {
        if (min.compareTo(max) < 0) {
            open(map, new KeyRange(min, max), Optional.of(from));
        }
    }

    private void open(PartitionMap map, KeyRange keys, Optional<RowPlace> from) {
        for (QueryJob.Visit visit : job.visits(map, keys)) {
            opened.add(new Stream(visit, from, opened.size()));
        }
    }

    private static long heldBytes(Bytes text, RowPlace place) {
        return ROW_OVERHEAD + text.length() + place.key().length();
    }

    private void enqueue(Stream stream) {
        if (!stream.buffer.isEmpty()) {
            streams.add(stream);
        }
    }

    private static int compare(Stream left, Stream right) {
        Row a = left.head();
        int byKey = a.place().key().compareTo(right.head().place().key());
        int inOrder = a.isBackward() ? -byKey : byKey;
        return inOrder != 0 ? inOrder : Integer.compare(left.order, right.order);
    }

    /** Empty at the end. */
    Optional<Row> next() {
        Stream first = streams.poll();
        if (first == null) {
            return Optional.empty();
        }
        Row row = first.buffer.removeFirst();
        account.give(heldBytes(row.text(), row.place()));
        enqueue(first.fetch());
        return Optional.of(row);
    }

    /** The keys of the partition that a row came from. */
    KeyRange keysOf(Row row) {
        return opened.get(row.stream()).visit.keys();
    }

    /**
     * Returns the progress in the partitions after that of a row, among rows with the same values.
     */
    List<MergeToken.Begun> begunBehind(Row row) {
        if (start.isEmpty() || !start.get().place().key().equals(row.place().key())) {
            return List.of();
        }
        RowPlace untouched = RowPlace.before(row.place().key(), row.isBackward());
        List<MergeToken.Begun> begun = new ArrayList<>();
        for (Stream stream : opened.subList(row.stream() + 1, opened.size())) {
            stream.from
                    .filter(place -> !place.equals(untouched))
                    .ifPresent(
                            place ->
                                    begun.add(
                                            new MergeToken.Begun(
                                                    stream.visit.keys(),
                                                    place.docid(),
                                                    place.rows())));
        }
        return begun;
    }
}
