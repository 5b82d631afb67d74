package orrery.gateway;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import orrery.gateway.QueryToken.Part;
import orrery.gateway.QueryToken.Place;
import orrery.model.Bytes;
import orrery.model.KeyRange;
import orrery.model.memory.MemoryAccount;
import orrery.model.resource.PartitionMap;
import orrery.partition.api.ReadResponse;
import orrery.query.evaluate.ValueHash;
import orrery.query.execute.QueryPart;
import orrery.query.execute.RowPlace;

/**
 * The sorted rows of several partitions as one sorted stream. Among rows with equal values, those
 * of lower keys come first; those of partitions that answer for the one they came from come in its
 * order, which is that of docids. Keeps some rows of each partition in memory, and asks for more
 * when they are used up. It pauses where a partition has found none for long.
 */
final class SortedParts {
    private static final int LEAST_ROWS = 8;

    /** The heap that a waiting row takes besides its bytes. */
    private static final long ROW_OVERHEAD = 128;

    private static final ValueHash NO_HASH = new ValueHash(0, 0);

    /**
     * A row of the answer and where it stands.
     *
     * @param hash where the answer has no duplicates
     */
    record Row(Bytes text, ValueHash hash, RowPlace place, int stream, boolean isBackward) {
        /** Returns the place of the answer before this row. */
        Row notGiven() {
            return new Row(text, hash, place.beforeRow(), stream, isBackward);
        }

        private long heldBytes() {
            return ROW_OVERHEAD + text.length() + place.key().length();
        }
    }

    /** The rows of one partition. */
    private final class Stream {
        private final QueryJob.Visit visit;
        private final Place begin;
        private final int order;
        private final Deque<Row> buffer = new ArrayDeque<>();
        private Optional<Bytes> after;

        /**
         * Work has ended a page of it before rows did. Then the place that it has reached is worth
         * remembering, wherever the answer is.
         */
        private boolean hasSearched;

        private boolean isFinished;

        Stream(QueryJob.Visit visit, Place begin, int order) {
            this.visit = visit;
            this.begin = begin;
            this.order = order;
            this.after = begin.after();
            this.hasSearched = begin instanceof Place.At || begin instanceof Place.Behind;
        }

        /** Returns when there is a row, or the end, or no more time. */
        Stream fetch() {
            boolean isAllowed = true;
            while (buffer.isEmpty() && !isFinished && isAllowed) {
                Optional<ReadResponse.QueryPage> page =
                        job.readIfAllowed(
                                visit,
                                after,
                                Optional.of(QueryPart.from(from())),
                                batch,
                                batchBytes);
                page.ifPresent(this::add);
                isAllowed = page.isPresent() && !job.work().isEnough();
            }
            return this;
        }

        private void add(ReadResponse.QueryPage page) {
            for (int i = 0; i < page.rows().size(); i++) {
                Row row =
                        new Row(
                                page.rows().get(i),
                                page.hashes().isEmpty() ? NO_HASH : page.hashes().get(i),
                                page.places().get(i),
                                order,
                                page.metrics().isBackward());
                account.take(row.heldBytes());
                buffer.add(row);
            }
            after = page.next();
            isFinished = after.isEmpty();
            hasSearched |= buffer.isEmpty() && !isFinished;
        }

        private Optional<RowPlace> from() {
            return switch (begin) {
                case Place.Behind(RowPlace row) -> Optional.of(row);
                case Place.Beside(long docid, long rows) ->
                        Optional.of(new RowPlace(start.reached().orElseThrow().key(), docid, rows));
                case Place.At _, Place.Unread _, Place.Done _ -> Optional.empty();
            };
        }

        Row head() {
            return buffer.getFirst();
        }

        boolean isWaiting() {
            return buffer.isEmpty() && !isFinished;
        }

        /** Returns its place by itself, if that is worth remembering. */
        private Optional<Place> ownPlace() {
            if (!hasSearched) {
                return Optional.empty();
            }
            if (!buffer.isEmpty()) {
                return Optional.of(new Place.Behind(head().place().beforeRow()));
            }
            return Optional.of(after.<Place>map(Place.At::new).orElseGet(Place.Done::new));
        }
    }

    private final MemoryAccount account = MemoryAccount.current();
    private final QueryJob job;
    private final QueryToken start;
    private final int maxRows;
    private final List<Stream> opened = new ArrayList<>();
    private final List<Part> finished = new ArrayList<>();
    private int batch;
    private int batchBytes;
    private final PriorityQueue<Stream> streams = new PriorityQueue<>(this::compare);

