package orrery.query.execute;

import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Adds up where the time of a page goes. What is measured inside another counts only there. */
final class Timings {
    enum Kind {
        CHOOSE,
        INDEX,
        LOAD,
        WRITE
    }

    private final LongSupplier nanoTime;
    private final long[] spent = new long[Kind.values().length];
    private long measured;

    Timings(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    <T> T measure(Kind kind, Supplier<T> action) {
        long began = nanoTime.getAsLong();
        long inside = measured;
        try {
            return action.get();
        } finally {
            long nanos = nanoTime.getAsLong() - began;
            spent[kind.ordinal()] += nanos - (measured - inside);
            measured = inside + nanos;
        }
    }

    QueryTimes times() {
        return new QueryTimes(
                0,
                0,
                spent[Kind.CHOOSE.ordinal()],
                spent[Kind.INDEX.ordinal()],
                spent[Kind.LOAD.ordinal()],
                spent[Kind.WRITE.ordinal()],
                0);
    }
}
