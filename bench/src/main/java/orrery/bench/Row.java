package orrery.bench;

import java.util.Locale;
import java.util.Optional;

/**
 * One line of the table.
 *
 * @param peer what the figure is compared with
 * @param note what else was seen, for who wants to know why
 */
record Row(
        String measurement,
        String name,
        double figure,
        Unit unit,
        Optional<Peer> peer,
        Optional<Target> target,
        String note) {
    enum Unit {
        PER_SECOND("/s", 0),
        NANOS("ns", 0),
        MILLIS("ms", 2),
        SECONDS("s", 2),
        MEGABYTES("MB", 0),
        PERCENT("%", 2),
        TIMES("x", 2);

        private final String symbol;
        private final int decimals;

        Unit(String symbol, int decimals) {
            this.symbol = symbol;
            this.decimals = decimals;
        }

        String format(double value) {
            return String.format(Locale.ROOT, "%,." + decimals + "f", value)
                    + (this == PER_SECOND ? "" : " ")
                    + symbol;
        }

        String symbol() {
            return symbol;
        }
    }

    record Peer(String name, double figure) {}

    enum Verdict {
        MET,
        MISSED,
        /** There is no target. */
        NONE
    }

    /** The bound that the figure, or its ratio to the peer's, must meet. */
    sealed interface Target {
        record RatioAtLeast(double bound) implements Target {}

        record AtMost(double bound) implements Target {}
    }

    static Row alone(
            String measurement, String name, double figure, Unit unit, double atMost, String note) {
        return new Row(
                measurement,
                name,
                figure,
                unit,
                Optional.empty(),
                Optional.of(new Target.AtMost(atMost)),
                note);
    }

    Optional<Double> ratio() {
        return peer.map(other -> figure / other.figure());
    }

    Verdict verdict() {
        return target.map(
                        wanted ->
                                switch (wanted) {
                                    case Target.RatioAtLeast(double bound) ->
                                            ratio().orElse(0.0) >= bound;
                                    case Target.AtMost(double bound) -> figure <= bound;
                                })
                .map(isMet -> isMet ? Verdict.MET : Verdict.MISSED)
                .orElse(Verdict.NONE);
    }
}