    /** The stream of the row that was taken last; it is not among the others. */
    private @Nullable Stream taken;

    private boolean isPaused;

    /**
     * @param start behind which rows to begin
     * @param maxRows how many rows are wanted, about
     */
    SortedParts(QueryJob job, QueryToken start, int maxRows) {
        this.job = job;
        this.start = start;
        this.maxRows = maxRows;
    }

    /** Partitions may have been split or merged since a row was reached, so keys count. */
    void open(PartitionMap map) {
        for (Part part : start.progress()) {
            if (part.place() instanceof Place.Done) {
                finished.add(part);
            } else {
                for (QueryJob.Visit visit : job.visits(map, part.keys())) {
                    opened.add(new Stream(visit, part.place(), opened.size()));
                }
            }
        }
        int count = Math.max(1, opened.size());
        // Every partition is asked for what would be its share, and a bit.
        batch = (int) Math.min(maxRows + 1L, LEAST_ROWS + 2L * maxRows / count);
        batchBytes = Math.max(1 << 16, QueryJob.BATCH_BYTES / count);
        FanOut.run(opened, Stream::fetch, this::enqueue);
    }

    private void enqueue(Stream stream) {
        isPaused |= stream.isWaiting();
        if (!stream.buffer.isEmpty()) {
            streams.add(stream);
        }
    }

    private int compare(Stream left, Stream right) {
        Row a = left.head();
        Row b = right.head();
        int byKey = a.place().key().compareTo(b.place().key());
        if (byKey == 0 && job.isOfHeirs()) {
            byKey = Long.compareUnsigned(a.place().docid(), b.place().docid());
        }
        int inOrder = a.isBackward() ? -byKey : byKey;
        return inOrder != 0 ? inOrder : Integer.compare(left.order, right.order);
    }

    /** Returns the next row; empty at the end, and where it pauses. */
    Optional<Row> peek() {
        if (taken != null) {
            Stream stream = taken;
            taken = null;
            enqueue(stream.fetch());
        }
        return isPaused ? Optional.empty() : Optional.ofNullable(streams.peek()).map(Stream::head);
    }

    /** Takes the row that {@link #peek} returned. */
    void advance() {
        Stream first = streams.remove();
        account.give(first.buffer.removeFirst().heldBytes());
        taken = first;
    }

    boolean isPaused() {
        return isPaused;
    }

    /** Returns how far each range of keys has come, if no row was taken. */
    List<Part> progress() {
        List<Part> parts = new ArrayList<>(finished);
        for (Stream stream : opened) {
            parts.add(new Part(stream.visit.keys(), stream.ownPlace().orElse(stream.begin)));
        }
        return joined(parts);
    }

    /** Returns how far each range of keys has come behind a row. */
    List<Part> progress(Row row) {
        List<Part> parts = new ArrayList<>(finished);
        for (Stream stream : opened) {
            parts.add(
                    new Part(
                            stream.visit.keys(),
                            stream.ownPlace().orElseGet(() -> beside(stream, row))));
        }
        return joined(parts);
    }

    /**
     * Lower keys have given all rows with the values of a row, higher ones none, except where they
     * shared a partition with lower ones once.
     */
    private Place beside(Stream stream, Row row) {
        Bytes key = row.place().key();
        if (stream.order == row.stream() || job.isOfHeirs()) {
            return beside(row.place());
        }
        if (stream.order < row.stream()) {
            return beside(RowPlace.behind(key, row.isBackward()));
        }
        return stream.from()
                .filter(from -> from.key().equals(key))
                .map(SortedParts::beside)
                .orElseGet(() -> beside(RowPlace.before(key, row.isBackward())));
    }

    private static Place beside(RowPlace place) {
        return new Place.Beside(place.docid(), place.rows());
    }

    /** Makes one part of neighbours that have come equally far. */
    private static List<Part> joined(List<Part> parts) {
        List<Part> sorted = new ArrayList<>(parts);
        sorted.sort(Comparator.comparing(part -> part.keys().min()));
        List<Part> joined = new ArrayList<>();
        for (Part part : sorted) {
            Optional<Part> last =
                    joined.isEmpty() ? Optional.empty() : Optional.of(joined.getLast());
            boolean isSame =
                    last.isPresent()
                            && !(part.place() instanceof Place.At)
                            && last.get().place().equals(part.place())
                            && last.get().keys().max().equals(part.keys().min());
            if (isSame) {
                joined.removeLast();
                joined.add(
                        new Part(
                                new KeyRange(last.get().keys().min(), part.keys().max()),
                                part.place()));
            } else {
                joined.add(part);
            }
        }
        return joined;
    }
}
