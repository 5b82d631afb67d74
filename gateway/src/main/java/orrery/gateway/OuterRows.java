package orrery.gateway;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import orrery.gateway.DerivedPlace.Taken;
import orrery.model.Bytes;
import orrery.model.memory.MemoryAccount;
import orrery.query.evaluate.ValueHash;

/** The rows that an outer query makes of one page of inner results, while they wait to be given. */
final class OuterRows {
    private static final long ROW_OVERHEAD = 96;
    private static final long SOURCE_BYTES = 64;

    /**
     * A result of the outer query.
     *
     * @param hash where it wants no duplicates
     */
    record Row(Bytes text, Optional<ValueHash> hash, Source source) {
        private long heldBytes() {
            return ROW_OVERHEAD + text.length();
        }
    }

    /** An inner result. */
    static final class Source {
        private final ValueHash name;
        private final long before;
        private long made;
        private long taken;

        private Source(ValueHash name, long before) {
            this.name = name;
            this.before = before;
        }
    }

    private final Deque<Row> waiting = new ArrayDeque<>();
    private final List<Source> sources = new ArrayList<>();

    /** The results that were named when the page began, and those of them that it has not. */
    private List<Taken> named;

    private List<Taken> unmet;
    private long heldBytes;

    /**
     * @param named inner results of which something was given earlier
     */
    OuterRows(List<Taken> named) {
        this.named = List.copyOf(named);
        this.unmet = new ArrayList<>(named);
    }

    /** Begins a page of inner results, when no row of the one before waits. */
    void beginPage() {
        named = List.copyOf(unmet);
        release(SOURCE_BYTES * sources.size());
        sources.clear();
    }

    /** Goes back to where the page began. No row of it was taken. */
    void undoPage() {
        waiting.clear();
        release(heldBytes);
        sources.clear();
        unmet = new ArrayList<>(named);
    }

    /** The next rows come of this inner result. */
    Source open(ValueHash name) {
        hold(SOURCE_BYTES);
        Source source = new Source(name, met(unmet, name));
        sources.add(source);
        return source;
    }

    /** Strikes a result off a list; returns how many of its rows were given. */
    static long met(List<Taken> named, ValueHash name) {
        for (int i = 0; i < named.size(); i++) {
            if (named.get(i).name().equals(name)) {
                return named.remove(i).rows();
            }
        }
        return 0;
    }

    void add(Row row) {
        Source source = row.source();
        source.made++;
        if (source.made <= source.before) {
            source.taken++;
        } else {
            hold(row.heldBytes());
            waiting.add(row);
        }
    }

    /** Returns the next result of the outer query that was not taken. */
    Optional<Row> peek() {
        return Optional.ofNullable(waiting.peek());
    }

    /** Takes the result that {@link #peek} returned. */
    Row take() {
        Row row = waiting.remove();
        row.source().taken++;
        release(row.heldBytes());
        return row;
    }

    /** Returns how many rows an inner result makes, at least one. */
    long perSource() {
        long made = sources.stream().mapToLong(source -> source.made).sum();
        return Math.max(1, made / Math.max(1, sources.size()));
    }

    /**
     * Returns the number of inner results whose rows all fit with those before them; empty if that
     * is all of them.
     */
    Optional<Integer> fitting(long rows, long bytes, Predicate<Row> isLeftOut) {
        long rowsLeft = rows;
        long bytesLeft = bytes;
        for (Row row : waiting) {
            if (!isLeftOut.test(row)) {
                rowsLeft--;
                bytesLeft -= row.text().length();
            }
            if (rowsLeft < 0 || bytesLeft < 0) {
                return Optional.of(sources.indexOf(row.source()));
            }
        }
        return Optional.empty();
    }

    /** Returns the inner results behind the begin of the page of which something was given. */
    List<Taken> taken() {
        List<Taken> taken = new ArrayList<>(unmet);
        for (Source source : sources) {
            if (source.taken > 0) {
                taken.add(
                        new Taken(
                                source.name,
                                source.taken == source.made ? Taken.ALL : source.taken));
            }
        }
        return taken;
    }

    /** Returns the named inner results that have not come yet. */
    List<Taken> unmet() {
        return unmet;
    }

    private void hold(long bytes) {
        MemoryAccount.current().take(bytes);
        heldBytes += bytes;
    }

    private void release(long bytes) {
        MemoryAccount.current().give(bytes);
        heldBytes -= bytes;
    }

    long sizeBytes() {
        return heldBytes;
    }
}
